"""`whoknew log info`: what a log is, then a few lines a world."""

from __future__ import annotations

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from whoknew.engine.logs import info as inventory
from whoknew.engine.logs.info import LogInfo, WorldInfo
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.figures import sized
from whoknew.engine.terminal.options import Json, Log, alone
from whoknew.eventlog.counted import counted

app = alone()


@app.command(epilog="Example: whoknew log info midnight-diner.db")
def command(log: Log, json: Json = False) -> None:
    """Say what kind of log it is, and which worlds it holds."""
    answer(inventory.info(log), shown, json)


def shown(info: LogInfo) -> Group:
    about = Table.grid(padding=(0, 2))
    about.add_column(style="dim")
    about.add_column(overflow="fold")
    for label, value in (
        ("log", safe(info.address)),
        ("store", f"{info.store}, schema {info.schema}"),
        ("engine", info.engine),
        ("size", "unknown" if info.size is None else sized(info.size)),
        ("durability", info.durability or "full, unless its writer opens it as normal"),
        ("worlds", f"{len(info.worlds):,}"),
    ):
        about.add_row(label, value)
    return Group(about, *map(_world, info.worlds))


def _world(world: WorldInfo) -> Group:
    lines = [
        ", ".join(
            (
                f"#{world.head}",
                f"{counted(world.own, 'event')} of its own",
                counted(world.characters, "character"),
                counted(world.episodes, "episode"),
            )
        )
    ]
    if world.parent:
        lines.insert(0, f"fork of {safe(world.parent)} #{world.forked_at}")
    if world.begins and world.ends and world.recorded:
        lines.append(f"story {world.begins:%Y-%m-%d %H:%M} to {world.ends:%Y-%m-%d %H:%M}")
        lines.append(f"last recorded {world.recorded:%Y-%m-%d %H:%M:%S} UTC")
    return Group(
        Text(), Text(safe(world.name), style="bold"), Padding(Text("\n".join(lines)), (0, 0, 0, 2))
    )
