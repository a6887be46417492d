"""CPU time of navigation filters."""
