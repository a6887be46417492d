"""Comparison with MuJoCo: its own steps, and its steps with our water."""
