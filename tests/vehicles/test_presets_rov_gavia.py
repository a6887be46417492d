"""BlueROV family, VITA1 and Gavia: the numbers of their files against statements made elsewhere."""

import math
from functools import cache

import numpy as np
import pytest

from remora.equations.actuators.fins import fin_wrench
from remora.equations.actuators.thrusters import advance_speed, thrust
from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.hull.forms.cross_flow import CROSS_FLOW
from remora.equations.hull.forms.lift import LIFT
from remora.plant import derivative, initial_state, pack, rollout
from remora.vehicles import load_vehicle, preset_path, total_inertia, vehicle_from_text
from remora.vehicles.assembly.hull import product_with_surge
from remora.vehicles.checks.actuation import allocation_matrix, rank, reachable_wrench, thrust_limits
from remora.vehicles.checks.check import check_vehicle
from remora.vehicles.checks.hydrostatics import natural_periods
from remora.vehicles.drives import input_from_command
from remora.vehicles.parameters import form_records, net_buoyancy

NAMES = ("bluerov2_heavy", "vita1", "bluerov2", "bluerov", "bluerov_cfd", "gavia")
ALL_BUT_SURGE = ("sway", "heave", "roll", "pitch", "yaw")
RPM = 2.0 * math.pi / 60.0
FULL_SURGE = 2.0 * (51.48 + 39.91) * math.sqrt(0.5)  # N: two thrusters ahead, two astern, all at 45 degrees

# One column per thruster of the BlueROV2 Heavy.
HEAVY = np.array([
    [0.7071, 0.7071, -0.7071, -0.7071, 0, 0, 0, 0],
    [-0.7071, 0.7071, -0.7071, 0.7071, 0, 0, 0, 0],
    [0, 0, 0, 0, -1, -1, -1, -1],
    [0.0601, -0.0601, 0.0601, -0.0601, -0.218, 0.218, -0.218, 0.218],
    [0.0601, 0.0601, -0.0601, -0.0601, 0.12, 0.12, -0.12, -0.12],
    [-0.1888, 0.1888, 0.1888, -0.1888, 0, 0, 0, 0],
])  # fmt: skip


@cache
def numbers(name):
    return load_vehicle(name).parameters


def diagonal(matrix):
    return np.diag(np.array(matrix))


def steady_surge(parameters, commands, force=0.0, seconds=120):
    """Speed at the end of a straight run through the compiled plant."""
    packed = pack(parameters, locked=ALL_BUT_SURGE)
    wrench = (force, 0.0, 0.0, 0.0, 0.0, 0.0)
    run = rollout(packed, initial_state(packed), commands, 1.0, 50, external=wrench, intervals=seconds)
    assert run[-1, 7] == pytest.approx(run[-2, 7], abs=1e-6)
    return run[-1, 7]


# All of them


@pytest.mark.parametrize("name", NAMES)
def test_all_invariants_hold(name):
    findings = check_vehicle(load_vehicle(name))
    assert [finding for finding in findings if not finding.holds] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_number_has_a_source_and_the_file_says_what_it_is_for(name):
    vehicle = load_vehicle(name)
    assert vehicle.name == name
    assert vehicle.title
    assert vehicle.use
    assert vehicle.notes
    assert vehicle.historical is None
    assert [field for field, figure in vehicle.provenance.items() if not figure.source] == []


# BlueROV2 Heavy, VITA1 and BlueROV2


@pytest.mark.parametrize("name", ["bluerov2_heavy", "vita1"])
def test_allocation_of_the_heavy_frame(name):
    matrix = allocation_matrix(numbers(name))
    assert matrix == pytest.approx(HEAVY, rel=0, abs=5.1e-5)
    values = np.linalg.svd(matrix, compute_uv=False)
    assert values == pytest.approx([2.000, 1.420, 1.419, 0.434, 0.378, 0.239], rel=0, abs=5e-4)
    assert rank(numbers(name)) == 6


@pytest.mark.parametrize("name", ["bluerov2_heavy", "vita1"])
def test_authority_of_the_heavy_frame(name):
    reach = {r.name: r for r in reachable_wrench(numbers(name))}
    for way in (reach["surge"].most, reach["surge"].alone):
        assert way == pytest.approx((-129.2, 129.2), abs=0.05)
    for way in (reach["heave"].most, reach["heave"].alone):  # up is negative
        assert way == pytest.approx((-205.9, 159.6), abs=0.05)


