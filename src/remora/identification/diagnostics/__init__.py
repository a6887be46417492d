"""Diagnostics of a fit: input units and timing, weak thrusters, steady current, unused data."""
