"""Stability of the control loop of a scenario, before it runs."""