def test_authority_of_six_thrusters():
    """The vectored four are those of the Heavy frame; two verticals on the y axis leave pitch to surge."""
    p = numbers("bluerov2")
    reach = {r.name: r for r in reachable_wrench(p)}
    assert allocation_matrix(p)[:, :4] == pytest.approx(HEAVY[:, :4], rel=0, abs=5.1e-5)
    assert reach["surge"].most == pytest.approx((-129.2, 129.2), abs=0.05)
    assert reach["heave"].most == pytest.approx((-205.9 / 2, 159.6 / 2), abs=0.05)
    assert rank(p) == 5
    assert reach["pitch"].alone == (0.0, 0.0)


@pytest.mark.parametrize(("name", "speed"), [("bluerov2_heavy", 0.91), ("vita1", 0.91), ("bluerov2", 2.56)])
def test_speed_at_full_thrust(name, speed):
    p = numbers(name)
    limits, surge = thrust_limits(p), allocation_matrix(p)[0]
    commands = np.where(surge > 0.0, limits[:, 1], np.where(surge < 0.0, limits[:, 0], 0.0))
    assert surge @ commands == pytest.approx(FULL_SURGE)
    assert steady_surge(p, commands) == pytest.approx(speed, abs=5e-3)


@pytest.mark.parametrize("name", ["bluerov2_heavy", "vita1", "bluerov2"])
def test_lag_of_the_thrusters(name):
    """After one time constant 63.2 % of a step, after 0.525 s 95 %, after 0.686 s 98 %."""
    packed = pack(numbers(name))
    step = np.full(packed.actuators, 10.0)
    for elapsed, share in ((0.1754, 0.632), (0.525, 0.95), (0.686, 0.98)):
        run = rollout(packed, initial_state(packed), step, elapsed, 10)
        assert run[-1, 13:] == pytest.approx(10.0 * share, abs=5e-3)


def test_weight_and_buoyancy():
    assert net_buoyancy(numbers("bluerov2_heavy")) == pytest.approx(-0.1 * 9.81)
    assert net_buoyancy(numbers("vita1")) == 0.0
    wu = numbers("bluerov2")
    assert wu.mass * wu.gravity == pytest.approx(112.8, abs=0.05)
    assert wu.displaced_mass * wu.gravity == pytest.approx(114.8, abs=1e-9)


def test_vita1_is_the_heavy_frame_with_more_damping():
    vita, heavy = numbers("vita1"), numbers("bluerov2_heavy")
    assert vita.rigid_body_inertia == heavy.rigid_body_inertia
    assert vita.added_mass == heavy.added_mass
    assert vita.quadratic_damping == heavy.quadratic_damping
    extra = np.array(vita.linear_damping) - np.array(heavy.linear_damping)
    assert extra == pytest.approx(np.diag([0, 0, 0, 0.3, 0, 0.3]))


def test_periods_of_vita1():
    assert natural_periods(numbers("vita1"))[:2] == pytest.approx((3.66, 3.30), abs=5e-3)


@pytest.mark.parametrize(("axis", "period"), [(0, 3.66), (1, 3.30)])
def test_vita1_swings_with_its_period(axis, period):
    """Without damping a small roll or pitch comes back to its turning point after one period."""
    still = np.zeros((6, 6)).tolist()
    undamped = numbers("vita1")._replace(linear_damping=still, quadratic_damping=still)
    packed = pack(undamped)
    tilt = [1.0, 0.0, 0.0, 0.0]
    tilt[1 + axis] = 0.005
    run = rollout(packed, initial_state(packed, quaternion=tilt), np.zeros(8), 0.005, intervals=900)
    rate = run[:, 10 + axis]
    turns = [k for k in range(1, len(rate) - 1) if rate[k] >= 0.0 > rate[k + 1]]  # outermost on the side of the start
    k = turns[-1]
    assert 0.005 * (k + rate[k] / (rate[k] - rate[k + 1])) == pytest.approx(period, abs=5e-3)


def test_echosounders_look_out_of_the_faces():
    sensors = {s.name: s for s in load_vehicle("vita1").sensors}
    faces = {"starboard": (0, 1, 0), "port": (0, -1, 0), "up": (0, 0, -1), "down": (0, 0, 1)}
    for side, outwards in faces.items():
        sounder = sensors[f"echosounder_{side}"]
        assert sounder.position == pytest.approx(0.3 * np.array(outwards))
        assert np.array(rotation_matrix(sounder.q_BS))[:, 0] == pytest.approx(np.array(outwards), abs=1e-12)


def test_readings_in_the_middle_of_a_tunnel():
    """A tunnel of 8 m leaves 3.70 m to each wall."""
    assert 8.0 / 2.0 - load_vehicle("vita1").figures["sensing_cube"] / 2.0 == pytest.approx(3.70)


