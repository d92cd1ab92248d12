"""A scene of an exam on the terminal, as `whoknew exam show` shows it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group
from rich.text import Text

from whoknew.engine.command_text import command_text
from whoknew.engine.exams.scenes.show import ShownScene
from whoknew.engine.terminal.console import lined, safe, whole
from whoknew.eventlog.counted import counted


def scene_shown(found: ShownScene) -> Group:
    return Group(*_parts(found))


def _parts(found: ShownScene) -> Iterator[Text]:
    yield Text(safe(found.name), "bold")
    for side in found.sides:
        seat = f"{side.agent}, {side.model}, memory {side.memory}, method {side.method}"
        yield Text(f"  {side.side}: {safe(side.character)} ({safe(seat)})")
    yield Text(f"scene {found.unit}, arm {safe(found.arm)}, repeat {found.repeat}", "dim")
    if found.failure is not None:
        yield Text(f"failed: {lined(found.failure)}", "red")
    elif found.played is None:
        yield Text("not played to its end yet" if found.calls else "not played yet", "yellow")
    else:
        yield Text(f"played: {found.played}, {counted(found.calls, 'call')}")
    for judge, reason in found.reasons.items():
        scores = ", ".join(
            f"{safe(name.removeprefix(f'{judge}.'))} {score:.3g}"
            for name, score in found.scores.items()
            if name.startswith(f"{judge}.")
        )
        why = f"\n{lined(reason)}" if reason else ""
        yield Text.assemble((f"{safe(judge)}: {scores}", "bold"), why)
    for judge, why in found.unreviewed.items():
        yield Text(f"{safe(judge)} gave no verdict: {lined(why)}", "red")
    if found.calls:
        seeing = command_text("show", found.world, log=found.log)
        yield whole(f"To see it: {safe(seeing)}")
