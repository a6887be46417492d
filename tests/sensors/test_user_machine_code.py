"""Machine code of sensors that users write: it follows the content of their file, and is made once for each."""

import inspect
from pathlib import Path

import numpy as np
import pytest

from remora.files.user_code import UserCodeNames, user_object
from remora.messages.truth import Mount
from remora.sensors import OpenWater, machine_code
from remora.sensors.environment import site_row
from remora.sensors.kinds import sound_velocity

LEVEL = Mount((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
NAMES = UserCodeNames("my.py:MySound", "the scenario")


def reading(file: Path, place) -> float:
    """What the compiled sensor of a file reads at a depth of 5 m."""
    form = machine_code.compiled_form(user_object("my.py:MySound", file.parent, NAMES)(LEVEL), place)
    motion, status, values = np.zeros((1, 22)), np.zeros(1, dtype=np.int64), np.zeros((1, 1))
    motion[0, 2:4] = 5.0, 1.0
    form.function(form.row, motion, np.array(site_row(place)), place.rows, status, values)
    return float(values[0, 0])


def test_an_edited_sensor_reads_anew_and_one_that_is_loaded_again_is_not_compiled_again(tmp_path: Path) -> None:
    place = OpenWater().packed()
    text = inspect.getsource(sound_velocity).partition("SOUND_VELOCITY =")[0].replace("SoundVelocity", "MySound")
    file = tmp_path / "my.py"
    file.write_text(text, encoding="utf-8")
    once, known = reading(file, place), len(machine_code._made)
    assert once == pytest.approx(place.sound_speed)
    assert reading(file, place) == once
    assert len(machine_code._made) == known
    file.write_text(text.replace("speed = environment.", "speed = 2.0 * environment."), encoding="utf-8")
    assert reading(file, place) == pytest.approx(2.0 * place.sound_speed)
    assert len(machine_code._made) == known + 1
