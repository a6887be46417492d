"""Compiled stepping of tethers."""
