"""Recorded data that are not part of this repository, in the folder REMORA_DATA."""

import os
from pathlib import Path

from remora_evidence.assessment import DataAbsentError

VARIABLE = "REMORA_DATA"


def recorded_data(file: str) -> Path:
    """A file of the folder of recorded data; a DataAbsentError without the folder or the file."""
    folder = os.environ.get(VARIABLE)
    if not folder:
        raise DataAbsentError(f"{file} is not here; give the folder of recorded data with --data or {VARIABLE}")
    path = Path(folder) / file
    if not path.is_file():
        raise DataAbsentError(f"{path} is not there")
    return path
