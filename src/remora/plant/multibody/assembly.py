"""Arrays of a system of linked bodies for compiled code: bodies, trees, loops, work space."""

from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.links.joint import LINK_SIZE
from remora.files.arrays import Array
from remora.plant.forms.user_forms import codes_of
from remora.plant.layouts import LAYOUT_SIZE
from remora.plant.methods import RK4
from remora.plant.multibody.link_table import KINDS, Link, LinkError, record_of, reversed_record
from remora.plant.multibody.solvers.link_rows import ROWS_OF_KIND
from remora.plant.multibody.solvers.linked_actuators import (
    BODY_CODES,
    CARRY,
    COMMAND,
    MEMORY,
    ROW,
    ROW_SIZE,
    memory_size,
)
from remora.plant.multibody.solvers.loop_solver import LOOP_LINK_SIZE
from remora.plant.multibody.solvers.memory import (
    COUNTS,
    FLOAT_REGIONS,
    INTEGER_REGIONS,
    LOAD_SIZE,
    TREE_SIZE,
    Integers,
    SystemMemory,
)
from remora.plant.multibody.solvers.tree_solver import ALONE, IS_FIXED, KIND, NODE_SIZE, PARENT
from remora.plant.multibody.topology import FactorPlan, Topology, factor_plan
from remora.plant.pack import PackedVehicle

LARGEST_ASYMMETRY = 1e-9  # of an inertia, relative


@final
@dataclass(frozen=True)
class BodyModel:
    """One body of a linked system: a vehicle or a passive body.

    Parameters
    ----------
    name
        Name, unique in the system.
    packed
        Packed parameters, from `remora.plant.pack`.
    fixed
        Whether it does not move, as a dock on the sea bed.
    """

    name: str
    packed: PackedVehicle
    fixed: bool = False

    def __post_init__(self) -> None:
        inertia = self.packed.row[:36].reshape(6, 6)
        if self.packed.locked:
            locked = ", ".join(self.packed.locked)
            raise LinkError(f"body {self.name}: {locked} is locked: links need all six degrees of freedom, unlock them")
        if not np.abs(inertia - inertia.T).max() <= LARGEST_ASYMMETRY * np.abs(inertia).max():
            raise LinkError(f"body {self.name}: its inertia is not symmetric: give a symmetric added mass")


class BodyRegions(NamedTuple):
    """Numbers of all bodies for their regions."""

    rows: Array
    codes: Integers
    starts: Integers  # of the row of each body in a state, and the end
    carried: int  # size of all actuator states
    commands: int
    memory: int


def body_regions(bodies: tuple[BodyModel, ...]) -> BodyRegions:
    """Numbers of all bodies, one after the other."""
    codes = np.zeros((len(bodies), BODY_CODES), dtype=np.int64)
    columns = (ROW, COMMAND, CARRY, MEMORY)
    at = dict.fromkeys(columns, 0)
    starts = [0]
    for i, body in enumerate(bodies):
        packed = body.packed
        codes[i, :LAYOUT_SIZE] = codes_of(packed.layout)
        codes[i, ROW_SIZE] = packed.row.size
        sizes = (packed.row.size, packed.actuators, packed.actuator_states, memory_size(packed.layout))
        for column, size in zip(columns, sizes, strict=True):
            codes[i, column] = at[column]
            at[column] += size
        starts.append(starts[-1] + BODY_SIZE + packed.actuator_states)
    rows = np.concatenate([body.packed.row for body in bodies])
    return BodyRegions(rows, codes, np.array(starts), at[CARRY], at[COMMAND], at[MEMORY])


def ends_of(bodies: tuple[BodyModel, ...], links: tuple[Link, ...]) -> list[tuple[int, int]]:
    """Indices of the bodies of each link, with all names checked."""
    index = {body.name: i for i, body in enumerate(bodies)}
    if len(index) < len(bodies):
        raise LinkError(f"bodies {[body.name for body in bodies]}: two have the same name: give each its own")
    if len({link.name for link in links}) < len(links):
        raise LinkError(f"links {[link.name for link in links]}: two have the same name: give each its own")
    for link in links:
        for name in (link.first, link.second):
            if name not in index:
                raise LinkError(f"link {link.name}: there is no body {name!r}: choose from {', '.join(index)}")
        if bodies[index[link.first]].fixed and bodies[index[link.second]].fixed:
            raise LinkError(f"link {link.name}: {link.first!r} and {link.second!r} are both fixed: remove the link")
    return [(index[link.first], index[link.second]) for link in links]


