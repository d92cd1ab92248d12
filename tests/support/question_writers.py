"""A model that writes questions of the play that comes with Whoknew, good ones and bad ones, by what it
is asked alone."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

from model_servers import Doing

from whoknew.eventlog import Event, open_log

NEW = ("exam", "new", "lifestate", "lamp.toml", "--from", "the-lamp-room")

_LINE = re.compile(
    r'^\[(\d+)\] ([A-Z][A-Z ]+?)(?: says| aside| whispers to [^:]*)?: (".*")$', re.MULTILINE
)


def shown(asked: Any) -> str:
    """The lines that it was given."""
    return str(asked["messages"][1]["content"])


def is_again(asked: Any) -> bool:
    return len(asked["messages"]) > 2


def lines(asked: Any) -> list[tuple[int, str, str]]:
    """Place, who, and what was said, of all speeches that it was given."""
    return [(int(at), who, json.loads(said)) for at, who, said in _LINE.findall(shown(asked))]


def good(asked: Any, kind: str, number: int) -> dict[str, Any]:
    """A question about the speech at a place from the end."""
    at, who, said = lines(asked)[-1 - number]
    *_, last = [one for one in re.split(r"(?<=[.!?])\s+", " ".join(said.split())) if one]
    return {
        "kind": kind,
        "question": f"Of the {kind} kind: how did {who.title()} end, at your place {at}?",
        "answer": f"I heard it end: {last}",
        "evidence": [at],
    }


def writing(asked: Any) -> Doing:
    """Of each kind one good question, where it is asked again; at first one of two cannot be taken."""
    if "questions" not in json.dumps(asked.get("response_format", "")):
        return Doing(json.dumps({"answer": "I do not know."}))
    some = [good(asked, kind, n) for n, kind in enumerate(("self", "fact", "relation"))]
    if not is_again(asked):
        some[1]["evidence"] = [100_000]
        some[2]["answer"] = f'It was: "{some[2]["answer"]}"'
    return Doing(json.dumps({"questions": some}), wait=0.01)


def events(log: str = "lamp.db", world: str = "lamp") -> list[Event]:
    async def read() -> list[Event]:
        async with open_log(log, read_only=True) as opened:
            return [event async for event in opened.read(world)]

    return asyncio.run(read())
