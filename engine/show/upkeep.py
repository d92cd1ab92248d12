"""What an operator's commands answer: heads, faults, copies."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group
from rich.text import Text

from whoknew.engine.show.console import safe
from whoknew.engine.show.figures import counted, sized
from whoknew.engine.upkeep import Copied
from whoknew.eventlog import Fault, Head
from whoknew.eventlog.archive import Imported
from whoknew.eventlog.verify import Verified


def heads(found: Sequence[Head]) -> str:
    """A line each, to be kept elsewhere as it is: never wrapped."""
    return "".join(f"{safe(str(head))}\n" for head in found)


def verified(found: Verified) -> Group:
    faults = [_fault(fault) for fault in found.faults]
    checked = f"{counted(found.events, 'event')} of {counted(len(found.heads), 'world')} checked"
    verdict = (
        Text(f"{checked}: {counted(len(faults), 'fault')}", style="bold red")
        if faults
        else Text(f"{checked}: as they were written", style="green")
    )
    return Group(*faults, verdict)


def copied(what: str, one: Copied) -> Text:
    return Text(
        f"{what} {counted(one.events, 'event')} of {counted(len(one.worlds), 'world')} "
        f"to {safe(one.file)} ({sized(one.size)})"
    )


def imported(one: Imported) -> Text:
    already = f", {one.already:,} were there already" if one.already else ""
    return Text(f"imported {counted(one.events, 'event')}{already}")


def _fault(fault: Fault) -> Text:
    return Text(safe(str(fault)), style="red")
