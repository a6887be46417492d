"""Sensor errors: bias, drift, noise, quantisation, latency, dropout, and their random streams."""
