"""What a figure demands, and how studies become a file."""

import json
import math

import pytest
from sample_figures import at_least, at_most, near, reported, within

from remora_evidence.assessment import Assessment, Study, assessments_as_json
from remora_evidence.figure import AssessedFigure
from remora_evidence.requirements import read_studies
from remora_evidence.runner import run_study
from remora_evidence.studies.catalogue import chosen
from remora_evidence.studies.study_table import summary


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
        (AssessedFigure("a", None, 1.0, "within", 1.0, "m"), False),
        (AssessedFigure("a", 1.0, 1.0, "at most", None, "m"), False),
        (AssessedFigure("a", None, 1.99, "below", 2.0, "m"), True),
        (AssessedFigure("a", None, 2.0, "below", 2.0, "m"), False),
        (AssessedFigure("a", None, math.nan, "reported", None, "m", reason="no MuJoCo"), True),
        (AssessedFigure("a", None, math.nan, "at least", 2.0, "m", reason="no MuJoCo"), False),
    ],
)
def test_holds_follows_from_relation_and_bound(figure, holds):
    assert figure.holds is holds


GOOD, BAD = at_most("good", 1.0, 2.0, "m"), at_most("bad", 3.0, 2.0, "m")
SEEN, LOST = reported("seen", 1.0, "m"), reported("lost", math.nan, "m")


def outcome_of(*figures, **more):
    return Assessment("a", "b", "c", figures, **more)


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (outcome_of(GOOD, SEEN), "holds"),
        (outcome_of(GOOD, BAD), "partly"),
        (outcome_of(GOOD, LOST), "partly"),
        (outcome_of(BAD, SEEN), "fails"),
        (outcome_of(SEEN), "fails"),
        (outcome_of(), "fails"),
        (outcome_of(error="RuntimeError: no"), "fails"),
        (outcome_of(absent="a.csv"), "data absent"),
    ],
)
def test_a_study_holds_only_when_every_demanded_figure_does(outcome, verdict):
    assert outcome.verdict == verdict
    assert outcome.holds is (verdict == "holds")
    assert outcome.misses is (verdict in ("partly", "fails"))
    file = outcome.as_json()
    assert (file["verdict"], file["holds"]) == (verdict, verdict == "holds")


def test_partly_says_which_figures_hold_and_which_do_not():
    outcome = outcome_of(GOOD, BAD, SEEN)
    assert (outcome.held, outcome.missed) == ((GOOD,), (BAD,))
    lines = summary([outcome, outcome_of(GOOD)])
    assert lines[0] == "1 of 2 studies hold."
    assert "  a: 1 of 2 demanded figures hold. Holds: good. Fails: bad." in lines


def test_the_file_has_the_promised_shape():
    good = Assessment(
        "S2V-01", "a source", "a title", (within("a", 3.7, 3.7, 0.01, "m"), near("b", 1.0, 1.0, 0.1, "s"))
    )
    bad = Assessment("X4", "a source", "a title", (at_most("c", math.nan, 1.0, "N", differs="no water"),))
    broken = Assessment("X5", "a source", "a title", (), "RuntimeError: no", seeds=2)
    file = json.loads(json.dumps(assessments_as_json([good, bad, broken]), allow_nan=False))
    assert list(file) == ["studies"]
    for study in file["studies"]:
        keys = ["id", "source", "title", "figures", "holds", "verdict", "seeds", "all_seeds", "set_size", "probability"]
        assert list(study) == keys
        for figure in study["figures"]:
            keys = ["name", "printed", "ours", "relation", "bound", "unit", "holds", "differs"]
            assert list(figure) == [*keys, "probability", "over_seeds"]
    assert [study["holds"] for study in file["studies"]] == [True, False, False]
    assert [study["verdict"] for study in file["studies"]] == ["holds", "fails", "fails"]
    one = {"relation": "within", "holds": True, "differs": "", "probability": None, "over_seeds": None}
    assert file["studies"][0]["figures"] == [
        {"name": "a", "printed": 3.7, "ours": 3.7, "bound": 0.01, "unit": "m", **one},
        {"name": "b (target 1)", "printed": None, "ours": 1.0, "bound": 0.1, "unit": "s", **one},
    ]
    assert file["studies"][1]["figures"][0]["ours"] is None
    assert file["studies"][1]["figures"][0]["differs"] == "no water"
    assert file["studies"][2]["figures"][0]["name"] == "did not finish: RuntimeError: no"
    assert (file["studies"][2]["seeds"], file["studies"][2]["all_seeds"]) == (2, None)


def test_what_differs_in_a_study_stands_beside_each_of_its_figures():
    own = at_most("own", 1.0, 2.0, "m", differs="a lake")
    study = Study("a", "b", "c", lambda seeds: [GOOD, own], differs="a twin")
    assert [figure.differs for figure in run_study(study).figures] == ["a twin", "a lake"]


