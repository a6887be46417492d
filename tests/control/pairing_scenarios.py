"""Scenario of a pairing of vehicle and controller, for the tests of `control/pairings.yaml`."""

from remora import load_vehicle

POSE = "{part: hold, rate: 20 Hz, position: [0.6, 0.3, 5.2], heading: -170 deg}"
VELOCITY = (
    "{part: lyapunov, rate: 20 Hz, max_speeds: [0.2, 0.2, 0.1, 0.2], "
    "mission: [{do: go_to, position: [0.6, 0.3, 5.2], heading: -170 deg, dwell: 2 s}]}"
)
COURSE = (
    "{part: dive_and_turn, rate: 10 Hz, depth: 5.5 m, heading: -170 deg, speed: SPEED, "
    "ahead_at: 0 s, turn_at: 0 s, stop_at: 999 s}"
)
GUIDANCE = {
    "position": POSE,
    "cascade_p": POSE,
    "lqr": POSE,
    "predictive": POSE,
    "pid": VELOCITY,
    "adaptive": VELOCITY,
    "sliding_mode": VELOCITY,
    "l1_adaptive": VELOCITY,
    "autopilot": COURSE.replace("SPEED", "0.2 m/s"),
    "fin_autopilot": COURSE.replace("SPEED", "1.3 m/s"),
}
ALLOCATION = "    allocation: {part: bounded, rate: 20 Hz}\n"
TEXT = """\
name: pairing
duration: 40 s
step: 10 ms
seed: SEED
water: {bottom_depth: 60 m}
vehicles:
  - name: rov
    file: VEHICLE
    position: [0, 0, 5 m]
    angles: [0, 0, 170 deg]
    scatter_line
    navigation: {part: truth, rate: 20 Hz}
    guidance: GUIDANCE
    control: {part: CONTROL, rate: 20 Hz}
"""
SCATTER = (
    "scatter: {distribution: uniform, BODY added_mass: SHARE, linear_damping: SHARE, "
    "quadratic_damping: SHARE, thrust: SHARE}"
)
# Weight and buoyancy change together: a vehicle is trimmed before a dive, and 30 % of its weight is beyond its thrust.
BODY = "mass: SHARE, trimmed: true, buoyancy: 0.5 %,"


def pairing_text(vehicle, control, seed=1, share="0 %"):
    """Text of the scenario: a short way with a turn through 180 deg, on a plant with scattered parameters."""
    text = TEXT.replace("SEED", str(seed)).replace("VEHICLE", vehicle).replace("CONTROL", control)
    body = "" if load_vehicle(vehicle).parameters.total_inertia_only else BODY
    scatter = SCATTER.replace("BODY ", f"{body} " if body else "").replace("SHARE", share)
    text = text.replace("    scatter_line\n", "" if share == "0 %" else f"    {scatter}\n")
    text = text.replace("GUIDANCE", GUIDANCE[control])
    if vehicle == "docking_vehicle":  # its model locks heave
        text = text.replace("5.2]", "5.0]")
    if control == "fin_autopilot":
        text = text.replace("    angles", "    velocity: [1.2 m/s, 0, 0]\n    angles")
    if control not in ("autopilot", "fin_autopilot", "predictive"):
        text += ALLOCATION
    return text
