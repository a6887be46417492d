"""Parts and options of earlier versions are answered with their new names."""

import pytest

from remora.files.did_you_mean import RENAMED
from remora.scenarios.load_context import ScenarioError
from remora.scenarios.reader import scenario_from_text

VEHICLE = "name: t\nduration: 1 s\nvehicles:\n  - {name: a, file: falcon, navigation: truth, "
HOLD = "guidance: hold, control: position, allocation: "

OLD = {
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


LARGEST = {
    "largest_speeds": "guidance: hold, control: {part: position, largest_speeds: [1, 1, 1, 1]}, allocation: bounded}",
    "largest_lead": "guidance: {part: waypoints, points: [], speed: 1, largest_lead: 1 m}, control: position}",
    "largest_age": "guidance: hold, control: {part: cascade_p, largest_age: 1 s}, allocation: bounded}",
    "largest_pitch": "guidance: hold, control: {part: fin_autopilot, largest_pitch: 10 deg}}",
    "largest_integrals": "guidance: {part: lyapunov, mission: [], largest_integrals: [1, 1, 1, 1]}, control: pid}",
}


@pytest.mark.parametrize("old", LARGEST)
def test_an_option_called_largest_is_answered_with_max(old: str) -> None:
    new = old.replace("largest", "max")
    with pytest.raises(ScenarioError, match=f'It was renamed to "{new}"'):
        scenario_from_text(VEHICLE + LARGEST[old])
