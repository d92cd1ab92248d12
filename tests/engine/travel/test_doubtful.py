"""Events of which it is open who witnessed them: found, counted, put in order, shown."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime
from pathlib import Path

from command_runner import run

from whoknew.engine.travel.knows import knows
from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import Acted, CharacterAdded, Doubted, MarkPlaced, WorldOpened

PEOPLE = ("Ana", "Bo", "Cy")


def story() -> list[Draft]:
    """Three speeches of Ana's, each open: a short one for one, a long one for two, a secret one."""
    said = [
        ("Yes.", ("Bo",)),
        ("I have a great deal to say of it.", ("Bo", "Cy")),
        ("No.", ("Cy",)),
    ]
    drafts = [Draft(WorldOpened("W"), datetime(1600, 1, 1))]
    drafts += [Draft(CharacterAdded(name), witnesses=(name,)) for name in PEOPLE]
    for words, doubted in said:
        drafts.append(Draft(Acted(words), actor="Ana", witnesses=("Ana", "Bo")))
        seq = len(drafts)
        drafts += [Draft(Doubted(who, "they stand far off"), cause=seq) for who in doubted]
    return [*drafts, Draft(Acted("Good night."), actor="Ana", witnesses=("Ana", "Bo"))]


async def written(file: Path) -> None:
    async with open_log(file) as log:
        await log.append("w", story())


async def test_those_that_most_is_at_stake_with_come_first() -> None:
    async with open_log(":memory:") as log:
        await log.append("w", story())
        found = await knows(log, "w", doubtful=True, limit=2)
        assert [row.event.seq for row in found.rows] == [7, 5]
        assert found.total == 3
        rest = await knows(log, "w", doubtful=True, limit=2, skip=2)
        assert [row.event.seq for row in rest.rows] == [10]
        await log.append("w", [Draft(MarkPlaced("no", upto=10, secret=True))])
        assert (await knows(log, "w", doubtful=True)).rows[0].event.seq == 10
        of_cy = await knows(log, "w", doubtful=True, who=("Cy",))
        assert [row.event.seq for row in of_cy.rows] == [10, 7]
        assert (await knows(log, "w", about="5-6", doubtful=True)).total == 1
        assert (await knows(log, "w", "#5", doubtful=True)).total == 0


def test_a_doubt_has_a_sign_of_its_own_and_a_reason(tmp_path: Path) -> None:
    file = tmp_path / "log.db"
    asyncio.run(written(file))
    shown = run("knows", "w", "--doubtful", "--log", file).stdout
    assert "? the story leaves it open whether they heard it" in shown
    assert "●?? " in shown
    assert "#7  they stand far off: Bo (present), Cy (absent)" in shown
    whole = json.loads(run("knows", "w", "--about", "7", "--json", "--log", file).stdout)
    cells = {cell["character"]: cell for cell in whole["rows"][0]["cells"]}
    assert cells["Cy"]["answer"] == "absent"
    assert cells["Cy"]["doubt"] == "they stand far off"
    assert "doubt" not in cells["Ana"]
    plain = run("knows", "w", "--about", "11", "--log", file).stdout
    assert "leaves it open" not in plain


def test_that_nothing_is_open_is_said_in_words_and_not_by_an_empty_table(tmp_path: Path) -> None:
    file = tmp_path / "log.db"
    asyncio.run(written(file))
    three = "3 events where it is left open who was a witness"
    assert three in run("knows", "w", "--doubtful", "--log", file).stdout
    none = run("knows", "w", "--doubtful", "--about", "11", "--log", file).stdout
    assert none.splitlines()[1:] == ["No events where it is left open who was a witness"]
    ana = run("knows", "w", "--doubtful", "--who", "Ana", "--log", file).stdout
    assert ana.splitlines()[1:] == ["No events where it is left open whether Ana was a witness"]
    past = run("knows", "w", "--doubtful", "--skip", "9", "--log", file).stdout
    assert past.splitlines()[1:] == [f"{three}: none past the first 9"]
