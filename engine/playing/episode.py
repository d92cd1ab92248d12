"""An episode, played turn by turn: who acts now, moment, action, witnesses, append, over?

All that a turn depends on is on the log: killed anywhere, it goes on at the same turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Literal

from msgspec import Struct

from whoknew.agents.agent import Action, Moment, Note, check, noted
from whoknew.agents.errors import BadAction, BadAnswer, BadReply, GivesAway
from whoknew.agents.mind import Mind
from whoknew.agents.parts import awaited, given
from whoknew.engine.errors import BeingPlayed, LimitReached, Suspended
from whoknew.engine.playing.case import Ending
from whoknew.engine.playing.chain_run import ChainRun
from whoknew.engine.playing.moments import moment_of
from whoknew.engine.playing.panel import Verdicts
from whoknew.engine.playing.panel import drafts as reviews
from whoknew.engine.playing.settling import settle_all
from whoknew.engine.playing.spent import AT_EPISODES, at_characters
from whoknew.eventlog import Draft
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.errors import LogError
from whoknew.eventlog.kinds import Acted, EpisodeOpened, Failed, Kind, Remembered
from whoknew.worlds import beginning
from whoknew.worlds.drafting import Drafting
from whoknew.worlds.errors import OffStage
from whoknew.worlds.meeting import Known, Learnt, Meetings
from whoknew.worlds.scene import ATTEMPT, Scene
from whoknew.worlds.setting import Scenario
from whoknew.worlds.stops import Stop, agreed, asleep, stale, too_few, turn_limit
from whoknew.worlds.turns import ORDERS


class Missing(Struct, frozen=True):
    """An action or a memory that could not be had, and why: what was said makes no sense, or a limit
    forbids to ask. `stops`: the plan says to stop there."""

    why: str
    asked: bool = True
    stops: bool = False


Outcome = Action | Missing


class Episode:
    """One episode of a chain. Its scene is the one that stands."""

    def __init__(
        self, run: ChainRun, scenario: Scenario, scene: Scene, begins: int, meetings: Meetings
    ) -> None:
        self._run, self._scenario, self._scene = run, scenario, scene
        self._opened_seq, self._meetings = begins, meetings
        self._met: int | None = None
        """Up to which of the scene's comings and goings all have met."""
        self._read = 0
        """How many of the episode's texts were looked through for who is named in them."""
        self._turns = ORDERS[scene.opened.order]
        self._stop = _stops(scene.opened, scenario)
        self._exits = scenario.exits
        self._pace = timedelta(seconds=run.rules.pace)
        """How story time goes on: so long after each turn is the next."""

    async def play(self) -> None:
        """Go on to the end of the episode, from wherever it stands. Whatever keeps it from that, an
        answer that came is on the log: it was paid for (law 6)."""
        try:
            await self._close(await self._end())
        except asyncio.CancelledError:
            with suppress(LogError, BeingPlayed):  # it ends, also where nothing can be written
                await self._run.log.save_held()
            raise
        except Exception:
            await self._run.log.save_held()
            raise

    async def _end(self) -> str:
        """Play its turns; why it is over then. A limit may end it within a turn, too."""
        try:
            while (reason := self._over()) is None:
                await self._turn()
            return reason
        except LimitReached as reached:
            return _at_limit(str(reached))

    def _over(self) -> str | None:
        """Why it is over: only between turns."""
        if not self._scene.done:
            return None
        reached = self._run.allowance.episode_limit()
        return self._stop(self._scene) or (_at_limit(reached) if reached else None)

    async def _turn(self) -> None:
        scene, run = self._scene, self._run
        await run.allowance.going_on()
        done = scene.done
        at = scene.now + self._pace if done else scene.now  # what is under way keeps its time
        if done and (drafts := self._turnings(at)):
            await run.log.append(drafts)
            return
        await self._meet()
        turn = scene.turn + 1 if scene.played else scene.turn
        actors = self._turns(scene, run.rules.seed)
        moments = await self._moments(actors, turn, at)
        run.ledger.begin(scene.number, turn, at, alone=len(actors) == 1)
        outcomes = await settle_all([self._ask(who, moments[who]) for who in actors])
        await self._check_usable("gave no action that can be used", actors, outcomes, turn, at)
        drafting = Drafting(scene, turn, at)
        for who, outcome in zip(actors, outcomes, strict=True):
            _perform(drafting, who, outcome, moments[who])
        await run.log.append(drafting.drafts)
        passed_over, failed = 0, [type(draft.body) for draft in drafting.drafts].count(Failed)
        if failed:
            passed_over = sum([type(one) is Missing and not one.asked for one in outcomes])
        run.allowance.count("turns", len(actors) - passed_over, failed - passed_over)

    async def _moments(self, actors: Sequence[str], turn: int, at: datetime) -> dict[str, Moment]:
        """The moments of those who act now, when they have kept what they want to keep before. On the
        log already, it is not kept again."""
        run = self._run
        moments = {who: await self._moment(who) for who in actors}
        keeping = [who for who in actors if self._wants(who)]
        if not keeping:
            return moments
        run.ledger.begin(self._scene.number, turn, at, alone=False, occasion="before_turn")
        kept = await settle_all([self._keep(who, moments[who]) for who in keeping])
        await self._check_usable("has nothing to keep before its turn", keeping, kept, turn, at)
        drafts = self._notes(keeping, kept, turn, at)
        if not drafts:
            return moments
        await run.log.append(drafts)
        return {who: await self._moment(who) for who in actors}

    def _wants(self, who: str) -> bool:
        run = self._run
        return (
            run.agents[who].keeps_before_turns
            and who not in run.state.kept_before_turn
            and not run.allowance.character_limit(who)
        )

    async def _meet(self) -> None:
        """All who are here now have seen each other, and know of those who were named to them."""
        described = self._run.state.described
        if described is None or not self._meetings.to_come:
            return
        if self._met != self._scene.moves:
            await self._describe(self._meetings.in_sight(self._scene, described), described)
            self._met = self._scene.moves
        await self._tell()

    async def _tell(self) -> None:
        """Those who were named are described to whoever heard or read it."""
        texts, described = self._run.state.texts, self._run.state.described
        if described is None or not self._meetings.to_come:
            return
        if self._read < len(texts):
            if named := list(self._meetings.named(texts[self._read :], described)):
                await self._describe(named, described)
            self._read = len(texts)

    async def _describe(self, learnt: Iterable[Learnt], described: Known) -> None:
        if drafts := self._meetings.drafts(self._scene, learnt, described):
            await self._run.log.append(drafts)

    def _turnings(self, at: datetime) -> list[Draft]:
        """What the scenario lets happen before the next turn; when too few are here to go on, or
        nobody does anything any more, what it lets happen next."""
        scene = self._scene
        coming = self._scenario.coming(scene.turn)
        if not coming:
            return []
        limit = scene.opened.stale_limit
        idle = (
            not scene.awake
            or len(scene.present) < 2
            or (limit is not None and scene.stale >= limit)
        )
        turn = min(one.turn for one in coming) if idle else scene.turn + 1
        drafting = Drafting(scene, turn, at)
        for one in coming:
            if one.turn == turn:
                drafting.turning(one, self._scenario.text)
        return drafting.drafts

    async def _ask(self, who: str, moment: Moment) -> Outcome:
        """An action that can be done, or why there is none."""
        if reached := self._run.allowance.character_limit(who):
            return _passed_over(who, reached)
        try:
            agent = self._run.agents[who]
            action = await awaited(agent.act, moment)
            if (
                type(agent) is not Mind
            ):  # which gives a copy of what others gave it, and looks itself
                action = given(agent, "act", action, Action)
                check(action, moment)
        except (BadAnswer, BadAction, BadReply) as error:
            return Missing(str(error), stops=isinstance(error, GivesAway) and error.stops)
        except LimitReached as reached_now:
            if reached_now.scope != "character":
                raise
            return _passed_over(who, str(reached_now))
        return action

    async def _check_usable(
        self,
        what: str,
        people: Sequence[str],
        outcomes: Sequence[object],
        turn: int,
        at: datetime,
    ) -> None:
        """Where the plan would rather stop than go on without, it is written down who made no
        sense: when the chain goes on they are asked anew, and nobody else is."""
        if Missing not in map(type, outcomes):
            return  # as nearly always
        suspend = self._run.rules.when_bad == "suspend"
        bad = {
            who: one.why
            for who, one in zip(people, outcomes, strict=True)
            if isinstance(one, Missing) and one.asked and (suspend or one.stops)
        }
        if bad:
            number = self._scene.number
            drafts = [
                Draft(Failed(ATTEMPT, why), at=at, episode=number, turn=turn, actor=who)
                for who, why in bad.items()
            ]
            await self._run.log.append(drafts)
            raise Suspended("; ".join(f"{who} {what}: {why}" for who, why in bad.items()))

    async def _moment(self, who: str) -> Moment:
        log = self._run.log
        view = await log.log.view(log.world, who, AtSeq(log.state.told))
        return moment_of(self._scene, self._exits, self._opened_seq, view, log.state.version)

    async def _close(self, reason: str) -> None:
        """All remember, each from its own view; it is judged, as what happened stands on the log; and
        then it is over."""
        scene, run = self._scene, self._run
        run.allowance.check()
        await self._tell()
        run.ledger.begin(scene.number, scene.turn, scene.now, alone=False, occasion="remember")
        keeping = [who for who in scene.seats if run.agents[who].keeps_of_episodes]
        kept = await settle_all([self._remember(who) for who in keeping])
        await self._check_usable("has nothing to remember", keeping, kept, scene.turn, scene.now)
        ending = Ending(reason, beginning.shares(scene, self._scenario.worth))
        verdicts = await self._verdicts(ending)
        drafts = self._notes(keeping, kept, scene.turn, scene.now)
        seq = run.log.next_seq + len(drafts)
        drafts += beginning.ending(scene, reason, self._scenario.worth, seq)
        drafts += reviews(verdicts, seq, at=scene.now, episode=scene.number, turn=scene.turn)
        await run.log.append(drafts)
        for judge, verdict in verdicts:
            run.allowance.count(f"reviews by {judge}", 1, verdict.scores is None)

    async def _verdicts(self, ending: Ending) -> Verdicts:
        log, panel = self._run.log, self._run.panel
        if panel is None:
            return []
        return await panel.review(log.log, log.world, self._opened_seq, log.state.told, ending)

    async def _remember(self, who: str) -> list[Kind] | Missing:
        moment = await self._moment(who)
        return await self._noted(who, moment, "remember")

    async def _keep(self, who: str, moment: Moment) -> list[Kind] | Missing:
        try:
            return await self._noted(who, moment, "before_turn")
        except LimitReached as reached:
            if reached.scope != "character":
                raise
            return Missing(str(reached), asked=False)

    async def _noted(
        self, who: str, moment: Moment, when: Literal["before_turn", "remember"]
    ) -> list[Kind] | Missing:
        agent = self._run.agents[who]
        try:
            kept = await awaited(getattr(agent, when), moment)
            notes = noted(agent, when, kept, moment.view)
            return [self._remembered(who, note, moment) for note in notes]
        except (BadAnswer, BadReply) as error:
            return Missing(str(error))

    def _notes(
        self,
        people: Sequence[str],
        kept: Sequence[list[Kind] | Missing],
        turn: int,
        at: datetime,
    ) -> list[Draft]:
        """What each keeps, as events that nobody else witnesses; and what it could not."""
        drafts = list[Draft]()
        for who, notes in zip(people, kept, strict=True):
            for body in [Failed("memory", notes.why)] if isinstance(notes, Missing) else notes:
                witnesses = (who,) if isinstance(body, Remembered) else ()
                drafts.append(
                    Draft(
                        body,
                        at=at,
                        episode=self._scene.number,
                        turn=turn,
                        actor=who,
                        place=None,
                        witnesses=witnesses,
                    )
                )
        return drafts

    def _remembered(self, who: str, note: Note, moment: Moment) -> Kind:
        upto = moment.view.cursor.seq
        sources = _seqs(moment, note.sources)
        return Remembered(who, note.strategy, note.text, sources, upto=upto, packed=note.packed)


