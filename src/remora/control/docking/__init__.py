"""Cooperative docking: distributed predictive control of several vehicles that agree on a common pose."""

from remora.control.docking.centralised import CentralisedSolver, team_cost
from remora.control.docking.converged import ConvergedSolver, SolverFailureError, converged_solver
from remora.control.docking.distributed import DistributedPlanner, SampleResult, TeamState
from remora.control.docking.docking_run import DockingRun, is_docked, simulate_docking
from remora.control.docking.dual_decomposition import DecomposedSolution, decompose
from remora.control.docking.graph import CommunicationGraph, path_graph, ring_graph, star_graph
from remora.control.docking.link import DockingLink, communication_budget
from remora.control.docking.real_time import RealTimeSolver
from remora.control.docking.scenarios import NIELSEN_STARTS, NIELSEN_VEHICLE, nielsen_team
from remora.control.docking.team import (
    ADMM_PRICES,
    FAST_WEIGHTS,
    LITERAL_PRICES,
    NIELSEN_LATCH,
    PRINTED_WEIGHTS,
    SUBGRADIENT_PRICES,
    DockingCamera,
    DockingPrices,
    DockingTarget,
    DockingTeam,
    DockingVehicle,
    DockingWeights,
    Latch,
    PoseUncertainty,
)

__all__ = [
    "ADMM_PRICES",
    "FAST_WEIGHTS",
    "LITERAL_PRICES",
    "NIELSEN_LATCH",
    "NIELSEN_STARTS",
    "NIELSEN_VEHICLE",
    "PRINTED_WEIGHTS",
    "SUBGRADIENT_PRICES",
    "CentralisedSolver",
    "CommunicationGraph",
    "ConvergedSolver",
    "DecomposedSolution",
    "DistributedPlanner",
    "DockingCamera",
    "DockingLink",
    "DockingPrices",
    "DockingRun",
    "DockingTarget",
    "DockingTeam",
    "DockingVehicle",
    "DockingWeights",
    "Latch",
    "PoseUncertainty",
    "RealTimeSolver",
    "SampleResult",
    "SolverFailureError",
    "TeamState",
    "communication_budget",
    "converged_solver",
    "decompose",
    "is_docked",
    "nielsen_team",
    "path_graph",
    "ring_graph",
    "simulate_docking",
    "star_graph",
    "team_cost",
]
