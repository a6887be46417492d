"""Identification: from logs and bench tests to the numbers of a vehicle, with honest uncertainty.

A `Record` goes in, a `Fit` comes out, whatever the estimator. The names below are only loaded when they are used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remora.identification.parameters import ParameterNameError, known_names, values_of, with_values
    from remora.identification.problems import RecordError
    from remora.identification.reading import Column, record_from_csv, record_from_log
    from remora.identification.record import Inputs, Record, Segment, inputs_of, record_from_arrays
    from remora.identification.result import Ambiguity, Fit, Identifiability
    from remora.identification.vehicle_file import NegativeDampingError, vehicle_file_text, write_vehicle_file

_HOME = {
    "Ambiguity": "result",
    "Column": "reading",
    "Fit": "result",
    "Identifiability": "result",
    "Inputs": "record",
    "NegativeDampingError": "vehicle_file",
    "ParameterNameError": "parameters",
    "Record": "record",
    "RecordError": "problems",
    "Segment": "record",
    "inputs_of": "record",
    "known_names": "parameters",
    "record_from_arrays": "record",
    "record_from_csv": "reading",
    "record_from_log": "reading",
    "values_of": "parameters",
    "vehicle_file_text": "vehicle_file",
    "with_values": "parameters",
    "write_vehicle_file": "vehicle_file",
}

__all__ = [
    "Ambiguity",
    "Column",
    "Fit",
    "Identifiability",
    "Inputs",
    "NegativeDampingError",
    "ParameterNameError",
    "Record",
    "RecordError",
    "Segment",
    "inputs_of",
    "known_names",
    "record_from_arrays",
    "record_from_csv",
    "record_from_log",
    "values_of",
    "vehicle_file_text",
    "with_values",
    "write_vehicle_file",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
