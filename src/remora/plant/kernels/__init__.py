"""Compiled functions beside the plant, each compiled by itself on first use."""
