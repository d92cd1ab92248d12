"""What the lines say of the stage where directions are silent: who stands close as others come, who
only withdraws and hears it all, who walks asleep, who talks at the door, who does not hear a ghost.

Each rule takes the steps of a scene and gives them back, with what it found written into them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from msgspec.structs import replace

from whoknew.worlds.importers.play.audience import ABSENT, YOU, Audience
from whoknew.worlds.importers.play.carried import carried_out
from whoknew.worlds.importers.play.direction import Move
from whoknew.worlds.importers.play.people import Mention
from whoknew.worlds.importers.play.sleepers import fallen_asleep
from whoknew.worlds.importers.play.steps import Directed, Spoken, Step, coming, moves_that, names_in
from whoknew.worlds.importers.play.voices import called_in, within
from whoknew.worlds.importers.play.whispers import (
    answered_asides,
    at_the_door,
    ended_asides,
    muttered,
    taken_aside,
)

Steps = list[Step]

_TO_HIDE = re.compile(
    r"\b(?:bestow (?:our|my)sel(?:f|ves)|conceal\w*|overhear|o'erhear|eavesdrop\w*|unseen|arras|"
    r"hear (?:them|him|her) (?:speak|talk)|(?:hide|hid) (?:us|me|you|thee|our|my|your|thy)\w*)\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(r"\b(?:you|thee|us|our\w*|your\w*|thy\w*)\b", re.IGNORECASE)
_WITHDRAW = re.compile(r"\b(?:withdraw|retire|step aside|stand aside)\b", re.IGNORECASE)
_HEARD = re.compile(r"\b(?:heard|overheard|spake|spoke|what \w+(?: \w+)? said)\b", re.IGNORECASE)
_CLOSE = re.compile(
    r"\b(?:(?:stand|keep|lie|be|lurk|sit) (?:you |thou |ye |we |thee )?(?:close|aside|apart|hid)(?! (?:about|around|round|together|with)\b)"
    r"|step aside|couch(?: we|,? ho)|stand by,? and (?:hear|list|mark|note|observe|see|watch)|slink by|let(?:'s| us) (?:stay (?:here |awhile )?till|stand aside|step aside|retire|withdraw|hide)"
    r"|close, in the name|shroud (?:us|me|our|my)\w*|(?:in|lie in) ambush)\b",
    re.IGNORECASE,
)
_I_HIDE = re.compile(
    r"\b(?:I am invisible|I(?:'ll| will) (?:hide|overhear|stand (?:aside|apart|close)|withdraw))\b",
    re.IGNORECASE,
)
_SOFT = re.compile(r"\bsoft\b", re.IGNORECASE)
_ABOVE = re.compile(r"\b(?:above|aloft|window|balcony)\b", re.IGNORECASE)
_ASLEEP = re.compile(
    r"\b(?:(?:fast|sound) asleep|sleep-?walk\w*|walks? in (?:his|her) sleep|sense (?:is|are) shut)\b",
    re.IGNORECASE,
)
_SPIRIT = re.compile(r"\b(?:ghost|spirit|apparition|vision|shade)\b", re.IGNORECASE)
_PERCEIVE = re.compile(r"\b(?:see|hear|look)\b(?:(?!\b(?:see|hear|look)\b)[^.!])*\?", re.IGNORECASE)
_NOTHING = re.compile(r"^(?:no|nothing|not? \w+)\b", re.IGNORECASE)
_ALONE = re.compile(r"\bI(?:'ll| will) (?:go )?(?:in )?alone\b", re.IGNORECASE)

_NEAR = 12
"""Steps that are looked at for what was said just before or after."""

_FOLLOWED = 5
"""Steps between those who come or go and one who follows."""


def with_lines(steps: Steps) -> Steps:
    """The steps of a scene with what its lines say of who is where."""
    for rule in _RULES:
        steps = list(rule(steps))
    return steps


def _following(steps: Steps) -> Iterator[Step]:
    """Whoever follows comes with those who came just before, or goes with those who went."""
    doing, since = "", 0
    for at, step in enumerate(steps):
        if not isinstance(step, Directed):
            yield step
            continue
        moves: list[Move] = []
        for move in step.moves:
            if move.doing in ("enter", "exit", "clear"):
                doing, since = move.doing, at
            elif move.doing == "follow":
                if not doing or at - since > _FOLLOWED:
                    continue
                coming = doing == "enter"
                move = replace(
                    move, doing="enter" if coming else "clear" if move.others else "exit"
                )
            moves.append(move)
        yield replace(step, moves=tuple(moves))


def _eavesdropping(steps: Steps) -> Iterator[Step]:
    """Those who go in order to hear, and come back to tell that they did, had only hidden."""
    for at, step in enumerate(steps):
        moves = step.moves if isinstance(step, Directed) else ()
        going = _going(step) if any(move.doing == "exit" for move in moves) else ()
        if isinstance(step, Directed) and going and (listening := _listening(steps, at, going)):
            yield replace(step, moves=tuple(_parted(moves, listening, going)))
        else:
            yield step


def _going(step: Step) -> tuple[str, ...]:
    named = {name for move in moves_that(step, "exit") for one in move.who for name in one.names}
    return tuple(named) or (step.speakers[-1:])


def _listening(steps: Steps, at: int, going: tuple[str, ...]) -> set[str]:
    """Who of those who go does so to hear what is said meanwhile."""
    before = [step for step in steps[max(0, at - _NEAR) : at] if isinstance(step, Spoken)][-3:]
    hiding = {name for step in before if _hides(step, going) for name in step.speakers}
    if not hiding and not any(_WITHDRAW.search(step.text) for step in before):
        return set()
    for place in range(at + 1, len(steps)):
        mine = {*coming(steps[place])}.intersection(going)
        if len(mine) == len(set(going)) or mine & hiding:
            told = " ".join(_said(steps[place : place + _NEAR])[:4])
            overheard = len(_said(steps[at:place])) > 1 and (hiding or _HEARD.search(told))
            return mine if overheard else set()
    return set()


def _hides(step: Spoken, going: tuple[str, ...]) -> bool:
    """Whether one of those who go says that he hides, or another that they do."""
    found = _TO_HIDE.search(step.text)
    return bool(found and (set(step.speakers) & set(going) or _OTHERS.search(found[0])))


def _parted(moves: tuple[Move, ...], listening: set[str], going: tuple[str, ...]) -> Iterator[Move]:
    """Those who listen hide, and only the others go."""
    for move in moves:
        if move.doing != "exit":
            yield move
        elif listening.issuperset(going):
            yield replace(move, doing="hide")
        else:
            hiding = tuple(one for one in move.who if listening.issuperset(one.names))
            yield Move("hide", hiding)
            yield replace(move, who=tuple(one for one in move.who if one not in hiding))


def _standing_close(steps: Steps) -> Iterator[Step]:
    """Whoever says so as others come hides, with those who are there."""
    inserted: dict[int, Directed] = {}
    for at, step in enumerate(steps):
        if not isinstance(step, Spoken):
            continue
        alone = bool(_I_HIDE.search(step.text))
        if not alone and not _CLOSE.search(step.text):
            continue
        place, newly = _entrance_beside(steps, at)
        if place is not None:
            named = () if alone else _hiding_with(steps, at)
            inserted[place] = _hide(step, named if alone or named else None, newly)
    for at, step in enumerate(steps):
        if at in inserted:
            yield inserted[at]
        yield step


def _hiding_with(steps: Steps, at: int) -> tuple[Mention, ...]:
    """Whom the direction right behind some words names as hiding: "Retiring with Horatio"."""
    behind = moves_that(steps[at + 1], "hide") if at + 1 < len(steps) else []
    return tuple(one for move in behind for one in move.who)


def _entrance_beside(steps: Steps, at: int) -> tuple[int | None, tuple[Mention, ...]]:
    """Where somebody comes in just before or after some words; whoever came before them is not
    among those who hide."""
    if at and (came := moves_that(steps[at - 1], "enter")):
        return at, tuple(one for move in came for one in move.who)
    if (place := _unaware(steps, at)) is not None:
        return place + 1, tuple(
            one for move in moves_that(steps[place], "enter") for one in move.who
        )
    spoken = 0
    for place in range(at + 1, len(steps)):
        if isinstance(steps[place], Spoken):
            spoken += steps[place].number != steps[at].number
        elif moves_that(steps[place], "enter"):
            return place, ()
        if spoken > 1:
            break
    return None, ()


def _unaware(steps: Steps, at: int) -> int | None:
    """Where some came in who have talked to nobody else since."""
    said: list[Spoken] = []
    for place in range(at - 1, max(-1, at - _FOLLOWED), -1):
        step = steps[place]
        if isinstance(step, Spoken):
            said.append(step)
        elif came := moves_that(step, "enter"):
            newly = {*names_in([one for move in came for one in move.who])}
            theirs = [one for one in said if newly & {*one.speakers}]
            others = [one.text for one in said if one not in theirs]
            apart = (
                theirs and not newly & {*steps[at].speakers} and not any(map(YOU.search, others))
            )
            return place if apart else None
        else:
            return None
    return None


def _hide(step: Spoken, who: tuple[Mention, ...] | None, but: tuple[Mention, ...]) -> Directed:
    move = Move("hide", who or (), but, speaker=bool(who), company=who is None)
    return Directed(step.number, "", (move,), step.speakers)


def _looking_up(steps: Steps) -> Iterator[Step]:
    """One who appears above, and is only spoken of, does not know who is below."""
    for at, step in enumerate(steps):
        yield step
        came = moves_that(step, "enter")
        following = steps[at + 1] if at + 1 < len(steps) else None
        if not (came and isinstance(step, Directed) and isinstance(following, Spoken)):
            continue
        but = tuple(one for move in came for one in move.who)
        begins = " ".join(following.text.split()[:12])
        wondering = _SOFT.search(begins) or (ABSENT.search(begins) and not YOU.search(begins))
        if not _ABOVE.search(step.text) or not wondering or _speaks(following, but):
            continue
        if not any(isinstance(one, Spoken) and _speaks(one, but) for one in steps[:at]):
            yield _hide(following, None, but)


def _walking_asleep(steps: Steps) -> Iterator[Step]:
    for at, step in enumerate(steps):
        yield step
        came = [one for move in moves_that(step, "enter") for one in move.who]
        if len(came) == 1 and isinstance(step, Directed):
            soon = [one for one in steps[at + 1 : at + _NEAR] if isinstance(one, Spoken)][:3]
            if any(
                _ASLEEP.search(one.text) and ABSENT.search(one.text) and not _speaks(one, came)
                for one in soon
            ):
                yield replace(step, text="", moves=(Move("walk", tuple(came)),))


def _seen_by_some(steps: Steps) -> Iterator[Step]:
    """Whoever is seen by some alone is heard by them alone, until it shows itself."""
    seers: dict[str, tuple[str, ...]] = {}
    for step in steps:
        if isinstance(step, Directed):
            for move in step.moves:
                if move.seen_by:
                    seers |= dict.fromkeys(names_in([*move.hidden]), names_in(move.seen_by))
                elif move.doing == "show":
                    for name in names_in(move.who) or step.speakers:
                        seers.pop(name, None)
        elif step.speakers and seers.keys() >= {*step.speakers} and step.audience.kind != "aside":
            step = replace(step, audience=Audience("aside"), to=seers[step.speakers[0]])
        yield step


def _unheard_ghost(steps: Steps) -> Iterator[Step]:
    """Whoever is asked whether he sees or hears a ghost, and says no, does not hear it."""
    deaf: dict[str, None] = {}
    said = [step for step in steps if isinstance(step, Spoken)]
    ghosts = {name for step in said for name in step.speakers if _SPIRIT.search(name)}
    if ghosts:
        for asked, answer in pairwise(said):
            if _PERCEIVE.search(asked.text) and _NOTHING.match(answer.text):
                deaf.update(dict.fromkeys(answer.speakers))
    for step in steps:
        if isinstance(step, Spoken) and ghosts & set(step.speakers):
            step = replace(step, deaf=tuple(deaf))
        yield step


def _left_behind(steps: Steps) -> Iterator[Step]:
    """Whoever says that he goes on alone leaves the one he talked with."""
    last: tuple[str, ...] = ()
    leaving: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    for step in steps:
        yield step
        if isinstance(step, Spoken):
            if leaving and step.speakers == behind:
                last = step.speakers
                continue
            if _ALONE.search(step.text):
                leaving, behind = step.speakers, last
            last = step.speakers
        elif leaving and behind and step.speakers[-1:] == leaving and not moves_that(step, "enter"):
            who = tuple(Mention((name,), False, 0, 0) for name in behind)
            yield Directed(step.number, "", (Move("stay", who),), step.speakers)
            leaving = behind = ()


_RULES: tuple[Callable[[Steps], Iterator[Step]], ...] = (
    _following,
    _eavesdropping,
    _standing_close,
    _looking_up,
    _walking_asleep,
    at_the_door,
    taken_aside,
    answered_asides,
    ended_asides,
    muttered,
    carried_out,
    fallen_asleep,
    _seen_by_some,
    _unheard_ghost,
    within,
    called_in,
    _left_behind,
)


def _said(steps: Steps) -> list[str]:
    return [step.text for step in steps if isinstance(step, Spoken)]


def _speaks(step: Spoken, those: list[Mention] | tuple[Mention, ...]) -> bool:
    return bool(set(step.speakers) & set(names_in(those)))