def test_a_study_that_raises_or_says_nothing_fails():
    def broken(seeds):
        raise RuntimeError(f"no luck with {list(seeds)}")

    outcome = run_study(Study("a", "b", "c", broken, seeds=3))
    assert not outcome.holds
    assert outcome.error == "RuntimeError: no luck with [1, 2, 3]"
    assert not run_study(Study("a", "b", "c", lambda seeds: [])).holds


def test_ids_and_groups_choose_studies_once_and_in_order():
    assert [study.id for study in chosen(["X14", "modular", "x4", "modular-14.6"])] == [
        "X4", "X14", *(f"modular-14.{i}" for i in (1, 2, 3, 5, 6, 7, "7-map", 8)),
        *(f"modular-17.{i}" for i in range(1, 7)),
        "modular-14.4", "modular-14.9", "modular-14.10", "modular-17.10", "modular-17.11",
        "modular-14.3-runs", "modular-14.6-pitch", "modular-14.10-warped",
        "modular-14.11", *(f"modular-17.{i}" for i in range(12, 16)), "modular-6dof", "modular-fault",
    ]  # fmt: skip
    assert len(chosen(["simu2vita"])) == 17


def test_every_row_of_the_test_matrix_of_modules_has_an_id():
    for row in range(1, 16):
        assert chosen([f"modular-17.{row}"])
    assert [study.id for study in chosen(["modular-17.9"])] == [f"modular-14.{i}" for i in (3, 5, 6, 7)]


@pytest.mark.parametrize(
    ("word", "hint"), [("S2V-1", "S2V-"), ("falkon", "Did you mean falcon?"), ("quidditch", "Groups: simu2vita")]
)
def test_an_unknown_word_gets_a_suggestion(word, hint):
    with pytest.raises(ValueError, match=word) as caught:
        chosen([word])
    assert hint in str(caught.value)


FILE = """
notes: {calm: no waves, twin: "a twin, {calm}"}
studies:
  Q-1:
    title: a title
    source: a source
    seeds: 3
    differs: "{twin}; a lake"
    figures:
      "{basin|bay}, {surge|sway}: error": {unit: m/s, printed: [1, 2, 3, 4], within: 10 %}
      "time": {unit: s, target: 4, within: 0.5, differs: "{calm}"}
      "share": {unit: "%", at_least: 0.7, at_most: 1.1}
      "coverage": {unit: "%", at_least: 90, from_seeds: 40}
      "score": {unit: "1", at_least: measured}
      "worst of *": {unit: "1", at_most: 1, optional: true}
"""


def figures_of(values, tmp_path, seeds=(1, 2, 3)):
    file = tmp_path / "printed.yaml"
    file.write_text(FILE)
    (study,) = read_studies(file, {"Q-1": lambda seeds: values})
    return study, study.run(seeds)


VALUES = (
    ("basin, surge: error", 1.05), ("basin, sway: error", 2.5), ("bay, surge: error", 3.0), ("bay, sway: error", 4.0),
    ("time", 4.2), ("share", 1.0), ("coverage", 50.0), ("score", 0.8, 0.7),
)  # fmt: skip


def test_a_file_gives_each_figure_its_printed_value_bound_and_unit(tmp_path):
    study, figures = figures_of((*VALUES, ("worst of yaw", 2.0)), tmp_path)
    assert (study.id, study.source, study.seeds, study.differs) == ("Q-1", "a source", 3, "a twin, no waves; a lake")
    assert figures[:2] == [
        AssessedFigure("basin, surge: error", 1, 1.05, "within", 0.1, "m/s"),
        AssessedFigure("basin, sway: error", 2, 2.5, "within", 0.2, "m/s"),
    ]
    assert [figure.printed for figure in figures[2:4]] == [3, 4]
    assert figures[4] == AssessedFigure("time (target 4)", None, 4.2, "within", 0.5, "s", 4, "no waves")
    relations = [(figure.relation, figure.bound) for figure in figures[5:]]
    assert relations == [
        ("at least", 0.7), ("at most", 1.1), ("reported", None), ("at least", 0.7), ("at most", 1.0),
    ]  # fmt: skip
    assert [figure.holds for figure in figures] == [True, False, True, True, True, True, True, True, True, False]
    assert figures_of(VALUES, tmp_path, range(1, 41))[1][7].relation == "at least"


def test_a_required_figure_without_a_value_fails_and_an_unknown_one_is_refused(tmp_path):
    figures = figures_of(VALUES[:-1], tmp_path)[1]
    assert figures[-1].name == "score"
    assert not figures[-1].holds
    with pytest.raises(ValueError, match="nothing is written down for the figure 'speed'"):
        figures_of((*VALUES, ("speed", 1.0)), tmp_path)


def test_studies_of_a_file_and_functions_must_match(tmp_path):
    (tmp_path / "printed.yaml").write_text(FILE)
    with pytest.raises(ValueError, match="studies and functions differ: Q-1, Q-2"):
        read_studies(tmp_path / "printed.yaml", {"Q-2": lambda seeds: []})