def _stops(opened: EpisodeOpened, scenario: Scenario) -> Stop:
    """Rules that know the scenario, and not the episode: which would hold itself up otherwise, when
    it is over, until garbage is collected."""

    def expected(scene: Scene) -> bool:
        return any(one.enters for one in scenario.coming(scene.turn))

    def to_come(scene: Scene) -> bool:
        return bool(scenario.coming(scene.turn))

    stop = agreed() | too_few(2, expected) | asleep(to_come)
    if opened.turn_limit is not None:
        stop |= turn_limit(opened.turn_limit)
    return stop if opened.stale_limit is None else stop | stale(opened.stale_limit, to_come)


def _at_limit(reached: str) -> str:
    return f"{AT_EPISODES}{reached}"


def _passed_over(who: str, reached: str) -> Missing:
    return Missing(f"{at_characters(who)}{reached}", asked=False)


def _perform(drafting: Drafting, who: str, outcome: Outcome, moment: Moment) -> None:
    if isinstance(outcome, Missing):
        drafting.fail(who, outcome.why)
        return
    to = tuple(dict.fromkeys(outcome.to))
    acted = Acted(outcome.text, outcome.act, to, outcome.offer, outcome.agrees)
    try:
        drafting.act(who, acted, _seqs(moment, outcome.refers_to), outcome.goes)
        if outcome.sleeps:
            drafting.become(who, "asleep")
        for name in outcome.wakes:
            drafting.become(name, "awake", by=who)
    except OffStage as error:
        drafting.fail(who, str(error))


def _seqs(moment: Moment, places: Sequence[int]) -> tuple[int, ...]:
    """The seqs at places of a character's own view."""
    return tuple(map(moment.view.seq, dict.fromkeys(places)))
