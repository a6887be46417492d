"""YAML documents as plain data with line numbers; anchors, tags and oversized files are refused."""

import re
import warnings
from functools import lru_cache
from itertools import accumulate
from pathlib import Path as FilePath
from typing import Any, NamedTuple, cast

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, ReusedAnchorWarning, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError

from remora.files.file_kinds import FileKind, other_kind
from remora.files.problems import Finding, InputFileError, Path, Problem, dotted, listed

# The largest bundled vehicle has 20 kB. Reading takes about 1 s per 60 kB, so this also bounds the time.
LARGEST_FILE = 200_000  # bytes
DEEPEST_BRACKETS = 100  # nesting; a thousand levels take the parser seconds

# Complaints of the parser about a line without a colon, or about the line after it.
_COLON_PROBLEMS = ("could not find expected ':'", "mapping values are not allowed here")
_KEY_WITHOUT_COLON = re.compile(r"(- )?\w+(:\S.*|\s+[^:]*|)")
_PLAIN_TAGS = {"str", "timestamp", "int", "float", "bool", "null", "map", "seq"}


class Document(NamedTuple):
    """Data of a file, positions of its fields, and findings of the parser."""

    file: str
    data: Any
    positions: dict[Path, tuple[int, int]]  # line and column of each key or list item, counted from one
    findings: list[Finding]


def read_document(file: FilePath, kind: FileKind) -> Document:
    """The document of a file; raises the error of its kind if it is not YAML."""
    return parse_document(read_text(file, kind), str(file), kind)


def parse_document(text: str, file: str, kind: FileKind) -> Document:
    """The document of a YAML text; name of the file and its kind are for messages."""
    if len(text) > LARGEST_FILE:
        message = f"too large ({len(text)} characters). A {kind.what} file has at most {LARGEST_FILE}."
        raise _refusal(kind, file, message)
    if _depth(text) > DEEPEST_BRACKETS:
        raise _refusal(kind, file, f"is nested too deeply for a {kind.what} file.")
    root = _compose(text, file, kind)
    if root is None:
        raise _refusal(kind, file, f"is empty. A {kind.what} needs {listed(kind.examples)}.")
    document = Document(file, None, {(): (root.start_mark.line + 1, root.start_mark.column + 1)}, [])
    try:
        data = _plain(root, (), document)
    except RecursionError:
        raise _refusal(kind, file, f"is nested too deeply for a {kind.what} file.") from None
    if isinstance(data, dict) and (other := other_kind(data, kind.what)):
        raise _refusal(kind, file, other.message, *document.positions[(other.mark,)])
    return document._replace(data=data)


def _depth(text: str) -> int:
    """Nesting depth of brackets, those in texts and comments included."""
    steps = (1 if character in "[{" else -1 for character in text if character in "[]{}")
    return max(accumulate(steps), default=0)


def problem_at(document: Document, finding: Finding) -> Problem:
    """A finding with its line and column."""
    path = finding.path
    place = path
    while place and place not in document.positions:
        place = place[:-1]
    line, column = document.positions[place]
    found = shown(value_at(document.data, path)) if finding.shows_value else ""
    return Problem(document.file, line, column, dotted(path), found, finding.message, finding.kind)


def value_at(data: Any, path: Path) -> Any:
    """The value at a path; None if there is none."""
    for step in path:
        inside = isinstance(data, dict) and step in data
        inside = inside or (isinstance(data, list) and isinstance(step, int) and step < len(data))
        if not inside:
            return None
        data = data[step]
    return data


