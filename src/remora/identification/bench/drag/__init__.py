"""Drag of a hull: towing, steps of thrust, and extrapolation to axes that were not measured."""
