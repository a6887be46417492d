"""Gain selection and stability margins of sampled control loops with thruster lag, latency and hold."""
