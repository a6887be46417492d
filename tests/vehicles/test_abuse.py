"""Whatever stands in a vehicle file: a vehicle or a VehicleFileError with at least one problem, and nothing else."""

import contextlib
import copy
import json
from typing import Any

from hypothesis import given, settings, strategies as st
from vehicle_example import EXAMPLE

from remora.files.document import parse_document
from remora.vehicles import VehicleFileError, preset_path, vehicle_from_text
from remora.vehicles.names import VEHICLE_FILE

FILES = [
    EXAMPLE,
    *(preset_path(name).read_text(encoding="utf-8") for name in ("falcon", "flatfish_basin_ls", "remus100")),
]
DATA = [parse_document(text, "file", VEHICLE_FILE).data for text in FILES]

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats()
    | st.sampled_from(
        ["", "x", "none", "1 kg", "3 m", "-2 N", "1e400", "nan", "source", "1 rpm", "G", "forward-left-up", "5 %"]
    )
)
junk = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=6)
        | st.dictionaries(
            st.sampled_from(["value", "unit", "sigma", "mass", "forward", "rise", "name", "parts"]), inner
        )
    ),
    max_leaves=8,
)


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All paths of a nested structure."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path] + [place for key, item in items for place in places(item, (*path, key))]


PLACES = [[place for place in places(data) if place] for data in DATA]


def refusal_of(text: str) -> VehicleFileError | None:
    """The refusal of a text, or None for a vehicle; anything else fails the test that asks."""
    try:
        vehicle_from_text(text)
    except VehicleFileError as error:
        return error
    return None


def says_why(refusal: VehicleFileError | None) -> bool:
    return refusal is None or (bool(refusal.problems) and all(problem.message for problem in refusal.problems))


def put(data: Any, place: tuple[Any, ...], value: Any) -> None:
    """Set a place of a nested structure, unless an earlier change has removed the way to it."""
    with contextlib.suppress(KeyError, IndexError, TypeError):
        for step in place[:-1]:
            data = data[step]
        data[place[-1]] = value


@settings(max_examples=150)
@given(st.data())
def test_any_value_in_any_place(draw: st.DataObject) -> None:
    index = draw.draw(st.integers(0, len(DATA) - 1))
    data = copy.deepcopy(DATA[index])
    for place in draw.draw(st.lists(st.sampled_from(PLACES[index]), min_size=1, max_size=3)):
        put(data, place, draw.draw(junk))
    assert says_why(refusal_of(json.dumps(data)))  # JSON is YAML; its Infinity and NaN are texts there


@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    refusal = refusal_of(text)
    assert refusal is not None
    assert says_why(refusal)


@given(st.integers(0, 3), st.data())
def test_any_beginning_of_a_file(index: int, draw: st.DataObject) -> None:
    end = draw.draw(st.integers(0, min(len(FILES[index]), 1500)))
    assert says_why(refusal_of(FILES[index][:end]))


def test_a_text_that_was_read_before_is_read_as_new():
    """Parsed texts are kept: neither changed data nor findings of one reading reach the next."""
    text = "name: a\nmass: [1, 2]\nname: b\n"
    first = parse_document(text, "one", VEHICLE_FILE)
    first.data["mass"].append(3)
    first.findings.clear()
    second = parse_document(text, "two", VEHICLE_FILE)
    assert second.data == {"name": "a", "mass": [1, 2]}
    assert [finding.path for finding in second.findings] == [("name",)]
    assert second.file == "two"
