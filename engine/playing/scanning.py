"""Prompts are scanned before they are sent: what tells a character of an event that is not in its view
is never sent, and all stops (laws 3 and 4). All calls of a chain pass here, and all of an exam's cell."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from zlib import crc32

from whoknew.agents.models.model import Request
from whoknew.engine.errors import PromptLeaks
from whoknew.engine.finding.prompt_scan import PromptLeak, PromptScan
from whoknew.engine.playing.listening import ChainListener
from whoknew.engine.playing.state import ChainState
from whoknew.eventlog import Event, Log
from whoknew.eventlog.story import of_story

NEWEST = 16
"""So many replies a model may be shown again: of one turn hardly ever more are made."""

Parts = Callable[[str], str]
"""The parts that make the prompts of a character, in words."""


class ChainScan(ChainListener):
    """The scan of a chain: it has read all that was written."""

    def __init__(self, log: Log, world: str, state: ChainState) -> None:
        super().__init__(log, world, state)
        self.scan = PromptScan()

    def hears(self, event: Event) -> bool:
        return of_story(event)

    def hear(self, events: Sequence[Event]) -> None:
        self.scan.read(events)


class PromptCheck:
    """Scans a `share` of a chain's prompts: which ones follows from their digests and its world."""

    def __init__(
        self,
        *,
        world: str,
        state: ChainState,
        scan: ChainScan,
        share: float,
        parts: Parts,
        known: Callable[[str], Iterable[str]],
    ) -> None:
        """`known` is what a plan gives to a character's prompts itself, such as examples."""
        self._world, self._state, self._scan, self._share = world, state, scan, share
        self._parts, self._known = parts, known
        self._replies = defaultdict[str, deque[str]](lambda: deque(maxlen=NEWEST))

    def is_due(self, request: Request) -> bool:
        return is_sampled(self._world, request, self._share)

    async def check(self, who: str, request: Request) -> None:
        """PromptLeaks where a prompt tells what its character has not witnessed."""
        upto = self._state.told
        known = [*self._known(who), *self._replies[who]]
        found = await self._scan.look(lambda: self._scan.scan.scan(who, upto, request, known))
        if found:
            raise PromptLeaks(leaked(who, upto, request, found[0], self._parts(who)))

    def replied(self, who: str, text: str) -> None:
        """What a model said itself, it may be shown again."""
        self._replies[who].append(text)


def is_sampled(world: str, request: Request, share: float) -> bool:
    """Whether a prompt is among such a share of a world's: always the same ones (law 9), and of many worlds
    that begin alike not the same in each."""
    return int(request.digest[:8], 16) ^ _salt(world) < share * 2**32


@lru_cache(maxsize=1024)
def _salt(world: str) -> int:
    return crc32(world.encode())


def leaked(who: str, upto: int, request: Request, leak: PromptLeak, parts: str) -> str:
    """Which prompt tells of which event, in words."""
    when = "which comes later" if leak.later else f"which {who} has not witnessed"
    return (
        f'the prompt {request.digest[:12]} ("{request.purpose}") of {who} at #{upto} tells of '
        f'#{leak.event}, {when}: "{leak.words}". It was made by {parts}, of which one reads past the '
        "view: nothing was sent"
    )


def texts_in(settings: object) -> Iterator[str]:
    """All texts that stand in settings."""
    if isinstance(settings, str):
        yield settings
    elif isinstance(settings, Mapping):
        for one in settings.values():
            yield from texts_in(one)
    elif isinstance(settings, list | tuple):
        for one in settings:
            yield from texts_in(one)
