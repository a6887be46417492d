from .hydrodynamics import Hydrodynamics as Hydrodynamics, submerged as submerged
from .mjcf import body_xml as body_xml, inertial_xml as inertial_xml, model_xml as model_xml
