"""Covariance of estimates: correlated residuals, delete-block jackknife, identifiability, priors."""
