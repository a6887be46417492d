"""Linked bodies: vehicles and passive bodies joined by links that may come and go."""

from remora.plant.multibody.assembly import BodyModel
from remora.plant.multibody.attachment import Attachment, LatchTolerance, attach, closed
from remora.plant.multibody.link_reports import (
    DriftReport,
    LinkCounts,
    Mismatch,
    counts,
    drift,
    kinetic_energy,
    reactions,
    total_impulse,
)
from remora.plant.multibody.link_table import Link, LinkError, fitted, weld
from remora.plant.multibody.multibody_plant import MultibodyPlant

__all__ = [
    "Attachment",
    "BodyModel",
    "DriftReport",
    "LatchTolerance",
    "Link",
    "LinkCounts",
    "LinkError",
    "Mismatch",
    "MultibodyPlant",
    "attach",
    "closed",
    "counts",
    "drift",
    "fitted",
    "kinetic_energy",
    "reactions",
    "total_impulse",
    "weld",
]
