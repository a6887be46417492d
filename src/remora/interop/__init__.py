"""Bridges to other simulators."""
