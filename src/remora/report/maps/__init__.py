"""Maps from the ranges of a log."""
