"""Guidance laws: velocities, courses and trajectories from positions and paths."""
