"""A person in a character's seat: shown what the character perceives, and asked what it does."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import ClassVar, Protocol

from whoknew.agents.actiontext import action_at
from whoknew.agents.agent import Action, Agent, AgentEntry, AgentSeat, Moment, Note
from whoknew.agents.errors import BadAction
from whoknew.agents.life import Life
from whoknew.agents.lines import line, things

HELP = """\
What you write is said to everybody here. Lines that begin with / do other things:
  /whisper NAME: words        /do what you do          /gesture what you show
  /think a thought            /leave [PLACE]           /pass (do nothing)
  /sleep                      /wake NAME
  /offer NAME: 2 book; NAME: 1 hat | words             /agree [words]
And to look around:  /who  who is here, and where you can go
                     /memory WORDS  what you know of it      /help
End a line with the number of what you pass on: Oda paid for it. [12]
To stop, press Ctrl-D: the same command goes on later, with this turn."""
"""The help that a person in a seat is shown: what can be typed is in `actiontext.py`."""


MEANT_FOR_US = frozenset(("help", "?", "quit", "exit"))
"""What is said as any other words are, and is rarely meant to be."""


class Console(Protocol):
    """Where people read and answer: one at a time, each of whom may have secrets from the others."""

    def expect(self, who: str) -> None:
        """One who is going to sit there."""

    def sitting(self, who: str) -> AbstractAsyncContextManager[None]:
        """It is theirs for as long as that: what is written is read by nobody else."""
        ...

    async def read(self, prompt: str) -> str: ...

    def write(self, text: str) -> None: ...


class Human(Agent):
    def __init__(self, who: str, console: Console) -> None:
        self._who, self._console = who, console
        self._read, self._write = console.read, console.write
        self._life = Life(who)
        self._doubted = ""
        """The word of which it was told that it would be said aloud."""
        console.expect(who)

    async def act(self, moment: Moment) -> Action:
        async with self._console.sitting(self._who):
            await self._show(moment)
            while True:
                text = (await self._read(f"{self._who}> ")).strip()
                if await self._looked(text, moment) or self._doubts(text):
                    continue
                try:
                    return action_at(moment, text, self._life.whereabouts)
                except BadAction as error:
                    self._write(f"  That cannot be done: {error}")

    async def remember(self, moment: Moment) -> tuple[Note, ...]:
        """What came after one's own last turn; people remember by themselves."""
        async with self._console.sitting(self._who):
            await self._show(moment)
            self._write("--- The episode is over.")
            return ()

    async def _show(self, moment: Moment) -> None:
        """What has been perceived since one was last asked."""
        life = self._life
        seen, episodes = life.upto, len(life.episodes)
        await life.catch_up(moment.view)
        if len(life.episodes) > episodes:
            self._introduce(moment)
        for place, event in enumerate(await moment.view.events(seen), start=seen + 1):
            if event.episode and (told := line(place, event)):
                self._write(f"  {told}")

    def _introduce(self, moment: Moment) -> None:
        episode = self._life.now
        assert episode is not None
        self._write(f"\n--- You are {self._life.myself or f'{self._who}.'}")
        self._write(f"--- {episode.scenario}")
        if episode.goal:
            self._write(f"--- What you want: {episode.goal}")
        if episode.pool:
            self._write(f"--- To be divided: {things(episode.pool)}")
            worth = ", ".join(f"{item} {points}" for item, points in episode.worth.items())
            self._write(f"--- Worth to you, in points each: {worth or 'nothing'}")
        self._write(f"--- {_around(moment)} /help says what you can do.")

    async def _looked(self, text: str, moment: Moment) -> bool:
        """Whether one only looked around, which takes no turn."""
        command, _, rest = text.partition(" ")
        match command:
            case "":
                self._write("  (to do nothing, write /pass)")
            case "/help":
                self._write(HELP)
            case "/who":
                self._write(f"  {_around(moment)}")
            case "/memory":
                for found in await moment.view.recall(rest, 5, own=True):
                    self._write(f"  [{found.place}] {found.text}")
            case _:
                return False
        return True

    def _doubts(self, text: str) -> bool:
        """Whether this may be meant for us: written once more, it is said."""
        word = text.casefold()
        doubts = word in MEANT_FOR_US and word != self._doubted
        self._doubted = word if doubts else ""
        if doubts:
            self._write(
                f"  {self._who} would say that aloud: write it once more if that is meant. "
                "/help says what you can do; Ctrl-D stops."
            )
        return doubts


def _around(moment: Moment) -> str:
    """Who is here, where that is, and where one can go from there."""
    told = [f"With you: {', '.join(moment.present) or 'nobody'}."]
    if moment.place:
        told.append(f"You are at: {moment.place}.")
    if moment.exits:
        told.append(f"You can go to: {', '.join(moment.exits)}.")
    return " ".join(told)


class HumanEntry(AgentEntry, frozen=True):
    """a person, at this terminal or in a browser"""

    by_person: ClassVar[bool] = True

    def make(self, seating: AgentSeat) -> Agent:
        return seating.person()
