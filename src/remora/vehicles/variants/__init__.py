"""Variants of a vehicle: other water, random scatter, chosen variations, body without moving masses."""
