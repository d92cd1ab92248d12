"""Looks whether a prompt tells its character what it has not witnessed: words of an event that is not in
its view, so many side by side that nothing but that event has them.

What it finds is a fault of the part that made the prompt, a memory or a method, and no guess: of a view
nothing of the kind can come (law 2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from msgspec import Struct

from whoknew.agents.models.model import Request
from whoknew.engine.finding.giving_way import giving_way
from whoknew.engine.finding.leaks import GIVEN_AWAY
from whoknew.engine.finding.verbatim import TOGETHER, VerbatimFinder, VerbatimRun, said
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import CharacterAdded, Described, EvidenceNoted, Felt, Remembered
from whoknew.eventlog.story import of_story

TOLD = (*GIVEN_AWAY, EvidenceNoted, Remembered, Felt, Described, CharacterAdded)
"""What has words of its own: of the others a prompt may happen to say the same."""

LONG = 12
"""So many words side by side are no chance, or all that an event says. Where two passages that somebody
knows meet, eight are news to the finder, and more with who said it between them: so stands it in
another's note of what both have heard, and so it may stand in a prompt."""

BETWEEN_PARTS = "\n\n"
"""Between the parts of a prompt, most of which stand in the next one, too. No word goes across."""

KEPT = 2**20
"""Signs of the parts that are remembered, of one world."""


class KnownPart(Struct, frozen=True):
    """A part of a prompt that was no news to somebody up to a seq, and so is none later, and the `last`
    words up to its end."""

    upto: int
    last: tuple[str, ...]


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
        self._known_parts: dict[tuple[str, tuple[str, ...], str], KnownPart] = {}
        """By who is asked, the last words before them and themselves."""
        self._kept = 0

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
            self._forget()  # what was no news may be of this event

    def scan(self, who: str, upto: int, request: Request, known: Sequence[str]) -> list[PromptLeak]:
        """What a prompt tells somebody that it has not witnessed up to a seq, and that does not stand
        in what is `known` besides: a question, what its model said itself."""

        def witnessed(seq: int) -> bool:
            return seq <= upto and who in self._witnesses.get(seq, ())

        found: dict[int, PromptLeak] = {}
        tells = self._lengths.__contains__
        for message in request.messages:
            if message.role == "assistant" or self._is_known(who, upto, message.text, witnessed):
                continue  # what the model said, or all knew
            for run in self._finder.runs(message.text, witnessed, lambda: known, tells=tells):
                for seq in self._told_by(run):
                    found.setdefault(seq, PromptLeak(seq, " ".join(run.words), seq > upto))
        return list(found.values())

    def _is_known(self, who: str, upto: int, text: str, witnessed: Callable[[int], bool]) -> bool:
        """Whether nothing of a text is news. Only parts are read that were not known before."""
        last: tuple[str, ...] = ()
        for part in text.split(BETWEEN_PARTS):
            key = (who, last, part)
            known = self._known_parts.get(key)
            if known is None or known.upto > upto:
                spoken = [*last, *said(part)]
                if self._finder.unknown(spoken, witnessed, tells=self._lengths.__contains__):
                    return False
                known = self._keep(key, KnownPart(upto, tuple(spoken[1 - TOGETHER :])))
            last = known.last
        return True

    def _keep(self, key: tuple[str, tuple[str, ...], str], known: KnownPart) -> KnownPart:
        self._kept += len(key[-1])
        if self._kept > KEPT:
            self._forget()
        self._known_parts[key] = known
        return known

    def _forget(self) -> None:
        self._known_parts, self._kept = {}, 0

    def _told_by(self, run: VerbatimRun) -> Sequence[int]:
        """The first event of which a run says so much that it is no chance."""
        long = (seq for seq in run.seqs if len(run.words) >= min(LONG, self._lengths[seq]))
        return list(islice(long, 1))
