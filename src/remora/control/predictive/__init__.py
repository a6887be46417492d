"""Non-linear model predictive control in six degrees of freedom, as a real-time iteration."""
