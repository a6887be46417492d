"""Identification: from logs and bench tests to the numbers of a vehicle, with honest uncertainty.

A `Record` goes in, a `Fit` comes out, whatever the estimator. The names below are only loaded when they are used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remora.identification.adaptive import PRINTED_GAINS, fit_adaptive_lumped, normalised_gains
    from remora.identification.adaptive_motion import fit_adaptive
    from remora.identification.clocks import clock_offset
    from remora.identification.covariance import whiteness
    from remora.identification.efforts import interval_averaged
    from remora.identification.excitation_report import excitation
    from remora.identification.field_calibration import calibrate_to_field
    from remora.identification.gyro_data import GyroData, gyro_data_from
    from remora.identification.gyro_driven_fit import GyroFit, fit_gyro_driven
    from remora.identification.gyro_driven_refinement import refined_by_output_error
    from remora.identification.gyro_driven_run import free_run, water_velocity_estimate
    from remora.identification.judging import fit_and_judge
    from remora.identification.lever_arm import moved_to_body
    from remora.identification.lumped import fit_lumped, joined_axes
    from remora.identification.open_loop import prediction_band, replay, score, score_at_stamps, with_current
    from remora.identification.output_error import fit_output_error, fit_prediction_error
    from remora.identification.parameters import ParameterNameError, known_names, values_of, with_values
    from remora.identification.prediction import predicted_covariance
    from remora.identification.priors import Prior, prior_of
    from remora.identification.problems import RecordError
    from remora.identification.reading import Column, record_from_csv, record_from_log
    from remora.identification.real_time_calibration import RealTimeCalibration, calibrated_on_the_way
    from remora.identification.record import Inputs, Record, Segment, inputs_of, record_from_arrays
    from remora.identification.recursive import RecursiveLeastSquares, RecursiveState
    from remora.identification.recursive_fit import fit_recursive, fit_recursive_lumped
    from remora.identification.regression import fit_least_squares
    from remora.identification.result import Ambiguity, Fit, Identifiability
    from remora.identification.selection import (
        Criterion,
        few_gaps,
        long_enough,
        moves,
        rests,
        select_runs,
        validate_runs,
    )
    from remora.identification.setup import default_parameters
    from remora.identification.smoothing import savitzky_golay, savitzky_golay_kernel, zero_phase
    from remora.identification.staged import Stage, fit_staged
    from remora.identification.timing import resampled, uniform_interval, with_inputs_moved, without
    from remora.identification.vehicle_file import NegativeDampingError, vehicle_file_text, write_vehicle_file

_HOME = {
    "Ambiguity": "result",
    "Column": "reading",
    "Criterion": "selection",
    "Fit": "result",
    "GyroData": "gyro_data",
    "GyroFit": "gyro_driven_fit",
    "Identifiability": "result",
    "Inputs": "record",
    "NegativeDampingError": "vehicle_file",
    "PRINTED_GAINS": "adaptive",
    "ParameterNameError": "parameters",
    "Prior": "priors",
    "RealTimeCalibration": "real_time_calibration",
    "Record": "record",
    "RecordError": "problems",
    "RecursiveLeastSquares": "recursive",
    "RecursiveState": "recursive",
    "Segment": "record",
    "Stage": "staged",
    "calibrate_to_field": "field_calibration",
    "calibrated_on_the_way": "real_time_calibration",
    "clock_offset": "clocks",
    "default_parameters": "setup",
    "excitation": "excitation_report",
    "few_gaps": "selection",
    "fit_adaptive": "adaptive_motion",
    "fit_adaptive_lumped": "adaptive",
    "fit_and_judge": "judging",
    "fit_gyro_driven": "gyro_driven_fit",
    "fit_least_squares": "regression",
    "fit_lumped": "lumped",
    "fit_output_error": "output_error",
    "fit_prediction_error": "output_error",
    "fit_recursive": "recursive_fit",
    "fit_recursive_lumped": "recursive_fit",
    "fit_staged": "staged",
    "free_run": "gyro_driven_run",
    "gyro_data_from": "gyro_data",
    "inputs_of": "record",
    "interval_averaged": "efforts",
    "joined_axes": "lumped",
    "known_names": "parameters",
    "long_enough": "selection",
    "moved_to_body": "lever_arm",
    "moves": "selection",
    "normalised_gains": "adaptive",
    "predicted_covariance": "prediction",
    "prediction_band": "open_loop",
    "prior_of": "priors",
    "record_from_arrays": "record",
    "record_from_csv": "reading",
    "record_from_log": "reading",
    "refined_by_output_error": "gyro_driven_refinement",
    "replay": "open_loop",
    "resampled": "timing",
    "rests": "selection",
    "savitzky_golay": "smoothing",
    "savitzky_golay_kernel": "smoothing",
    "score": "open_loop",
    "score_at_stamps": "open_loop",
    "select_runs": "selection",
    "uniform_interval": "timing",
    "validate_runs": "selection",
    "values_of": "parameters",
    "vehicle_file_text": "vehicle_file",
    "water_velocity_estimate": "gyro_driven_run",
    "whiteness": "covariance",
    "with_current": "open_loop",
    "with_inputs_moved": "timing",
    "with_values": "parameters",
    "without": "timing",
    "write_vehicle_file": "vehicle_file",
    "zero_phase": "smoothing",
}

__all__ = [
    "PRINTED_GAINS",
    "Ambiguity",
    "Column",
    "Criterion",
    "Fit",
    "GyroData",
    "GyroFit",
    "Identifiability",
    "Inputs",
    "NegativeDampingError",
    "ParameterNameError",
    "Prior",
    "RealTimeCalibration",
    "Record",
    "RecordError",
    "RecursiveLeastSquares",
    "RecursiveState",
    "Segment",
    "Stage",
    "calibrate_to_field",
    "calibrated_on_the_way",
    "clock_offset",
    "default_parameters",
    "excitation",
    "few_gaps",
    "fit_adaptive",
    "fit_adaptive_lumped",
    "fit_and_judge",
    "fit_gyro_driven",
    "fit_least_squares",
    "fit_lumped",
    "fit_output_error",
    "fit_prediction_error",
    "fit_recursive",
    "fit_recursive_lumped",
    "fit_staged",
    "free_run",
    "gyro_data_from",
    "inputs_of",
    "interval_averaged",
    "joined_axes",
    "known_names",
    "long_enough",
    "moved_to_body",
    "moves",
    "normalised_gains",
    "predicted_covariance",
    "prediction_band",
    "prior_of",
    "record_from_arrays",
    "record_from_csv",
    "record_from_log",
    "refined_by_output_error",
    "replay",
    "resampled",
    "rests",
    "savitzky_golay",
    "savitzky_golay_kernel",
    "score",
    "score_at_stamps",
    "select_runs",
    "uniform_interval",
    "validate_runs",
    "values_of",
    "vehicle_file_text",
    "water_velocity_estimate",
    "whiteness",
    "with_current",
    "with_inputs_moved",
    "with_values",
    "without",
    "write_vehicle_file",
    "zero_phase",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
