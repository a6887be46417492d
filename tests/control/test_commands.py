"""Commands out of forces: the inverse of every thrust law, with limits, dead bands and reversed thrusters."""

import numpy as np
import pytest
from hypothesis import given

from driven_vehicles import BATTERY, FORCE_LAW, PULSE, PULSE_SPEED, SPEED_LAW, TABLE, driven
from remora.control import commands_from_forces, inputs_from_forces
from remora.control.allocation.commands import InverseTable, thruster_inverses
from remora.equations.actuators.propulsion import thrust_from_output
from remora.equations.actuators.thrusters import effective_thrust, speed_from_command
from remora.run.plant.drive import make_drive
from remora.vehicles import load_vehicle, preset_names
from remora.vehicles.checks.actuation import thrust_limits
from sample_features import reals, six, twists

DRIVEN = [name for name in preset_names() if load_vehicle(name).parameters.thrusters]


def forces_from_commands(parameters, commands, twist=(0.0,) * 6):
    """What the plant makes of held commands."""
    found = []
    for thruster, command in zip(parameters.thrusters, commands, strict=True):
        output = speed_from_command(thruster.command_map, command) if parameters.mapped_commands else command
        found.append(effective_thrust(thruster, thrust_from_output(thruster, parameters.thrust_law, output, twist)))
    return found


@pytest.mark.parametrize("name", DRIVEN)
def test_the_plant_makes_the_forces_that_were_asked_for(name):
    parameters = load_vehicle(name).parameters
    limits = thrust_limits(parameters)
    low, high = np.maximum(limits[:, 0], -1e3), np.minimum(limits[:, 1], 1e3)

    @given(reals(0.02, 0.98))
    def made(share):
        for ends in (low, high):
            wanted = share * ends
            commands = commands_from_forces(parameters, wanted)
            assert forces_from_commands(parameters, commands) == pytest.approx(wanted.tolist(), rel=0.05, abs=1e-6)
            if not parameters.mapped_commands:  # a command map has small gaps at its knees
                assert forces_from_commands(parameters, commands) == pytest.approx(wanted.tolist(), rel=1e-9)

    made()


@pytest.mark.parametrize("name", DRIVEN)
def test_no_force_no_command_and_limits_are_kept(name):
    """C1."""
    parameters = load_vehicle(name).parameters
    count = len(parameters.thrusters)
    assert commands_from_forces(parameters, [0.0] * count) == [0.0] * count
    for huge in (1e6, -1e6):
        for thruster, command in zip(
            parameters.thrusters, commands_from_forces(parameters, [huge] * count), strict=True
        ):
            assert thruster.command_minimum <= command <= thruster.command_maximum


def test_inflow_is_made_up_for():
    """Falcon's thrusters lose thrust to their advance; with the twist known, the force still comes out."""
    parameters = load_vehicle("falcon").parameters
    unmapped = parameters._replace(mapped_commands=False)
    wide = unmapped._replace(
        thrusters=tuple(t._replace(command_minimum=-1e9, command_maximum=1e9) for t in parameters.thrusters)
    )

    @given(six(20.0), twists)
    def made(forces, twist):
        commands = commands_from_forces(wide, forces[:5], twist)
        found = forces_from_commands(wide, commands, twist)
        for wanted, force, thruster in zip(forces[:5], found, wide.thrusters, strict=True):
            losing = thruster.positive.advance < 0.0
            assert losing
            assert force == pytest.approx(wanted, rel=1e-6, abs=1e-6)

    made()


def test_a_reversed_thruster_gets_the_opposite_speed():
    """C6: mounted or wired the other way round, the same force comes from the other rotation."""
    parameters = load_vehicle("flatfish_basin_ls").parameters
    first, *others = parameters.thrusters
    reversed_one = parameters._replace(thrusters=(first._replace(sense=-first.sense), *others))
    forces = [10.0, -10.0, 5.0, -5.0, 3.0, -3.0]
    plain, turned = commands_from_forces(parameters, forces), commands_from_forces(reversed_one, forces)
    assert turned[0] == -plain[0]
    assert turned[1:] == plain[1:]
    assert forces_from_commands(reversed_one, turned) == pytest.approx(forces)


