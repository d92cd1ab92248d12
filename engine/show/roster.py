"""`whoknew ls`: a line a world."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from whoknew.engine.opening import without_password
from whoknew.engine.roster import Listed
from whoknew.engine.show.console import safe
from whoknew.engine.show.figures import money, short

STYLES = {
    "running": "green",
    "suspended": "yellow",
    "finished": "",
    "imported": "dim",
    "fork": "dim",
}


def shown(worlds: Sequence[Listed], log: str) -> Table | Text:
    if not worlds:
        name = safe(without_password(log))
        return Text(f"{name} holds no world yet: `whoknew run PLAN --log {name}` begins one")
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    table.add_column("world", style="bold", overflow="fold")
    table.add_column("state")
    for name in ("episodes", "turns", "calls", "tokens", "money", "failed"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("last event", no_wrap=True)
    for one in worlds:
        episodes = f"{one.closed}/{one.opened if one.planned is None else one.planned}"
        table.add_row(
            safe(one.name),
            Text(one.state, style=STYLES[one.state]),
            episodes,
            short(one.turns),
            short(one.calls),
            short(one.tokens),
            money(one.money),
            Text(short(one.failures), style="red" if one.failures else "dim"),
            f"{one.last:%m-%d %H:%M}" if one.last else "",
        )
    return table
