"""What a person says of who heard what: applied as a world is brought in, every mistake told."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path

import pytest
from command_runner import run
from msgspec.structs import replace

from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import (
    Acted,
    Amended,
    CharacterAdded,
    Doubted,
    Kind,
    TellingFound,
    WorldOpened,
)
from whoknew.worlds.errors import BadDocument
from whoknew.worlds.hearing import reheard
from whoknew.worlds.importers.amendments import amended
from whoknew.worlds.importers.imported import ImportedWorld

PEOPLE = ("ANA", "BO", "CY")


def speech(number: int, words: str, actor: str, *others: str) -> Draft:
    source = f"Act I, A room, speech {number}"
    return Draft(Acted(words), actor=actor, witnesses=(actor, *others), source=source)


def world() -> ImportedWorld:
    """1 opened, 2-4 people; 5 a murder; 6 a prayer that CY may not hear (7); 8 news of 5 in two parts."""
    drafts = [Draft(WorldOpened("W"), datetime(1600, 1, 1))]
    drafts += [Draft(CharacterAdded(name), witnesses=(name,)) for name in PEOPLE]
    drafts += [
        speech(1, "I killed him.", "ANA", "BO"),
        speech(2, "Now might I do it.", "BO", "ANA", "CY"),
        Draft(Doubted("CY", "it may be said to oneself"), cause=6),
        speech(3, "Hear me.", "BO", "CY"),
        speech(3, "She did it.", "BO", "CY"),
        Draft(Doubted("ANA", "she may be near"), cause=9),
    ]
    return ImportedWorld("w", tuple(drafts))


def amend(folder: Path, text: str) -> tuple[Draft, ...]:
    file = folder / "w.amend.toml"
    file.write_text(text)
    (changed,), _ = amended([world()], file)
    return changed.drafts


def test_witnesses_are_as_a_person_says_and_it_is_kept_why(tmp_path: Path) -> None:
    drafts = amend(
        tmp_path,
        '[[amendments]]\nspeech = "Act I, A room, speech 2"\nunheard = ["CY"]\nwhy = "He prays."\n'
        '[[amendments]]\nspeech = "Act I, A room, speech 1"\nheard = ["CY"]\nwhy = "He listens."\n',
    )
    kinds: list[type[Kind]] = [type(one.body) for one in drafts[4:]]
    assert kinds == [Acted, Amended, Acted, Amended, Acted, Acted, Doubted]
    assert drafts[4].witnesses == ("ANA", "BO", "CY")
    assert (drafts[5].body, drafts[5].cause) == (Amended("He listens.", ("CY",)), 5)
    assert drafts[6].witnesses == ("BO", "ANA")
    assert (drafts[7].body, drafts[7].cause) == (Amended("He prays.", (), ("CY",)), 7)
    assert (drafts[7].witnesses, drafts[7].actor, drafts[10].cause) == ((), None, 10)


def test_only_the_doubt_about_whoever_is_named_is_settled(tmp_path: Path) -> None:
    drafts = (*world().drafts[:6], Draft(Doubted("CY", "loud", also=("ANA", "BO")), cause=6))
    said = {6: {"CY": True, "BO": True}}
    ((_, left),) = list(reheard(enumerate(drafts, 1), said, {}))[6:]
    assert left.body == Doubted("ANA", "loud")


def test_of_a_speech_in_parts_those_are_meant_that_hold_the_words(tmp_path: Path) -> None:
    drafts = amend(
        tmp_path,
        '[[amendments]]\nspeech = "Act I, A room, speech 3"\nwords = "did it"\nheard = ["ANA"]\n'
        'told = ["CY"]\nof = "Act I, A room, speech 1"\nwhy = "She is near."\n',
    )
    assert [one.witnesses for one in drafts[7:9]] == [("BO", "CY"), ("BO", "CY", "ANA")]
    telling = TellingFound(5, "BO", ("CY",), origin="person", why="She is near.")
    assert [one.body for one in drafts[9:]] == [Amended("She is near.", ("ANA",)), telling]
    assert drafts[10].cause == 9


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('speech = "Act I, A room, speech 9"', "the last one there is 'Act I, A room, speech 3'"),
        ('speech = "Act I, A rom, speech 2"', "did you mean 'Act I, A room, speech 2'?"),
        ('speech = "Act I, A rom, speech 9"', "did you mean 'Act I, A room, speech 3'?"),
        ('speech = "D3:12"', "there are: 'Act I, A room, speech 3'"),
        ('heard = ["CYY"]', "'CYY' is no character: did you mean 'CY'?"),
        ('unheard = ["BO"]', "'BO' speaks it, and so hears it"),
        ('heard = ["CY"]\nunheard = ["CY"]', "'CY' stands in `heard`, too"),
        ('words = "Nevermore"', "does not stand in it, which begins: Now might I do it."),
        ('unheart = ["CY"]', "did you mean 'unheard'?"),
        ("", "changes nothing: give names in `heard`, `unheard` or `told`"),
        ('told = ["CY"]', "who was told of what? Give both: `told` names, and `of` a speech"),
        ('told = ["CY"]\nof = "Act I, A room, speech 3"', "does not stand before the speech"),
        ('world = "v"\nheard = ["CY"]', "'v' is not brought in: there are: 'w'"),
    ],
)
def test_every_mistake_is_told_with_its_line(tmp_path: Path, line: str, why: str) -> None:
    speech = "" if line.startswith("speech") else 'speech = "Act I, A room, speech 2"\n'
    more = '\nheard = ["CY"]' if line.startswith(("speech", "words")) else ""
    with pytest.raises(BadDocument) as error:
        amend(tmp_path, f'[[amendments]]\nwhy = "So."\n{speech}{line}{more}\n')
    assert why in str(error.value)
    assert "w.amend.toml:" in str(error.value)


def test_what_contradicts_an_amendment_above_it_is_told(tmp_path: Path) -> None:
    one = '[[amendments]]\nspeech = "Act I, A room, speech 2"\nwhy = "So."\n'
    with pytest.raises(BadDocument, match="an amendment above it says the contrary of 'CY'"):
        amend(tmp_path, f'{one}heard = ["CY"]\n{one}unheard = ["CY"]\n')


def test_of_several_worlds_it_has_to_be_said_which(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text('[[amendments]]\nspeech = "Act I, A room, speech 2"\nwhy = "So."\nheard = []\n')
    with pytest.raises(BadDocument, match="of which world"):
        amended([world(), replace(world(), name="v")], file)


async def test_a_play_is_brought_in_with_its_amendments(tmp_path: Path) -> None:
    log = tmp_path / "plays.db"
    await asyncio.to_thread(run, "import", "play", "the-lamp-room", "--log", str(log))
    async with open_log(log) as opened:
        events = await (await opened.director("the-lamp-room")).events()
    said = next(
        one
        for one in events
        if isinstance(one.body, Acted) and len(one.witnesses) > 1 and one.source
    )
    deaf = next(name for name in said.witnesses if name != said.actor)
    file = tmp_path / "lamp.toml"
    file.write_text(
        f'[[amendments]]\nspeech = "{said.source}"\nunheard = ["{deaf}"]\nwhy = "At the door."\n'
    )
    amended_log = tmp_path / "amended.db"
    told = await asyncio.to_thread(
        run, "import", "play", "the-lamp-room", "--amend", str(file), "--log", str(amended_log)
    )
    assert f"not heard by {deaf}: At the door." in told.stdout
    async with open_log(amended_log) as opened:
        again = await (await opened.director("the-lamp-room")).events()
        view = await opened.view("the-lamp-room", deaf)
        assert said.body not in [one.body for one in await view.events()]
    assert [one.body for one in again if isinstance(one.body, Amended)] == [
        Amended("At the door.", (), (deaf,))
    ]
