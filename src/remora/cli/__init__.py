"""The command `remora`. Commands are loaded when they are called, so that help answers at once."""

from remora.cli.group import main

__all__ = ["main"]
