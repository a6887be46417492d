"""Commands for navigation filters."""
