"""`whoknew import sotopia`: Sotopia's episodes and games, each as a world."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from whoknew.engine.logs.exchange import import_sotopia as read_sotopia
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.options import Json, LogOption, alone, argument, option
from whoknew.engine.terminal.remarks import brought

app = alone()


@app.command(epilog="Example: whoknew import sotopia episodes/")
def command(
    path: Annotated[Path, argument("PATH")],
    log: LogOption = DEFAULT_LOG,
    settings: Annotated[
        Path | None, option("--settings", "FOLDER", "Write settings that can be played there.")
    ] = None,
    json: Json = False,
) -> None:
    """Bring Sotopia's episodes and games into a log.

    PATH is a file of Sotopia's, or a folder of them. Each episode and each game becomes a world;
    profiles and game configs become settings to play.
    """
    answer(read_sotopia(path, log, settings), brought, json, "importing")
