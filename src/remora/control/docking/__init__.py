"""Cooperative docking: distributed predictive control of several vehicles that agree on a common pose."""
