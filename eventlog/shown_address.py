"""The address of a log as it may be shown: without its password."""

from __future__ import annotations

import re

_LOGIN = re.compile(r"^([\w+.-]+://[^:@/]*):.*@")
_FIELD = re.compile(r"([?&])(?:ssl)?password=[^&]*&?")


def without_password(address: str) -> str:
    """A database takes one before its host, or among the fields behind `?`."""
    if "://" not in address:
        return address
    return _FIELD.sub(r"\1", _LOGIN.sub(r"\1@", address)).rstrip("?&")
