"""Judges of episodes against the labels of people."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whoknew.engine.exams.arms import ExamJudge, judge_of
from whoknew.engine.exams.cell_result import EpisodeResult
from whoknew.engine.exams.cell_rows import CellRow
from whoknew.engine.exams.scenes.labels import EpisodeLabel, agreements, labels_of
from whoknew.engine.judges.scales import CHECKS
from whoknew.engine.plan.plan import Judging
from whoknew.worlds.errors import BadDocument, BadSource

CHECK = st.sampled_from(sorted(CHECKS))


def judges() -> list[ExamJudge]:
    return [judge_of("j", Judging("rules"))]


def cell(episodes: list[dict[str, float]]) -> CellRow:
    """A scene of one character, which has been given all that in its episodes."""
    results = [
        EpisodeResult(
            number, "S", number, {"Ada": {f"j.{name}": one for name, one in some.items()}}
        )
        for number, some in enumerate(episodes, start=1)
    ]
    return CellRow(
        key="k",
        unit="u",
        arm="a",
        repeat=1,
        kind="friend",
        cluster="c",
        world="w",
        character="",
        seq=9,
        hash="",
        question="",
        episodes=tuple(results),
    )


@given(st.lists(st.tuples(CHECK, st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_precision_recall_and_f1_are_those_of_their_definition(
    given_: list[tuple[str, bool, bool]],
) -> None:
    labels = [
        EpisodeLabel("w", episode, "Ada", check, passed)
        for episode, (check, _, passed) in enumerate(given_, start=1)
    ]
    labels.append(EpisodeLabel("w", 99, "Ada", "repeats", True))  # of what nobody judged
    seen = cell([{check: float(judged)} for check, judged, _ in given_])
    every, unmet = agreements(labels, [seen], judges())
    found = {one.score: one for one in every}
    assert unmet == 1
    assert set(found) == {check for check, _, _ in given_}
    for check, one in found.items():
        of = [(not judged, not passed) for name, judged, passed in given_ if name == check]
        both_failed = of.count((True, True))
        assert (one.labels, one.right) == (len(of), both_failed)
        judged_failed = both_failed + of.count((True, False))
        people_failed = both_failed + of.count((False, True))
        assert one.precision == (both_failed / judged_failed if judged_failed else None)
        assert one.recall == (both_failed / people_failed if people_failed else None)
        if one.precision and one.recall:
            harmonic = 2 / (1 / one.precision + 1 / one.recall)
            assert one.f1 == pytest.approx(harmonic)


async def test_labels_are_read_line_by_line_and_what_is_wrong_is_told(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    one = EpisodeLabel("w", 3, "Ada", "stalling", False)
    file.write_bytes(msgspec.json.encode(one) + b"\n\n" + msgspec.json.encode(one))
    assert await labels_of(file) == [one, one]
    for text, what in (
        ("", "is empty"),
        ('{"world": "w"}', ":1: episode"),
        (
            '{"world": "w", "episode": 1, "character": "A", "check": "stal", "passed": true}',
            "did you mean 'stalling'",
        ),
        ("[", ":1: begins a list"),
        ("{]", ":1: is not JSON"),
    ):
        file.write_text(text)
        with pytest.raises(BadDocument, match=what):
            await labels_of(file)
    with pytest.raises(BadSource, match="cannot be read"):
        await labels_of(tmp_path / "nowhere.jsonl")
