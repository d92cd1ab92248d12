"""What a character lived through as rows to train on: from its view alone (laws 2 to 4)."""

from __future__ import annotations

from datetime import datetime
from random import Random

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from whoknew.agents.memories.summary import Summary
from whoknew.agents.weights.rows import EpisodeRows, Row, chat, encoded, rows_of
from whoknew.engine.playing import chain
from whoknew.eventlog import Draft, Event
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import Acted, CharacterAdded, EpisodeOpened, Narrated, WorldOpened
from whoknew.testing.small_chain import (
    PEOPLE,
    SETTING,
    chain_of_minds,
    episodes,
    events_of,
    volatile_log,
)
from whoknew.testing.stub_models import ByDigest
from whoknew.testing.unseen import unseen_altered


async def life(drafts: list[Draft], who: str = "Ann") -> list[Event]:
    async with volatile_log() as log:
        await log.append("harbour", drafts)
        return await (await log.view("harbour", who)).events()


def opened(episode: int, *people: str) -> Draft:
    return Draft(EpisodeOpened("Rain.", people), episode=episode, witnesses=people)


def said(episode: int, actor: str, text: str, *witnesses: str) -> Draft:
    return Draft(Acted(text), episode=episode, actor=actor, witnesses=(actor, *witnesses))


BEGINNING = [
    Draft(WorldOpened("Harbour"), datetime(2000, 1, 1, 12)),
    Draft(CharacterAdded("Ann"), witnesses=("Ann",)),
    Draft(CharacterAdded("Bo"), witnesses=("Bo",)),
]


async def test_a_line_is_a_row_after_the_line_before_it_and_the_end_of_its_sentence() -> None:
    events = await life(
        [
            *BEGINNING,
            opened(1, "Ann", "Bo"),
            said(1, "Bo", "Where is the key?", "Ann"),
            said(1, "Ann", "Nell keeps the brass key in the blue jar.", "Bo"),
        ]
    )
    (episode,) = rows_of(events)
    assert [(row.sort, row.asked, row.reply) for row in episode.rows] == [
        ("statement", "Bo: Where is the", "key?"),
        (
            "dialogue",
            'Bo says: "Where is the key?"',
            'Ann says: "Nell keeps the brass key in the blue jar."',
        ),
        ("statement", "Ann: Nell keeps the brass key in", "the blue jar."),
    ]
    assert {row.place for row in episode.rows} <= set(episode.places)


async def test_what_is_told_by_nobody_ends_its_sentence_and_answers_nobody() -> None:
    bell = Draft(Narrated("A bell rings far away."), episode=1, witnesses=("Ann",))
    events = await life([*BEGINNING, opened(1, "Ann", "Bo"), said(1, "Bo", "Hush.", "Ann"), bell])
    (episode,) = rows_of(events)
    assert [(row.sort, row.asked, row.reply) for row in episode.rows] == [
        ("statement", "A bell rings far", "away.")
    ]


async def test_episodes_are_counted_as_their_character_lived_them() -> None:
    events = await life(
        [
            *BEGINNING,
            opened(1, "Bo"),
            said(1, "Bo", "Nobody else hears of this."),
            opened(2, "Ann", "Bo"),
            said(2, "Bo", "The boat leaves at noon.", "Ann"),
        ]
    )
    assert [(one.number, len(one.rows)) for one in rows_of(events)] == [(1, 1)]


def test_a_row_is_a_chat_in_json() -> None:
    row = Row("statement", 2, "Ann: The boat leaves at", "noon.", 7)
    assert msgspec.json.decode(encoded("Ann", row)) == {
        "messages": [
            {"role": "system", "content": "You are Ann. Say what you remember."},
            {"role": "user", "content": "Ann: The boat leaves at"},
            {"role": "assistant", "content": "noon."},
        ],
        "sort": "statement",
        "episode": 2,
    }
    assert chat("A\nB", row)[0].text == "You are A B. Say what you remember."


@settings(
    max_examples=4, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(who=st.sampled_from(PEOPLE), seed=st.integers(0, 99))
async def test_nothing_later_and_nothing_unseen_changes_a_row(who: str, seed: int) -> None:
    async with volatile_log() as log:
        run = await chain_of_minds(log, ByDigest(salt=str(seed)), memory=lambda _: Summary())
        await chain.play(run, SETTING, episodes())
        events = await events_of(log)
        whole = rows_of(await (await log.view("ferry", who)).events())
        for event in events[len(events) // 3 :: 9]:
            early = await (await log.view("ferry", who, AtSeq(event.seq))).events()
            *over, last = rows_of(early) or [EpisodeRows(0, (), ())]
            assert over == whole[: len(over)]
            assert not last.rows or last.rows == whole[len(over)].rows[: len(last.rows)]
    async with volatile_log() as other:
        await other.append("ferry", unseen_altered(events, who, Random(seed)))
        assert rows_of(await (await other.view("ferry", who)).events()) == whole