# BlueROV of the first generation


def shaft_speed(vehicle, pulse):
    """What the drive of a thruster makes of a pulse width, in microseconds from neutral."""
    return input_from_command(vehicle.parameters.pulse_drives[0], 1500.0 + pulse, 0.0)


@pytest.mark.parametrize("name", ["bluerov", "bluerov_cfd"])
def test_bollard_thrust(name):
    vehicle = load_vehicle(name)
    thruster, facts = vehicle.parameters.thrusters[0], vehicle.thruster_facts[0]
    for pulse, force in ((100, 7.2), (200, 15.9), (300, 25.3)):
        assert thrust(thruster, shaft_speed(vehicle, pulse), 0.0) == pytest.approx(force, abs=0.05)
        assert thrust(thruster, shaft_speed(vehicle, -pulse), 0.0) == pytest.approx(-force, abs=0.05)
    assert thrust(thruster, shaft_speed(vehicle, 24), 0.0) == 0.0
    assert shaft_speed(vehicle, 200) == pytest.approx(2000 * RPM, abs=1.0 * RPM)
    full = 1e6 * facts.figures["pwm_full"]
    assert thruster.command_maximum == pytest.approx(shaft_speed(vehicle, full), abs=0.5 * RPM)


def test_thrust_lost_under_way():
    """Share of the bollard thrust lost at 200 us, and 17.8 N left at 300 us and 0.9 m/s."""
    vehicle = load_vehicle("bluerov")
    thruster = vehicle.parameters.thrusters[0]
    speeds = (0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9)
    still = thrust(thruster, shaft_speed(vehicle, 200), 0.0)
    for speed, share in zip(speeds, (4.1, 8.3, 12.4, 20.7, 28.9, 33.0, 37.2), strict=True):
        advance = advance_speed(thruster, (speed, 0.0, 0.0, 0.0, 0.0, 0.0))
        left = thrust(thruster, shaft_speed(vehicle, 200), advance) / still
        assert 100.0 * (1.0 - left) == pytest.approx(share, abs=0.06)
    assert thrust(thruster, shaft_speed(vehicle, 300), 0.9) == pytest.approx(17.8, abs=0.05)


def test_coefficients_of_thrust_follow_from_the_propeller():
    """rho D^4 a0 / (4 pi^2) and rho D^3 a1 / (2 pi) with a0 = 0.43, a1 = -0.45."""
    vehicle = load_vehicle("bluerov")
    curve, D = vehicle.parameters.thrusters[0].positive, vehicle.thruster_facts[0].figures["propeller_diameter"]
    assert curve.square == pytest.approx(1000.0 * D**4 * 0.43 / (4.0 * math.pi**2), rel=5e-4)
    assert curve.advance == pytest.approx(-1000.0 * D**3 * 0.45 / (2.0 * math.pi), rel=5e-4)


def test_towed_bluerov_at_the_thrust_of_a_bluerov2():
    assert steady_surge(numbers("bluerov"), np.zeros(6), FULL_SURGE) == pytest.approx(1.92, abs=5e-3)


def test_ratios_of_the_towed_damping():
    """Sway, roll and yaw follow from heave and pitch by the added mass; two printed values are 5 % off."""
    p = numbers("bluerov")
    added, linear, quadratic = diagonal(p.added_mass), diagonal(p.linear_damping), diagonal(p.quadratic_damping)
    assert quadratic[1] == pytest.approx(added[1] / added[2] * quadratic[2], rel=5e-3)
    assert linear[1] == pytest.approx(added[1] / added[2] * linear[2], rel=2e-2)
    assert linear[3] == pytest.approx(added[3] / added[4] * linear[4], rel=5e-3)
    assert linear[5] == pytest.approx(added[5] / added[4] * linear[4], rel=5e-3)
    assert quadratic[3] == pytest.approx(added[3] / added[4] * quadratic[4], rel=6e-2)
    assert quadratic[5] == pytest.approx(added[5] / added[4] * quadratic[4], rel=6e-2)


def test_computed_damping():
    """Linear is 0.16 of quadratic in translation, yaw follows roll, and towing found about twice the drag."""
    p = numbers("bluerov_cfd")
    linear, quadratic = diagonal(p.linear_damping), diagonal(p.quadratic_damping)
    assert linear[:3] == pytest.approx(0.16 * quadratic[:3], abs=0.01)
    assert linear[5] == pytest.approx(linear[3] / quadratic[3] * quadratic[5], abs=0.005)
    ratios = diagonal(numbers("bluerov").quadratic_damping)[:3] / quadratic[:3]
    assert ratios == pytest.approx([2.13, 2.22, 1.97], abs=5e-3)


