"""References for controllers: smooth changes, tunnels, excitation. Runs alone, on a vehicle or on a log."""

from remora.guidance.excitation import Excitation, ExcitationState, PoseReference
from remora.guidance.minimum_jerk import AttitudeBlend, BlendLimits, Motion, ScalarBlend
from remora.guidance.tunnel import (
    Present,
    Sinusoid,
    TunnelGoal,
    TunnelGuidance,
    TunnelReference,
    simu2vita_guidance,
)

__all__ = [
    "AttitudeBlend",
    "BlendLimits",
    "Excitation",
    "ExcitationState",
    "Motion",
    "PoseReference",
    "Present",
    "ScalarBlend",
    "Sinusoid",
    "TunnelGoal",
    "TunnelGuidance",
    "TunnelReference",
    "simu2vita_guidance",
]
