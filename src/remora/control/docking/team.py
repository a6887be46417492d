"""A docking team: vehicles, cameras, weights, target, price rule, and the graph of who communicates with whom.

Graphs after Nielsen 2018, ch. 7; the scenario of his Table 8.1 is `nielsen_team`.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, final

import numpy as np

from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.plant.docking import MODEL_SIZE, TARGET_SIZE

Edge = tuple[int, int]


@final
@dataclass(frozen=True)
class CommunicationGraph:
    """An undirected graph whose edges have an arbitrary orientation, from tail to head.

    Raises a ValueError for an edge from a vertex to itself, a repeated edge or an unknown vertex.
    """

    size: int  # number of vertices
    edges: tuple[Edge, ...]

    def __post_init__(self) -> None:
        if self.size < 1:
            raise ValueError(f"size is {self.size}: a graph has at least one vertex")
        seen: set[frozenset[int]] = set()
        for tail, head in self.edges:
            if not (0 <= tail < self.size and 0 <= head < self.size):
                raise ValueError(f"edge {(tail, head)}: vertices are 0 to {self.size - 1}")
            if tail == head:
                raise ValueError(f"edge {(tail, head)} joins a vertex to itself: remove it")
            if frozenset((tail, head)) in seen:
                raise ValueError(f"edge {(tail, head)} is listed twice, in one or the other direction: keep one")
            seen.add(frozenset((tail, head)))

    def neighbours(self, vertex: int) -> tuple[int, ...]:
        """Vertices that share an edge with a vertex, in the order of its edges."""
        return tuple(sum(edge) - vertex for edge in self.incident(vertex))

    def incident(self, vertex: int) -> tuple[Edge, ...]:
        """Edges that contain a vertex."""
        return tuple(edge for edge in self.edges if vertex in edge)

    @cached_property
    def incidence(self) -> Array:
        """Edges x vertices: +1 at the tail of an edge, -1 at its head."""
        matrix = np.zeros((len(self.edges), self.size))
        for row, (tail, head) in enumerate(self.edges):
            matrix[row, tail], matrix[row, head] = 1.0, -1.0
        return matrix

    @property
    def laplacian(self) -> Array:
        """Graph Laplacian, vertices x vertices."""
        return self.incidence.T @ self.incidence

    @cached_property
    def components(self) -> tuple[frozenset[int], ...]:
        """Sets of vertices that are joined by paths, ordered by their least vertex."""
        left, found = set(range(self.size)), []
        while left:
            reached, border = set(), {min(left)}
            while border:
                reached |= border
                border = {j for i in border for j in self.neighbours(i)} - reached
            found.append(frozenset(reached))
            left -= reached
        return tuple(found)

    @property
    def is_connected(self) -> bool:
        """Whether paths join all vertices."""
        return len(self.components) == 1


def path_graph(size: int) -> CommunicationGraph:
    """Vertices in a row."""
    return CommunicationGraph(size, tuple((i, i + 1) for i in range(size - 1)))


def ring_graph(size: int) -> CommunicationGraph:
    """Vertices in a ring, at least three."""
    if size < 3:
        raise ValueError(f"size is {size}: a ring has at least three vertices")
    return CommunicationGraph(size, (*path_graph(size).edges, (size - 1, 0)))


def star_graph(size: int, centre: int = 0) -> CommunicationGraph:
    """One vertex joined to all others."""
    return CommunicationGraph(size, tuple((centre, i) for i in range(size) if i != centre))


PriceRule = Literal["admm", "subgradient", "literal"]


class DockingVehicle(NamedTuple):
    """Planar model of a vehicle with its limits and its docking port."""

    inertia: Vector3  # surge, sway, yaw with added mass: kg, kg, kg m2
    drag: Vector3  # linear: kg/s, kg/s, kg m2/s
    force_limits: Vector3  # N, N, N m
    port: Vector3 = (0.0, 0.0, 0.0)  # position in B, m, and heading of the port relative to the vehicle, rad
    current: tuple[float, float] = (0.0, 0.0)  # in N, m/s
    radius: float = 0.0  # m, of a circle around the hull: neighbours keep the sum of both apart; 0: they may overlap


class DockingCamera(NamedTuple):
    """A camera that looks along a fixed direction in the horizontal plane."""

    mounting: float  # rad from the heading, positive to starboard
    half_angle: float  # rad, below 90 degrees


class DockingTarget(NamedTuple):
    """A fixed point to stay close to and to keep in view."""

    north: float  # m
    east: float  # m
    largest_distance: float  # m
    camera: DockingCamera


class DockingWeights(NamedTuple):
    """Diagonal weights of surge, sway and yaw: distance to the common pose, velocity, force."""

    agreement: Vector3
    velocity: Vector3
    force: Vector3


class DockingPrices(NamedTuple):
    """Update of prices between iterations.

    `admm`: alternating direction method of multipliers with over-relaxation, and cones as augmented Lagrangian.
    `subgradient`: consensus prices rise by gamma x disagreement and cone prices by kappa x violation, projected onto
    [0, inf). `literal` is (8.24) as printed in Nielsen 2018, whose cone prices never fall; it stalls.
    """

    rule: PriceRule = "admm"
    kappa: float = 30.0  # step of cone prices
    penalty: float = 60.0  # of cones in the local cost, with ADMM
    gamma: float = 2.0  # step of consensus prices
    rho: float = 30.0  # penalty of ADMM
    relaxation: float = 1.6


class PoseUncertainty(NamedTuple):
    """Standard deviations of the pose of a vehicle in the horizontal plane."""

    position: float = 0.0  # m
    heading: float = 0.0  # rad


class Latch(NamedTuple):
    """Tolerance of a docking port."""

    distance: float = 0.05  # m
    heading: float = math.radians(2.0)  # rad
    speed: float = math.inf  # m/s, of one port relative to the other


PRINTED_WEIGHTS = DockingWeights((15.0, 15.0, 15.0), (10.0, 10.0, 10.0), (10.0, 10.0, 10.0))
FAST_WEIGHTS = DockingWeights((15.0, 15.0, 15.0), (1.0, 1.0, 1.0), (0.1, 0.1, 0.1))
ADMM_PRICES, SUBGRADIENT_PRICES = DockingPrices(), DockingPrices("subgradient")
LITERAL_PRICES = DockingPrices("literal")
NIELSEN_LATCH = Latch()
LARGEST_MARGIN = 0.8  # of the half angle of a camera
AGREED = 1e-3  # disagreement over the largest pose difference of neighbours at the first sample


@final
@dataclass(frozen=True)
class DockingTeam:
    """Vehicles that dock by agreement on a connected graph.

    Raises a ValueError for a graph that is not connected, cameras between vehicles that are no neighbours, half angles
    outside (0, 90) degrees, weights of another shape or sign, and limits, times or counts that are not positive.
    """

    graph: CommunicationGraph
    vehicles: tuple[DockingVehicle, ...]
    weights: DockingWeights = FAST_WEIGHTS
    cameras: Mapping[tuple[int, int], DockingCamera] = field(default_factory=dict)  # by (carrier, neighbour)
    targets: Mapping[int, DockingTarget] = field(default_factory=dict)  # by vehicle
    prices: DockingPrices = ADMM_PRICES
    horizon: int = 30
    step: float = 0.05  # s
    iterations: int = 15  # largest number per sample
    stop_when_agreed: bool = True  # end the iterations of a sample at a disagreement of AGREED
    margin: float = 0.0  # rad, by which all cones are narrowed
    margin_factor: float = 2.0  # standard deviations of the bearing by which they are narrowed as well

    def __post_init__(self) -> None:
        _check_team(self)
        _check_vehicles(self.vehicles)
        _check_sight(self)

    def clearance(self, a: int, b: int) -> float:
        """Smallest distance between the centres of two vehicles, m; 0 where one of them has no radius."""
        radii = self.vehicles[a].radius, self.vehicles[b].radius
        return sum(radii) if min(radii) > 0.0 else 0.0

    def model_row(self, vehicle: int) -> Array:
        """Parameters of the motion of a vehicle, for compiled code."""
        v = self.vehicles[vehicle]
        row = np.array([self.step, *v.inertia, *v.drag, *v.current, *v.port], dtype=float)
        assert row.shape == (MODEL_SIZE,)
        return row

    def target_row(self, vehicle: int, margin: float) -> Array:
        """Target of a vehicle with its cone narrowed by a margin in rad, for compiled code; empty without one."""
        target = self.targets.get(vehicle)
        if target is None:
            return np.zeros(0)
        row = np.array([*target[:3], target.camera.mounting, target.camera.half_angle - margin])
        assert row.shape == (TARGET_SIZE,)
        return row


def _check_team(team: DockingTeam) -> None:
    if len(team.vehicles) != team.graph.size:
        raise ValueError(f"vehicles: {len(team.vehicles)} for a graph of {team.graph.size} vertices; give one for each")
    if not team.graph.is_connected:
        parts = " and ".join(str(sorted(part)) for part in team.graph.components)
        raise ValueError(f"graph: vehicles {parts} are not connected, so they cannot agree; add an edge")
    for name in ("agreement", "velocity", "force"):
        _check_positive(f"weights.{name}", getattr(team.weights, name))
    if team.prices.rule not in ("admm", "subgradient", "literal"):
        raise ValueError(f"prices.rule is {team.prices.rule!r}: choose from admm, subgradient, literal")
    for name in ("kappa", "penalty", "gamma", "rho"):
        _check_positive(f"prices.{name}", (getattr(team.prices, name),), 1)
    if not 0.0 < team.prices.relaxation < 2.0:
        raise ValueError(f"prices.relaxation is {team.prices.relaxation}: must be in (0, 2)")
    for name, value in {"horizon": team.horizon, "iterations": team.iterations}.items():
        if not (isinstance(value, int) and value >= 1):
            raise ValueError(f"{name} is {value!r}: give a whole number of at least 1")
    _check_positive("step", (team.step,), 1)


def _check_vehicles(vehicles: Iterable[DockingVehicle]) -> None:
    for index, vehicle in enumerate(vehicles):
        for name in ("inertia", "drag", "force_limits"):
            _check_positive(f"vehicles[{index}].{name}", getattr(vehicle, name))
        if (
            len(vehicle.port) != 3
            or len(vehicle.current) != 2
            or not np.all(np.isfinite(vehicle.port + vehicle.current))
        ):
            raise ValueError(f"vehicles[{index}]: give a port of three and a current of two finite numbers")
        if not 0.0 <= vehicle.radius < math.inf:
            raise ValueError(f"vehicles[{index}].radius is {vehicle.radius}: give a number of at least 0 m")


def _check_sight(team: DockingTeam) -> None:
    cameras = {f"cameras[{pair}]": camera for pair, camera in team.cameras.items()}
    cameras |= {f"targets[{index}].camera": target.camera for index, target in team.targets.items()}
    for name, camera in cameras.items():
        if not 0.0 < camera.half_angle < 0.5 * math.pi:
            degrees = math.degrees(camera.half_angle)
            raise ValueError(f"{name}.half_angle is {degrees:.6g} deg: must be above 0 and below 90 deg")
        if not 0.0 <= team.margin < camera.half_angle:
            raise ValueError(
                f"margin is {math.degrees(team.margin):.6g} deg: must be from 0 to less than {name}.half_angle"
            )
    for pair in team.cameras:
        if not (0 <= pair[0] < team.graph.size and pair[1] in team.graph.neighbours(pair[0])):
            raise ValueError(f"cameras[{pair}]: the vehicles are no neighbours in the graph; add the edge")
    for index, target in team.targets.items():
        if not 0 <= index < team.graph.size:
            raise ValueError(f"targets[{index}]: vehicles are 0 to {team.graph.size - 1}")
        _check_positive(f"targets[{index}].largest_distance", (target.largest_distance,), 1)


def _check_positive(name: str, values: tuple[float, ...], count: int = 3) -> None:
    array = np.asarray(values, dtype=float)
    if array.shape != (count,) or not np.all((array > 0.0) & np.isfinite(array)):
        what = f"{count} positive numbers" if count > 1 else "a positive number"
        raise ValueError(f"{name} is {values if count > 1 else values[0]}: give {what}")


HALF_ANGLE = math.radians(25.0)
NIELSEN_VEHICLE = DockingVehicle(inertia=(10.0, 10.0, 1.0), drag=(30.0, 30.0, 1.0), force_limits=(5.0, 5.0, 1.5))
NIELSEN_STARTS = ((4.0, 3.0, -0.2, 0.0, 0.0, 0.0), (1.0, -2.0, -0.58, 0.0, 0.0, 0.0))


def nielsen_team(**changes: Any) -> DockingTeam:
    """Two vehicles, of which the first keeps a target in view; mounting angles of the cameras are inferred.

    Changes are fields of `DockingTeam` to replace.
    """
    team = DockingTeam(
        path_graph(2),
        (NIELSEN_VEHICLE, NIELSEN_VEHICLE),
        cameras={
            (0, 1): DockingCamera(-0.5 * math.pi, HALF_ANGLE),
            (1, 0): DockingCamera(0.5 * math.pi, HALF_ANGLE),
        },
        targets={0: DockingTarget(6.1, 3.0, 3.0, DockingCamera(0.0, HALF_ANGLE))},
    )
    return replace(team, **changes)
