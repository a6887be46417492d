"""Fits and validations: pictures, summaries and HTML pages."""
