"""Health of an aiding sensor, one reading at a time."""

import pytest

from remora.messages.reading import Reading, Status
from remora.navigation.filters import Innovation
from remora.navigation.inertial.aiding_sensors import AidingSensor
from remora.navigation.inertial.sensor_health import (
    REJECTIONS,
    REPEATS,
    SensorHealth,
    after_refusal,
    after_result,
    at_time,
    health_reports,
    refusal,
)

SECOND = 1_000_000_000


def sensor(**changed) -> AidingSensor:
    given = {"name": "dvl", "role": "velocity", "period_ns": SECOND // 5, "latency": 0.5, "zeros_mean_no_lock": True}
    fields = dict.fromkeys(AidingSensor._fields) | AidingSensor._field_defaults | given | changed
    return AidingSensor(**fields)


def result(outcome: str, squared: float = 3.0, stamp_ns: int = SECOND) -> Innovation:
    fields = dict.fromkeys(Innovation._fields) | Innovation._field_defaults
    return Innovation(
        **fields | {"outcome": outcome, "stamp_ns": stamp_ns, "values": (0.0, 0.0, 0.0), "squared": squared}
    )


def after(*outcomes: str) -> SensorHealth:
    health = SensorHealth()
    for outcome in outcomes:
        health = after_result(health, result(outcome), sensor())
    return health


def reading(*values: float, status: Status = Status.OK) -> Reading:
    return Reading("dvl", 0, 0, status, values)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (reading(0.0, 0.0, 0.0, 12.0), "zeros"),
        (reading(0.0, 0.1, 0.0, 12.0), ""),
        (reading(0.1, 0.0, 0.0, 12.0), ""),
        (reading(0.1, 0.0, 0.0, status=Status.NO_LOCK), "no lock"),
        (reading(0.1, 0.0, 0.0, status=Status.OFF), "lost"),
        (reading(0.1, 0.0, 0.0, status=Status.DROPPED), "dropped"),
    ],
)
def test_a_velocity_of_exact_zeros_and_a_status_without_values_are_refused(given: Reading, why: str) -> None:
    assert refusal(sensor(), given) == why


def test_a_single_lost_message_changes_no_health() -> None:
    good = after("used")
    assert after_refusal(good, "dropped") == good
    assert after_refusal(good, "zeros").status == "zeros"


def test_rejections_and_repeats_count_in_a_row() -> None:
    assert after("used", *["rejected"] * (REJECTIONS - 1)).status == "good"
    assert after("used", *["rejected"] * REJECTIONS).status == "rejected"
    assert after(*["rejected"] * (REJECTIONS - 1), "used", "rejected").status == "good"
    assert after("used", *["repeated"] * (REPEATS - 1)).status == "good"
    assert after("used", *["repeated"] * REPEATS).status == "frozen"
    assert after("recovered").status == "rejected"


def test_a_silence_is_a_loss_after_three_periods_a_second_at_least_and_the_latency() -> None:
    good = after("used")
    for one, longest in ((sensor(), 1.5), (sensor(period_ns=SECOND), 3.5), (sensor(latency=0.0), 1.0)):
        end = SECOND + round(longest * SECOND)
        assert at_time(good, one, end).status == "good"
        assert at_time(good, one, end + 1).status == "lost"
    assert at_time(good._replace(status="frozen"), sensor(), 9 * SECOND).status == "frozen"


def test_large_innovations_are_reported_once_until_they_are_well_inside_again() -> None:
    health, texts = after("used"), []
    for squared in [60.0] * 30 + [3.0] * 30:
        before, health = health, after_result(health, result("used", squared), sensor())
        texts += [one.text for one in health_reports("dvl", before, health)]
        if before.is_surprising and not health.is_surprising:
            assert health.mean_square < 1.8  # half of the bound of 2.5 above one
    assert texts == [
        "innovations of dvl are larger than its stated errors allow. Check its position, orientation and errors"
    ]


def test_a_change_of_health_is_an_event_but_the_first_use() -> None:
    assert list(health_reports("dvl", SensorHealth(), after("used"))) == []
    (lost,) = health_reports("dvl", after("used"), after("used")._replace(status="lost"))
    assert (lost.level, lost.text) == ("warning", "dvl is lost: no reading could be used")
    (back,) = health_reports("dvl", after("used")._replace(status="lost"), after("used"))
    assert (back.level, back.text) == ("info", "dvl is used again")
