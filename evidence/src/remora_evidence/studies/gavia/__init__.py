"""Studies of Randeni et al. 2018: gyro-driven models of the Gavia."""
