"""Morphologies, a third of them as bundled files have them, the others broken on purpose."""

import math
from pathlib import Path

from fuzz.breaking import broken_text
from fuzz.chance import Chance
from fuzz.judgement import judged
from fuzz.yaml_writer import yaml_text
from remora.files.document import parse_document
from remora.sensors.registry import find_kind
from remora.vehicles.library import morphology_names, morphology_path
from remora.vehicles.morphologies.module_reader import MORPHOLOGY_FILE
from remora.vehicles.morphologies.reader import load_morphology
from remora.vehicles.morphologies.report import morphology_data, morphology_lines

_FILES = {name: morphology_path(name) for name in morphology_names()}


def content(chance: Chance) -> bytes:
    """The text of a file."""
    path = _FILES[chance.one(sorted(_FILES))]
    data = parse_document(path.read_text(encoding="utf-8"), "text", MORPHOLOGY_FILE).data
    text = broken_text(data, chance) if chance.happens(0.9) else yaml_text(data)
    return text.encode("utf-8", "surrogatepass")


def tried(given: bytes, folder: Path) -> tuple[str, str]:
    """What `remora check` makes of the file."""
    file = folder / "morphology.yaml"
    file.write_bytes(given)
    return judged(lambda: _checked(file))


def _checked(file: Path) -> str:
    morphology = load_morphology(file, find_kind)
    _, lines = morphology_lines(morphology)
    if "nan" in " ".join(lines).split():
        return "NaN in the report"
    return "an infinite number in the report" if not _is_finite(morphology_data(morphology)) else ""


def _is_finite(data: object) -> bool:
    if isinstance(data, dict):
        return all(map(_is_finite, data.values()))
    if isinstance(data, list | tuple):
        return all(map(_is_finite, data))
    return not isinstance(data, float) or math.isfinite(data)
