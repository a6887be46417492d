"""The command `remora`. Commands are loaded when they are called, so that help answers at once."""

from remora.cli.process import resend_dropped_interrupts

resend_dropped_interrupts()  # before the other imports, which take most of the start

from remora.cli.group import main  # noqa: E402

__all__ = ["main"]
