"""One life with one memory, as far as it was folded: of a character, or of who has witnessed all."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Protocol, TypeVar

from whoknew.agents.agent import Note, noted
from whoknew.agents.answering import FoldedLife
from whoknew.agents.life import Life
from whoknew.agents.memories.life_extent import LifeExtent, is_act
from whoknew.agents.memories.memory import Memory, Occasion, Recollection
from whoknew.agents.mind import going_on
from whoknew.agents.models.model import Model
from whoknew.agents.parts import Owner
from whoknew.engine.exams.arms import ExamMemory
from whoknew.engine.exams.noted_life import NotedLife
from whoknew.engine.exams.steps import Steps
from whoknew.engine.exams.story_bookmarks import StoryBookmarks, StoryBookmarksEntry
from whoknew.engine.exams.whole_story import NOBODY, Story
from whoknew.engine.registry import CONTROLS
from whoknew.eventlog import Event, View
from whoknew.eventlog.kinds import Remembered
from whoknew.eventlog.machinery import MemoryDerived

T = TypeVar("T")

PAGE = 100


class LivedThrough(Protocol):
    """What a life is folded from: a view, or what is read as one is."""

    def __len__(self) -> int: ...

    async def events(self, after: int = 0, upto: int | None = None) -> list[Event]: ...


class RememberedLife:
    """Folded up to the event `last`. So many `users` wait for more of it."""

    def __init__(self, memory: ExamMemory, world: str, who: str, past: FoldedLife) -> None:
        self.users = self.last = self._acts = 0
        self.memory, self.noted = memory, NotedLife(world, who)
        self._past, self._steps, self._taken = past, Steps(), 0
        self._stepped: list[str] = []
        """Whose steps before the next event are taken."""
        self._wrote = False
        """Whether its character kept something of this stretch itself, while it was played."""
        self._turn = asyncio.Lock()

    @property
    def length(self) -> LifeExtent:
        """As far as it was folded."""
        return LifeExtent(events=self._taken, acts=self._acts)

    def key(self, who: str) -> tuple[str | int, ...]:
        """What tells a step that somebody takes now from all others with the same memory."""
        return (self.noted.world, who, self.last)

    async def go_on(
        self,
        lived: LivedThrough,
        kept: Callable[[RememberedLife, str], Awaitable[Sequence[MemoryDerived]]],
    ) -> None:
        """Up to the end of what was lived: one step at a time, so that who needs no more has not to wait
        for who needs all of it. `kept` tells what somebody's step leaves."""
        while self._taken < len(lived):
            async with self._turn:
                await self._go_on(lived, kept)

    async def remember(self, who: str, model: Model) -> Sequence[Note]:
        """What the memory keeps of a step that somebody takes now."""
        view, what = self.noted.whole(), "before_turn" if self.memory.before_turns else "remember"

        async def remember(life: Life, memory: Memory) -> Sequence[Note]:
            now = Occasion(view=view, life=self._own(life, who), model=model, about=going_on(life))
            return noted(memory, what, await getattr(memory, what)(now), view)

        return await self._past.upto(view, remember)

    async def _go_on(
        self,
        lived: LivedThrough,
        kept: Callable[[RememberedLife, str], Awaitable[Sequence[MemoryDerived]]],
    ) -> None:
        for event in await lived.events(self._taken, self._taken + PAGE):
            number = self._steps.number(event)
            over = self._over(event, number)
            for who in over:
                if not self._wrote and who not in self._stepped:
                    for note in await kept(self, who):
                        self.noted.note(note)
                    self._stepped.append(who)
            self._wrote = self._wrote and not over
            self._take(event, number)
            if over:
                return

    def _own(self, life: Life, who: str) -> Life:
        """The life of who takes a step."""
        return life

    def _is_act(self, event: Event) -> bool:
        """Whether it is an act of whose habits may be asked."""
        return is_act(event, self.noted.who)

    def _over(self, event: Event, number: int) -> Sequence[str]:
        """Whose steps end before this event."""
        who = self.noted.who
        if self.memory.before_turns:
            return (who,) if who in self._steps.turns(event) else ()
        return (who,) if self._steps.ends_before(number) else ()

    def _take(self, event: Event, number: int) -> None:
        self._steps.take(event, number)
        self._taken, self.last = self._taken + 1, event.seq
        self._stepped.clear()
        if isinstance(event.body, Remembered) and event.body.owner == self.noted.who:
            self._take_note(event, event.body, number)
            return
        self.noted.add(event, number)
        self._acts += self._is_act(event)

    def _take_note(self, event: Event, note: Remembered, number: int) -> None:
        """What its character kept itself, while it was played, counts for its episode. But what is kept
        before each turn goes on from what was kept before: by whatever settings and model. There it is
        left out, and all of it is derived by those of this memory."""
        if self.memory.before_turns:
            self.noted.leave_out()
            return
        self.noted.add(event, number)
        self._wrote |= self.memory.keeps in ("", note.strategy)


class StoryLife(RememberedLife):
    """The life of who has witnessed the whole story: a step is taken in it for each of the cast, in one
    bank for all. It can be asked by whom something comes to mind of it."""

    def __init__(self, memory: ExamMemory, world: str, story: Story) -> None:
        seat = memory.seat
        settings = seat.settings.get(seat.memory, {})
        entry: StoryBookmarksEntry = CONTROLS.made(seat.memory, settings)
        owner = Owner(who=NOBODY, reasks=seat.reasks)
        super().__init__(memory, world, NOBODY, FoldedLife(lambda: entry.make(owner)))
        self._asked = FoldedLife(lambda: entry.make(owner))
        """Apart from that of the steps, which are at another place of it."""
        self.story, self._cast = story, story.cast(entry.stepping)

    def key(self, who: str) -> tuple[str | int, ...]:
        return (*super().key(NOBODY), who)

    async def told(
        self, view: View, question: str, model: Model, budget: int | None
    ) -> Recollection:
        """What comes to mind of it, up to the end of somebody's view, to who has that view."""

        def seen(places: Iterable[int]) -> tuple[int, ...]:
            return tuple(place for seq in self.noted.behind(places) if (place := view.place(seq)))

        return await self.asked(
            view, question, model, budget, lambda memory, now: memory.told(now, seen)
        )

    async def asked(
        self,
        view: View,
        question: str,
        model: Model,
        budget: int | None,
        use: Callable[[StoryBookmarks, Occasion], Awaitable[T]],
    ) -> T:
        """What comes of the story's bookmarks, up to the end of a view, where its owner is asked."""
        upto = self.noted.view(len(self.story.upto(view.cursor.seq)))
        now = Occasion(
            view=upto,
            life=self.story.life(view.character),
            model=model,
            about=question,
            question=question,
            budget=budget,
        )

        async def come(_: Life, memory: Memory) -> T:
            assert isinstance(memory, StoryBookmarks)
            return await use(memory, now)

        return await self._asked.upto(upto, come)

    def _own(self, life: Life, who: str) -> Life:
        return self.story.life(who)

    def _is_act(self, event: Event) -> bool:
        """Of whose habits may be asked, in one bank for all: of anybody's."""
        return True

    def _over(self, event: Event, number: int) -> Sequence[str]:
        return [who for who in self._steps.turns(event) if who in self._cast]

    def _take(self, event: Event, number: int) -> None:
        super()._take(event, number)
        self._cast.take(event)
