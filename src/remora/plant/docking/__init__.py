"""Compiled prediction and condensing for cooperative docking."""
