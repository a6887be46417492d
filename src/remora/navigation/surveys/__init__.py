"""Surveys of instruments and of the true motion: markers, transponders, sensor mounts, magnetometers."""

from remora.navigation.surveys.magnetic_calibration import MagneticCalibration, calibrate_magnetometer
from remora.navigation.surveys.markers import (
    MarkerMotion,
    MarkerPose,
    MarkerTrack,
    marker_motion,
    pose_from_markers,
    track_markers,
)
from remora.navigation.surveys.sensor_mount import SensorMountSurvey, survey_attitude_sensor, survey_velocity_sensor
from remora.navigation.surveys.transponders import TransponderSurvey, range_errors, survey_transponder

__all__ = [
    "MagneticCalibration",
    "MarkerMotion",
    "MarkerPose",
    "MarkerTrack",
    "SensorMountSurvey",
    "TransponderSurvey",
    "calibrate_magnetometer",
    "marker_motion",
    "pose_from_markers",
    "range_errors",
    "survey_attitude_sensor",
    "survey_transponder",
    "survey_velocity_sensor",
    "track_markers",
]
