"""How far a run is: figures that grow with every event, for whoever shows them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import msgspec
from msgspec import Struct

from whoknew.engine.playing.spent import Spent
from whoknew.engine.playing.state import ChainState
from whoknew.engine.playing.tally import Tally
from whoknew.eventlog import Draft, Event


class Progress(Struct):
    """`tally` is what all chains have come to, `before` what they had when the run started. Of the
    chains, `over`, `begun` and `new` say how they were found."""

    chains: int = 0
    over: int = 0
    begun: int = 0
    new: int = 0
    finished: int = 0
    suspended: int = 0
    refused: int = 0
    failed: int = 0
    episodes: int = 0
    tally: Tally = msgspec.field(default_factory=Tally)
    before: Tally = msgspec.field(default_factory=Tally)
    elsewhere: int = 0
    """How many chains others play while this run waits for them."""
    heard: Callable[[str, Event | Draft], None] | None = None
    """Told of every event that is written here, with its world, and of what others go on with."""

    @property
    def spent(self) -> Spent:
        return self.tally.spent

    def found(self, world: str, stand: ChainState, episodes: int) -> None:
        """A chain as its log has it, before it goes on."""
        if stand.head == 0:
            self.new += 1
        elif stand.closed >= episodes:
            self.over += 1
        else:
            self.begun += 1
        self.count(world, stand)
        self.before.join(stand.tally, world)

    def count(self, world: str, stand: ChainState) -> None:
        """What a chain has come to of which nothing was counted yet."""
        self.tally.join(stand.tally, world)

    def ended(self, state: str) -> None:
        setattr(self, state, getattr(self, state) + 1)

    def watcher(self, world: str) -> Callable[[Event | Draft], None]:
        return partial(self.watch, world)

    def watch(self, world: str, event: Event | Draft) -> None:
        self.tally.take(event, world)
        if self.heard is not None:
            self.heard(world, event)
