"""Parts of a whole morphology in a scenario: they control its bodies as one while all links are attached."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from remora.files.did_you_mean import suggestion
from remora.files.problems import Path
from remora.messages.part import Role
from remora.messages.part_options import VehicleContext
from remora.plant.plant import Plant
from remora.run.monitoring.limits import NAMES
from remora.run.setup import AssemblySetup, VehicleSetup
from remora.scenarios.builders.monitoring import load_warnings, watch_from
from remora.scenarios.builders.parts import scheduled_parts
from remora.scenarios.description import VehicleEntry
from remora.scenarios.load_context import LoadContext
from remora.vehicles.morphologies.composite import CompositeError, composite_vehicle
from remora.vehicles.morphologies.morphology import Morphology, PortPose
from remora.vehicles.variants.other_water import in_water
from remora.vehicles.vehicle import Vehicle

KEYS = ("guidance", "control", "allocation", "watch")
# Other watches belong to the modules.
_WATCHED = {
    "tracking",
    "offset",
    "distance",
    "cross_track",
    "heading",
    "speed",
    "drift",
    "waiting",
    "lost_target",
    "unfinished",
}


class LoadedAssembly(NamedTuple):
    """The entry `assembly` of a morphology with its composite model."""

    name: str
    morphology: Morphology
    vehicle: Vehicle
    modules: tuple[str, ...]
    links: tuple[str, ...]
    path: Path
    data: Mapping[str, Any]


def load_assembly(entry: VehicleEntry, morphology: Morphology, context: LoadContext) -> LoadedAssembly | None:
    """The entry `assembly` of a morphology of bodies; None without one, or with findings."""
    place = context.at("assembly")
    if entry.assembly is None:
        return None
    if not isinstance(entry.assembly, dict):
        place.refuse(f"expected a mapping with the keys {', '.join(KEYS[:3])}.")
        return None
    for key in entry.assembly:
        if key not in KEYS:
            hint = "Its navigation is that of the first module." if key == "navigation" else suggestion(str(key), KEYS)
            place.at(key).refuse(f"is no key of an assembly. {hint}", shows_value=False)
    if entry.assembly.get("control") is None:
        place.at("control").refuse("is missing. Give e.g. control: position.", shows_value=False)
    try:
        whole = composite_vehicle(morphology)
    except CompositeError as error:
        place.refuse(str(error), shows_value=False)
        return None
    scope = entry.name or "vehicle"
    modules, links = (tuple(f"{scope}/{one.name}" for one in group) for group in (morphology.modules, morphology.links))
    return LoadedAssembly(scope, morphology, whole, modules, links, place.path, entry.assembly)


def assembly_setup(
    made: LoadedAssembly, vehicles: Mapping[str, VehicleSetup], context: LoadContext
) -> AssemblySetup | None:
    """An assembly of the run in the water of the context; None with findings."""
    context = context.to(made.path)
    before, origin = len(context.findings), vehicles.get(made.modules[0])
    if origin is None:  # refused before
        return None
    if not any(part.role == Role.NAVIGATION for part in origin.parts):
        name = made.modules[0].partition("/")[2]
        message = f"needs the navigation of its first module. Give modules: {{{name}: {{navigation: truth}}}}."
        context.refuse(message, shows_value=False)
    vehicle, poses = _in_water(made.vehicle, context), tuple(one.pose for one in made.morphology.modules)
    plant, start = Plant(vehicle), np.asarray(origin.start, dtype=float)
    north, east, down = start[:3].tolist()
    site, launch = context.environment.site, (north, east, down)
    onboard = VehicleContext(made.name, plant, 1e-9 * context.step_ns, {}, site, launch)
    parts = scheduled_parts(made.data, onboard, context, has_estimate=True)
    watch = watch_from(made.data.get("watch"), context.watch, context.at("watch"))
    watch = replace(watch, **dict.fromkeys(name for name in NAMES if name not in _WATCHED))
    if len(context.findings) > before:
        return None
    warnings = load_warnings(watch, context)
    whole = VehicleSetup(made.name, plant, vehicle, start, parts=parts, watch=watch, load_warnings=warnings)

    def joined(poses: tuple[PortPose, ...]) -> VehicleSetup:
        other = _in_water(composite_vehicle(made.morphology.placed(poses)), context)
        moved = Plant(other)
        parts = scheduled_parts(made.data, onboard._replace(plant=moved), context, has_estimate=True)
        return replace(whole, plant=moved, nominal=other, parts=parts)

    return AssemblySetup(whole, made.modules, made.links, poses, joined)


def _in_water(vehicle: Vehicle, context: LoadContext) -> Vehicle:
    """A vehicle in the water of the scenario."""
    water = context.environment
    return replace(vehicle, parameters=in_water(vehicle.parameters, water.density, water.gravity))
