"""What each shard of an exam has spent, and which calls were started and never written down as made: a fold
of its log, where several processes sit it."""

from __future__ import annotations

from whoknew.engine.exams.exam_log import key_of
from whoknew.engine.playing.spent import NO_COST, Cost, Spent
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Called
from whoknew.eventlog.machinery import CallStarted


class StartedCalls:
    def __init__(self) -> None:
        self.spent: dict[str, Spent] = {}
        """By the leases under which the calls were made; of those that one process alone made, by none."""
        self._leases: dict[str, str] = {}
        """Of cells, reviews and steps, by their keys."""
        self._started: dict[tuple[str, str], list[Cost]] = {}
        """By their keys and the digests of what they ask."""

    def take(self, event: Event) -> None:
        body = event.body
        if type(body) is CallStarted:
            self._leases[body.key] = body.lease
            cost = Cost(1, body.tokens, body.money or 0.0)
            self._started.setdefault((body.key, body.digest), []).append(cost)
        elif type(body) is Called:
            key = key_of(event)
            self.spent.setdefault(self._leases.get(key, ""), Spent()).add(body)
            if not body.answered_by:
                self._made(key, body.digest)

    def lost(self, lease: str | None = None) -> Cost:
        """What was started and has no answer: under a lease, or in all."""
        return sum(
            (
                cost
                for (key, _), costs in self._started.items()
                if lease in (None, self._leases[key])
                for cost in costs
            ),
            NO_COST,
        )

    def _made(self, key: str, digest: str) -> None:
        costs = self._started.get((key, digest))
        if costs is not None:
            costs.pop()
            if not costs:
                del self._started[key, digest]
