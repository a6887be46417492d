"""Variants of a vehicle: other water, random scatter, body without moving masses."""
