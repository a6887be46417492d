"""Advice of the library in the words of `remora.fit`: keyword arguments in place of command-line options."""

from collections.abc import Iterable

from remora.files.problems import Advice


def argument(field: str, value: str) -> str:
    """A field and its value as a keyword argument: `rate` and `20` as rate=20."""
    if field == "constrained":  # only a reason lets damping add energy
        return argument("negative_damping", "the reason")
    if not value:
        return f"{field}=True"
    try:
        float(value)
    except ValueError:
        return f'{field}="{value}"'
    return f"{field}={value}"


def with_arguments(sentences: Iterable[str]) -> tuple[str, ...]:
    """Warnings of the library with keyword arguments as they are typed."""
    return tuple(one.worded(argument) if isinstance(one, Advice) else one for one in sentences)
