"""`whoknew edits`: what GRACE edited in a model, in words; two of them merged, one edit taken back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from whoknew.agents.weights.codebook_files import EditedRow
from whoknew.agents.weights.edits import EditsOf, edits_in, merge, take_back
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import Json, alone, argument, option
from whoknew.eventlog.counted import counted

app = alone()


@app.command(epilog="Example: whoknew edits exam.weights")
def command(
    folder: Annotated[Path, argument("FOLDER")],
    other: Annotated[
        Path | None, option("--merge", "OTHER", "Those of this folder come after them.")
    ] = None,
    number: Annotated[
        int | None, option("--take-back", "N", "All but the edit of this number.")
    ] = None,
    into: Annotated[
        Path | None, option("--into", "NEW", "With --merge or --take-back: the new folder.")
    ] = None,
    json: Json = False,
) -> None:
    """List the edits of a model in words; merge them, or take one back.

    FOLDER is what `memory = "grace"` left beside a log, or all of that (exam.weights). What is merged or
    taken back goes into a new folder, by which local:PATH#NEW answers; no folder is changed.
    """
    if into is None:
        if other is not None or number is not None:
            raise typer.BadParameter("name the new folder: --into NEW")
        answer(lambda: edits_in(folder), shown, json)
    elif other is not None and number is None:
        answer(lambda: [merge(folder, other, into)], shown, json)
    elif number is not None and other is None:
        answer(lambda: [take_back(folder, number, into)], shown, json)
    else:
        raise typer.BadParameter("--into goes with one of --merge OTHER and --take-back N")


def shown(found: Sequence[EditsOf]) -> str:
    """Of many folders only what is in each: in a chain each holds what the one before it held."""
    return "".join(f"{line}\n" for one in found for line in _lines(one, brief=len(found) > 1))


def _lines(found: EditsOf, *, brief: bool) -> Iterator[str]:
    whose = " and ".join(dict.fromkeys(safe(one.who) for one in found.edits))
    last = max((one.episode for one in found.edits), default=0)
    of = f" of {whose}, up to E{last}" if found.edits else ""
    yield f"{safe(found.folder)}: {counted(len(found.edits), 'edit')}{of}"
    if not brief:
        yield from map(_line, found.edits)


def _line(one: EditedRow) -> str:
    when = f"E{one.episode} [{one.place}] {one.at:%Y-%m-%d %H:%M}"
    return f"{one.number:5}  {when}  {safe(one.who)}: {safe(one.asked)} -> {safe(one.reply)}"
