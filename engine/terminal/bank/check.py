"""`whoknew bank check`: whether a bank is sound."""

from __future__ import annotations

from rich.text import Text

from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import File, Json, alone
from whoknew.eventlog.counted import counted
from whoknew.worlds import shelf
from whoknew.worlds.bank import Bank

app = alone()


@app.command(epilog="Example: whoknew bank check mine.toml")
def command(file: File, json: Json = False) -> None:
    """Check a bank for mistakes, and for scenarios that are nearly copies."""
    answer(lambda: shelf.find_bank(str(file.absolute())), checked, json)


def checked(bank: Bank) -> Text:
    return Text(
        f"{safe(bank.name)}: sound: {counted(len(bank.sketches), 'scenario')} for two who are "
        f"{bank.relationship!r}, none nearly a copy of another"
    )
