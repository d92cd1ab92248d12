"""`whoknew knows`: who knows of what."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from command_runner import answer, refused, run
from diner_world import WORLD
from lamp_room import PLAY
from small_worlds import opened, said

from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import TellingFound, TellingsSought


def test_the_matrix_has_a_sign_for_each_and_says_how_it_came(unchanged: Path) -> None:
    shown = run("knows", PLAY, "--log", unchanged).stdout
    assert "● present  ◐ told  ○ absent  · future" in shown
    assert "stones: FIRST BOATMAN: What does a shipowner" in shown
    assert "AP CM IM W TP" in shown
    assert "○  ○  ○  ○ ○  ●  ●  ○" in shown
    early = run("knows", PLAY, "--at", "E1", "--log", unchanged).stdout
    assert "·  ·  ·  · ·  ·  ·  ·" in early
    traced = run("knows", PLAY, "--about", "stones", "--trace", "--log", unchanged).stdout
    flat = " ".join(traced.split())
    assert "Nobody is declared to be told of any of it. Tellings were not looked for" in flat
    assert f"whoknew tellings {PLAY} --log {unchanged}" in flat


def test_of_many_people_each_event_names_below_its_words_who_knows_of_it(tmp_path: Path) -> None:
    file = crowded(tmp_path / "log.db")

    def shown(columns: int, *more: str) -> list[str]:
        environment = {"COLUMNS": str(columns)}
        done = run("knows", "w", *more, "--log", file, environment=environment)
        return [line.rstrip() for line in done.stdout.splitlines()]

    narrow = shown(80, "--about", "26-27")
    assert narrow[-5:-2] == ["", "#26    Ann Ash: I saw a ghost upon the wall.", f"       ● {ALL}"]
    assert narrow[-2:] == ["#27    Ann Ash: Nothing.", "       ● AA"]
    assert "whoever is not named below an event is absent" in narrow
    wide = shown(140, "--about", "26-27")
    assert not any("is not named" in line for line in wide)
    assert wide[-1].startswith("#27    ●  ○  ○") and wide[-1].endswith("Ann Ash: Nothing.")
    early = shown(80, "--about", "26", "--at", "#25")
    assert "(none of 24 knows of any of it)" in early
    assert early[-1].split() == ["·", "nobody"]


FIRST, LAST = ("Ann", "Bob", "Cid", "Dan"), ("Ash", "Birch", "Cedar", "Elm", "Fir", "Gorse")
ALL = " ".join(first[0] + last[0] for first in FIRST for last in LAST)


def crowded(file: Path) -> Path:
    """26: all of 24 people hear of a ghost. 27: one of them speaks to herself."""
    one, *others = [f"{first} {last}" for first in FIRST for last in LAST]

    async def write() -> None:
        async with open_log(file) as log:
            await log.append("w", opened(one, *others))
            ghost = said(one, "I saw a ghost upon the wall.", *others)
            await log.append("w", [ghost, said(one, "Nothing.")])

    asyncio.run(write())
    return file


def test_how_a_telling_is_known_is_said_and_how_sure_it_must_be(tmp_path: Path) -> None:
    file = retold(tmp_path / "log.db")

    def shown(*more: str) -> str:
        done = run("knows", "w", "--about", "5", "--trace", *more, "--log", file)
        return " ".join(done.stdout.split())

    assert "Bob ← told by Ann at #6 (rule .82) ← present at #5" in shown()
    assert "Nobody was told of any of it." in shown("--sure", ".9")
    assert "not looked for" in shown("--recorded-at", "#6")
    lie = shown("--about", "5", "--who", "Cid")
    assert "! was told otherwise" in lie
    assert "Cid told otherwise by Bob at #7: it was a dog" in lie
    cell = answer("knows", "w", "--about", "5", "--log", file)["rows"][0]["cells"][1]
    assert (cell["origin"], cell["score"]) == ("rule", 0.82)


def retold(file: Path) -> Path:
    """5: Ann sees it. 6: Ann tells Bob. 7: Bob tells Cid what is not so."""

    async def write() -> None:
        async with open_log(file) as log:
            await log.append("w", opened("Ann", "Bob", "Cid"))
            await log.append(
                "w",
                [
                    said("Ann", "it"),
                    said("Ann", "of it", "Bob"),
                    said("Bob", "a dog", "Cid"),
                    Draft(TellingFound(5, "Ann", ("Bob",), score=0.82), cause=6),
                    Draft(TellingFound(5, "Bob", ("Cid",), otherwise="it was a dog"), cause=7),
                    Draft(TellingsSought(7, "rule 1")),
                ],
            )

    asyncio.run(write())
    return file


def test_how_many_events_are_meant_stands_above_those_that_are_shown(unchanged: str) -> None:
    def shown(*more: str) -> str:
        return run("knows", PLAY, "--about", "stones", "--log", unchanged, *more).stdout

    whole = json.loads(shown("--json", "--limit", "1000"))
    total = whole["total"]
    assert total == len(whole["rows"]) > 2
    assert f"\n{total} events\n" in shown("--limit", "1000")
    assert f"\n1-2 of {total} events: go on with --skip 2\n" in shown("--limit", "2")
    assert f"\n{total}-{total} of {total} events\n" in shown("--skip", str(total - 1))
    assert "none past the first 999" in shown("--skip", "999")


def test_what_somebody_came_to_know_is_shown_with_speech_and_teller(diner: Path) -> None:
    shown = run("knows", WORLD, "--who", "Anselm", "--new", "E5", "--log", diner).stdout
    assert "19 events (told of 4, witnessed 15)" in shown
    speech = shown.index("◐  Vera: It is for Dorte.")
    assert speech < shown.index("so knows of #89 E1.T6: Dorte: I cannot taste.")
    assert all(len(line) <= 80 for line in shown.splitlines())
    page = run(
        "knows",
        WORLD,
        "--who",
        "Anselm",
        "--new",
        "E5",
        "--limit",
        "2",
        "--skip",
        "18",
        "--log",
        diner,
    ).stdout
    assert "19-19 of 19 events" in page
    found = answer("knows", WORLD, "--who", "Anselm", "--new", "E5", "--log", diner)
    assert (found["told"], found["total"], len(found["rows"])) == (4, 19, 19)
    assert found["rows"][0]["known"]["by"] == "Vera"
    assert found["rows"][0]["speech"]["seq"] == 290


def test_what_only_one_knows_or_does_not_know_is_shown_and_counted(diner: Path) -> None:
    def shown(*words: str) -> str:
        return run("knows", WORLD, *words, "--log", diner).stdout

    assert "11 events known to Emil alone" in shown("--only", "Emil")
    assert "events unknown to Emil, known to others: go on with --skip 20" in shown("--not", "Emil")
    some = shown("--not", "Emil", "--who", "Dorte,Vera")
    assert "unknown to Emil, known to Dorte or Vera" in some
    both = shown("--only", "Yusuf,Dorte", "--who", "Emil", "--about", "soup")
    assert "2 events known to Yusuf and Dorte, unknown to Emil" in both
    found = answer("knows", WORLD, "--not", "Emil", "--limit", "7", "--log", diner)
    assert (found["total"], len(found["rows"]), found["unaware"]) == (116, 7, ["Emil"])


def test_what_new_needs_is_told(diner: Path) -> None:
    for words in ((), ("--who", "Emil,Vera")):
        done = run("knows", WORLD, "--new", "E4", *words, "--log", diner, rc=2)
        assert "give --who NAME" in done.stderr
    clash = run("knows", WORLD, "--new", "E4", "--who", "Emil", "--trace", "--log", diner, rc=2)
    assert "--skip, --sure and --recorded-at alone" in clash.stderr
    assert "is a moment" in refused("knows", WORLD, "--new", "end", "--who", "Emil", "--log", diner)


def test_who_told_whom_of_one_event_is_drawn(diner: Path, tmp_path: Path) -> None:
    file = tmp_path / "graph.svg"
    shown = run("knows", WORLD, "--about", "89", "--graph", file, "--log", diner).stdout
    assert f"{file}: who told whom of #89" in shown.splitlines()
    assert "#290 E5.T4: Vera tells Anselm (declared)." in file.read_text("utf-8")
    again = refused("knows", WORLD, "--about", "89", "--graph", file, "--log", diner)
    assert "graph.svg" in again
    other = tmp_path / "other.svg"
    many = refused("knows", WORLD, "--about", "soup", "--graph", other, "--log", diner)
    assert "a graph is of one event, and this finds 21" in many
    assert not other.exists()
