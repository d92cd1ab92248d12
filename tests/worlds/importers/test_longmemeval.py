"""LongMemEval: sessions in the order of their dates, and which turns hold the answer."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from longmemeval_file import sessions_file

from whoknew.eventlog.kinds import Acted
from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers.imported import ImportedWorld
from whoknew.worlds.importers.longmemeval import worlds_of


def read(folder: Path, **changes: Any) -> ImportedWorld:
    (world,) = worlds_of(sessions_file(folder, **changes))
    return world


def test_sessions_are_episodes_by_date_and_the_turns_that_hold_the_answer_are_sets(
    tmp_path: Path,
) -> None:
    world = read(tmp_path)
    said = [(one.source, one.actor) for one in world.drafts if isinstance(one.body, Acted)]
    assert said == [
        ("early:1", "User"),
        ("early#2:1", "Assistant"),
        ("late:1", "User"),
        ("late:2", "Assistant"),
    ]
    (asked,) = world.questions
    assert (asked.world, asked.character, asked.at) == (
        "longmemeval-q7",
        "Assistant",
        "@2023-06-01T10:00:00",
    )
    assert (asked.kind, asked.reference) == ("knowledge-update", "In the hall")
    assert asked.evidence == (("late:1",), ("early:1",))
    assert [one.what for one in world.remarks] == [
        "names sessions that are not there: gone: left out"
    ]


def test_a_session_that_began_before_the_question_is_over_when_it_is_put(tmp_path: Path) -> None:
    """Turns take 30 seconds here: those of long sessions, and of several at one time, lay after it."""
    turns = [[{"role": "user", "content": f"{part}, {n}"} for n in range(40)] for part in "abc"]
    dates = ["2023/06/01 (Thu) 09:55", "2023/06/01 (Thu) 09:55", "2023/06/01 (Thu) 10:05"]
    world = read(tmp_path, haystack_sessions=turns, haystack_dates=dates)
    (asked,) = world.questions
    moment = datetime.fromisoformat(asked.at[1:])
    said = [one for one in world.drafts if isinstance(one.body, Acted)]
    past = [one.body.words[0] for one in said if one.at and one.at <= moment]
    assert (past.count("a"), past.count("b"), past.count("c")) == (40, 40, 0)


def test_what_nothing_answers_is_marked(tmp_path: Path) -> None:
    (asked,) = read(tmp_path, question_id="q7_abs", answer_session_ids=[]).questions
    assert (asked.tags, asked.evidence) == (("unanswerable",), ())


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"haystack_dates": ["2023/05/20"]}, "q7: has 3 session ids, 1 dates, 3 sessions"),
        (
            {"haystack_dates": ["9999/12/31 (Fri) 23:59"] * 3},
            "q7: .* is of the last year that there is",
        ),
        ({"question_date": "soon"}, "q7: 'soon' is no date"),
        (
            {"haystack_session_ids": [], "haystack_dates": [], "haystack_sessions": []},
            "q7: has no session",
        ),
        (
            {"haystack_sessions": [[{"role": "tool", "content": "x"}], [], []]},
            "neither user nor assistant",
        ),
    ],
)
def test_what_cannot_be_read_is_told(tmp_path: Path, changes: dict[str, Any], why: str) -> None:
    with pytest.raises(BadSource, match=why):
        read(tmp_path, **changes)
