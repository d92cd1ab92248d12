"""What all requests of these stages have in common: rules, and data under headings, a line each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from whoknew.agents.lines import quoted
from whoknew.agents.models.model import Message, Request
from whoknew.agents.prompts.text import prompt

PROMPTS = (
    *("life.persona", "life.arcs", "life.events", "life.intents", "life.trace"),
    *("life.gate", "life.question", "life.wrong", "life.solve", "life.review"),
    *("scene.again", "again"),
)
"""All that decide what a model writes."""

Told = dict[str, Iterable[Any]]
"""What is told under each heading, thing by thing."""


def life_request(purpose: str, told: Told, answer: type[Struct]) -> Request:
    """With the rules of a purpose. What is told is data: it stands there as JSON."""
    lines: list[str] = []
    for heading, things in told.items():
        lines += [f"# {heading}", *map(quoted, things), ""]
    messages = (Message("system", prompt(purpose)), Message("user", "\n".join(lines).rstrip()))
    return Request(purpose, messages, answer)
