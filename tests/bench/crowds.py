"""A thousand viewers and fifty players at once, half of them on telephones that drop and come back:
what is lost, and who sees what is not theirs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from crowd import gathered
from figure import Figure, Reach
from server import COMMAND, started
from session import Session

CONTROL, READ = "c" * 20, "r" * 20

WRONG = {
    "events that somebody was not sent": "missed",
    "events that came twice": "doubled",
    "events that a player did not perceive": "foreign",
    "actions that were taken and are gone": "lost",
    "actions that are there twice": "repeated",
}


def figures(session: Session) -> Iterator[Figure]:
    worlds, viewers = session.size(10, 2), session.size(1000, 20)
    log = session.file("crowds.db")
    serve = (*COMMAND, "serve", "--new", "--log", log, "--port", "0", "--connections", 5000)
    with started(*serve, "--token", CONTROL, "--read-token", READ) as server:
        url = server.line().split()[-1]
        crowd = gathered(
            url,
            CONTROL,
            READ,
            worlds=worlds,
            viewers=viewers,
            turns=20,
            least=session.size(300, 20),
        )
        found = asyncio.run(crowd)
    name = f"{viewers:,} viewers and {5 * worlds} players, half of whom drop and come back"
    notes = {
        "events sent": f"{found.events:,}",
        "actions": f"{found.actions:,}",
        "drops": f"{found.drops:,}",
    }
    for what, field in WRONG.items():
        value = float(getattr(found, field))
        yield Figure(f"{name}: {what}", "", [value], reach=Reach(0, "most"), notes=notes)
