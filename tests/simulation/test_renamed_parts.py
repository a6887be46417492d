"""Parts and options of earlier versions are answered with their new names."""

import pytest

from remora.files.did_you_mean import RENAMED
from remora.simulation.scenarios.load_context import ScenarioError
from remora.simulation.scenarios.reader import scenario_from_text

VEHICLE = "name: t\nduration: 1 s\nvehicles:\n  - {name: a, file: falcon, navigation: truth, "
HOLD = "guidance: hold, control: position, allocation: "
DIVE = "guidance: dive_and_turn, control: "

OLD = {
    "pilot": f"{VEHICLE}{DIVE}pilot}}",
    "timetable": f"{VEHICLE}allocation: {{part: timetable, commands: []}}}}",
    "torques_count": f"{VEHICLE}{HOLD}{{part: bounded, torques_count: more}}}}",
    "alike": f"{VEHICLE}{HOLD}{{part: bounded, torque_priority: alike}}}}",
    "more": f"{VEHICLE}{HOLD}{{part: bounded, torque_priority: more}}}}",
    "informed": f"{VEHICLE}{HOLD}bounded, faults: [{{fault: dead, of: vertical, allocation: informed}}]}}",
    "uninformed": f"{VEHICLE}{HOLD}bounded, faults: [{{fault: dead, of: vertical, allocation: uninformed}}]}}",
}


@pytest.mark.parametrize("old", OLD)
def test_an_old_name_is_answered_with_the_new_one(old: str) -> None:
    with pytest.raises(ScenarioError, match=f'It was renamed to "{RENAMED[old]}"'):
        scenario_from_text(OLD[old])