@pytest.mark.parametrize("name", ["bluerov", "bluerov_cfd"])
def test_inertia_of_the_frame(name):
    figures = load_vehicle(name).figures
    length, width, height = figures["length"], figures["width"], figures["height"]
    squares = (width**2 + height**2, length**2 + height**2, length**2 + width**2)
    assert diagonal(numbers(name).inertia_G) == pytest.approx([8.0 / 12.0 * s for s in squares], abs=5e-4)


# Gavia


@pytest.mark.parametrize(("rpm", "speed"), [(450, 1.017), (570, 1.616), (700, 2.034), (900, 2.504), (975, 2.654)])
def test_steady_speed_of_gavia(rpm, speed):
    p = numbers("gavia")
    assert steady_surge(p, [rpm * RPM, 0, 0, 0, 0], seconds=200) == pytest.approx(speed, abs=1e-3)


def test_thrust_of_gavia():
    p = numbers("gavia")
    for rpm, force in ((450, 19.2375), (700, 46.55), (975, 90.309375)):
        assert thrust(p.thrusters[0], rpm * RPM, 0.0) == pytest.approx(force, rel=1e-12)
    assert load_vehicle("gavia").thruster_facts[0].valid_speed == pytest.approx((450 * RPM, 975 * RPM))
    assert p.thrusters[0].effect == pytest.approx((1.0, 0.0, 0.0, -0.01, 0.0, 0.0))


def gavia_wrench(twist, outputs=(0.0, 0.0, 0.0, 0.0, 0.0)):
    """Total wrench on the compiled plant: inertia times acceleration, less what rests on it at zero speed."""
    p = numbers("gavia")
    packed = pack(p)
    rates = [derivative(packed, initial_state(packed, twist=t, outputs=outputs), outputs) for t in (twist, np.zeros(6))]
    return np.array(total_inertia(p)) @ (rates[0] - rates[1])[7:13]


def test_surge_drag_of_gavia():
    """D(1.6) = 30.426 N with a slope of 27.32 N s/m, dissipative and growing at all speeds."""

    def drag(u):
        return -gavia_wrench((u, 0.0, 0.0, 0.0, 0.0, 0.0))[0]

    assert drag(1.6) == pytest.approx(30.426, abs=5e-4)
    assert (drag(1.6001) - drag(1.5999)) / 2e-4 == pytest.approx(27.32, abs=5e-3)
    along = np.array([drag(u) for u in np.linspace(-3.0, 3.0, 121)])
    assert np.all(np.diff(along) > 0.0)
    assert along == pytest.approx(-along[::-1], abs=1e-9)


def slopes_at_one_metre_per_second(wrench, step=1e-5):
    """Wrench per sway, heave, pitch rate and yaw rate, as columns of a dictionary."""
    columns = {}
    for name, i in (("v", 1), ("w", 2), ("q", 4), ("r", 5)):
        ends = []
        for sign in (1.0, -1.0):
            twist = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
            twist[i] = sign * step
            ends.append(np.array(wrench(tuple(twist))))
        columns[name] = (ends[0] - ends[1]) / (2.0 * step)
    return columns


def test_four_fins_are_two_per_plane():
    """Y_uv -20.9, Y_ur 24.0, N_uv 24.0, N_ur -27.6, and the mirrored signs in heave and pitch."""
    fins = numbers("gavia").fins
    slope = slopes_at_one_metre_per_second(lambda twist: np.sum([fin_wrench(f, 0.0, twist) for f in fins], axis=0))
    assert (slope["v"][1], slope["r"][1]) == pytest.approx((-20.9, 24.0), abs=0.05)
    assert (slope["v"][5], slope["r"][5]) == pytest.approx((24.0, -27.6), abs=0.05)
    assert (slope["w"][2], slope["q"][2]) == pytest.approx((-20.9, -24.0), abs=0.05)
    assert (slope["w"][4], slope["q"][4]) == pytest.approx((-24.0, -27.6), abs=0.05)


