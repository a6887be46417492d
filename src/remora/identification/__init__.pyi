from .data.log_files import moved_to_body as moved_to_body
from .data.log_record import record_from_log as record_from_log
from .data.record import (
    Record as Record,
    RecordedInputs as RecordedInputs,
    Segment as Segment,
    inputs_of as inputs_of,
    record_from_arrays as record_from_arrays,
)
from .data.run_selection import (
    Criterion as Criterion,
    few_gaps as few_gaps,
    long_enough as long_enough,
    moves as moves,
    rests as rests,
    select_runs as select_runs,
    validate_runs as validate_runs,
)
from .data.table_record import Column as Column, record_from_csv as record_from_csv
from .diagnostics.excitation import excitation as excitation
from .gyro_driven.calibration import (
    RealTimeCalibration as RealTimeCalibration,
    calibrate_to_field as calibrate_to_field,
    run_real_time_calibration as run_real_time_calibration,
)
from .gyro_driven.data import GyroData as GyroData, gyro_data_from as gyro_data_from
from .gyro_driven.fit import (
    GyroFit as GyroFit,
    fit_gyro_driven as fit_gyro_driven,
    refined_by_output_error as refined_by_output_error,
)
from .gyro_driven.free_run import (
    WaterComparison as WaterComparison,
    compare_with_profiler as compare_with_profiler,
    free_run as free_run,
    profiled_water_velocity as profiled_water_velocity,
    water_velocity_estimate as water_velocity_estimate,
)
from .online.adaptive_axis import (
    PRINTED_GAINS as PRINTED_GAINS,
    fit_adaptive_lumped as fit_adaptive_lumped,
    normalised_gains as normalised_gains,
)
from .online.adaptive_motion import fit_adaptive as fit_adaptive
from .online.recursive import RecursiveLeastSquares as RecursiveLeastSquares, RecursiveState as RecursiveState
from .online.recursive_fit import fit_recursive as fit_recursive, fit_recursive_lumped as fit_recursive_lumped
from .parameter_names import (
    ParameterNameError as ParameterNameError,
    default_parameters as default_parameters,
    known_names as known_names,
)
from .parameters import values_of as values_of, with_values as with_values
from .problems import RecordError as RecordError
from .regression.least_squares import fit_least_squares as fit_least_squares
from .regression.lumped import fit_lumped as fit_lumped, joined_axes as joined_axes
from .replay import (
    prediction_band as prediction_band,
    replay as replay,
    score as score,
    score_at_stamps as score_at_stamps,
    with_current as with_current,
)
from .result import Ambiguity as Ambiguity, Fit as Fit, Identifiability as Identifiability
from .sampling.clock_offset import clock_offset as clock_offset
from .sampling.resampling import (
    interval_averaged as interval_averaged,
    resampled as resampled,
    uniform_interval as uniform_interval,
    with_inputs_moved as with_inputs_moved,
    without as without,
)
from .sampling.smoothing import (
    savitzky_golay as savitzky_golay,
    savitzky_golay_kernel as savitzky_golay_kernel,
    zero_phase as zero_phase,
)
from .trajectory.output_error import (
    Stage as Stage,
    fit_output_error as fit_output_error,
    fit_prediction_error as fit_prediction_error,
    fit_staged as fit_staged,
)
from .uncertainty.correlated_residuals import whiteness as whiteness
from .uncertainty.predicted_accuracy import predicted_covariance as predicted_covariance
from .uncertainty.priors import Prior as Prior, prior_of as prior_of
from .validation import fit_and_validate as fit_and_validate
from .vehicle_file import (
    NegativeDampingError as NegativeDampingError,
    vehicle_file_text as vehicle_file_text,
    write_vehicle_file as write_vehicle_file,
)
