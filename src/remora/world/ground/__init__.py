"""Solid environment: seabed, tunnels, obstacles, and bathymetry files."""
