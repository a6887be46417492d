"""Linear regression on the equation of motion."""
