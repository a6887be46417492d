"""Sections of a vehicle file and their validation."""