def test_commands_in_a_dead_band_are_rounded_to_its_edge_or_to_zero():
    """C6."""
    parameters = load_vehicle("vita1").parameters
    forces = [0.4, 0.6, -0.4, -0.6, 1.0, 3.0, 0.0, -5.0]
    assert commands_from_forces(parameters, forces, dead_bands=[1.0] * 8) == [0, 1, 0, -1, 1, 3, 0, -5]


def test_a_force_for_each_thruster_is_needed():
    with pytest.raises(ValueError):
        commands_from_forces(load_vehicle("vita1").parameters, [0.0] * 7)


def driven_forces(vehicle, commands, voltage=None):
    """What the drive stage and the plant behind it make of held commands."""
    drive = make_drive(vehicle, 1)
    inputs = drive.step(drive.initial(), 0, commands, voltage)[1].before_saturation
    return forces_from_commands(vehicle.parameters, drive.after_saturation(inputs))


DRIVEN_LAWS = {
    "pulse": (FORCE_LAW, PULSE, 1.0),
    "pulse_speed": (SPEED_LAW, PULSE_SPEED, 1.5),
    "table": (FORCE_LAW, TABLE, 0.1),
}


@pytest.mark.parametrize("case", DRIVEN_LAWS)
def test_drives_give_the_forces_that_were_asked_for(case):
    """Exact to 1e-9 for every law outside its dead zone, at any voltage, within what the thruster has."""
    law, drive, least = DRIVEN_LAWS[case]
    vehicle = driven(law, drive, drive, more=BATTERY)
    limits = thrust_limits(vehicle.parameters)

    @given(reals(0.0, 1.0), reals(10.0, 18.0))
    def made(share, voltage):
        high = min(limits[0, 1], 28.0) if case == "table" else limits[0, 1]
        low = max(limits[0, 0], -22.0) if case == "table" else limits[0, 0]
        wanted = [least + share * (high - least), -least + share * (low + least)]
        commands = commands_from_forces(vehicle.parameters, wanted, voltage=voltage)
        assert driven_forces(vehicle, commands, voltage) == pytest.approx(wanted, rel=1e-9, abs=1e-9)

    made()


@given(reals(-0.9, 0.9))
def test_a_force_in_the_dead_zone_becomes_neutral_or_the_edge(force):
    vehicle = driven(FORCE_LAW, PULSE)
    (command,) = commands_from_forces(vehicle.parameters, [force])
    assert command in (1475.0, 1500.0, 1525.0)
    made = driven_forces(vehicle, [command])[0]
    assert abs(made - force) <= 0.94


def test_without_a_drive_in_between_the_plant_takes_forces_and_speeds():
    vehicle = driven(FORCE_LAW, PULSE)
    assert inputs_from_forces(vehicle.parameters, [12.0]) == [12.0]
    assert commands_from_forces(vehicle.parameters, [0.0]) == [1500.0]


@pytest.mark.parametrize("name", ["falcon", "flatfish_gazebo_physical", "bluerov2_heavy"])
def test_commands_of_all_thrusters_at_once_are_those_of_one_after_the_other(name):
    """Compiled unless they have motors or four-quadrant series, to the last bit."""
    parameters, random = load_vehicle(name).parameters, np.random.default_rng(2)
    inverses = thruster_inverses(parameters)
    table = InverseTable(inverses)
    for twist in ((0.0,) * 6, tuple(random.uniform(-0.5, 0.5, 6).tolist())):
        for forces in (np.zeros(len(inverses)), *random.uniform(-60.0, 60.0, (20, len(inverses)))):
            singly = [inverse.command(force, twist) for inverse, force in zip(inverses, forces.tolist(), strict=True)]
            assert table.commands(forces, twist) == singly
