"""Morphologies: vehicles and passive bodies joined by links, read from YAML, and their composite model.

>>> from remora.vehicles.morphologies import load_morphology
>>> load_morphology("two_bluerovs").module_names
('bracket', 'left', 'right')
"""

from remora.vehicles.library import morphology_names, morphology_path
from remora.vehicles.morphologies.composite import composite_vehicle
from remora.vehicles.morphologies.module_reader import MorphologyError
from remora.vehicles.morphologies.morphology import Module, ModuleLink, Morphology, PortPose
from remora.vehicles.morphologies.reader import (
    load_morphology,
    load_vehicle_or_morphology,
    morphology_from_text,
)

__all__ = [
    "Module",
    "ModuleLink",
    "Morphology",
    "MorphologyError",
    "PortPose",
    "composite_vehicle",
    "load_morphology",
    "load_vehicle_or_morphology",
    "morphology_from_text",
    "morphology_names",
    "morphology_path",
]
