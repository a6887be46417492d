"""Bench tests: vehicle parameters with uncertainty from tables and records of a test rig.

Every fit returns a `BenchFit`: the fitted law with its parameters, covariance, residuals and warnings.
"""

from remora.identification.bench.balance import (
    Balance,
    LeverTest,
    fit_center_of_buoyancy,
    fit_center_of_gravity,
    fit_neutral_attitude,
)
from remora.identification.bench.fitting import BenchDataError, as_fit
from remora.identification.bench.free_decay import (
    AxisDynamics,
    Righting,
    decay_by_turning_points,
    fit_free_decay,
)
from remora.identification.bench.pendulums import Bifilar, fit_bifilar, fit_hydrostatic_pair, rest_angle
from remora.identification.bench.plateaus import Plateau, fit_bollard_staircase, found_levels, plateaus
from remora.identification.bench.powered_thruster import (
    PoweredThruster,
    VoltageTable,
    powered_speed,
    powered_thrust,
)
from remora.identification.bench.result import BenchFit, band, propagated
from remora.identification.bench.steps import (
    StepRun,
    fit_steps,
    read_initial_inertia,
    read_steady_drag,
    share_of_thrust,
)
from remora.identification.bench.thrust_curves import (
    fit_command_map,
    fit_inflow_thrust,
    fit_pulse_speed,
    fit_pulse_thrust,
    fit_quadratic_thrust,
    thrust_coefficients,
)
from remora.identification.bench.thrust_under_way import (
    LossMap,
    UnderWay,
    fit_thrust_under_way,
    thrust_loss,
    thrust_loss_band,
    thrust_loss_map,
)
from remora.identification.bench.towing import (
    Drag,
    drag_band,
    extrapolated_damping,
    fit_towing_drag,
    fuse,
    fuse_by_median,
    fuse_equal_speeds,
    stay_wire_force,
    typical_linear,
)
from remora.identification.bench.voltage_tables import (
    fit_voltage_tables,
    leave_one_voltage_out,
    read_voltage_table,
)

__all__ = [
    "AxisDynamics",
    "Balance",
    "BenchDataError",
    "BenchFit",
    "Bifilar",
    "Drag",
    "LeverTest",
    "LossMap",
    "Plateau",
    "PoweredThruster",
    "Righting",
    "StepRun",
    "UnderWay",
    "VoltageTable",
    "as_fit",
    "band",
    "decay_by_turning_points",
    "drag_band",
    "extrapolated_damping",
    "fit_bifilar",
    "fit_bollard_staircase",
    "fit_center_of_buoyancy",
    "fit_center_of_gravity",
    "fit_command_map",
    "fit_free_decay",
    "fit_hydrostatic_pair",
    "fit_inflow_thrust",
    "fit_neutral_attitude",
    "fit_pulse_speed",
    "fit_pulse_thrust",
    "fit_quadratic_thrust",
    "fit_steps",
    "fit_thrust_under_way",
    "fit_towing_drag",
    "fit_voltage_tables",
    "found_levels",
    "fuse",
    "fuse_by_median",
    "fuse_equal_speeds",
    "leave_one_voltage_out",
    "plateaus",
    "powered_speed",
    "powered_thrust",
    "propagated",
    "read_initial_inertia",
    "read_steady_drag",
    "read_voltage_table",
    "rest_angle",
    "share_of_thrust",
    "stay_wire_force",
    "thrust_coefficients",
    "thrust_loss",
    "thrust_loss_band",
    "thrust_loss_map",
    "typical_linear",
]
