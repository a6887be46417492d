"""A scenario with nearly every key, and what tests need to change it."""

EXAMPLE = """\
name: everything
title: A run with nearly every key
duration: 2 min
step: 5 ms
seed: 7
method: heun
log: {rate: 10 Hz}
origin: {latitude: -12.5 deg, longitude: 38 deg, height: 3 m}
water:
  density: 1010 kg/m3
  gravity: 9.8 m/s2
  sound_speed: 1480 m/s
  current: [10 cm/s, 0, -0.1 m/s]
  surface_depth: -1 m
  bottom_depth: 20 m
  magnetic_field: [20 uT, 1 uT, 40 uT]
tunnel: {section: horseshoe, width: 4 m, height: 3 m, start: [1, 2, 3], heading: 90 deg, slope: 5 deg, length: 50 m}
points: {buoy: [100 cm, 2 m, 3]}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [1 m, 2 m, 300 cm]
    angles: [0, 0, 90 deg]
    velocity: [0.1, 0, 0]
    rates: [0, 0, 10 deg/s]
    sensors:
      - {name: ahrs, kind: ahrs, position: [0, 0, 1 cm], rate: 50 Hz, latency: 20 ms, parameters: {roll_std: 1 deg}}
      - name: imu
        kind: imu
        position: [0, 0, 0]
        orientation: {angles: [0, 0, 90 deg]}
        rate: 200 Hz
        parameters: {grade: tactical}
    navigation: truth
    guidance: {part: hold, rate: 10 Hz, position: [1, 2, 3], heading: 90 deg}
    control: {part: position, name: holding, period: 0.1 s, start: 1 s, stop: 100 s}
    allocation: {part: bounded, rate: 10 Hz, axes: [surge, sway, heave, yaw], disabled: [rear_port]}
    actuators: {saturation: false}
    locked: [roll]
    simplifications: [munk_off]
    scatter: {mass: 5 %, thrust: 0.1}
    disturbances:
      - {kind: constant, force: [1 N, 0, 0], torque: [0, 0, 1 N m], frame: world, from: 1 s, until: 2 s}
      - {kind: sinusoidal, wrench: [1, 2, 3, 4, 5, 6], period: 4 s, phase: 90 deg}
      - {kind: pulse, force: [0, 0, 5 N], period: 10 s, width: 1 s}
      - {kind: stochastic, wrench: [1, 1, 1, 0, 0, 0], time_constant: 3 s}
  - name: auv
    file: gavia
    sensors: [{from: ins, name: ins_1, rate: 20 Hz, position: [0, 0, 0]}]
    commands:
      - {at: 0 s, set: {propeller: 20 rad/s}}
"""


def line_of(text: str, piece: str) -> int:
    """The line, counted from one, of the first place where a piece of text stands."""
    return text[: text.index(piece)].count("\n") + 1
