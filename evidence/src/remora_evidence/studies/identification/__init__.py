"""Studies with known truth: coverage of intervals and recovery of non-linear parameters."""