def test_mixing_of_the_fins():
    """Deflections -sin dy + cos dz + droll: Y = 2 k dy, Z = 2 k dz, K = 4 k R droll, M = -x Z, N = x Y."""
    fins, speed = numbers("gavia").fins, 1.6
    k = 0.5 * 1000.0 * 3.12 * 0.0067 * speed**2
    x, radius = fins[0].position[0], math.hypot(*fins[0].position[1:])
    dy, dz, droll = 0.03, -0.05, 0.02
    total = np.zeros(6)
    for fin, clock in zip(fins, (45, 135, 225, 315), strict=True):
        sine, cosine = math.sin(math.radians(clock)), math.cos(math.radians(clock))
        assert fin.normal == pytest.approx((0.0, -sine, cosine))
        assert fin.position == pytest.approx((-1.15, radius * cosine, radius * sine), abs=1e-5)
        deflection = -sine * dy + cosine * dz + droll
        total += fin_wrench(fin, deflection, (speed, 0.0, 0.0, 0.0, 0.0, 0.0))
    assert total[1:4] == pytest.approx([2.0 * k * dy, 2.0 * k * dz, 4.0 * k * radius * droll], rel=1e-9)
    assert total[4:] == pytest.approx([-x * total[2], x * total[1]], rel=1e-4)


def test_lift_acts_behind_the_middle():
    """24 kg/m at 0.65 m behind B, against the cross flow in both planes."""
    lift = np.array(form_records(numbers("gavia"), LIFT)[0].matrix)
    place = (-0.65, 0.0, 0.0)
    for column, force in ((1, (0.0, -24.0, 0.0)), (2, (0.0, 0.0, -24.0))):
        assert -lift[:, column] == pytest.approx(np.concatenate([force, np.cross(place, force)]))
    assert np.count_nonzero(lift) == 4


def test_munk_moment_of_gavia():
    added = numbers("gavia").added_mass
    assert product_with_surge(added, 5, 1) == pytest.approx(-67.3, abs=1e-9)
    assert product_with_surge(added, 4, 2) == pytest.approx(67.3, abs=1e-9)


def test_each_part_of_the_cross_flow_counts_once():
    """Moments per u v and u w through the compiled plant: Munk, lift and fins."""
    slope = slopes_at_one_metre_per_second(gavia_wrench)
    assert slope["v"][1] == pytest.approx(-24.0 - 20.9, abs=0.05)
    assert slope["v"][5] == pytest.approx(-67.3 + 15.6 + 24.0, abs=0.1)
    assert slope["w"][2] == pytest.approx(-24.0 - 20.9, abs=0.05)
    assert slope["w"][4] == pytest.approx(67.3 - 15.6 - 24.0, abs=0.1)


def test_added_mass_of_gavia_couples_as_a_tail_does():
    added = np.array(numbers("gavia").added_mass)
    assert (added[1, 5], added[5, 1]) == (-2.0, -2.0)
    assert (added[2, 4], added[4, 2]) == (2.0, 2.0)


def test_straight_course_of_gavia():
    """One slowly growing mode in the horizontal plane, as its notes say: it doubles in half a minute at 1.6 m/s."""
    p = numbers("gavia")
    packed, outputs = pack(p), [566 * RPM, 0.0, 0.0, 0.0, 0.0]
    slope = np.empty((2, 2))
    for column, i in enumerate((1, 5)):
        ends = []
        for step in (1e-6, -1e-6):
            twist = np.array([1.6, 0.0, 0.0, 0.0, 0.0, 0.0])
            twist[i] = step
            ends.append(derivative(packed, initial_state(packed, twist=twist, outputs=outputs), outputs)[[8, 12]])
        slope[:, column] = (ends[0] - ends[1]) / 2e-6
    fast, slow = sorted(np.linalg.eigvals(slope).real)
    assert -1.2 < fast < -0.9
    assert math.log(2.0) / slow == pytest.approx(29.0, abs=1.0)


def test_strips_instead_of_coefficients():
    """The cross flow that the notes offer has the same totals in sway, heave, pitch and yaw."""
    text = preset_path("gavia").read_text(encoding="utf-8")
    keys = ('"Y_v|v|"', '"Z_w|w|"', '"M_q|q|"', '"N_r|r|"')
    lines = [line for line in text.splitlines() if not line.strip().startswith(keys)]
    cross_flow = '  cross_flow: {length: 2.7 m, drag_coefficient: 1.1, height: 0.2 m, width: 0.2 m, source: "strips"}'
    lines.insert(lines.index("damping:") + 1, cross_flow)
    striped = vehicle_from_text("\n".join(lines)).parameters
    quadratic = diagonal(numbers("gavia").quadratic_damping)
    strips = form_records(striped, CROSS_FLOW)
    assert sum(s.sideways for s in strips) == pytest.approx(quadratic[1], rel=1e-3)
    assert sum(s.vertical for s in strips) == pytest.approx(quadratic[2], rel=1e-3)
    assert sum(s.sideways * abs(s.x) ** 3 for s in strips) == pytest.approx(quadratic[5], rel=1e-2)
    assert sum(s.vertical * abs(s.x) ** 3 for s in strips) == pytest.approx(quadratic[4], rel=1e-2)
