"""What an operator's commands answer: heads, faults, copies."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from whoknew.engine.logs.anonymise import Anonymised
from whoknew.engine.logs.upkeep import Checked, Copied
from whoknew.engine.show.console import safe
from whoknew.engine.show.figures import counted, sized
from whoknew.eventlog import Fault, Head
from whoknew.eventlog.archive import ImportResult


def heads(found: Sequence[Head]) -> str:
    """A line each, to be kept elsewhere as it is: never wrapped."""
    return "".join(f"{safe(str(head))}\n" for head in found)


def checked(found: Checked) -> Text:
    parts = [f"{counted(found.events, 'event')} of {counted(len(found.heads), 'world')} checked"]
    if found.unchecked:
        parts.append(f"{found.unchecked:,} from a fault on not checked")
    if found.kept:
        parts.append(f"{found.standing} of {found.kept} kept heads stand")
    faults = [_fault(fault) for fault in found.faults]
    verdict = counted(len(faults), "fault") if faults else "as they were written"
    style = "bold red" if faults else "green"
    return Text("\n").join([*faults, Text(f"{', '.join(parts)}: {verdict}", style=style)])


def exported(one: Copied) -> Text:
    return _copied("exported", one)


def backed_up(one: Copied) -> Text:
    return _copied("backed up", one)


def imported(one: ImportResult) -> Text:
    already = f", {one.already:,} were there already" if one.already else ""
    return Text(f"imported {counted(one.events, 'event')}{already}")


def _copied(what: str, one: Copied) -> Text:
    lost = [Text(f"lost: {safe(line)}", style="red") for line in one.lost]
    damaged = ": all that can be read, without what is listed as lost" if lost else ""
    told = Text(
        f"{what} {counted(one.events, 'event')} of {counted(len(one.worlds), 'world')} "
        f"to {safe(one.file)} ({sized(one.size)}){damaged}"
    )
    return Text("\n").join([*lost, told])


def _fault(fault: Fault) -> Text:
    return Text(safe(str(fault)), style="red")


def anonymised(found: Anonymised) -> str:
    people = "1 person" if found.people == 1 else f"{found.people} people"
    who = f"{people} in {counted(found.spellings, 'spelling')}"
    return (
        f"{safe(found.file)}: {counted(found.events, 'event')}, {who} taken out\n"
        f"{safe(found.key)}: the key that puts them back; keep it apart\n"
    )


def restored(found: Anonymised) -> str:
    who = counted(found.spellings, "spelling")
    return f"{safe(found.file)}: {counted(found.events, 'event')}, {who} put back\n"
