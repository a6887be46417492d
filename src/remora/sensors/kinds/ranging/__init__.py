"""Ranges, directions and images of targets and surfaces: acoustic and optical sensors."""
