"""docs/navigation-filter.md stays true: fixes over a modem in a flight and its replay, and options of a filter file."""

import numpy as np
import pytest

import remora
from pages import code_blocks, page
from remora.files.document import parse_document
from remora.interop.recorded import chosen_filter, filter_of, suite_of_log
from remora.interop.recorded.recording_file import RECORDING_FILE
from remora.logs import read_log
from remora.navigation.replays import replay

BLOCKS = code_blocks(page("navigation-filter.md"), "yaml")
MODEM = next(block for block in BLOCKS if block.startswith("name: modem"))
OPTIONS = next(block for block in BLOCKS if block.startswith("part: filter"))


@pytest.fixture(scope="module")
def flight(tmp_path_factory):
    path = tmp_path_factory.mktemp("modem") / "run.mcap"
    changes = {
        "duration": "30 s",
        "vehicles[0].sensors": ["imu", "ahrs", "dvl", "depth", parse_document(MODEM, "page", RECORDING_FILE).data],
        "vehicles[0].navigation": {"part": "filter", "rate": "20 Hz"},
    }
    scenario = remora.load_scenario("bluerov_square").with_(changes)
    with pytest.warns(remora.RunWarning):
        remora.simulate(scenario, log=path)
    return read_log(path)


def test_fixes_over_a_modem_aid_a_flight(flight):
    """They come late, in any order, and a third of them not at all; none is rejected, and errors stay in 3 sigma."""
    fixes = flight["rov/modem"]
    lost = int(np.sum(fixes["status"] == 4))
    assert 0 < lost < 10
    assert fixes["latency"].max() > 2.1
    texts = [event.text for event in flight.events if event.source == "rov/navigation" and event.level == "warning"]
    assert not [text for text in texts if "rejected" in text or "stamps" in text]
    estimate, truth = flight["rov/estimate"], flight["rov/truth"]
    names, sigmas = [[f"{word}_{axis}" for axis in "xyz"] for word in ("p_NB", "sigma_p_N")]
    rows = np.isin(truth.time_ns, estimate.time_ns)
    places = np.isin(estimate.time_ns, truth.time_ns)
    errors = estimate.table(*names)[places] - truth.table(*names)[rows]
    known = np.isfinite(errors).all(axis=1)
    assert np.mean(np.abs(errors[known]) <= 3.0 * estimate.table(*sigmas)[places][known]) > 0.98


def test_a_replay_uses_every_fix_that_arrived(flight):
    recorded = suite_of_log(flight)
    found = replay(filter_of(recorded), recorded.launch, recorded.readings, (), recorded.truth)
    (modem,) = (one for one in found.sensors if one.name == "modem")
    assert modem.refused["dropped"] + modem.used == modem.readings
    assert modem.rejected == 0
    assert found.verdict.name == "consistent"


def test_options_of_a_filter_file_are_accepted(tmp_path):
    path = tmp_path / "my_filter.yaml"
    path.write_text(OPTIONS, encoding="utf-8")
    options = chosen_filter(str(path), None, None).options
    assert options.states.current.value == 0.3
    assert [one.sensor for one in options.pauses] == ["dvl"]
