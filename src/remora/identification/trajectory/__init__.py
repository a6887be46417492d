"""Output-error identification: multiple shooting and Gauss-Newton."""
