from .adaptive import (
    PRINTED_GAINS as PRINTED_GAINS,
    fit_adaptive_lumped as fit_adaptive_lumped,
    normalised_gains as normalised_gains,
)
from .adaptive_motion import fit_adaptive as fit_adaptive
from .clocks import clock_offset as clock_offset
from .covariance import whiteness as whiteness
from .efforts import interval_averaged as interval_averaged
from .excitation_report import excitation as excitation
from .field_calibration import calibrate_to_field as calibrate_to_field
from .gyro_data import GyroData as GyroData, gyro_data_from as gyro_data_from
from .gyro_driven_fit import GyroFit as GyroFit, fit_gyro_driven as fit_gyro_driven
from .gyro_driven_refinement import refined_by_output_error as refined_by_output_error
from .gyro_driven_run import free_run as free_run, water_velocity_estimate as water_velocity_estimate
from .judging import fit_and_judge as fit_and_judge
from .lever_arm import moved_to_body as moved_to_body
from .lumped import fit_lumped as fit_lumped, joined_axes as joined_axes
from .open_loop import (
    prediction_band as prediction_band,
    replay as replay,
    score as score,
    score_at_stamps as score_at_stamps,
    with_current as with_current,
)
from .output_error import fit_output_error as fit_output_error, fit_prediction_error as fit_prediction_error
from .parameters import (
    ParameterNameError as ParameterNameError,
    known_names as known_names,
    values_of as values_of,
    with_values as with_values,
)
from .prediction import predicted_covariance as predicted_covariance
from .priors import Prior as Prior, prior_of as prior_of
from .problems import RecordError as RecordError
from .reading import Column as Column, record_from_csv as record_from_csv, record_from_log as record_from_log
from .real_time_calibration import (
    RealTimeCalibration as RealTimeCalibration,
    calibrated_on_the_way as calibrated_on_the_way,
)
from .record import (
    Inputs as Inputs,
    Record as Record,
    Segment as Segment,
    inputs_of as inputs_of,
    record_from_arrays as record_from_arrays,
)
from .recursive import RecursiveLeastSquares as RecursiveLeastSquares, RecursiveState as RecursiveState
from .recursive_fit import fit_recursive as fit_recursive, fit_recursive_lumped as fit_recursive_lumped
from .regression import fit_least_squares as fit_least_squares
from .result import Ambiguity as Ambiguity, Fit as Fit, Identifiability as Identifiability
from .selection import (
    Criterion as Criterion,
    few_gaps as few_gaps,
    long_enough as long_enough,
    moves as moves,
    rests as rests,
    select_runs as select_runs,
    validate_runs as validate_runs,
)
from .setup import default_parameters as default_parameters
from .smoothing import (
    savitzky_golay as savitzky_golay,
    savitzky_golay_kernel as savitzky_golay_kernel,
    zero_phase as zero_phase,
)
from .staged import Stage as Stage, fit_staged as fit_staged
from .timing import (
    resampled as resampled,
    uniform_interval as uniform_interval,
    with_inputs_moved as with_inputs_moved,
    without as without,
)
from .vehicle_file import (
    NegativeDampingError as NegativeDampingError,
    vehicle_file_text as vehicle_file_text,
    write_vehicle_file as write_vehicle_file,
)
