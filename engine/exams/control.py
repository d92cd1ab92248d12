"""The port to a control: what stands in the place of a memory in an exam of questions, and is none.

A memory is given a view. A control is given an `Insight`: the log of the world as a whole, and what the
right answer rests on. That is another type, which nothing but a control takes; and all that comes of it
is a `Recollection`, words that are put where those of a memory would stand. Controls have a registry of
their own, in which nobody else can put one: a plan that plays, `whoknew ask` and the server look for
memories, and find none by these names.

One that is derived as memories are, `unsafe:bookmarks`, reads a view that nobody has, of a life that
witnessed everything: see `whole_story.py`.

What tells of more than its character's view is called `unsafe:`, and so are the arms that have it: that
is seen in every table, wherever it goes.
"""

from __future__ import annotations

from typing import ClassVar, Protocol

from msgspec import Struct

from whoknew.agents.lines import Line, line
from whoknew.agents.memories.life_extent import LifeExtent
from whoknew.agents.memories.memory import Recollection
from whoknew.agents.parts import Entry
from whoknew.eventlog import Event, Log, View

UNSAFE = "unsafe:"
"""How names begin of controls that leak, and of the arms that have one."""


class Insight(Struct, frozen=True, kw_only=True):
    """All that a control is told of a question: the `material` that its world stands on, the `view` of
    who is asked, which ends at its cursor, what it is `about` in words, the seqs of its `evidence`, and
    the `points` that those show, set by set, where the question says them. What it brings may take so many
    tokens as its `budget`."""

    material: Log
    view: View
    about: str
    evidence: tuple[tuple[int, ...], ...]
    points: tuple[str, ...] = ()
    budget: int | None


class ExamControl(Protocol):
    async def brings(self, insight: Insight) -> Recollection:
        """What is put where a character reads what it remembers."""
        ...


class ControlEntry(Entry, frozen=True):
    """How an exam names a control: its fields are the control's settings."""

    keeps: ClassVar[str] = ""
    model: ClassVar[str] = ""
    keeper: ClassVar[str] = ""
    recalls: ClassVar[tuple[str, ...]] = ()
    calls_a_turn: ClassVar[int] = 0
    calls_an_episode: ClassVar[int] = 0
    vectors_a_turn: ClassVar[int] = 0
    vectors_an_episode: ClassVar[int] = 0
    small: ClassVar[str] = ""
    embedder: ClassVar[str] = ""
    before_turns: ClassVar[bool] = False
    """As memories have it: a control keeps nothing, and asks nobody."""

    def most_calls(self, life: LifeExtent) -> int:
        return 0

    def make(self) -> ExamControl:
        raise NotImplementedError


def is_unsafe(name: str) -> bool:
    """Whether a control, or an arm, tells of more than its character can know."""
    return name.startswith(UNSAFE)


def told(view: View, event: Event) -> Line:
    """An event as it stands in a prompt; without a number, where it is none of the view."""
    place = view.place(event.seq)
    found = line(place or 0, event)
    return found if place else found.worded(found.unnumbered)
