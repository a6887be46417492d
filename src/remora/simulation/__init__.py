"""Vehicles in motion: the plant, the scenarios it runs through, and what is recorded of them."""
