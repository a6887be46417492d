from .api.experiment import ExperimentDesign as ExperimentDesign, design as design
from .api.fit_results import FitResult as FitResult, FitWarning as FitWarning, ValidationResult as ValidationResult
from .api.fitting import fit as fit, validate as validate
from .api.run_log import RunLog as RunLog, compare as compare, read_log as read_log
from .api.shown_results import Plot as Plot
from .api.simulation import RunWarning as RunWarning, SimulationError as SimulationError, simulate as simulate
from .api.vehicle_files import load_vehicle as load_vehicle, make_vehicle as make_vehicle
from .files.problems import InputError as InputError
from .identification.data.record import (
    Record as Record,
    inputs_of as inputs_of,
    record_from_arrays as record_from_arrays,
)
from .identification.problems import RecordError as RecordError
from .logs.log import Series as Series
from .logs.problems import LogError as LogError
from .logs.schema import Field as Field
from .messages.estimate import Estimate as Estimate
from .messages.part import PartInput as PartInput
from .plant.batches.batch_stepper import BatchStepper as BatchStepper
from .plant.failures import BatchError as BatchError, RunError as RunError
from .plant.plant import Plant as Plant
from .plant.rollouts import batch as batch
from .scenarios.library import scenarios as scenarios
from .scenarios.load_context import ScenarioError as ScenarioError
from .scenarios.scenario import (
    Scenario as Scenario,
    load_scenario as load_scenario,
    make_scenario as make_scenario,
)
from .vehicles.library import vehicles as vehicles
from .vehicles.names import VehicleFileError as VehicleFileError
from .vehicles.vehicle import Vehicle as Vehicle

__version__: str
