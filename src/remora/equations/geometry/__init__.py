"""Rays, solids, contact, and the ellipsoid of the Earth."""
