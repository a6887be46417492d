"""Quantities of the estimate that a set of sensors cannot provide, for the check of a scenario."""

from collections.abc import Mapping

from remora.equations.algebra.vectors import ZERO3
from remora.messages.estimate import ATTITUDE, DEPTH, POSITION, RATES, VELOCITY
from remora.messages.site import Site
from remora.navigation.parts.dead_reckoning import QuantitySensor, is_over_ground


def unknown_quantities(sensors: Mapping[str, QuantitySensor], site: Site, is_reckoned: bool) -> dict[str, str]:
    """Quantities that these sensors cannot provide, each with the fix."""
    unknown: dict[str, str] = {}
    if ATTITUDE not in sensors:
        unknown[ATTITUDE] = "it names no attitude. Name a sensor of the kind ahrs, compass or ins"
    if RATES not in sensors:
        unknown[RATES] = "it names no rates. Name a sensor of the kind gyro or imu"
    if fault := _velocity_fault(sensors, unknown, site):
        unknown[VELOCITY] = fault
    reckoned = is_reckoned and VELOCITY not in unknown and ATTITUDE not in unknown
    if (fault := _position_fault(sensors, unknown)) and not reckoned:
        unknown[POSITION] = fault
    if fault := _depth_fault(sensors, unknown, reckoned):
        unknown[DEPTH] = fault
    return unknown


def _velocity_fault(sensors: Mapping[str, QuantitySensor], unknown: Mapping[str, str], site: Site) -> str | None:
    sensor = sensors.get(VELOCITY)
    if sensor is None:
        return "it names no velocity. Name a sensor of the kind dvl, ins, gps or current_meter"
    entry = sensor.entry
    if (entry.position or ZERO3) != ZERO3 and RATES in unknown:
        return f'"{entry.name}" is not at the origin of the body, so that its velocity needs rates. Name a gyro or imu'
    if sensor.measured.in_N and ATTITUDE in unknown:
        return (
            f'"{entry.name}" measures it in N, which needs an attitude. Name a sensor of the kind ahrs, compass or ins'
        )
    if sensor.measured.needs_bottom and is_over_ground(sensor) and not site.has_bottom:
        return f'"{entry.name}" tracks the bottom, and there is none. Give water: {{bottom_depth: 30 m}} or a bed'
    return None


def _position_fault(sensors: Mapping[str, QuantitySensor], unknown: Mapping[str, str]) -> str | None:
    sensor = sensors.get(POSITION)
    if sensor is None:
        return (
            "it names no position, and dead reckoning needs velocity over ground and attitude. Name a position (gps, "
            "ins, mocap_marker or usbl with a station), or a velocity (dvl on the bottom, ins) and an attitude"
        )
    entry = sensor.entry
    if (entry.position or ZERO3) != ZERO3 and ATTITUDE in unknown:
        return f'"{entry.name}" is not at the origin of the body, so that it needs an attitude. Name an ahrs or compass'
    return None


def _depth_fault(sensors: Mapping[str, QuantitySensor], unknown: Mapping[str, str], reckoned: bool) -> str | None:
    sensor = sensors.get(DEPTH)
    if sensor is None:
        position = sensors.get(POSITION)
        known = reckoned or (position is not None and position.measured.gives_depth and POSITION not in unknown)
        return None if known else "it names no depth. Name a sensor of the kind pressure"
    entry = sensor.entry
    if (entry.position or ZERO3) != ZERO3 and ATTITUDE in unknown:
        return f'"{entry.name}" is not at the origin of the body, so that it needs an attitude. Name an ahrs or compass'
    return None
