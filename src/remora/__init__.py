"""Remora: underwater vehicles, from equations written once."""

__version__ = "0.1.0"
