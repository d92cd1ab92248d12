"""A model that answers as it is told to, purpose by purpose, and keeps what it was asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from whoknew.agents.models.model import Reply, Request


class ByPurpose:
    """Of each purpose the next reply; when they are used up, the last again."""

    name = "purpose:"

    def __init__(self, **replies: str | Sequence[str]) -> None:
        self._replies: Mapping[str, Sequence[str]] = {
            purpose: [some] if isinstance(some, str) else some for purpose, some in replies.items()
        }
        self.asked: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        replies = self._replies[request.purpose]
        text = replies[min(self.purposes[request.purpose], len(replies) - 1)]
        self.asked.append(request)
        return Reply(text=text)

    @property
    def purposes(self) -> Counter[str]:
        return Counter(one.purpose for one in self.asked)
