"""Monitoring of a run: warnings where it deviates from what the scenario asks for."""
