"""All bookmarks of one owner: a fold of what was written down at each step."""

from __future__ import annotations

from collections import ChainMap, defaultdict
from collections.abc import Iterator
from itertools import islice

from whoknew.agents.memories.bookmarks.alike import AlikeQuestions
from whoknew.agents.memories.bookmarks.bookmark import Bookmark, Proposal
from whoknew.agents.memories.bookmarks.record import StepRecord, applied, is_sound
from whoknew.agents.memories.bookmarks.step_taken import StepTaken
from whoknew.agents.memories.bookmarks.tally import StepTally
from whoknew.eventlog.words import terms

BEST = 5
"""So many of those that are like a proposal are looked at."""

NEAR = 5
"""A bookmark is near that was brought up to date so many lines ago at most."""


class BookmarkBank:
    """The bookmarks, by their numbers, as they were after the newest step, which was taken when so many
    lines had happened as it is `at`. `active` are those that it was about; `tally` is what all steps came
    to."""

    def __init__(self) -> None:
        self.at, self.tally = 0, StepTally()
        self.active: tuple[int, ...] = ()
        self.newest: StepRecord | None = None
        self._bookmarks: dict[int, Bookmark] = {}
        """What was brought up to date last comes last."""
        self._unknown: dict[int, None] = {}
        self._same: dict[tuple[str, str, str], int] = {}
        """By what proposals that are one have in common, the newest that stands for them."""
        self._alike: defaultdict[tuple[str, str], AlikeQuestions] = defaultdict(AlikeQuestions)
        """Of each kind, and of behaviors of each character."""

    def __len__(self) -> int:
        return len(self._bookmarks)

    def __iter__(self) -> Iterator[Bookmark]:
        return iter(self._bookmarks.values())

    def __getitem__(self, number: int) -> Bookmark:
        return self._bookmarks[number]

    @property
    def next_number(self) -> int:
        return len(self._bookmarks) + 1

    def fits(self, record: StepRecord) -> bool:
        """Whether a record can be that of the next step: it names what there is, and goes on from there."""
        if record.at < self.at:
            return False
        found: dict[int, Bookmark] = {}
        known, begun = ChainMap(found, self._bookmarks), set[int]()
        for change in record.changes:
            if change.begun is not None:
                if change.number in known:
                    return False
                begun.add(change.number)
            if not is_sound(change, known, record.at):
                return False
            found[change.number] = applied(change, known, record.at)
        next_ones = range(self.next_number, self.next_number + len(begun))
        return begun == set(next_ones) and all(number in known for number in record.active)

    def take(self, record: StepRecord) -> None:
        """The next step."""
        for bookmark in self.changed(record).values():
            self._put(bookmark)
        self.at, self.newest, self.active = record.at, record, record.active
        self.tally.join(StepTally.of(record))

    def changed(self, record: StepRecord) -> dict[int, Bookmark]:
        """The bookmarks as they are after the next step, by their numbers, as far as it changes them."""
        found: dict[int, Bookmark] = {}
        known = ChainMap(found, self._bookmarks)
        for change in record.changes:
            found[change.number] = applied(change, known, record.at)
        return found

    def candidates(self, asked: Proposal, best: int = BEST) -> list[Bookmark]:
        """Those of its kind that share most words with a proposal, of equal ones the newest; of behaviors
        those of the same character. Before all that one which asks the very same: it has few words, and
        in a name that is in many questions all of them may be shared by newer ones."""
        alike = self._alike[asked.kind, asked.character]
        found = alike.best(frozenset(terms(asked.question)), best)
        if same := self._same.get(asked.same):
            found = [same, *(number for number in found if number != same)][:best]
        return [self._bookmarks[number] for number in found]

    def near(self, at: int, who: str, within: int = NEAR) -> list[Bookmark]:
        """Those that were brought up to date a few lines before a position, the newest first; of
        behaviors those of a character alone."""
        some: list[Bookmark] = []
        for one in reversed(self._bookmarks.values()):
            if at - one.synced > within:
                break
            if is_of(one, who):
                some.append(one)
        return some

    def last(self, *, near: bool = True) -> StepTaken | None:
        """The newest step, as who took it has it."""
        if self.newest is None:
            return None
        beside = self.near(self.at, self.newest.who) if near else ()
        return StepTaken(self.newest, tuple(self[one] for one in self.active), tuple(beside))

    def fruitless(self, most: int) -> tuple[str, ...]:
        """The questions that could not be answered, the newest last."""
        newest = list(islice(reversed(self._unknown), most))
        return tuple(self[number].question for number in reversed(newest))

    def _put(self, bookmark: Bookmark) -> None:
        if bookmark.number not in self._bookmarks:
            asked = bookmark.asked
            self._same[asked.same] = bookmark.number
            stems = frozenset(terms(asked.question))
            self._alike[asked.kind, asked.character].add(bookmark.number, stems)
        self._bookmarks.pop(bookmark.number, None)
        self._bookmarks[bookmark.number] = bookmark
        self._unknown.pop(bookmark.number, None)
        if not bookmark.answer.known:
            self._unknown[bookmark.number] = None


def is_of(bookmark: Bookmark, who: str) -> bool:
    """Whether a bookmark is of use to who acts now: behaviors of others are not."""
    return bookmark.kind != "behavioral" or bookmark.asked.character == who
