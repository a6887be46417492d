"""Tethers: lumped-mass line, simplified models, end conditions, static shape."""
