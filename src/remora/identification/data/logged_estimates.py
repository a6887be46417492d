"""Navigation estimates of a log as motion of a record: rows before the first estimate."""

import numpy as np

from remora.identification.data.record import Record
from remora.vehicles.names import DEGREES_OF_FREEDOM


def from_first_estimate(record: Record) -> Record:
    """The record from the first row on in which all estimated speeds and, where estimated, the attitude are known."""
    places = [DEGREES_OF_FREEDOM.index(axis) for axis in record.measured]
    tables = [record.twist[:, places], *([] if record.quaternion is None else [record.quaternion])]
    known = ~np.isnan(np.column_stack(tables)).any(axis=1)
    first = int(np.argmax(known))
    if first == 0:
        return record
    count = f"{first} rows were" if first > 1 else "a row was"
    sentence = f"The first complete estimate is at {record.time[first]:.4g} s; {count} left out before it."
    return record.rows(first, len(record)).with_note(sentence)
