"""What an import or an export came to, and what could not be kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group
from rich.text import Text

from whoknew.engine.logs.exchange import ExportedEpisodes, ImportedWorlds
from whoknew.engine.terminal.console import safe
from whoknew.eventlog.counted import counted
from whoknew.eventlog.nearest import listed
from whoknew.worlds.importers.imported import Remark

SOME = 12


def brought(found: ImportedWorlds) -> Group:
    lines = [f"imported {counted(len(found.worlds), 'world')} into {safe(found.log)}"]
    if found.worlds:
        lines[0] += f": {safe(listed(found.worlds))}"
    if found.there:
        left = f"{counted(len(found.there), 'world')} left as it was there already"
        lines.append(f"{left}: {safe(listed(found.there))}")
    lines += [f"wrote {safe(file)}" for file in found.settings]
    if found.questions_file is not None:
        lines.append(
            f"wrote {counted(found.questions, 'question')} to {safe(found.questions_file)}"
        )
    elif found.questions:
        lines.append(f"{counted(found.questions, 'question')} on it: --questions FILE writes them")
    return Group(*map(Text, lines), *_amended(found.amended), *strange(found.remarks))


def sent(found: ExportedEpisodes) -> Group:
    line = Text(f"exported {counted(found.episodes, 'episode')} to {safe(found.file)}")
    return Group(line, *strange(found.remarks))


def _amended(changes: Sequence[Remark]) -> Iterator[Text]:
    if changes:
        yield Text(f"{counted(len(changes), 'amendment')} of {safe(changes[0].source)}:")
    for one in changes:
        yield Text(f"  {safe(one.record)}: {safe(one.what)}")


def strange(remarks: Sequence[Remark]) -> Iterator[Text]:
    """What could not be kept: alike remarks once, with how often."""
    alike: dict[str, list[Remark]] = {}
    for one in remarks:
        alike.setdefault(one.what, []).append(one)
    if alike:
        yield Text("Not kept, or strange:", style="yellow")
    for what, ones in list(alike.items())[:SOME]:
        first = f"{safe(ones[0].source)} {safe(ones[0].record)}"
        more = f" and {len(ones) - 1} more" if len(ones) > 1 else ""
        yield Text(f"  {first}{more}: {safe(what)}")
    if len(alike) > SOME:
        yield Text(f"  ... and {len(alike) - SOME} more: --json tells them all")
