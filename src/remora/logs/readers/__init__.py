"""Readers of log formats; each returns a `Log`."""
