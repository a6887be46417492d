"""Planned experiments: pictures and summaries."""
