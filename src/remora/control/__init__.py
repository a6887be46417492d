"""Controllers and control allocation: commands from references and estimates, on a vehicle or on a recorded log."""

from remora.control.allocation.commands import commands_from_forces, inputs_from_forces
from remora.control.allocation.fin_mixing import FinMixing, fin_mixing
from remora.control.allocation.thrusters import (
    AllocatedForces,
    BoundedAllocation,
    PseudoInverse,
    bounded_allocation,
    pseudo_inverse,
)
from remora.control.autopilots.cascade import CascadeAxis, CascadeControl, CascadeState, ardusub_cascade
from remora.control.autopilots.fin_autopilot import FinAutopilot, FinAutopilotState, FinGains, fin_autopilot
from remora.control.autopilots.position import (
    ControlChain,
    PositionControl,
    PositionControlState,
    flatfish_chain,
    mission_control,
    position_control,
)
from remora.control.autopilots.sliding_mode import SlidingModeControl, SlidingSurfaces, default_surfaces
from remora.control.autopilots.tunnel import TunnelControl, TunnelControlState, simu2vita_control
from remora.control.autopilots.velocity_tracking import VelocityTracking, VelocityTrackingState, velocity_tracking
from remora.control.feedback.attitude import AttitudeGains, attitude_torque, tilt_error, turn_to_heading
from remora.control.feedback.dynamic_inversion import FlowFromThrust, flow_from_thrust
from remora.control.feedback.feedback_linearisation import FeedbackLinearisation, linearising_wrench
from remora.control.feedback.pid import Pid, PidState
from remora.navigation.echosounders import EchoOffsets, echo_offsets
from remora.vehicles.checks.actuation import levelled_axes

__all__ = [
    "AllocatedForces",
    "AttitudeGains",
    "BoundedAllocation",
    "CascadeAxis",
    "CascadeControl",
    "CascadeState",
    "ControlChain",
    "EchoOffsets",
    "FeedbackLinearisation",
    "FinAutopilot",
    "FinAutopilotState",
    "FinGains",
    "FinMixing",
    "FlowFromThrust",
    "Pid",
    "PidState",
    "PositionControl",
    "PositionControlState",
    "PseudoInverse",
    "SlidingModeControl",
    "SlidingSurfaces",
    "TunnelControl",
    "TunnelControlState",
    "VelocityTracking",
    "VelocityTrackingState",
    "ardusub_cascade",
    "attitude_torque",
    "bounded_allocation",
    "commands_from_forces",
    "default_surfaces",
    "echo_offsets",
    "fin_autopilot",
    "fin_mixing",
    "flatfish_chain",
    "flow_from_thrust",
    "inputs_from_forces",
    "levelled_axes",
    "linearising_wrench",
    "mission_control",
    "position_control",
    "pseudo_inverse",
    "simu2vita_control",
    "tilt_error",
    "turn_to_heading",
    "velocity_tracking",
]
