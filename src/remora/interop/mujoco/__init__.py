"""Hydrodynamics for bodies of a MuJoCo model."""
