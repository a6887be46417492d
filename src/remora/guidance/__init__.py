"""References for controllers: smooth changes, tunnels, excitation. Runs alone, on a vehicle or on a log."""

from remora.guidance.excitation import Excitation, ExcitationState, PoseReference
from remora.guidance.line_of_sight import Course, LineOfSight, SightState
from remora.guidance.manoeuvres import Leg, Legs, TurningCircle, id1
from remora.guidance.minimum_jerk import AttitudeBlend, BlendLimits, Motion, ScalarBlend
from remora.guidance.signals import Multisine, Sinusoid, Steps, ZigZag, crest_factor, low_crest_phases, schroeder_phases
from remora.guidance.tunnel import (
    Present,
    TunnelGoal,
    TunnelGuidance,
    TunnelReference,
    simu2vita_guidance,
)
from remora.guidance.waypoints import Waypoint, WaypointGuidance, WaypointState

__all__ = [
    "AttitudeBlend",
    "BlendLimits",
    "Course",
    "Excitation",
    "ExcitationState",
    "Leg",
    "Legs",
    "LineOfSight",
    "Motion",
    "Multisine",
    "PoseReference",
    "Present",
    "ScalarBlend",
    "SightState",
    "Sinusoid",
    "Steps",
    "TunnelGoal",
    "TunnelGuidance",
    "TunnelReference",
    "TurningCircle",
    "Waypoint",
    "WaypointGuidance",
    "WaypointState",
    "ZigZag",
    "crest_factor",
    "id1",
    "low_crest_phases",
    "schroeder_phases",
    "simu2vita_guidance",
]
