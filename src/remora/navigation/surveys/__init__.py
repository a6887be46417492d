"""Surveys of instruments and of the true motion: marker poses, transponder positions, sensor mounts."""

from remora.navigation.surveys.marker_motion import MarkerMotion, marker_motion
from remora.navigation.surveys.marker_pose import MarkerPose, pose_from_markers
from remora.navigation.surveys.sensor_mount import SensorMountSurvey, survey_attitude_sensor, survey_velocity_sensor
from remora.navigation.surveys.transponders import TransponderSurvey, range_errors, survey_transponder

__all__ = [
    "MarkerMotion",
    "MarkerPose",
    "SensorMountSurvey",
    "TransponderSurvey",
    "marker_motion",
    "pose_from_markers",
    "range_errors",
    "survey_attitude_sensor",
    "survey_transponder",
    "survey_velocity_sensor",
]
