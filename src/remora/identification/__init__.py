"""Identification: from logs and bench tests to the numbers of a vehicle, with honest uncertainty."""
