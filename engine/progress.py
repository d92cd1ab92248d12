"""How far a run is: figures that grow with every event, for whoever shows them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import msgspec
from msgspec import Struct

from whoknew.engine.limits import Spent
from whoknew.engine.standing import Standing
from whoknew.eventlog import Draft, Event
from whoknew.eventlog.kinds import Acted, Called, EpisodeClosed, Failed


class Progress(Struct):
    """`spent` is what the run has used up, `before` as much of it as earlier starts did. Of the
    chains, `over`, `begun` and `new` say how they were found."""

    chains: int = 0
    over: int = 0
    begun: int = 0
    new: int = 0
    finished: int = 0
    suspended: int = 0
    failed: int = 0
    episodes: int = 0
    episodes_done: int = 0
    episodes_before: int = 0
    turns: int = 0
    failures: int = 0
    spent: Spent = msgspec.field(default_factory=Spent)
    before: Spent = msgspec.field(default_factory=Spent)
    heard: Callable[[str, Event | Draft], None] | None = None
    """Told of every event that goes in, with its world."""

    def found(self, stand: Standing, episodes: int) -> None:
        """A chain as its log has it, before it goes on."""
        if stand.head == 0:
            self.new += 1
        elif stand.closed >= episodes:
            self.over += 1
        else:
            self.begun += 1
        self.episodes_done += stand.closed
        self.episodes_before += stand.closed
        self.spent.join(stand.spent)
        self.before.join(stand.spent)

    def ended(self, state: str) -> None:
        setattr(self, state, getattr(self, state) + 1)

    def watcher(self, world: str) -> Callable[[Event | Draft], None]:
        return partial(self.watch, world)

    def watch(self, world: str, event: Event | Draft) -> None:
        body = event.body
        if isinstance(body, Called):
            self.spent.add(body)
            self.failures += body.reply is None
        elif isinstance(body, Acted):
            self.turns += 1
        elif isinstance(body, EpisodeClosed):
            self.episodes_done += 1
        elif isinstance(body, Failed):
            self.failures += 1
        if self.heard is not None:
            self.heard(world, event)
