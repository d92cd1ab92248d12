"""Judges against the labels of people."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_places import VolatilePlace, log_at

from whoknew.engine.errors import BadLabels
from whoknew.engine.exams.lifelong.validation import Label, labels_of, validated
from whoknew.engine.judges.scales import CHECKS
from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import (
    CharacterAdded,
    EpisodeClosed,
    EpisodeOpened,
    Reviewed,
    WorldOpened,
)

CHECK = st.sampled_from(sorted(CHECKS))


@given(st.lists(st.tuples(CHECK, st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_precision_recall_and_f1_are_those_of_their_definition(
    given_: list[tuple[str, bool, bool]],
) -> None:
    import asyncio

    async def both() -> None:
        async with log_at(VolatilePlace()) as log:
            drafts = [
                Draft(WorldOpened("W"), datetime(2000, 1, 1)),
                Draft(CharacterAdded("Ada"), witnesses=("Ada",)),
            ]
            for episode, (check, judged, _) in enumerate(given_, start=1):
                drafts += [
                    Draft(EpisodeOpened("S", ("Ada",)), None, episode, witnesses=("Ada",)),
                    Draft(EpisodeClosed("over"), None, episode),
                    Draft(
                        Reviewed("j", {check: float(judged)}),
                        at=None,
                        episode=episode,
                        turn=0,
                        actor="Ada",
                    ),
                ]
            await log.append("w", drafts)
            labels = [
                Label("w", episode, "Ada", check, passed)
                for episode, (check, _, passed) in enumerate(given_, start=1)
            ]
            labels.append(Label("w", 99, "Ada", "repeats", True))  # of what nobody judged
            agreements, unmet = await validated(log, labels)
            found = {one.score: one for one in agreements}
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

    asyncio.run(both())


def test_labels_are_read_line_by_line_and_what_is_wrong_is_told(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    one = Label("w", 3, "Ada", "stalling", False)
    file.write_bytes(msgspec.json.encode(one) + b"\n\n" + msgspec.json.encode(one))
    assert labels_of(file) == [one, one]
    for text, what in (
        ("", "holds no labels"),
        ('{"world": "w"}', "line 1"),
        (
            '{"world": "w", "episode": 1, "character": "A", "check": "jumps", "passed": true}',
            "jumps",
        ),
        ("[", "line 1"),
    ):
        file.write_text(text)
        with pytest.raises(BadLabels, match=what):
            labels_of(file)
    with pytest.raises(BadLabels, match="cannot be read"):
        labels_of(tmp_path / "nowhere.jsonl")
