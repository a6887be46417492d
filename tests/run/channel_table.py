"""The channels of scenarios as lines of a table: scenario, channel, field, unit, frame, kind.

`python tests/run/channel_table.py` writes the table again; look at every line that changes before it is kept.
"""

from pathlib import Path

from remora.run import log_channels
from remora.run.recorder import run_channels
from remora.scenarios import scenario_from_text

TABLE = Path(__file__).parent / "channel_table.csv"
SENSORS = """
      - {name: accelerometer, kind: accelerometer, position: [0, 0, 0], rate: 10 Hz}
      - {name: ahrs, kind: ahrs, position: [0, 0, 0], rate: 10 Hz}
      - {name: altimeter, kind: altimeter, position: [0, 0, 0], rate: 10 Hz}
      - {name: compass, kind: compass, position: [0, 0, 0], rate: 10 Hz}
      - {name: dvl, kind: dvl, position: [0, 0, 0], rate: 10 Hz}
      - {name: gps, kind: gps, position: [0, 0, 0], rate: 1 Hz}
      - {name: gyro, kind: gyro, position: [0, 0, 0], rate: 10 Hz}
      - {name: imu, kind: imu, position: [0, 0, 0], rate: 10 Hz}
      - {name: inclinometer, kind: inclinometer, position: [0, 0, 0], rate: 10 Hz}
      - {name: ins, kind: ins, position: [0, 0, 0], rate: 10 Hz}
      - {name: magnetometer, kind: magnetometer, position: [0, 0, 0], rate: 10 Hz}
      - {name: pressure, kind: pressure, position: [0, 0, 0], rate: 10 Hz}
      - {name: current, kind: current_meter, position: [0, 0, 0], rate: 10 Hz}
      - {name: echosounder, kind: echosounder, position: [0, 0, 0], orientation: {angles: [0, 0, 0]}, rate: 10 Hz}
"""
FORCES = f"""
name: forces
duration: 1 s
water:
  bottom_depth: 20 m
  surface_depth: 0 m
  current: {{kind: shear, depths: [0 m, 20 m], velocities: [[0.2, 0, 0], [0, 0, 0]]}}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 5]
    sensors:{SENSORS}
    navigation: truth
    guidance: {{part: hold, rate: 10 Hz, position: [0, 0, 5], heading: 0}}
    control: {{part: position, rate: 10 Hz}}
    allocation: {{part: bounded, rate: 10 Hz}}
"""
SPEEDS = """
name: speeds
water: {density: 1025 kg/m3}
duration: 1 s
vehicles:
  - {name: auv, file: remus100, position: [0, 0, 5]}
  - {name: falcon, file: falcon, position: [0, 5, 5]}
"""


def table() -> list[str]:
    """All lines, sorted."""
    lines = []
    for text in (FORCES, SPEEDS):
        setup = scenario_from_text(text)
        for channel in run_channels(setup):
            for field in channel.fields:
                lines.append(f"{setup.name},{channel.name},{field.name},{field.unit},{field.frame or '-'},{field.kind}")
    for name, fields in (("power", log_channels.POWER), ("tether", log_channels.TETHER)):
        lines += [f"any,{name},{field.name},{field.unit},{field.frame or '-'},{field.kind}" for field in fields]
    return sorted(lines)


if __name__ == "__main__":
    TABLE.write_text("\n".join(["scenario,channel,field,unit,frame,kind", *table()]) + "\n")
