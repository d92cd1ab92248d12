"""`recorded:LOG`, models that answer with what others answered once, from a log.

Calls are found by the digest of their prompt, among those of the same character in the world of
the same name; the same prompt asked again gets the next answer. A prompt that was never asked is
where a replay first differs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterable

from whoknew.agents.errors import BadReply, NotRecorded
from whoknew.agents.models.model import Reply, Request
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Called
from whoknew.eventlog.story import is_outside_story


class Calls:
    """What one character was answered, by the digest of the prompt, and what was no reply, in its place;
    and what came of those prompts that never got an answer."""

    def __init__(self) -> None:
        self.answered: dict[str, deque[Called]] = {}
        self.failed: dict[str, str] = {}

    def take(self, called: Called) -> None:
        if called.reply is not None or called.no_reply:
            self.answered.setdefault(called.digest, deque()).append(called)
        else:
            self.failed[called.digest] = called.error or "it was not answered"


class Recorded:
    """What one character of one world was answered."""

    def __init__(self, address: str, who: str, calls: Calls) -> None:
        self.name = address
        self._who, self._calls = who, calls

    async def complete(self, request: Request) -> Reply:
        digest = request.digest
        calls = self._calls.answered.get(digest)
        if not calls and digest in self._calls.failed:
            raise BadReply(self._calls.failed[digest])
        if not calls:
            raise NotRecorded(
                f"{self.name} has no call of {self._who} with this prompt (to {request.purpose}): "
                "the plan, a prompt or a memory is not what it was when the log was written"
            )
        return reply_of(calls.popleft())


def reply_of(called: Called) -> Reply:
    """What a call that is on a log was answered; a `BadReply` again, where what came was none."""
    if called.no_reply:
        raise BadReply(called.error or "it was not answered")
    return Reply(
        text=called.reply or "",
        tokens_in=called.tokens_in,
        tokens_out=called.tokens_out,
        seconds=called.seconds or 0.0,
        attempts=called.attempts,
        ended=called.ended,
        model=called.model,
        counted=called.counted,
    )


async def recorded(address: str, events: AsyncIterable[Event]) -> dict[str, Recorded]:
    """A model for each that made calls in a recorded world: under no name, for its judges."""
    calls: dict[str, Calls] = {}
    async for event in events:
        if isinstance(event.body, Called) and not is_outside_story(event):
            calls.setdefault(event.actor or "", Calls()).take(event.body)
    return {who: Recorded(address, who, found) for who, found in calls.items()}
