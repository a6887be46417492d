"""Studies of Gava et al. 2022: tunnel missions of the VITA 1."""
