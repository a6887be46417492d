"""What a figure demands, and how studies become a file."""

import json
import math

import pytest

from remora.studies import Figure, Outcome, Study, at_least, at_most, near, outcomes_as_json, reported, within
from remora.studies.registry import chosen
from remora.studies.running import run_study


@pytest.mark.parametrize(
    ("figure", "holds"),
    [
        (within("a", 3.705, 3.7, 0.01, "m"), True),
        (within("a", 3.72, 3.7, 0.01, "m"), False),
        (within("a", 3.68, 3.7, 0.01, "m"), False),
        (near("a", 200.0, 200, 1, "1"), True),
        (near("a", 198.0, 200, 1, "1"), False),
        (at_most("a", 0.02, 0.02, "m"), True),
        (at_most("a", 0.021, 0.02, "m"), False),
        (at_least("a", 0.95, 0.95, "1"), True),
        (at_least("a", 0.94, 0.95, "1"), False),
        (reported("a", 1.0, "s"), True),
        (reported("a", math.inf, "s"), False),
        (within("a", math.nan, 3.7, 0.01, "m"), False),
        (at_most("a", -math.inf, 0.02, "m"), False),
        (at_least("a", math.nan, 0.95, "1"), False),
        (Figure("a", None, 1.0, "within", 1.0, "m"), False),
        (Figure("a", 1.0, 1.0, "at most", None, "m"), False),
    ],
)
def test_holds_follows_from_relation_and_bound(figure, holds):
    assert figure.holds is holds


def test_the_file_has_the_promised_shape():
    good = Outcome("S2V-01", "a source", "a title", (within("a", 3.7, 3.7, 0.01, "m"), near("b", 1.0, 1.0, 0.1, "s")))
    bad = Outcome("X4", "a source", "a title", (at_most("c", math.nan, 1.0, "N"),))
    broken = Outcome("X5", "a source", "a title", (), "RuntimeError: no")
    file = json.loads(json.dumps(outcomes_as_json([good, bad, broken]), allow_nan=False))
    assert list(file) == ["studies"]
    for study in file["studies"]:
        assert list(study) == ["id", "source", "title", "figures", "holds"]
        for figure in study["figures"]:
            assert list(figure) == ["name", "printed", "ours", "relation", "bound", "unit", "holds"]
    assert [study["holds"] for study in file["studies"]] == [True, False, False]
    assert file["studies"][0]["figures"] == [
        {"name": "a", "printed": 3.7, "ours": 3.7, "relation": "within", "bound": 0.01, "unit": "m", "holds": True},
        {
            "name": "b (target 1)",
            "printed": None,
            "ours": 1.0,
            "relation": "within",
            "bound": 0.1,
            "unit": "s",
            "holds": True,
        },
    ]
    assert file["studies"][1]["figures"][0]["ours"] is None
    assert file["studies"][2]["figures"][0]["name"] == "did not finish: RuntimeError: no"


def test_a_study_that_raises_or_says_nothing_fails():
    def broken(seeds):
        raise RuntimeError(f"no luck with {list(seeds)}")

    outcome = run_study(Study("a", "b", "c", broken, seeds=3))
    assert not outcome.holds
    assert outcome.error == "RuntimeError: no luck with [1, 2, 3]"
    assert not run_study(Study("a", "b", "c", lambda seeds: [])).holds


def test_ids_and_groups_choose_studies_once_and_in_order():
    assert [study.id for study in chosen(["X14", "modular", "x4", "modular-14.6"])] == [
        "X4", "X14", "modular-14.3", "modular-14.5", "modular-14.6", "modular-14.7",
    ]  # fmt: skip
    assert len(chosen(["simu2vita"])) == 17


@pytest.mark.parametrize(
    ("word", "hint"), [("S2V-1", "S2V-"), ("falkon", "Did you mean falcon?"), ("quidditch", "Groups: simu2vita")]
)
def test_an_unknown_word_gets_a_suggestion(word, hint):
    with pytest.raises(ValueError, match=word) as caught:
        chosen([word])
    assert hint in str(caught.value)