def shown(value: Any) -> str:
    """A value as written in a file, shortened."""
    if value is None:
        return ""
    if isinstance(value, dict):
        text = "{" + ", ".join(f"{key}: {shown(item)}" for key, item in value.items()) + "}"
    elif isinstance(value, list):
        text = "[" + ", ".join(shown(item) for item in value) + "]"
    else:
        text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def read_text(file: FilePath, kind: FileKind) -> str:
    """The text of a file; raises the error of its kind if it cannot be read."""
    try:
        if file.exists() and not file.is_file():
            what = "a folder" if file.is_dir() else "not a regular file"
            raise IsADirectoryError(None, f"it is {what}. Give the YAML file of a {kind.what}")
        with file.open("rb") as stream:
            raw = stream.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise _refusal(kind, str(file), "no such file. Check the path, or give the name of a preset.") from None
    except (OSError, ValueError) as error:
        raise _refusal(kind, str(file), f"cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    if len(raw) > LARGEST_FILE:
        raise _refusal(kind, str(file), f"too large. A {kind.what} file has at most {LARGEST_FILE} bytes.")
    if b"\0" in raw:
        raise _refusal(kind, str(file), "is a binary file, not a YAML text.")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        byte = f"0x{raw[error.start]:02x}"
        raise _refusal(kind, str(file), f"the byte {byte} is not UTF-8. Save the file as UTF-8.", line) from None


@lru_cache(maxsize=64)
def _nodes(text: str) -> Node | None:
    """Tree of YAML nodes, kept because the parser takes most of the time of loading a file; nobody changes it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReusedAnchorWarning)  # anchors are refused anyway
        return cast("Node | None", YAML(typ="safe", pure=True).compose(text))


def _compose(text: str, file: str, kind: FileKind) -> Node | None:
    """Tree of YAML nodes; raises an error with the line of the mistake."""
    try:
        return _nodes(text)
    except MarkedYAMLError as error:
        raise _refusal(kind, file, *_yaml_mistake(error, text)) from None
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise _refusal(kind, file, "has a control character, which no YAML text contains.", line) from None
    except RecursionError:
        raise _refusal(kind, file, f"is nested too deeply for a {kind.what} file.") from None
    except (YAMLError, ValueError) as error:
        raise _refusal(kind, file, f"not valid YAML: {error}.") from None


def _yaml_mistake(error: MarkedYAMLError, text: str) -> tuple[str, int | None, int | None]:
    """Message, line and column of a mistake in YAML."""
    mark, problem = error.problem_mark or error.context_mark, error.problem or ""
    if mark and problem in _COLON_PROBLEMS and (line := _line_without_colon(text, mark.line)):
        return f'"{line.text}" needs a colon and a blank after the key.', line.number, None
    if mark and "'\\t'" in problem:
        return "the line is indented by a tab. Indent by blanks.", mark.line + 1, None
    words = ", ".join(part for part in (error.context, problem) if part)
    return f"not valid YAML: {words}.", mark.line + 1 if mark else None, mark.column + 1 if mark else None


class _TextLine(NamedTuple):
    """A line of a file, counted from one."""

    number: int
    text: str


def _line_without_colon(text: str, at: int) -> _TextLine | None:
    """The last line with text up to index `at` whose key has no colon and blank; None where there is none nearby."""
    lines = [_TextLine(number, line.strip()) for number, line in enumerate(text.splitlines()[: at + 1], 1)]
    filled = [line for line in lines if line.text and not line.text.startswith("#")]
    return next((line for line in filled[:-4:-1] if _KEY_WITHOUT_COLON.fullmatch(line.text)), None)


def _plain(node: Node, path: Path, document: Document) -> Any:
    """A node as plain Python data; positions and findings are added to the document."""
    if node.anchor is not None:
        message = f'anchors and aliases ("&{node.anchor}") are not allowed. Write the value out.'
        document.findings.append(Finding(path, message, shows_value=False))
        return None
    tag = str(node.tag).removeprefix("tag:yaml.org,2002:")
    if tag not in _PLAIN_TAGS:
        document.findings.append(Finding(path, f'the tag "{node.tag}" is not allowed. Write plain values.'))
        return None
    if isinstance(node, MappingNode):
        return _plain_mapping(node, path, document)
    if isinstance(node, SequenceNode):
        for index, item in enumerate(node.value):
            document.positions[(*path, index)] = (item.start_mark.line + 1, item.start_mark.column + 1)
        return [_plain(item, (*path, index), document) for index, item in enumerate(node.value)]
    if _whole(node.value) is None:
        message = "has half of a character, escaped as in JSON. Write the whole character."
        document.findings.append(Finding(path, message, shows_value=False))
        return None
    return _plain_scalar(node, tag)


def _plain_mapping(node: MappingNode, path: Path, document: Document) -> dict[str, Any]:
    """A mapping with text keys, each of them once."""
    plain: dict[str, Any] = {}
    for key, value in node.value:
        line = key.start_mark.line + 1
        word = _whole(key.value) if isinstance(key, ScalarNode) else None
        if word is None:
            document.findings.append(Finding(path, f"the key in line {line} is not a word.", shows_value=False))
            continue
        place = (*path, word)
        if word in plain:
            first = document.positions[place][0]
            message = f"key appears twice, in lines {first} and {line}. Keep one of them."
            document.findings.append(Finding(place, message, shows_value=False))
            continue
        document.positions[place] = (line, key.start_mark.column + 1)
        plain[word] = _plain(value, place, document)
    return plain


def _whole(text: str) -> str | None:
    """A text with surrogate pairs joined, as JSON escapes them; None for a lone surrogate."""
    try:
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        return None


def _plain_scalar(node: Node, tag: str) -> Any:
    """A number, boolean, None or text."""
    digits = node.value.replace("_", "")
    if tag == "null":
        return None
    if tag == "bool":
        return node.value.lower() == "true"
    if tag == "float":
        return float(digits.lower().replace(".inf", "inf").replace(".nan", "nan"))
    if tag == "int":
        special = digits.lstrip("+-")[:2].lower() in ("0o", "0x", "0b")
        # An integer with thousands of digits becomes an infinite float, which is refused later.
        return int(digits, 0) if special else int(digits) if len(digits) < 18 else float(digits)
    return _whole(node.value)


def _refusal(
    kind: FileKind, file: str, message: str, line: int | None = None, column: int | None = None
) -> InputFileError:
    """Error for a file without data."""
    return kind.error([Problem(file, line, column, "", "", message, "file")])
