"""Looks whether a prompt tells its character what it has not witnessed: words of an event that is not in
its view, so many side by side that nothing but that event has them.

What it finds is a fault of the part that made the prompt, a memory or a method, and no guess: of a view
nothing of the kind can come (law 2).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from sys import getsizeof

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
"""So many words side by side are no chance, or all that an event says. With fewer too much would be
found: where two passages meet that somebody knows, eight words across look like news, and more where
who said it stands between them. Another's note of what both have heard puts passages together so, and
may stand in a prompt."""

KEPT, EACH = 2**24, 300
"""Bytes of the lines and paragraphs that are remembered, of one world; and what one takes besides its signs."""

NOBODYS = ""
"""A word that stands in no text: no run goes across it."""


class KnownLine(Struct, frozen=True):
    """A line of a prompt, or a paragraph, that was no news to somebody up to a seq, and so is none later,
    and the `last` words up to its end. Most of them stand in the next prompt, too, and no word goes across
    two."""

    upto: int
    last: tuple[str, ...]


class UnreadLines(Struct):
    """Lines side by side that are not known: all their words, behind the last ones before them; and of each
    line these last ones, itself, and where its words end."""

    spoken: list[str]
    lines: list[tuple[tuple[str, ...], str]] = []
    ends: list[int] = []

    def add(self, last: tuple[str, ...], line: str, words: Sequence[str]) -> None:
        self.spoken += words
        self.lines.append((last, line))
        self.ends.append(len(self.spoken))


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
            news = self._news(who, upto, message.text, witnessed)
            for run in self._finder.runs(news, witnessed, lambda: known, tells=tells):
                for seq in self._told_by(run):
                    found.setdefault(seq, PromptLeak(seq, " ".join(run.words), seq > upto))
        return list(found.values())

    def _news(self, who: str, upto: int, text: str, witnessed: Callable[[int], bool]) -> list[str]:
        """The words of a text around all that is news in it: what was not known before is read, as many
        lines at once as lie side by side."""
        news: list[str] = []
        for unread in self._unread(who, upto, text):
            spoken, tells = unread.spoken, self._lengths.__contains__
            unknown = self._finder.unknown(spoken, witnessed, tells=tells)
            if unknown:
                news += [*spoken, NOBODYS]
            told = {bisect_right(unread.ends, at + TOGETHER - 1) for at in unknown}
            for number, ((last, line), end) in enumerate(
                zip(unread.lines, unread.ends, strict=True)
            ):
                if number not in told:
                    now = tuple(spoken[max(0, end + 1 - TOGETHER) : end])
                    self._keep((who, last, line), KnownLine(upto, now))
        return news

    def _unread(self, who: str, upto: int, text: str) -> Iterator[UnreadLines]:
        """The lines of a text that are not known. One without words parts nothing."""
        last: tuple[str, ...] = ()
        unread, at_hand = None, self._known.get
        for paragraph in text.split("\n\n"):
            known = at_hand((who, last, paragraph))
            if known is not None and known.upto <= upto:
                if unread is not None:
                    yield unread
                unread, last = None, known.last
                continue
            before, is_known = last, True
            for line in paragraph.split("\n"):
                known = at_hand((who, last, line))
                if known is not None and known.upto <= upto:
                    if unread is not None:
                        yield unread
                    unread, last = None, known.last
                elif words := said(line):
                    if unread is None:
                        unread = UnreadLines([*last])
                    unread.add(last, line, words)
                    last, is_known = tuple(unread.spoken[1 - TOGETHER :]), False
            if is_known:
                self._keep((who, before, paragraph), KnownLine(upto, last))
        if unread is not None:
            yield unread

    def _keep(self, key: tuple[str, tuple[str, ...], str], known: KnownLine) -> None:
        takes = EACH + getsizeof(key[-1])
        if self._kept + takes > KEPT:
            self._forget()
        self._kept += takes
        self._known[key] = known

    def _forget(self) -> None:
        self._known, self._kept = {}, 0

    def _told_by(self, run: VerbatimRun) -> Sequence[int]:
        """The first event of which a run says so much that it is no chance."""
        long = (seq for seq in run.seqs if len(run.words) >= min(LONG, self._lengths[seq]))
        return list(islice(long, 1))