def system_memory(
    bodies: tuple[BodyModel, ...],
    links: tuple[Link, ...],
    topology: Topology,
    stabilisation: tuple[float, float],
    water: int,
) -> SystemMemory:
    """The numbers of a system for compiled code.

    Stabilisation is Baumgarte's alpha and beta, 1/s; `water` counts the numbers that describe the water around a body.
    """
    own, ends, n = body_regions(bodies), ends_of(bodies, links), len(bodies)
    fixed = np.array([body.fixed for body in bodies], dtype=np.int64)
    plan = factor_plan(list(topology.loop_bodies), [ends[k] for k in topology.loop_links])
    nodes, tree_records = _tree(topology, ends, links, fixed)
    loops, slots, looped = len(topology.loop_links), len(plan.blocks), n if topology.loop_links else 0
    counts = (
        n,
        len(topology.order),
        loops,
        len(plan.bodies),
        slots,
        len(topology.latches),
        water,
        1,
        1,
        int(bool(links)),
    )
    integers = (
        own.codes, np.array(topology.order, dtype=np.int64), nodes, _loop_links(topology, ends, links, plan), fixed,
        plan.bodies, plan.blocks, plan.updates, plan.starts,
        np.array([ends[k] for k in topology.latches], dtype=np.int64),
    )  # fmt: skip
    alpha, beta = stabilisation
    states = np.zeros((n, BODY_SIZE))
    floats = (
        np.array([0.0, 2.0 * alpha, beta**2, 0.0]), own.rows, np.zeros(own.commands), np.zeros((n, 6)),
        np.zeros((n, water)), np.zeros(own.carried), np.zeros(own.memory), RK4.weights, tree_records,
        _records(topology.loop_links, links), _records(topology.latches, links), states, states, states, states,
        np.zeros((n, LOAD_SIZE)), np.zeros((n, TREE_SIZE)), np.zeros((n, 6)), np.zeros((looped, 6, 6)),
        np.zeros((slots, 6, 6)), np.zeros((loops, 6, 6)), np.zeros((loops, 6, 6)), np.zeros((loops, 6)),
        np.zeros((loops, 6)), np.zeros((looped, 6)),
    )  # fmt: skip
    return SystemMemory(
        dict.fromkeys(COUNTS, 0) | dict(zip(COUNTS, map(int, counts), strict=False)),
        dict(zip(INTEGER_REGIONS, integers, strict=True)),
        dict(zip(FLOAT_REGIONS, floats, strict=True)),
    )


def _records(chosen: tuple[int, ...], links: tuple[Link, ...]) -> Array:
    return np.array([record_of(links[k]) for k in chosen], dtype=float).reshape(-1, LINK_SIZE)


def _tree(
    topology: Topology, ends: list[tuple[int, int]], links: tuple[Link, ...], fixed: Integers
) -> tuple[Integers, Array]:
    """Nodes of the trees, and the record of the link of each body to its parent."""
    nodes, records = np.zeros((len(fixed), NODE_SIZE), dtype=np.int64), np.zeros((len(fixed), LINK_SIZE))
    nodes[:, PARENT], nodes[:, IS_FIXED], nodes[:, ALONE] = -1, fixed, 1
    nodes[[i for pair in ends for i in pair], ALONE] = 0
    for body, (parent, k, flipped) in topology.parents.items():
        nodes[body, PARENT], nodes[body, KIND] = parent, KINDS.index(links[k].kind)
        records[body] = reversed_record(links[k]) if flipped else record_of(links[k])
    return nodes, records


def _loop_links(topology: Topology, ends: list[tuple[int, int]], links: tuple[Link, ...], plan: FactorPlan) -> Integers:
    """Links of loops: bodies, kind, block in the factorisation, number of rows."""
    table = np.zeros((len(topology.loop_links), LOOP_LINK_SIZE), dtype=np.int64)
    for row, k in zip(table, topology.loop_links, strict=True):
        a, b = ends[k]
        kind, second_first = KINDS.index(links[k].kind), (b, a) in plan.slots
        slot = plan.slots[(b, a) if second_first else (a, b)]
        row[:] = a, b, kind, slot, 0 if second_first else 1, ROWS_OF_KIND[kind]
    return table
