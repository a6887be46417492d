"""Thruster drives and battery from the sections of a vehicle file."""

from remora.equations.actuators.drives import Battery, PulseSpeed, PulseThrust
from remora.files.problems import Finding
from remora.files.quantities import value_or
from remora.vehicles.drives import DIRECT, DriveLaw, Supply, ThrusterDrive, without_pulses
from remora.vehicles.sections.device_sections import SensorSection, ThrusterSection
from remora.vehicles.sections.drive_sections import BatterySection, DriveSection, TableSection
from remora.vehicles.thrust_table import ThrustTable

MICROSECONDS = 1e6  # per second; pulse widths are in microseconds internally
_NANOSECONDS = 1e9


def drives(sections: list[ThrusterSection]) -> tuple[ThrusterDrive, ...]:
    """One drive per thruster, or empty where no thruster has one; pulse laws only for pulse commands."""
    made = tuple(
        without_pulses(drive) if section.drive and section.drive.commands == "direct" else drive
        for section, drive in zip(sections, _drives(sections), strict=True)
    )
    return made if any(drive != DIRECT for drive in made) else ()


def pulse_drives(sections: list[ThrusterSection]) -> tuple[ThrusterDrive, ...]:
    """The drives with all pulse laws of the file, used by default or not; empty without any."""
    made = _drives(sections)
    return made if any(drive.law is not None for drive in made) else ()


def _drives(sections: list[ThrusterSection]) -> tuple[ThrusterDrive, ...]:
    return tuple(_drive(section.drive) if section.drive else DIRECT for section in sections)


def supply(section: BatterySection | None) -> Supply | None:
    """The battery and the hotel load."""
    if section is None:
        return None
    battery = Battery(
        full_voltage=section.full_voltage.value,
        empty_voltage=section.empty_voltage.value,
        resistance=section.resistance.value,
        capacity=section.capacity.value,
    )
    return Supply(battery, value_or(section.hotel_load))


def microseconds(seconds: float) -> float:
    """A pulse width in microseconds without rounding errors of the unit conversion: 28 us stay 28."""
    return round(MICROSECONDS * seconds, 9)


def _drive(section: DriveSection) -> ThrusterDrive:
    """One drive."""
    resolution, (lowest, highest) = value_or(section.resolution), _dead_band(section)
    if section.takes_pulses:
        resolution, lowest, highest = microseconds(resolution), microseconds(lowest), microseconds(highest)
    return ThrusterDrive(
        law=_law(section),
        neutral=microseconds(value_or(section.neutral)),
        resolution=resolution,
        dead_band=lowest,
        delay_ns=round(_NANOSECONDS * value_or(section.delay)),
        scatter=value_or(section.scatter),
        power_per_cubed_speed=value_or(section.power.per_cubed_speed) if section.power else 0.0,
        power_per_thrust=value_or(section.power.per_thrust) if section.power else 0.0,
        dead_band_spread=highest - lowest,
        scatter_range=section.scatter_range.value if section.scatter_range else (0.0, 0.0),
    )


def _dead_band(section: DriveSection) -> tuple[float, float]:
    """Smallest and largest dead band, in the unit of the file."""
    if section.dead_band_range:
        return section.dead_band_range.value
    return (value_or(section.dead_band),) * 2


def _law(section: DriveSection) -> DriveLaw:
    """The pulse law in microseconds; its own dead band is zero because the drive applies it before."""
    if section.pulse:
        linear = section.pulse.linear.value / MICROSECONDS
        return PulseThrust(linear, value_or(section.pulse.quadratic) / MICROSECONDS**2, 0.0)
    if section.pulse_speed:
        return PulseSpeed(section.pulse_speed.scale.value, section.pulse_speed.exponent.value, 0.0)
    return _table(section.table) if section.table else None


def _table(section: TableSection) -> ThrustTable:
    return ThrustTable(
        pulses=tuple(microseconds(pulse) for pulse in section.pulses.value),
        voltages=section.voltages.value,
        thrusts=section.thrusts.value,
        currents=section.currents.value if section.currents else None,
    )


def check_drives(sections: list[ThrusterSection], battery: BatterySection | None, findings: list[Finding]) -> None:
    """A thrust table over several voltages needs a battery."""
    for index, section in enumerate(sections):
        table = section.drive.table if section.drive else None
        if table and len(table.voltages.value) > 1 and battery is None:
            message = "are several, so a battery must say which counts. Add a section battery, or keep one voltage."
            findings.append(Finding(("thrusters", index, "drive", "table", "voltages"), message))


def check_shaft_speed_sensors(
    thrusters: list[ThrusterSection], sensors: list[SensorSection], findings: list[Finding]
) -> None:
    """A shaft-speed sensor needs thrusters with a shaft-speed law."""
    if any(section.law == "force" for section in thrusters) or not thrusters:
        for index, sensor in enumerate(sensors):
            if sensor.kind == "shaft_speed":
                message = "no thruster of this vehicle has a shaft speed. Give the thrusters a law of the shaft speed."
                findings.append(Finding(("sensors", index, "kind"), message))
