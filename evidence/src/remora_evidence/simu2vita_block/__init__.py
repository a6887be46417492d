"""The vehicle block of Gava et al. 2022 with its parameters and signals."""
