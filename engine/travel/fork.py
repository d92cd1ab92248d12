"""What if: a world that goes on from another's past, with something changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.errors import BadQuestion
from whoknew.engine.travel.rehearing import Rehearing, heard_otherwise, last_of, rehearings
from whoknew.eventlog import Draft, Event, Log
from whoknew.eventlog.cursor import AtSeq, When
from whoknew.eventlog.kinds import (
    Acted,
    EpisodeClosed,
    EpisodeOpened,
    GoalGiven,
    Kind,
    Narrated,
    Remembered,
    TellingFound,
    TellingsSought,
    Traced,
    WorldForked,
)
from whoknew.eventlog.story import of_story
from whoknew.worlds.hearing import moved

SOURCE = "what-if"
"""What the events that a fork was given have for their `source`: nobody played them."""

WORDS: Mapping[type[Kind], str] = {
    Acted: "text",
    Narrated: "text",
    Traced: "text",
    Remembered: "text",
    GoalGiven: "goal",
    EpisodeOpened: "scenario",
}
"""The kinds that can be replaced, each with the field that holds its words."""


class Changes(Struct, frozen=True):
    """What is to be otherwise: what somebody is told, or wants from now on; or an earlier event
    with other words, all that came after it as it was. `about` are the earlier events that the new
    words tell of: what the old ones told is not told any more. Or who `heard` an event, each with its
    seq, and who did not."""

    tell: tuple[tuple[str, str], ...] = ()
    goal: tuple[tuple[str, str], ...] = ()
    replace: tuple[int, str] | None = None
    about: tuple[int, ...] = ()
    heard: tuple[tuple[int, str], ...] = ()
    unheard: tuple[tuple[int, str], ...] = ()


class Forked(Struct, frozen=True):
    """A fork: `shared` events of its parent's, then `given` ones that nobody played."""

    world: str
    parent: str
    shared: int
    given: int


async def fork(
    log: Log,
    world: str,
    at: When | None = None,
    *,
    name: str | None = None,
    changes: Changes | None = None,
) -> Forked:
    """Begin another world as all that this one was at a cursor, with the changes made."""
    changes = changes or Changes()
    changed = rehearings(changes.heard, changes.unheard)
    if changed:
        at = await _heard_until(log, world, at, changes, changed)
    cursor = await log.cursor(world, _moment(at, changes))
    copied: list[tuple[int, Draft]] = []
    shared = cursor.seq
    if changes.replace is not None:
        shared = changes.replace[0] - 1
        copied += await _replaced(log, world, changes, *changes.replace, cursor.seq)
    elif changed:
        shared = changed[0].seq - 1
        copied += await heard_otherwise(log, world, changed, cursor.seq)
    elif changes.about:
        raise BadQuestion("`about` says what a replaced event tells of: say which (`replace`)")
    copied = [one for one in copied if not isinstance(one[1].body, WorldForked)]
    given = await _given(log, world, cursor.seq, changes)
    child = name or await _free(log, f"{world}-what-if")

    def drafts(first: int) -> list[Draft]:
        own = [*moved(copied, shared, first - 1), *given]
        return [replace(one, source=SOURCE) for one in own]

    await log.fork(world, child, f"#{shared}", drafts)
    return Forked(child, world, shared, len(copied) + len(given))


async def _heard_until(
    log: Log, world: str, at: When | None, changes: Changes, changed: Sequence[Rehearing]
) -> When:
    """Up to where a fork goes in which people heard otherwise: as far as it can, where nobody says."""
    if changes.replace is not None:
        raise BadQuestion(
            "change either the words (`replace`) or who heard them, and then fork again"
        )
    last = await last_of(log, world, changed)
    if at is None:
        return f"#{last}"
    wanted = (await log.cursor(world, at)).seq
    first = changed[-1].seq
    if not first <= wanted <= last:
        ends = f"at #{last} alone" if first == last else f"anywhere from #{first} to #{last}"
        raise BadQuestion(
            f"the fork of {world!r} can end {ends}, and not at #{wanted}: what was played after #{last} was decided by people who had heard it so"
        )
    return at


