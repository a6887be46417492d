"""Damaged files and wrong messages end in a use or in a clear message. A sample here; `make fuzz` runs two thousand."""

from pathlib import Path

import pytest

from fuzz.judgement import judged
from fuzz.subjects import OTHERS, content_of, tried
from remora.files.problems import InputError

SEED = 20
SAMPLE = 40


@pytest.mark.parametrize("subject", OTHERS)
def test_a_sample_of_damaged_contents_behaves(subject: str, tmp_path: Path) -> None:
    endings = []
    for number in range(SAMPLE):
        made = tried(subject, SEED, number, tmp_path)
        assert made.ending != "misbehaved", f"{made.words}\n{made.content[:3000]!r}"
        endings.append(made.ending)
    assert "refused" in endings


def test_a_content_is_known_by_its_subject_seed_and_number() -> None:
    for subject in OTHERS:
        assert content_of(subject, 3, 7) == content_of(subject, 3, 7)
        assert len({content_of(subject, 3, number) for number in range(6)}) > 1


def test_bugs_nonsense_and_unclear_words_are_misbehaviours() -> None:
    def broken() -> str:
        raise ValueError("not enough values to unpack")

    def unclear() -> str:
        raise InputError("NoneType has no length")

    def clear() -> str:
        raise InputError("give a length")

    assert judged(lambda: "") == ("ran", "")
    assert judged(lambda: "NaN in the report") == ("misbehaved", "NaN in the report")
    assert judged(clear) == ("refused", "give a length")
    assert [judged(use)[0] for use in (broken, unclear)] == ["misbehaved", "misbehaved"]
