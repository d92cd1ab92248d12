"""A person in a character's seat: shown what the character perceives, and asked what it does."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import ClassVar, Protocol

from whoknew.agents import briefing
from whoknew.agents.actiontext import COMMANDS, action_at
from whoknew.agents.agent import Action, Agent, AgentEntry, AgentSeat, Moment, Note
from whoknew.agents.dealing import check_dealing
from whoknew.agents.errors import BadAction
from whoknew.agents.life import Life, Lived
from whoknew.agents.lines import line, things
from whoknew.agents.sections import Turn

HELP = """\
What you write is said to everybody here. Lines that begin with / do more:
  /whisper NAME: words        /do what you do          /gesture what you show
  /think a thought            /leave [PLACE]           /pass (do nothing)
  /sleep                      /wake NAME
  /offer NAME: 2 book; NAME: 1 hat | words             /agree [words]
And to look around:  /who  who is here, and where you can go
                     /memory WORDS  what you know of it      /help
End a line with the number of what you pass on: Oda paid for it. [12]
To stop, press Ctrl-D: the same command goes on later, with this turn."""
"""The help that a person in a seat is shown: what can be typed is in `actiontext.py`."""


MEANT_FOR_US = frozenset((*COMMANDS, "who", "memory", "help", "?", "quit", "exit"))
"""What is said as any other word is without a slash, and is rarely meant to be."""


class Console(Protocol):
    """Where people read and answer: one at a time, each of whom may have secrets from the others."""

    def expect(self, who: str) -> None:
        """One who is going to sit there."""

    def sitting(self, who: str) -> AbstractAsyncContextManager[None]:
        """It is theirs for as long as that: what is written is read by nobody else."""
        ...

    def release(self, reason: str) -> None:
        """Nobody is waited for any more: what is to be read, now or later, is Suspended."""

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
                    action = action_at(moment, text, self._life.whereabouts)
                    await check_dealing(action, moment)
                    return action
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
        if life.now and len(life.episodes) > episodes:
            self._introduce(moment, life.now)
            seen = life.now.first - 1  # of those before, whoever sits down again was told
        for place, event in enumerate(await moment.view.events(seen), start=seen + 1):
            if event.episode and (told := line(place, event)):
                self._write(f"  {told}")

    def _introduce(self, moment: Moment, episode: Lived) -> None:
        self._write(f"\n--- You are {self._life.myself or f'{self._who}.'}")
        self._write(f"--- {episode.scenario}")
        if episode.goal:
            self._write(f"--- What you want: {episode.goal}")
        if episode.pool:
            self._write(f"--- To be divided: {things(episode.pool)}")
            worth = ", ".join(f"{item} {points}" for item, points in episode.worth.items())
            self._write(f"--- Worth to you, in points each: {worth or 'nothing'}")
        self._write(f"--- {self._around(moment, episode)} /help says what you can do.")

    async def _looked(self, text: str, moment: Moment) -> bool:
        """Whether one only looked around, which takes no turn."""
        command, _, rest = text.partition(" ")
        match command.casefold():
            case "":
                self._write("  (to do nothing, write /pass)")
            case "/help":
                self._write(HELP)
            case "/who":
                self._who_is_here(moment)
            case "/memory":
                found = await moment.view.recall(rest, 5, own=True) if rest.strip() else []
                for one in found:
                    self._write(f"  [{one.place}] {one.text}")
                if not found:
                    self._write("  (nothing comes to mind: write /memory and a word or two of it)")
            case _:
                return False
        return True

    def _who_is_here(self, moment: Moment) -> None:
        """Where one is, and what one knows of those who are there."""
        assert self._life.now is not None
        self._write(f"  {self._around(moment, self._life.now)}")
        for one in briefing.others(self._life):
            if one.name in moment.present:
                self._write(f"  {briefing.known(one)}")

    def _around(self, moment: Moment, episode: Lived) -> str:
        """What a model is told of it, and where one can go from there."""
        told = briefing.surroundings(briefing.now(self._life, moment, episode))
        if moment.exits:
            told.append(f"You can go to: {', '.join(moment.exits)}.")
        left = briefing.turns_left(Turn(moment.turns_left, moment.all_counted))
        return f"{' '.join(told)}{left}"

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


class HumanEntry(AgentEntry, frozen=True):
    """a person, at this terminal or in a browser"""

    by_person: ClassVar[bool] = True

    def make(self, seating: AgentSeat) -> Agent:
        return seating.person()
