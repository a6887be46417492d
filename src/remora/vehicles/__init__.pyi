from .file_kind import VehicleFileError as VehicleFileError
from .library import preset_names as preset_names, preset_path as preset_path
from .parameters import HeaveUp as HeaveUp, VehicleParameters as VehicleParameters, total_inertia as total_inertia
from .reading import load_vehicle as load_vehicle, vehicle_from_text as vehicle_from_text
from .vehicle import (
    Figure as Figure,
    Historical as Historical,
    SensorEntry as SensorEntry,
    ThrusterFacts as ThrusterFacts,
    Vehicle as Vehicle,
    with_one_heave_mass as with_one_heave_mass,
)
