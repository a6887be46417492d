"""Oscillation tests: moments of inertia, damping and centres from bodies that swing."""
