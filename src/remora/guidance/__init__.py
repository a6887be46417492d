"""Guidance: references for controllers, on a vehicle, in a simulation or on a recorded log."""

from remora.guidance.line_of_sight import (
    LineOfSight,
    LineOfSightReference,
    LineOfSightState,
    PathFollowing,
    PathFollowingState,
)
from remora.guidance.manoeuvres import Legs, ManoeuvreLeg, TurningCircle, id1
from remora.guidance.minimum_jerk import AttitudeBlend, BlendLimits, ScalarBlend, ScalarMotion
from remora.guidance.mission import Avoidance, MissionTarget, PipeFinder, RangingSensor, Sounding
from remora.guidance.piloting import Piloting, PilotingState, RemotePilot, RemotePilotState
from remora.guidance.signals import (
    ExcitationGuidance,
    ExcitationState,
    Multisine,
    PoseReference,
    Sinusoid,
    Steps,
    ZigZag,
    crest_factor,
    low_crest_phases,
    schroeder_phases,
)
from remora.guidance.tunnel import TunnelGoal, TunnelGuidance, TunnelMeasurements, TunnelReference, simu2vita_guidance
from remora.guidance.velocity_guidance import VelocityGuidance, VelocityGuidanceState, lyapunov_law
from remora.guidance.waypoints import Waypoint, WaypointGuidance, WaypointState

__all__ = [
    "AttitudeBlend",
    "Avoidance",
    "BlendLimits",
    "ExcitationGuidance",
    "ExcitationState",
    "Legs",
    "LineOfSight",
    "LineOfSightReference",
    "LineOfSightState",
    "ManoeuvreLeg",
    "MissionTarget",
    "Multisine",
    "PathFollowing",
    "PathFollowingState",
    "Piloting",
    "PilotingState",
    "PipeFinder",
    "PoseReference",
    "RangingSensor",
    "RemotePilot",
    "RemotePilotState",
    "ScalarBlend",
    "ScalarMotion",
    "Sinusoid",
    "Sounding",
    "Steps",
    "TunnelGoal",
    "TunnelGuidance",
    "TunnelMeasurements",
    "TunnelReference",
    "TurningCircle",
    "VelocityGuidance",
    "VelocityGuidanceState",
    "Waypoint",
    "WaypointGuidance",
    "WaypointState",
    "ZigZag",
    "crest_factor",
    "id1",
    "low_crest_phases",
    "lyapunov_law",
    "schroeder_phases",
    "simu2vita_guidance",
]
