"""`whoknew import NAME`: importers that packages bring."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import typer

from whoknew.engine.errors import BrokenPart
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.registry import IMPORTERS
from whoknew.engine.terminal.options import (
    Amend,
    Json,
    LogOption,
    QuestionsOption,
    alone,
    argument,
    option,
)

Settings = Annotated[
    list[str] | None, option("--set", "KEY=VALUE", "A setting of it; as often as you like.")
]


def lines() -> Mapping[str, str]:
    """What packages bring, each with a line of help, for which none of it is loaded."""
    return {name: f"Brought by {IMPORTERS.source(name)}." for name in IMPORTERS.installed}


def app(name: str) -> typer.Typer:
    """The command of one."""
    made = alone()

    @made.command(help=_help(name), epilog=f"Example: whoknew import {name} PATH")
    def command(
        path: Annotated[str, argument("PATH")],
        log: LogOption = DEFAULT_LOG,
        settings: Settings = None,
        questions: QuestionsOption = None,
        amend: Amend = None,
        json: Json = False,
    ) -> None:
        from whoknew.engine.logs.exchange import import_worlds
        from whoknew.engine.terminal.answer import answer
        from whoknew.engine.terminal.remarks import brought

        work = import_worlds(name, path, log, settings or (), questions, amend)
        answer(work, brought, json, "importing")

    return made


def _help(name: str) -> str:
    """What it says of itself; why it cannot, where it does not load."""
    from whoknew.engine.plan.parts import defaults, help_of
    from whoknew.engine.terminal.jsontext import as_json

    try:
        entry = IMPORTERS.entry(name)
        settings = [f"  {key} = {as_json(value)}" for key, value in defaults(entry).items()]
    except BrokenPart as error:
        return str(error)
    text = f"Bring into a log: {help_of(entry)}.\n\n{lines()[name]}"
    listed = "\n".join(["Settings, with what holds without --set:", *settings])
    return f"{text}\n\n\b\n{listed}" if settings else text
