"""Commands for control loops."""
