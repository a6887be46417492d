from .library import preset_names as preset_names, preset_path as preset_path
from .names import VehicleFileError as VehicleFileError
from .parameters import HeaveUp as HeaveUp, VehicleParameters as VehicleParameters, total_inertia as total_inertia
from .vehicle import (
    Historical as Historical,
    SensorEntry as SensorEntry,
    SourcedValue as SourcedValue,
    ThrusterFacts as ThrusterFacts,
    Vehicle as Vehicle,
    with_symmetric_heave as with_symmetric_heave,
)
from .vehicle_reader import (
    load_vehicle as load_vehicle,
    vehicle_from_text as vehicle_from_text,
)
