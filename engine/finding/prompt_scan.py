"""Looks whether a prompt tells its character what it has not witnessed: words of an event that is not in
its view, so many side by side that nothing but that event has them.

What it finds is a fault of the part that made the prompt, a memory or a method, and no guess: of a view
nothing of the kind can come (law 2).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from msgspec import Struct

from whoknew.agents.models.model import Request
from whoknew.engine.finding.giving_way import giving_way
from whoknew.engine.finding.leaks import GIVEN_AWAY
from whoknew.engine.finding.verbatim import VerbatimFinder, VerbatimRun
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import CharacterAdded, Described, EvidenceNoted, Felt, Remembered
from whoknew.eventlog.story import of_story

TOLD = (*GIVEN_AWAY, EvidenceNoted, Remembered, Felt, Described, CharacterAdded)
"""What has words of its own: of the others a prompt may happen to say the same."""

LONG = 12
"""So many words side by side are no chance, or all that an event says. Where two passages that somebody
knows meet, eight are news to the finder, and more with who said it between them: so stands it in
another's note of what both have heard, and so it may stand in a prompt."""


class PromptLeak(Struct, frozen=True):
    """A prompt says these words of an event that its character has not witnessed."""

    event: int
    words: str
    later: bool


class PromptScan:
    """Scans prompts of a world, upon all that it has read of what happened there."""

    def __init__(self) -> None:
        self._finder = VerbatimFinder()
        self._witnesses: dict[int, frozenset[str]] = {}
        self._lengths: dict[int, int] = {}
        self._parties: dict[tuple[str, ...], frozenset[str]] = {}

    def read(self, events: Iterable[Event]) -> None:
        for event in giving_way(events):
            if not of_story(event) or not event.body.words:
                continue
            length = self._finder.read(event)
            self._witnesses[event.seq] = self._parties.setdefault(
                event.witnesses, frozenset(event.witnesses)
            )
            if isinstance(event.body, TOLD):
                self._lengths[event.seq] = length

    def scan(self, who: str, upto: int, request: Request, known: Sequence[str]) -> list[PromptLeak]:
        """What a prompt tells somebody that it has not witnessed up to a seq, and that does not stand
        in what is `known` besides: a question, what its model said itself."""

        def witnessed(seq: int) -> bool:
            return seq <= upto and who in self._witnesses.get(seq, ())

        found: dict[int, PromptLeak] = {}
        for message in request.messages:
            if message.role == "assistant":
                continue  # what the model said
            tells = self._lengths.__contains__
            for run in self._finder.runs(message.text, witnessed, lambda: known, tells=tells):
                for seq in self._told_by(run):
                    found.setdefault(seq, PromptLeak(seq, " ".join(run.words), seq > upto))
        return list(found.values())

    def _told_by(self, run: VerbatimRun) -> Sequence[int]:
        """The first event of which a run says so much that it is no chance."""
        long = (seq for seq in run.seqs if len(run.words) >= min(LONG, self._lengths[seq]))
        return list(islice(long, 1))
