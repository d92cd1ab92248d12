"""`whoknew export sotopia`: a world's episodes as Sotopia's logs."""

from __future__ import annotations

from typing import Annotated

import typer

from whoknew.engine.logs.exchange import export_sotopia as send
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.options import File, Json, LogOption, World, alone, option
from whoknew.engine.terminal.remarks import sent

app = alone()


@app.command(
    epilog="Example: whoknew export sotopia midnight-diner out.jsonl --log midnight-diner.db",
)
def command(
    world: World,
    file: File,
    log: LogOption = DEFAULT_LOG,
    form: Annotated[
        str, option("--form", "FORM", "jsonl, or database: a dump of redis-om.")
    ] = "jsonl",
    json: Json = False,
) -> None:
    """Write a world's episodes as Sotopia's episode logs.

    Those that came from Sotopia go out as they came in, to the byte.
    """
    if form not in ("jsonl", "database"):
        raise typer.BadParameter(f"{form!r} is neither jsonl nor database", param_hint="--form")
    answer(send(log, world, file, "jsonl" if form == "jsonl" else "database"), sent, json)
