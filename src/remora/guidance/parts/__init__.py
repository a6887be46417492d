"""Guidance as parts of a vehicle, with their options."""
