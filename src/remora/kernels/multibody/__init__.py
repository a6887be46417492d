"""Linked bodies: vehicles and passive bodies joined by links that may come and go."""

from remora.kernels.multibody.assembly import BodyModel
from remora.kernels.multibody.attachment import Attachment, LatchTolerance, attach, closed
from remora.kernels.multibody.link_reports import (
    DriftReport,
    LinkCounts,
    Mismatch,
    counts,
    drift,
    kinetic_energy,
    reactions,
    total_impulse,
)
from remora.kernels.multibody.link_table import Link, LinkError, fitted, weld
from remora.kernels.multibody.multibody_plant import MultibodyPlant

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
