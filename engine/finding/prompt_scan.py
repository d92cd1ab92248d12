"""Looks whether a prompt tells its character what it has not witnessed: words of an event that is not in
its view, so many side by side that nothing but that event has them.

What it finds is a fault of the part that made the prompt, a memory or a method, and no guess: of a view
nothing of the kind can come (law 2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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

KEPT = 2**22
"""Signs of the lines that are remembered, of one world."""


class KnownLine(Struct, frozen=True):
    """A line of a prompt that was no news to somebody up to a seq, and so is none later, and the `last`
    words up to its end. Most of its lines stand in the next prompt, too, and no word goes across two."""

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
        self._known: dict[tuple[str, tuple[str, ...], str], KnownLine] = {}
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
            if message.role == "assistant":
                continue  # what the model said
            for news in self._news(who, upto, message.text, witnessed):
                for run in self._finder.runs(news, witnessed, lambda: known, tells=tells):
                    for seq in self._told_by(run):
                        found.setdefault(seq, PromptLeak(seq, " ".join(run.words), seq > upto))
        return list(found.values())

    def _news(
        self, who: str, upto: int, text: str, witnessed: Callable[[int], bool]
    ) -> Iterator[str]:
        """The lines of a text in which something is news, those side by side together, behind the words
        before them. Only lines are read that were not known before."""
        last: tuple[str, ...] = ()
        news: list[str] = []
        for line in text.split("\n"):
            key = (who, last, line)
            known = self._known.get(key)
            if known is None or known.upto > upto:
                spoken = [*last, *said(line)]
                known = KnownLine(upto, tuple(spoken[1 - TOGETHER :]))
                if self._finder.unknown(spoken, witnessed, tells=self._lengths.__contains__):
                    news += [line] if news else [*last, line]
                    last = known.last
                    continue
                self._keep(key, known)
            if news and known.last != last:  # a line without words parts nothing
                yield "\n".join(news)
                news = []
            last = known.last
        if news:
            yield "\n".join(news)

    def _keep(self, key: tuple[str, tuple[str, ...], str], known: KnownLine) -> None:
        self._kept += len(key[-1])
        if self._kept > KEPT:
            self._forget()
        self._known[key] = known

    def _forget(self) -> None:
        self._known, self._kept = {}, 0

    def _told_by(self, run: VerbatimRun) -> Sequence[int]:
        """The first event of which a run says so much that it is no chance."""
        long = (seq for seq in run.seqs if len(run.words) >= min(LONG, self._lengths[seq]))
        return list(islice(long, 1))
