"""What a server refuses.

EngineError
├── Refused   a guest asks for what it may not see or do
└── Unsafe    others could reach the server without a token
"""

from __future__ import annotations

from whoknew.engine.errors import EngineError


class Refused(EngineError):
    """A guest asks for what it may not see or do."""


class Unsafe(EngineError):
    """Others could reach this server without a token."""
