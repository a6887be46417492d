"""Twins of the tank tests of Nielsen 2018, chapters 4 and 5."""
