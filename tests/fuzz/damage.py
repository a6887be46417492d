"""Contents damaged by chance: bytes of a file or a message, and texts of tables."""

from fuzz.chance import Chance

_LENGTHS = (b"\xff" * 8, b"\xff" * 4, b"\x00" * 8, b"\xff\xff\xff\x7f", b"\x00\x00\x00\x80")
_CELLS = (
    *("", "nan", "inf", "-inf", "1e308", "-1e308", "1e400", "1e-320", "NaN", "abc", "1,5", "0x10", "1_000", "--1"),
    *("9" * 30, "-1", "0", "2025-03-01T12:00:00", "12:00:00.5", "True", '"', '""', '"a', "\u00e4", "\u2028", " ", "\t"),
)


def damaged_bytes(content: bytes, chance: Chance, most: int = 3) -> bytes:
    """The content with one to so many places that are wrong."""
    for _ in range(chance.whole(1, most)):
        at = chance.whole(0, len(content))
        size = chance.one((1, 1, 4, 8, 64))
        how = chance.whole(0, 6)
        if how == 0:
            content = content[:at]
        elif how == 1:
            content = content[:at] + content[at + size :]
        elif how == 2:
            content = content[:at] + content[at : at + size] * 2 + content[at + size :]
        elif how == 3:
            field = chance.one(_LENGTHS)
            content = content[:at] + field + content[at + len(field) :]
        else:
            field = bytes(chance.whole(0, 255) for _ in range(size))
            content = content[:at] + field + content[at + size :]
    return content


def damaged_table(text: str, chance: Chance, separator: str = ",") -> str:
    """The table with one to four cells, lines or columns that are wrong."""
    rows = [line.split(separator) for line in text.splitlines()]
    for _ in range(chance.whole(1, 4)):
        row = chance.one(rows)
        at = chance.whole(0, len(row) - 1)
        how = chance.whole(0, 8)
        if how <= 3:
            row[at] = chance.one(_CELLS)
        elif how == 4:
            rows.insert(chance.whole(0, len(rows)), list(row))
        elif how == 5:
            rows[:] = [row[:at] + row[at + 1 :] or [""] for row in rows]
        elif how == 6:
            row.append(chance.one(_CELLS))
        elif how == 7:
            del row[at:]
            row += [] if row else [""]
        else:
            rows[:] = rows[: chance.whole(1, len(rows))]
    return chance.one(("\n", "\n", "\n", "\r\n", "\r")).join(separator.join(row) for row in rows) + "\n"
