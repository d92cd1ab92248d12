"""`whoknew exam new`: the plan of an exam to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from rich.console import Group

from whoknew.engine.command_text import command_text
from whoknew.engine.exams.new import NewExam, new
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe, whole
from whoknew.engine.terminal.errors import say_loading
from whoknew.engine.terminal.options import Json, Name, alone, argument, flag, option
from whoknew.engine.terminal.remarks import strange

app = alone()


@app.command(epilog="Example: whoknew exam new questions exam.toml")
def command(
    name: Name,
    plan: Annotated[Path, argument("PLAN")],
    source: Annotated[
        str | None,
        option(
            "--from",
            "SOURCE",
            "What it is about: a play in XML, a log, a world that comes with Whoknew, or a file "
            "of LIFESTATE-BENCH. Of lifestate alone.",
        ),
    ] = None,
    anonymised: Annotated[
        bool, flag("--anonymised", "With --from: without the names of its people.")
    ] = False,
    json: Json = False,
) -> None:
    """Write a commented plan of an exam to start from.

    NAME is a kind of exam, such as questions; PLAN is the file to write. A file that is there is never
    written over.
    """
    work = new(name, plan, say_loading, source=source, anonymised=anonymised)
    answer(work, written, json)


def written(found: NewExam) -> Group:
    beside = f" and {', '.join(map(safe, found.beside))}" if found.beside else ""
    check = safe(command_text("exam", "check", found.plan))
    line = f"wrote {safe(found.plan)}{beside}: look through it, then `{check}`"
    return Group(whole(line), *strange(found.remarks))
