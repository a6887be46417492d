"""Oscillation tests: moments of inertia, damping and centres from free oscillations."""
