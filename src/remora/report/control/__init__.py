"""Gains and margins of control loops as text and pictures."""
