"""Minds: a moment in, an action out.

Here are the ports, for whoever writes a part of their own: each implementation has a file beside its
port. A name is loaded when it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whoknew.agents.agent import Action, Agent, AgentEntry, AgentSeat, Moment, Note
    from whoknew.agents.errors import AgentError, BadAction, BadAnswer, BadPart, ModelError
    from whoknew.agents.memories.memory import Memory, MemoryEntry, Occasion, Recollection
    from whoknew.agents.methods.method import Method, MethodEntry
    from whoknew.agents.models.model import Message, Model, Reply, Request, Sampling
    from whoknew.agents.parts import Entry, Owner
else:

    def __getattr__(name: str) -> object:
        for file, names in _FILES.items():
            if name in names.split():
                return getattr(import_module(f"{__name__}.{file}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_FILES = {
    "agent": "Action Agent AgentEntry AgentSeat Moment Note",
    "errors": "AgentError BadAction BadAnswer BadPart ModelError",
    "memories.memory": "Memory MemoryEntry Occasion Recollection",
    "methods.method": "Method MethodEntry",
    "models.model": "Message Model Reply Request Sampling",
    "parts": "Entry Owner",
}
"""Where each name is loaded from."""

__all__ = [
    "Action",
    "Agent",
    "AgentEntry",
    "AgentError",
    "AgentSeat",
    "BadAction",
    "BadAnswer",
    "BadPart",
    "Entry",
    "Memory",
    "MemoryEntry",
    "Message",
    "Method",
    "MethodEntry",
    "Model",
    "ModelError",
    "Moment",
    "Note",
    "Occasion",
    "Owner",
    "Recollection",
    "Reply",
    "Request",
    "Sampling",
]


def __dir__() -> list[str]:
    return __all__
