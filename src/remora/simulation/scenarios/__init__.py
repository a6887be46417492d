"""Scenario files: a whole run as data, read into a `Setup`.

>>> from remora.simulation.scenarios import read_scenario
>>> read_scenario("tunnel").vehicles[0].name
'vita1'
"""

from remora.simulation.scenarios.library import scenario_names, scenario_path
from remora.simulation.scenarios.load_context import ScenarioError
from remora.simulation.scenarios.reader import read_scenario, scenario_from_text
from remora.simulation.scenarios.scenario import Scenario, load_scenario, make_scenario

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
