"""`whoknew parts`: what a plan can name, and `whoknew import`."""

from __future__ import annotations

import json as jsons
from collections.abc import Sequence
from itertools import groupby

from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from whoknew.engine.plan.parts import PartLine, parts
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import Json, alone

app = alone()


@app.command(epilog="Example: whoknew parts")
def command(json: Json = False) -> None:
    """List the memories, methods, agents, judges, models, importers and exams.

    Ours, and what installed packages bring. Each with its settings, and what holds without them.
    """
    answer(parts, shown, json)


def shown(found: Sequence[PartLine]) -> Group:
    kinds = [
        Group(Text(f"{kind}:", style="bold"), *map(_one, lines), Text())
        for kind, lines in groupby(found, lambda one: one.kind)
    ]
    return Group(*kinds, Text("Write your own: docs/parts.md", style="cyan"))


def _one(one: PartLine) -> Padding:
    text = Text.assemble((safe(one.form), "bold"), f"  {safe(one.help)}")
    if one.judges:
        text.append(f"  (judges {' and '.join(f'{what}s' for what in one.judges)})", style="dim")
    if one.source != "whoknew":
        text.append(f"  ({safe(one.source)})", style="dim")
    if one.error:
        text.append(f"\n{safe(one.error)}", style="red")
    for key in one.needed:
        text.append(f"\n  {safe(key)}  (must be given)", style="dim")
    for key, value in one.settings.items():
        text.append(f"\n  {safe(key)} = {safe(jsons.dumps(value))}", style="dim")
    return Padding(text, (0, 0, 0, 2))
