"""Storylines, conversations and stories of belief as worlds."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from bigtom_beliefs import believed
from shared_data import data

from whoknew.eventlog.kinds import Acted, EpisodeOpened, Narrated
from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers import bigtom, locomo, storyline
from whoknew.worlds.importers.imported import ImportedWorld


async def test_bigtom_views_hold_the_event_if_and_only_if_it_was_witnessed() -> None:
    """100 of 100 rows, each in four worlds."""
    found = Counter([one async for one in believed(data("bigtom", "bigtom.csv"))])
    assert found == {(True, True): 200, (False, False): 200}


def test_a_row_that_is_none_is_told_by_its_number(tmp_path: Path) -> None:
    file = tmp_path / "b.csv"
    file.write_text("one;two\n")
    with pytest.raises(BadSource, match=r"b.csv, row 1: has 2 columns"):
        list(bigtom.worlds_of(file))
    file.write_text(";".join(["Only one sentence."] * 17))
    with pytest.raises(BadSource, match="1 sentences, expected 5"):
        list(bigtom.worlds_of(file))


CONVERSATION = {
    "sample_id": "c-1",
    "conversation": {
        "speaker_a": "Ana",
        "speaker_b": "Bo",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ana", "dia_id": "D1:1", "text": "Look!", "blip_caption": "a red boat"},
            {"speaker": "Bo", "dia_id": "D1:2", "text": "Nice."},
        ],
    },
    "qa": [],
}


def conversations(tmp_path: Path, *samples: object) -> list[ImportedWorld]:
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps(samples))
    return list(locomo.worlds_of(file))


def test_a_conversation_is_witnessed_by_both_and_keeps_its_ids(tmp_path: Path) -> None:
    (world,) = conversations(tmp_path, CONVERSATION)
    said = [one for one in world.drafts if isinstance(one.body, Acted)]
    assert [one.source for one in said] == ["D1:1", "D1:2"]
    assert all(one.witnesses == ("Ana", "Bo") for one in said)
    assert "a red boat" in said[0].body.words
    assert str(said[0].at) == "2023-05-08 13:56:30"


def test_a_conversation_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match="locomo"):
        conversations(tmp_path, {"qa": []})
    with pytest.raises(BadSource, match="c-1"):
        conversations(tmp_path, {"sample_id": "c-1", "conversation": {"speaker_a": "Ana"}})


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("session_01", "session_1 and session_01 are both session 1: leave one out"),
        ("session_0", "'session_0' is no session: they are numbered from 1"),
        (f"session_{'9' * 5_000}", "is no session: they are numbered from 1"),
    ],
)
def test_sessions_have_numbers_of_their_own(tmp_path: Path, key: str, why: str) -> None:
    talk: dict[str, object] = {**CONVERSATION["conversation"], key: []}  # type: ignore[dict-item]
    talk[f"{key}_date_time"] = "1:56 pm on 9 May, 2023"
    with pytest.raises(BadSource, match=f"c-1: .*{why}"):
        conversations(tmp_path, {**CONVERSATION, "conversation": talk})


def test_all_conversations_are_whole() -> None:
    path = data("locomo", "locomo.json")
    turns = {
        f"locomo-{one['sample_id']}": sum(
            len(talk) for key, talk in one["conversation"].items() if isinstance(talk, list)
        )
        for one in json.loads(path.read_text())
    }
    for world in locomo.worlds_of(path):
        said = [one for one in world.drafts if isinstance(one.body, Acted)]
        assert len(said) == turns[world.name]
        assert len({one.source for one in said}) == len(said)


def test_a_storyline_keeps_every_action_in_its_order() -> None:
    path = data("shakespeare-storylines", "title2action_series.hamlet.json")
    titles = json.loads(path.read_text())
    world = storyline.world_of(path)
    opened = [one.body.name for one in world.drafts if isinstance(one.body, EpisodeOpened)]
    assert opened == list(titles)
    told = [one for one in world.drafts if isinstance(one.body, Acted | Narrated)]
    assert len(told) == sum(map(len, titles.values()))


def test_both_forms_of_a_storyline_are_read(tmp_path: Path) -> None:
    file = tmp_path / "title2action_series.w.json"
    steps = [
        {"action": "Ana: Hello, all.", "characters": ["Ana"]},
        {"action": "[It rains.]", "characters": ["Environment"]},
        {"action": "Bo shuts the door.", "character": "Bo"},
        {"action": "Ana and Bo: Ho!", "characters": ["Ana", "Bo"]},
    ]
    file.write_text(json.dumps({"One": steps}))
    (world,) = storyline.worlds_of(tmp_path)
    bodies = [one.body for one in world.drafts if isinstance(one.body, Acted | Narrated)]
    assert bodies == [
        Acted("Hello, all."),
        Narrated("It rains."),
        Acted("shuts the door.", "action"),
        Acted("Ho!", also=("Bo",)),
    ]


def test_a_storyline_that_is_none_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    for text, what in (("[]", "no storyline"), ("{", "no storyline"), ('{"a": [{}]}', "action")):
        file.write_text(text)
        with pytest.raises(BadSource, match=what):
            storyline.world_of(file)
    with pytest.raises(BadSource, match="is not there"):
        list(storyline.worlds_of(tmp_path / "none.json"))
    with pytest.raises(BadSource, match="no file title2action"):
        list(storyline.worlds_of(tmp_path))
