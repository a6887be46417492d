"""Surveys of instruments and of the true motion: markers, transponders, sensor mounts, magnetometers."""

from remora.navigation.surveys.magnetic_calibration import MagneticCalibration, calibrate_magnetometer
from remora.navigation.surveys.marker_filter import MarkerTrack, track_markers
from remora.navigation.surveys.marker_motion import MarkerMotion, marker_motion
from remora.navigation.surveys.marker_pose import MarkerPose, pose_from_markers
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
