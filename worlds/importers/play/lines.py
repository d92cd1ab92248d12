"""What the lines say of the stage where directions are silent: who stands close as others come, who
only withdraws and hears it all, who walks asleep, who talks at the door, who does not hear a ghost.

Each rule takes the steps of a scene and gives them back, with what it found written into them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from msgspec.structs import replace

from whoknew.worlds.importers.play.audience import Audience
from whoknew.worlds.importers.play.direction import Move
from whoknew.worlds.importers.play.people import Mention
from whoknew.worlds.importers.play.sleepers import fallen_asleep
from whoknew.worlds.importers.play.steps import Directed, Spoken, Step, moves_that, names_in
from whoknew.worlds.importers.play.whispers import answered_asides, at_the_door, taken_aside

Steps = list[Step]

YOU = re.compile(
    r"\b(?:you|your|yours|thou|thee|thy|thine|ye|sirrah|sir|sirs|madam|lady|gentlemen|masters|"
    r"friends?|my lord|cousin|coz|hail|welcome|good[- ](?:morrow|day|even|night))\b",
    re.IGNORECASE,
)
ABSENT = re.compile(r"\b(?:he|she|it|they|his|her|him|them|yonder|yon)\b", re.IGNORECASE)
_TO_HIDE = re.compile(
    r"\b(?:bestow (?:our|my)sel(?:f|ves)|conceal\w*|overhear|o'erhear|eavesdrop\w*|unseen|arras|"
    r"hear (?:them|him|her) (?:speak|talk)|(?:hide|hid) (?:us|me|you|thee|our|my|your|thy)\w*)\b",
    re.IGNORECASE,
)
_WITHDRAW = re.compile(r"\b(?:withdraw|retire|step aside|stand aside)\b", re.IGNORECASE)
_HEARD = re.compile(r"\b(?:heard|overheard|spake|spoke|what \w+(?: \w+)? said)\b", re.IGNORECASE)
_CLOSE = re.compile(
    r"\b(?:(?:stand|keep|lie|be|lurk|sit) (?:you |thou |ye |we |thee )?(?:close|aside|apart|hid)"
    r"|step aside|couch(?: we|,? ho)|stand by,? and (?:hear|list|mark|note|observe|see|watch)|slink by|let(?:'s| us) (?:stand aside|step aside|retire|withdraw|hide)"
    r"|close, in the name)\b",
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
_CALL = re.compile(r"\b(?:ho|holla|hallo|hilloa?)\b", re.IGNORECASE)
_CALLED = re.compile(r"\b(?:voice|calls?|call'd|heard|noise|knocks?)\b", re.IGNORECASE)
_ALONE = re.compile(r"\bI(?:'ll| will) (?:go )?(?:in )?alone\b", re.IGNORECASE)

_NEAR = 12
"""Steps that are looked at for what was said just before or after."""

_FOLLOWED = 5
"""Steps between those who come or go and one who follows."""

_CALLING = 14
"""Words of a call that somebody comes to; those of a longer speech are not all heard."""


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
        if isinstance(step, Directed) and going and _listens(steps, at, going):
            yield replace(step, moves=tuple(map(_hiding, moves)))
        else:
            yield step


def _going(step: Step) -> tuple[str, ...]:
    named = {name for move in moves_that(step, "exit") for one in move.who for name in one.names}
    return tuple(named) or (step.speakers[-1:])


def _listens(steps: Steps, at: int, going: tuple[str, ...]) -> bool:
    before = " ".join(_said(steps[max(0, at - _NEAR) : at])[-3:])
    plain = bool(_TO_HIDE.search(before))
    if not plain and not _WITHDRAW.search(before):
        return False
    for place in range(at + 1, len(steps)):
        back = {name for move in moves_that(steps[place], "enter") for name in names_in(move.who)}
        if back.issuperset(going):
            told = " ".join(_said(steps[place : place + _NEAR])[:4])
            return len(_said(steps[at:place])) > 1 and bool(plain or _HEARD.search(told))
    return False


def _hiding(move: Move) -> Move:
    return replace(move, doing="hide") if move.doing == "exit" else move


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


def _called_in(steps: Steps) -> Iterator[Step]:
    """Whoever comes at a call, and says so, has heard it."""
    for at, step in enumerate(steps):
        following = steps[at + 1 : at + 3]
        if (
            isinstance(step, Spoken)
            and len(step.text.split()) <= _CALLING
            and _CALL.search(step.text)
            and len(following) > 1
            and (
                came := names_in([one for m in moves_that(following[0], "enter") for one in m.who])
            )
            and isinstance(answer := following[1], Spoken)
            and set(answer.speakers) <= set(came)
            and _CALLED.search(" ".join(answer.text.split()[:20]))
        ):
            step = replace(step, called=answer.speakers)
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
    fallen_asleep,
    _seen_by_some,
    _unheard_ghost,
    _called_in,
    _left_behind,
)


def _said(steps: Steps) -> list[str]:
    return [step.text for step in steps if isinstance(step, Spoken)]


def _speaks(step: Spoken, those: list[Mention] | tuple[Mention, ...]) -> bool:
    return bool(set(step.speakers) & set(names_in(those)))
