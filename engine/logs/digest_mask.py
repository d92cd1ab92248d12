"""Digests that stand for others: by that of a true prompt, a guess at a name in it could be checked."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Mapping
from secrets import token_bytes

_DIGEST = re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{16,64}(?![0-9A-Za-z])")
"""Numbers of as many digits, too, which might be one."""


class DigestMask:
    """Hides names, and puts another in the place of each digest, always the same. What it was made of,
    nobody can tell by it, for the salt is kept nowhere."""

    def __init__(self, hide_names: Callable[[str], str]) -> None:
        self._hide_names, self._salt = hide_names, token_bytes(32)
        self.masked: dict[str, str] = {}
        """Each digest that there was, under what stands there now."""

    def hide(self, text: str) -> str:
        return _DIGEST.sub(lambda match: self._other(match.group()), self._hide_names(text))

    def _other(self, digest: str) -> str:
        other = hmac.digest(self._salt, digest.encode(), "sha256").hex()[: len(digest)]
        self.masked[other] = digest
        return other


def unmasked(text: str, masked: Mapping[str, str]) -> str:
    """The same with the digests that there were."""
    return (
        _DIGEST.sub(lambda match: masked.get(match.group(), match.group()), text)
        if masked
        else text
    )
