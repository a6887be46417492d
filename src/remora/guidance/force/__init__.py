"""Guidance without a velocity: forces of a pilot, depth and heading."""
