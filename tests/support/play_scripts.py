"""Scenes written as a script, for tests: a direction stands in brackets, a speech begins with its
speaker, and directions can stand in a speech."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
