"""How `v1.jsonl` and `v1.db` were made, once, on 20 November 2026, by the first version.

They are never made again: what they prove is that logs of every released version stay readable.
A later schema gets files of its own beside them, by a copy of this script. It was run as
`.venv/bin/python tests/stored/make.py FOLDER`.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from whoknew.eventlog import Draft, export_log
from whoknew.eventlog.kinds import (
    Acted,
    Answered,
    Called,
    CharacterAdded,
    Entered,
    EpisodeClosed,
    EpisodeOpened,
    EvidenceNoted,
    Failed,
    Felt,
    GoalGiven,
    Left,
    MarkPlaced,
    Narrated,
    PlaceAdded,
    Probed,
    RelationSet,
    Remembered,
    Reviewed,
    Traced,
    WorldOpened,
)
from whoknew.eventlog.log import Log
from whoknew.eventlog.stores.sqlite import SqliteStore

NIGHT = datetime(1599, 6, 1, 21, 0)

ANA, BO = "Ødön", "世界 🦉"

FIRST = [
    Draft(WorldOpened("Elsinore, Helsingør", seed=7), NIGHT),
    Draft(CharacterAdded(ANA, "A guard, “honest”.")),
    Draft(CharacterAdded(BO)),
    Draft(RelationSet(ANA, BO, "friend")),
    Draft(PlaceAdded("the battlements", "High and cold.")),
    Draft(MarkPlaced("Christmas, year 1")),
]

EPISODE = [
    Draft(
        EpisodeOpened("The watch", cast=(ANA, BO), order="random", turn_limit=12),
        episode=1,
        place="the battlements",
    ),
    Draft(GoalGiven(ANA, "Say nothing."), episode=1, witnesses=(ANA,)),
    Draft(Entered(), episode=1, turn=1, actor=ANA, witnesses=(ANA, BO)),
    Draft(Entered(hidden=True), episode=1, turn=1, actor=BO, witnesses=(BO,)),
    Draft(
        Acted('Who\'s there? ¡Eh!\n\t"?" \\ \u2028', to=(BO,)),
        NIGHT + timedelta(minutes=1, microseconds=5),
        episode=1,
        turn=2,
        actor=ANA,
        place="the battlements",
        witnesses=(ANA, BO),
    ),
    Draft(Acted(act="non-verbal", text="nods"), episode=1, turn=3, actor=BO, witnesses=(BO, ANA)),
    Draft(
        Acted("Of that.", "speak"), episode=1, turn=4, actor=BO, witnesses=(BO, ANA), about=(10,)
    ),
    Draft(Narrated("It strikes twelve."), episode=1, witnesses=(ANA, BO)),
    Draft(Left(), episode=1, turn=5, actor=BO, witnesses=(ANA, BO)),
    Draft(EpisodeClosed("fewer than two left"), episode=1),
]

AFTER = [
    Draft(Traced("diary", "J'ai vu… quelque chose.", (ANA,)), actor=ANA, witnesses=(ANA,)),
    Draft(
        Felt(0.25, 1.0, "afraid", "the sea", {"love": "lost", "仕事": "found"}),
        actor=ANA,
        witnesses=(ANA,),
    ),
    Draft(Felt(), actor=BO, witnesses=(BO,)),
    Draft(EvidenceNoted("There was a ghost."), witnesses=(ANA,), about=(11, 12)),
    Draft(
        Remembered(ANA, "summary", "I stood watch.", (9, 11), 16),
        actor=ANA,
        witnesses=(ANA,),
    ),
    Draft(
        Called(
            "act",
            "openai:m",
            "sha256:00",
            "{}",
            {"temperature": 0.5, "n": 1, "stop": None, "stream": False, "user": "ü"},
            120,
            34,
            0.75,
            2,
        ),
        cause=11,
    ),
    Draft(Called("judge", "http://host:1/v1#m", "sha256:01", error="timed out")),
    Draft(Failed("judging", "no reply"), cause=23),
    Draft(Probed(ANA, 16, "Who was there?"), cause=11),
    Draft(Answered("世界.", (11, 13)), actor=ANA, cause=25),
    Draft(Reviewed("rule", {"GOAL": 7.5, "BEL": 0.0, "SEC": -5.0}, "as it is"), cause=26),
]

FORKED = [Draft(Acted("Or else not."), episode=1, turn=3, actor=ANA, witnesses=(ANA, BO))]


def clock() -> Callable[[], datetime]:
    now = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)

    def tick() -> datetime:
        nonlocal now
        now += timedelta(seconds=90)
        return now

    return tick


async def make(folder: Path) -> None:
    async with Log(SqliteStore(folder / "v1.db"), clock=clock()) as log:
        await log.append("elsinore", FIRST, key="opening")
        await log.append("elsinore", EPISODE, key="épisode 1")
        await log.append("elsinore", AFTER)
        await log.fork("elsinore", "what if: 若し", "E1.T2")
        await log.append("what if: 若し", FORKED, key="opening")
        await log.fork("what if: 若し", "again", "end")
        await export_log(log, folder / "v1.jsonl")


if __name__ == "__main__":
    asyncio.run(make(Path(sys.argv[1])))
