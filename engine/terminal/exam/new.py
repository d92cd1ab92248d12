"""`whoknew exam new`: the plan of an exam to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group
from rich.text import Text

from whoknew.engine.command_text import command_text
from whoknew.engine.exams.new import NewExam, NewSource, new
from whoknew.engine.exams.writing.begin import begin_writing, forecast_beginning
from whoknew.engine.exams.writing.writer import WritingSettings
from whoknew.engine.logs.exchange import settings_of
from whoknew.engine.running.run import command_line
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import err, safe, whole
from whoknew.engine.terminal.errors import say_loading
from whoknew.engine.terminal.exam import writing as shown
from whoknew.engine.terminal.exam.plans import as_kept
from whoknew.engine.terminal.options import (
    ChaptersOption,
    ExamplesOption,
    Json,
    Name,
    alone,
    argument,
    flag,
    listed,
    option,
)
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
            "What it is about: a play in XML, a log, a world that comes with Whoknew (bundled: all "
            "of them), a file of LIFESTATE-BENCH or TimeChara, or storylines. Of lifestate, timechara, "
            "bookmarks. Of clonemem: lives, as short:1-3 or long:7 (with --model trial:1, too), or a "
            "file of CloneMem, LoCoMo or LongMemEval.",
        ),
    ] = None,
    anonymised: Annotated[
        bool, flag("--anonymised", "With --from: without the names of its people.")
    ] = False,
    text: ChaptersOption = None,
    examples: ExamplesOption = None,
    model: Annotated[
        str | None,
        option(
            "--model", "MODEL", "Have this model write: further questions; of clonemem all of it."
        ),
    ] = None,
    kinds: Annotated[
        str, option("--kinds", "KINDS", "With --model: of these kinds, with commas between.")
    ] = "",
    each: Annotated[
        int, typer.Option(min=1, max=10, metavar="N", help="With --model: so many of each kind.")
    ] = 1,
    checked_by: Annotated[
        str | None,
        option("--checked-by", "MODEL", "This one must answer alike, from the evidence alone."),
    ] = None,
    dry: Annotated[
        bool, flag("--dry-run", "With --model: write nothing, say what it may cost.")
    ] = False,
    again: Annotated[bool, flag("--again", "Ask again what failed before.")] = False,
    json: Json = False,
) -> None:
    """Write a commented plan of an exam to start from.

    NAME is a kind of exam, such as questions; PLAN is the file to write. A file that is there is never
    written over. With --model, the same command goes on with the writing of questions where it stopped.
    """
    wanted = NewSource(
        kind=name,
        plan=plan,
        source=source,
        anonymised=anonymised,
        settings=tuple(settings_of(text=text, examples=examples)),
    )
    if model is not None:
        writing = WritingSettings(
            model=model,
            kinds=listed(kinds),
            each=each,
            checked_by=checked_by,
            source=source,
            anonymised=anonymised,
        )
        _write(wanted, writing, dry=dry, again=again, json=json)
        return
    if kinds or each > 1 or checked_by or dry or again:
        raise typer.BadParameter(
            "--kinds, --each, --checked-by, --dry-run and --again go with --model"
        )
    answer(new(wanted, say_loading), written, json)


def _write(
    wanted: NewSource, writing: WritingSettings, *, dry: bool, again: bool, json: bool
) -> None:
    """Have questions written, from wherever that stands."""
    if dry:
        foreseen = forecast_beginning(wanted, writing, say_loading, again=again, kept=as_kept)
        answer(foreseen, shown.foreseen, json, "making its prompts")
        return
    work = begin_writing(wanted, writing, say_loading, shown.watching, again=again, kept=as_kept)
    found = answer(work, lambda one: shown.begun(one, command_line()), json)
    if found.questions.code:
        raise typer.Exit(found.questions.code)
    if not json:
        err().print(Text(shown.to_look(str(wanted.plan)), "dim"))


def written(found: NewExam) -> Group:
    *most, last = map(safe, (found.plan, *found.beside))
    files, them = (f"{', '.join(most)} and {last}", "them") if most else (last, "it")
    check = safe(command_text("exam", "check", found.plan))
    line = f"wrote {files}: look through {them}, then `{check}`"
    return Group(whole(line), *strange(found.remarks))
