"""Readings along a recorded motion."""
