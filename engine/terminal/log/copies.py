"""What came of copying a log into a file, and what of it was lost."""

from __future__ import annotations

from rich.text import Text

from whoknew.engine.logs.copies import Copied
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.figures import sized
from whoknew.eventlog.counted import counted


def told_copy(what: str, one: Copied) -> Text:
    lost = [Text(f"lost: {safe(line)}", style="red") for line in one.lost]
    damaged = ": all that can be read, without what is listed as lost" if lost else ""
    told = Text(
        f"{what} {counted(one.events, 'event')} of {counted(len(one.worlds), 'world')} "
        f"to {safe(one.file)} ({sized(one.size)}){damaged}"
    )
    return Text("\n").join([*lost, told])
