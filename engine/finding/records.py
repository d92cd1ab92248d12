"""What is written down of tellings: each as an event beside the story."""

from __future__ import annotations

from collections.abc import Iterable

from whoknew.engine.finding.finder import Found
from whoknew.eventlog import Draft, Event, Log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import TellingFound, TellingsSought
from whoknew.eventlog.story import is_outside_story

RULE = "rule 5"
"""The finder by rule, and its version: tellings are looked for anew where it has changed."""

Pair = tuple[int, int]
"""A speech, and the earlier event that it tells of."""


class Records:
    """What is on record of tellings in a world."""

    def __init__(self) -> None:
        self.upto = 0
        """As they stand on the log up to there."""
        self.standing: dict[Pair, TellingFound] = {}
        """The newest record of each pair, those that take one back among them."""
        self.sought: dict[str, int] = {}
        """Up to where each finder has looked."""
        self._facts: dict[int, dict[int, None]] = {}
        """What each speech was ever found to tell of."""

    def take(self, event: Event | Draft) -> None:
        body = event.body
        if isinstance(body, TellingFound) and event.cause is not None:
            self.standing[event.cause, body.fact] = body
            self._facts.setdefault(event.cause, {})[body.fact] = None
        elif isinstance(body, TellingsSought):
            self.sought[body.finder] = max(self.sought.get(body.finder, 0), body.upto)

    def new(self, found: Iterable[Found]) -> list[Draft]:
        """What the rule found that is not on record as it is. What a model or a person said of a
        pair stands."""
        drafts = [draft_of(one) for one in found]
        return [draft for draft in drafts if self._changes(draft)]

    def outdated(self, found: Iterable[Found], after: int, upto: int) -> list[Draft]:
        """What another version of the rule found in the speeches past a seq, up to another, and this
        one does not: taken back."""
        drafts, pairs = [], {(one.speech, one.of) for one in found}
        for speech in range(after + 1, upto + 1):
            for fact in self._facts.get(speech, ()):
                one = self.standing[speech, fact]
                if (speech, fact) not in pairs and _is_by_rule(one):
                    why = f"{RULE} finds none"
                    back = TellingFound(fact, one.teller, one.hearers, 0.0, why=why)
                    drafts.append(Draft(back, cause=speech))
        return drafts

    def _changes(self, draft: Draft) -> bool:
        body = draft.body
        assert isinstance(body, TellingFound) and draft.cause is not None
        known = self.standing.get((draft.cause, body.fact))
        return known is None or (known.origin == "rule" and known != body)


async def looked_through(log: Log, world: str, sought: int, upto: int) -> bool:
    """Whether tellings that were looked for up to one seq were looked for up to the other: nothing has
    happened in the story in between."""
    async for event in log.read(world, AtSeq(sought), AtSeq(upto)):
        if is_heard(event):
            return False
    return True


def draft_of(found: Found) -> Draft:
    body = TellingFound(
        found.of, found.by, found.hearers, score=found.score, origin="rule", why=found.why
    )
    return Draft(body, cause=found.speech)


def is_heard(event: Event | Draft) -> bool:
    """Whether a finder hears of an event: not of what stands beside the story, for what is found
    must not depend on when it was looked for."""
    return not is_outside_story(event)


def _is_by_rule(one: TellingFound) -> bool:
    return one.origin == "rule" and one.score > 0
