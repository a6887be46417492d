"""The example of docs/vehicle-files.md as text, and changes to it."""

from pages import code_blocks, page

EXAMPLE = code_blocks(page("vehicle-files.md"), "yaml")[0]


def changed(*changes: tuple[str, str]) -> str:
    """The example with pieces of text replaced; a piece that is not there is a mistake of the test."""
    text = EXAMPLE
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the example"
        text = text.replace(old, new)
    return text


def line_of(text: str, piece: str) -> int:
    """The line on which a piece of text starts, counted from one."""
    return text[: text.index(piece)].count("\n") + 1
