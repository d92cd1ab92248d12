"""Scenes written as a script, for tests: a direction stands in brackets, a speech begins with its
speaker, and directions can stand in a speech."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from whoknew.eventlog.kinds import Acted
from whoknew.worlds.importers.imported import ImportedWorld
from whoknew.worlds.importers.play import world_of

PEOPLE = ("ANA", "BO", "CY", "DAN", "EVE", "GHOST OF FINN", "First Watchman", "Page")

OPENS = "[Enter ANA, BO, and CY]\nANA. One.\nBO. Two.\nCY. Three."


def markup(script: str) -> str:
    people = "".join(f"<PERSONA>{name}</PERSONA>" for name in PEOPLE)
    return (
        f"<PLAY><TITLE>P</TITLE><PERSONAE>{people}</PERSONAE><ACT><TITLE>ACT I</TITLE><SCENE>"
        f"<TITLE>SCENE I. A room.</TITLE>{''.join(items(script))}</SCENE></ACT></PLAY>"
    )


def items(script: str) -> Iterator[str]:
    for line in script.splitlines():
        if line.startswith("["):
            yield f"<STAGEDIR>{line[1:-1]}</STAGEDIR>"
            continue
        speaker, said = line.split(". ", 1)
        parts = "".join(
            f"<STAGEDIR>{part[1:-1]}</STAGEDIR>" if part[0] == "[" else f"<LINE>{part}</LINE>"
            for part in filter(None, map(str.strip, re.split(r"(\[.*?\])", said)))
        )
        yield f"<SPEECH><SPEAKER>{speaker}</SPEAKER>{parts}</SPEECH>"


def imported(folder: Path, script: str) -> ImportedWorld:
    """What comes of a scene that goes on from `OPENS` as a script has it."""
    file = folder / "p.xml"
    file.write_text(markup(f"{OPENS}\n{script}"))
    return world_of(file)


def hearers(folder: Path, script: str) -> dict[str, set[str]]:
    """Who hears each speech of it."""
    return {
        draft.body.text: set(draft.witnesses)
        for draft in imported(folder, script).drafts
        if isinstance(draft.body, Acted)
    }


def check_hearers(folder: Path, script: str, expected: Mapping[str, str]) -> None:
    """That some of its speeches are heard by these, whose names have no spaces between their words."""
    heard = hearers(folder, script)
    wanted = {
        words: {name.replace("_", " ") for name in names.split()}
        for words, names in expected.items()
    }
    assert {words: heard[words] for words in wanted} == wanted
