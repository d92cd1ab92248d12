"""Minds: a moment in, an action out.

Here are the ports, for whoever writes a part of their own: each implementation has a file beside its
port. A name is loaded when it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whoknew.agents.agent import Action, Agent, AgentEntry, AgentSeat, Moment, Note
    from whoknew.agents.errors import (
        AgentError,
        BadAction,
        BadAnswer,
        BadPart,
        BadReply,
        Busy,
        ModelError,
        Rejected,
        ServerUnavailable,
    )
    from whoknew.agents.lines import line, quoted
    from whoknew.agents.memories.memory import (
        Memory,
        MemoryEntry,
        Occasion,
        Piece,
        Recollection,
        recollection,
    )
    from whoknew.agents.methods.method import Method, MethodEntry, insist, replied
    from whoknew.agents.models.model import (
        Message,
        Model,
        ModelEntry,
        Reply,
        Request,
        Sampling,
        schema_of,
    )
    from whoknew.agents.parts import Entry, Owner
    from whoknew.agents.sections import Sections
else:

    def __getattr__(name: str) -> object:
        for file, names in _FILES.items():
            if name in names.split():
                return getattr(import_module(f"{__name__}.{file}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_FILES = {
    "agent": "Action Agent AgentEntry AgentSeat Moment Note",
    "errors": "AgentError BadAction BadAnswer BadPart BadReply Busy ModelError Rejected ServerUnavailable",
    "lines": "line quoted",
    "memories.memory": "Memory MemoryEntry Occasion Piece Recollection recollection",
    "methods.method": "Method MethodEntry insist replied",
    "models.model": "Message Model ModelEntry Reply Request Sampling schema_of",
    "parts": "Entry Owner",
    "sections": "Sections",
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
    "BadReply",
    "Busy",
    "Entry",
    "Memory",
    "MemoryEntry",
    "Message",
    "Method",
    "MethodEntry",
    "Model",
    "ModelEntry",
    "ModelError",
    "Moment",
    "Note",
    "Occasion",
    "Owner",
    "Piece",
    "Recollection",
    "Rejected",
    "Reply",
    "Request",
    "Sampling",
    "Sections",
    "ServerUnavailable",
    "insist",
    "line",
    "quoted",
    "recollection",
    "replied",
    "schema_of",
]


def __dir__() -> list[str]:
    return __all__
