"""Builders of the objects of a run from the entries of a scenario."""
