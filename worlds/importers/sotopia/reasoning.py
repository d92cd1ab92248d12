"""The comments of Sotopia's judge: one block of the environment's, then one for each agent."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

_ENVIRONMENT = "Environment comments: "


class Reasoning(Struct, frozen=True):
    environment: str
    agents: tuple[str, ...]


def split(text: str, agents: int) -> Reasoning:
    """The blocks of a text; all of it is the environment's where there is no such block."""
    marks = [_mark(number) for number in range(1, agents + 1)]
    pattern = re.escape(_ENVIRONMENT) + "(.*?)" + "".join(f"{re.escape(one)}(.*?)" for one in marks)
    found = re.fullmatch(pattern, text, re.DOTALL)
    if found is None:
        return Reasoning(text, ("",) * agents)
    environment, *blocks = found.groups()
    return Reasoning(environment, tuple(blocks))


def join(reasoning: str, agents: Sequence[str]) -> str:
    if not any(agents):
        return reasoning
    blocks = (f"{_mark(number)}{one}" for number, one in enumerate(agents, start=1))
    return f"{_ENVIRONMENT}{reasoning}{''.join(blocks)}"


def _mark(number: int) -> str:
    return f"\nAgent {number} comments:\n"