def _moment(at: When | None, changes: Changes) -> When:
    if at is not None:
        return at
    return "end" if changes.replace is None else f"#{changes.replace[0]}"


async def _replaced(
    log: Log, world: str, changes: Changes, seq: int, text: str, upto: int
) -> list[tuple[int, Draft]]:
    """An event with other words, and those after it as they were, each with its seq there. What was
    found of tellings goes along, but for what rests on the words that are replaced."""
    if not 1 < seq <= upto:
        which = f"name one of 2-{upto}" if upto > 1 else "it stands on its first event, which stays"
        raise BadQuestion(f"#{seq} cannot be replaced in {world!r} at #{upto}: {which}")
    events = await (await log.director(world, f"#{upto}")).events(seq - 1)
    first, *others = events
    field = WORDS.get(type(first.body))
    if field is None:
        kind = first.body.__struct_config__.tag
        raise BadQuestion(
            f"#{seq} of {world!r} is of kind {kind}, which has no words to replace: take a speech, "
            "an action, a narration, a goal or a memory"
        )
    if wrong := [other for other in changes.about if not 0 < other < seq]:
        raise BadQuestion(
            f"#{seq} of {world!r} cannot tell of #{wrong[0]}: name earlier events, 1-{seq - 1}"
        )
    body = msgspec.structs.replace(first.body, **{field: text})
    new = replace(first.draft, body=body, about=changes.about)
    later = await log.lineage.all_tellings(world, upto)
    return [
        (seq, new),
        *((one.seq, one.draft) for one in others if _goes_along(one, seq, upto)),
        *((one.seq, one.draft) for one in later if _is_found(one) and _goes_along(one, seq, upto)),
    ]


def _goes_along(event: Event, replaced: int, upto: int) -> bool:
    """Whether an event is still so where another was replaced."""
    if isinstance(event.body, TellingFound):
        return replaced < (event.cause or 0) <= upto and event.body.fact != replaced
    return not isinstance(event.body, TellingsSought)


def _is_found(event: Event) -> bool:
    return isinstance(event.body, TellingFound)


async def _given(log: Log, world: str, upto: int, changes: Changes) -> list[Draft]:
    """What somebody is told, or wants, at that point of the episode which is going on, or has just
    been."""
    if not changes.tell and not changes.goal:
        return []
    for who, text in (*changes.tell, *changes.goal):
        if not text.strip():
            raise BadQuestion(f"nothing is said to {who}: give the words, as 'It rains.'")
    marked = await log.landmarks(world, upto)
    bounds = [one for one in marked if isinstance(one.body, EpisodeOpened | EpisodeClosed)]
    if not bounds or (changes.goal and isinstance(bounds[-1].body, EpisodeClosed)):
        raise BadQuestion(
            f"no episode is going on in {world!r} at #{upto}, so nobody can be "
            f"{'given a goal' if changes.goal else 'told anything'}: take a cursor within one, "
            "such as E2.T3"
        )
    episode = bounds[-1].episode
    turn = await _turn(log, world, upto, episode)
    told = [(who, Narrated(text)) for who, text in changes.tell]
    wanted = [(who, GoalGiven(who, text)) for who, text in changes.goal]
    drafts: list[Draft] = []
    for who, body in (*told, *wanted):
        view = await log.view(world, who, f"#{upto}")
        given = Draft(body, episode=episode, turn=turn, witnesses=(view.character,))
        drafts.append(given)
    return drafts


async def _turn(log: Log, world: str, upto: int, episode: int) -> int:
    """Which turn of an episode had been reached."""
    async for event in log.read(world, upto=AtSeq(upto), backward=True):
        if of_story(event):
            return event.turn if event.episode == episode else 0
    return 0


async def _free(log: Log, name: str) -> str:
    taken = {one.name for one in await log.worlds()}
    names = [name, *(f"{name}-{number}" for number in range(2, len(taken) + 3))]
    return next(one for one in names if one not in taken)
