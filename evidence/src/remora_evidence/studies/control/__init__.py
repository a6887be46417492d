"""Studies of control beyond the literature: converged optimal control, tuned and predictive station keeping."""
