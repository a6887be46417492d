"""Scenario files: a whole run as data, read into a `Setup`.

>>> from remora.scenarios import read_scenario
>>> read_scenario("tunnel").vehicles[0].name
'vita1'
"""

from remora.files.catalogue import list_when_called
from remora.scenarios.library import scenario_names, scenario_path
from remora.scenarios.load_context import ScenarioError
from remora.scenarios.reader import read_scenario, scenario_from_text
from remora.scenarios.scenario import Scenario, load_scenario, make_scenario

__all__ = [
    "Scenario",
    "ScenarioError",
    "load_scenario",
    "make_scenario",
    "read_scenario",
    "scenario_from_text",
    "scenario_names",
    "scenario_path",
]

list_when_called(__name__)
