"""Solid surroundings: the sea bed, tunnels, obstacles, and files of depths."""
