"""Composite model of a rigid morphology: one vehicle about the origin of its first module.

Inertia, added mass, linear damping, weight and buoyancy are summed about the common origin: M = sum H' M_i H. Quadratic
damping is evaluated per module, and each propeller in the flow at its own place. Nielsen 2018, section 3.4.
"""

from collections.abc import Callable, Iterable

from remora.equations.algebra.kinematics import inertia_about_B
from remora.equations.algebra.vectors import ZERO3, add3, add_matrix6, scale3
from remora.equations.hull.forms.form import HullForce
from remora.equations.hull.forms.module_damping import MODULE_DAMPING, ModuleDamping
from remora.equations.hull.inertia import inertia_about_G
from remora.equations.hull.restoring import BuoyancyElement
from remora.equations.types import Matrix6, Vector3
from remora.files.problems import InputError
from remora.vehicles.morphologies import composite_devices as devices
from remora.vehicles.morphologies.morphology import Module, Morphology
from remora.vehicles.parameters import VehicleParameters, buoyancy_elements_of
from remora.vehicles.vehicle import SourcedValue, Vehicle

ZERO_MATRIX: Matrix6 = ((0.0,) * 6, (0.0,) * 6, (0.0,) * 6, (0.0,) * 6, (0.0,) * 6, (0.0,) * 6)


class CompositeError(InputError):
    """A morphology that has no composite model."""


def composite_vehicle(morphology: Morphology) -> Vehicle:
    """A rigid morphology as one vehicle; names of thrusters and sensors carry their module: left/thruster_2.

    Raises
    ------
    CompositeError
        When it has joints, or a module with a feature that the sum cannot represent.
    """
    if not morphology.is_rigid:
        joints = ", ".join(link.name for link in morphology.links if link.kind != "rigid")
        fix = "Simulate it as several bodies, or make these links rigid."
        raise CompositeError(f"{morphology.name} has joints ({joints}) and is no single body. {fix}").about(
            "links", joints, fix=fix
        )
    reasons = [f"{module.name}: {reason}" for module in morphology.modules for reason in missing_features(module)]
    reasons += devices.conflicts(morphology.modules)
    if reasons:
        fix = "Simulate it as several bodies (model: bodies in a scenario)."
        raise CompositeError(f"{morphology.name} has no composite model: {'; '.join(reasons)}. {fix}").about(
            "modules", fix=fix
        )
    return _vehicle(morphology)


def missing_features(module: Module) -> list[str]:
    """Features of a module that a composite model does not represent."""
    p = module.vehicle.parameters
    found = {
        "fins": p.fins,
        "servos": p.servos,
        "moving masses": p.moving_masses,
        "heave that depends on its direction": p.heave_up,
        "cubic surge damping": p.cubic_surge,
        "locked degrees of freedom": p.locked,
        "simplifications": p.simplifications,
        "an envelope of valid speeds": p.envelope,
        "only a total inertia": p.total_inertia_only,
    }
    forms = [f"the hull force {force.form.name}" for force in p.forces]
    return [*(f"has {what}" for what, given in found.items() if given), *(f"has {form}" for form in forms)]


def _vehicle(morphology: Morphology) -> Vehicle:
    """The composite of checked modules."""
    modules = morphology.modules
    provenance: dict[str, SourcedValue] = {
        f"modules.{module.name}.{path}": value
        for module in modules
        for path, value in module.vehicle.provenance.items()
    }
    return Vehicle(
        name=morphology.name,
        title=morphology.title,
        source=morphology.source,
        use=morphology.use,
        notes=morphology.notes,
        file=morphology.file,
        parameters=composite_parameters(modules),
        historical=None,
        sensors=tuple(devices.sensor_entries(modules)),
        thruster_facts=tuple(devices.thruster_facts(modules)),
        figures={},
        accepted=_accepted(modules),
        provenance=provenance,
        implausible_sensors=tuple(
            (f"modules.{module.name}.{field}", text)
            for module in modules
            for field, text in module.vehicle.implausible_sensors
        ),
        find_kind=next((module.vehicle.find_kind for module in modules if module.vehicle.find_kind), None),
        text=morphology.text,
        looks=tuple(devices.solids(modules)),
    )


def _accepted(modules: tuple[Module, ...]) -> dict[str, str]:
    """Accepted findings of the modules; implausible values of the whole only where every module accepts its own."""
    found = {key: text for module in modules for key, text in module.vehicle.accepted.items()}
    if not all("implausible" in module.vehicle.accepted for module in modules):
        found.pop("implausible", None)
    return found


def composite_parameters(modules: tuple[Module, ...]) -> VehicleParameters:
    """Parameters of rigidly joined modules about the common origin."""
    parameters = [module.vehicle.parameters for module in modules]
    mass, displaced = sum(p.mass for p in parameters), sum(p.displaced_mass for p in parameters)
    p_BG = _centre(modules, lambda p: (p.mass, p.p_BG))
    rigid = _summed(modules, lambda p: p.rigid_body_inertia)
    moments = (rigid[3][3:], rigid[4][3:], rigid[5][3:])
    records = tuple(
        ModuleDamping(module.pose.position, module.pose.axes, module.vehicle.parameters.quadratic_damping)
        for module in modules
    )
    return VehicleParameters(
        mass=mass,
        displaced_mass=displaced,
        p_BG=p_BG,
        p_BC=_centre(modules, lambda p: (p.displaced_mass, p.p_BC)),
        inertia_G=inertia_about_G(mass, p_BG, moments),
        rigid_body_inertia=rigid,
        added_mass=_summed(modules, lambda p: p.added_mass),
        linear_damping=_summed(modules, lambda p: p.linear_damping),
        quadratic_damping=ZERO_MATRIX,
        cubic_surge=0.0,
        heave_up=None,
        gravity=parameters[0].gravity,
        density=parameters[0].density,
        **devices.actuators(modules),
        fins=(),
        fin_names=(),
        locked=(),
        simplifications=(),
        envelope=None,
        total_inertia_only=False,
        supply=devices.supply(modules),
        buoyancy_elements=tuple(_elements(modules)),
        forces=(HullForce(MODULE_DAMPING, records),),
    )


def _summed(modules: Iterable[Module], matrix: Callable[[VehicleParameters], Matrix6]) -> Matrix6:
    """Sum of a 6x6 matrix of all modules about the common origin."""
    total = ZERO_MATRIX
    for module in modules:
        own = inertia_about_B(matrix(module.vehicle.parameters), module.pose.position, module.pose.axes)
        total = add_matrix6(total, own)
    return total


def _centre(modules: Iterable[Module], point: Callable[[VehicleParameters], tuple[float, Vector3]]) -> Vector3:
    """Mean of points of all modules in common axes, each with its weight."""
    total, weights = ZERO3, 0.0
    for module in modules:
        weight, place = point(module.vehicle.parameters)
        total = add3(total, scale3(weight, devices.in_common_axes(module, place)))
        weights += weight
    return scale3(1.0 / weights, total) if weights else ZERO3


def _elements(modules: Iterable[Module]) -> Iterable[BuoyancyElement]:
    """Buoyancy elements of all modules in common axes, so that each leaves the water by itself."""
    for module in modules:
        for element in buoyancy_elements_of(module.vehicle.parameters):
            yield element._replace(position=devices.in_common_axes(module, element.position))
