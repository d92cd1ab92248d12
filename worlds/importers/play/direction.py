"""A stage direction, understood: who comes, goes, hides, sleeps, dies."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from whoknew.worlds.importers.play.audience import audience, is_silent, is_voice
from whoknew.worlds.importers.play.doers import LISTED, doers
from whoknew.worlds.importers.play.people import Mention, PlayPeople
from whoknew.worlds.importers.play.rewording import done, plainly
from whoknew.worlds.importers.play.sight import (
    SENTENCE,
    UNSEEN,
    are_unseen,
    behind,
    is_unseen,
    seen_by,
    until,
)
from whoknew.worlds.importers.play.verbs import AFTER, VERB, VERBS, Doing


class Move(Struct, frozen=True):
    """What changes on the stage. Nobody named: whoever speaks. `but` stay, where all go.
    `others`: there are some who are not named."""

    doing: Doing
    who: tuple[Mention, ...] = ()
    but: tuple[Mention, ...] = ()
    hidden: frozenset[Mention] = frozenset()
    asleep: frozenset[Mention] = frozenset()
    others: bool = False
    speaker: bool = False
    """Whoever speaks does the same."""
    company: bool = False
    """So do all who are there, but for those in `but`."""
    along: Literal["", "one", "all"] = ""
    """Whom a pronoun means goes as well: who spoke last of the others, or all of them who say nothing
    more."""
    seen_by: tuple[Mention, ...] = ()
    """Who alone perceives those who are hidden."""


_COMES_OR_GOES = re.compile(
    r"\b(?:enters?|exits?|exeunt|appears?|comes? in|discovered|revealed)\b", re.IGNORECASE
)
_ENTER = re.compile(r"\benter\b", re.IGNORECASE)
_FOUND = re.compile(r"discovered|revealed", re.IGNORECASE)
_BARE = re.compile(r"\W*(?!(?:an?|the|some|one|two)\b)(?:[a-z]|$)")
_UNDER_WAY = re.compile(r"\b(?:is|are) $", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<!&c)\.(?=\s|$)|[!?]'?(?=\s+[A-Z])|&c\.(?=\s+[A-Z])")
_SENTENCES = re.compile(r"(?<=\.)(?<!&c\.)\s+|(?<=&c\.)\s+(?=[A-Z][a-z])")
_CLAUSE = re.compile(r"[.;]")
_DEAD = re.compile(r"^\W*(?:who is |lying )?(?:dead|slain)\b", re.IGNORECASE)
_BODY_OF = re.compile(
    r"\b(?:corpses?|corses?|bod(?:y|ies)|coffin|hearse|bier|head|ashes) of (?:the )?(?:[a-z]+ )?$",
    re.IGNORECASE,
)
_CLOSE = 40
"""Letters before a name that are looked at."""
_ELSEWHERE = re.compile(
    r"\b(?:leaving|following|pursuing|after|to)\s+(?:the )?(?=[A-Z])[^,;.]*", re.UNICODE
)
_MEANWHILE = re.compile(
    r",\s*(?:having \w+"
    r"|(?!(?:carry|drag|bear|lead|bring|haul|pull|driv|push|thrust|tak|support|usher|conduct)\w*)"
    r"[a-z]+ing)\b(?![^,;.]*\bwith\b)[^,;.]*"
)
"""What somebody does who goes: to one who stays."""
_STAYING = re.compile(r"(?<![^,;.])[^,;.]*\b(?:remains?|stays?)\b.*", re.IGNORECASE)
_REMAIN = re.compile(
    r"\bexeunt\b[.,;:]?\s*(?:(?:all|omnes)[.,;:]?\s*)?(?:manet|manent)\s+(?P<one>[^.;]+)"
    r"|\bexeunt(?:\s+(?:all|omnes))?[.,;:]\s*(?P<other>[^.;]{0,500}?)\s+(?:remains?|stays?)\b",
    re.IGNORECASE,
)
_ALONE = re.compile(
    r"^\W*(?:Mane(?:n)?t ([^.;]{1,60})"
    r"|((?:the )?[A-Z][\w']*(?:(?:,| and|, and)? (?:the )?[A-Z][\w']*)*),? (?:(?:is|are) (?:left )?|remains? |stays? )?alone)\W*$"
)
"""Of whom it is said that nobody else is left."""
_ASLEEP = re.compile(r"\b(?:asleep|sleeping)\b", re.IGNORECASE)
_AS_DEAD = re.compile(r"^,? as (?:if |though )?(?:\w+ were )?dead\b", re.IGNORECASE)
_OTHERS = re.compile(
    r"&c|\b(?:others|attend\w*|trains?|the rest|lords|ladies|guests|masquers|maskers|citizens|"
    r"officers|soldiers|servants|army|followers|mourners|company|several|forces|gentlemen|"
    r"senators|commoners|plebeians|people|serving-?men|rabble|throng|crowd|crew|sailors|mariners|huntsmen|"
    r"players|musicians|guards?|commons|nobles|barons|torch-?bearers|pages|women|"
    r"(?:two|three|four|five|six) or (?:three|four|five|six|more)|divers|several|certain)\b",
    re.IGNORECASE,
)
_ALONG = re.compile(
    r"(?:^\W*|, |[A-Z]{2} )with (him|her|them)\b|^\W*(him|her|them)(?=\W*$| (?:and|by|through|with)\b)"
)
"""Whom a pronoun says to go, with somebody or alone."""
_BUT = re.compile(r"\b(?:but|except|save)\b", re.IGNORECASE)
_BESIDE = re.compile(r"^\s*(?:,|with\b)")
_ALL = re.compile(r"\b(?:all|omnes|severally|rest|others|everyone|everybody)\b", re.IGNORECASE)
_THEY = re.compile(r"\b(?:they|both)\b", re.IGNORECASE)
_THEY_ALL = re.compile(r"^\W*they\s*(?:all)?\s*$", re.IGNORECASE)
_BOTH = re.compile(r"\W*(?:they )?both\s*", re.IGNORECASE)
_SELF = re.compile(r" (?:him|her|them)sel(?:f|ves)\b")
_AND = re.compile(r"\W*and\W*")
_GO = re.compile(r"exit|exeunt|go|leave|depart", re.IGNORECASE)
_AS_ONE_GOES = re.compile(r"\W*(?:as (?:he|she) \w+|\w+ing)(?: \w+)*", re.IGNORECASE)
"""What somebody does who speaks, and is gone with the last word."""
_COMPANY = re.compile(r"\b(?:all|trains?|rest|others)\b", re.IGNORECASE)
_WITH = re.compile(r",? (?:with|followed by) (.*)|,? and (.{0,500}) with (?:him|her|them)\b")
_HAS_VERB = re.compile(r",?\s+(?!(?:his|its|as|is)\b)[a-z]+(?:s|eth)\b")
_GOES = ("enter", "exit", "enter or exit", "show or exit", "follow")
_THINGS = re.compile(
    r"\b(?:lights?|candles?|torch(?:es)?|lamps?|lanterns?|tapers?|fire|music) \w*\s*go(?:es)? out"
    r"|\b(?:banquet|table|feast|crown|letter|dagger|sword|castle|light|music|lights|mist|cloud|smoke"
    r"|thunder|storm|sun|moon|star|door|tree|island|ship|chariot|throne)s? (?:vanish|disappear)",
    re.IGNORECASE,
)
"""What goes that is nobody."""
_IDLE = {
    "and", "the", "all", "but", "with", "an", "to", "him", "her", "them", "his", "some", "two",
    "three", "severally",
}  # fmt: skip


def moves(text: str, people: PlayPeople, *, opening: bool = False) -> list[Move]:
    """What a direction changes, in its order. Where it opens a scene, those whom it shows in the
    middle of something are there."""
    if is_voice(text) and not re.search(r"\b(?:enter|exit|exeunt)\b", text, re.IGNORECASE):
        text = " ".join(one for one in _SENTENCES.split(text) if not is_voice(one))
    text, seers = seen_by(done(text), people)
    text = plainly(text)
    if not opening:
        text = _ALONE.sub(lambda match: f"Exeunt all but {match[1] or match[2]}", text)
    text = _REMAIN.sub(lambda match: f"Exeunt all but {match['one'] or match['other']}", text)
    found: list[Move] = []
    verbs = [verb for verb in VERB.finditer(text) if not _is_by_the_by(text, verb)]
    first = verbs[0].start() if verbs else len(text)
    if opening and people.mentions(text[:first]):
        found.append(_enter(text[:first], people))
    since = 0
    for number, verb in enumerate(verbs):
        before = _CLAUSE.split(text[verbs[number - 1].end() if number else 0 : verb.start()])[-1]
        after = text[verb.end() : verbs[number + 1].start() if number + 1 < len(verbs) else None]
        doing = VERBS[_kind(verb)][0]
        if doing == "exit":
            clause = _CLAUSE.split(text[since : verb.start()])[-1][-SENTENCE:]
            move = _going(verb, before, after, clause, people)
        else:
            move = _move(verb, before, after, people, last=number + 1 == len(verbs))
        since = verb.end() if doing in _GOES else since
        if move and found and move.doing == "die" and not move.who and _AND.fullmatch(before):
            move = replace(move, who=found[-1].who)
        if move:
            found.append(replace(move, seen_by=seers) if move.hidden else move)
    return found


def _move(
    verb: re.Match[str], before: str, after: str, people: PlayPeople, *, last: bool
) -> Move | None:
    """What one verb says, by what stands before and behind it; whether it is the last."""
    doing = VERBS[_kind(verb)][0]
    if doing == "kill":
        killed = _killed(before, after, people)
        themselves = _SELF.match(after) or "sword" in verb.group()
        return Move("kill", killed) if killed or themselves else None
    if doing == "follow":
        return _follow(before, people)
    if doing != "enter":
        return _of_those_before(doing, before, after, people)
    if _kind(verb) >= AFTER:
        return _coming(verb.group(), before, after, people)
    return _enter(_list(after, people, last=last), people)


def _going(
    verb: re.Match[str], before: str, after: str, clause: str, people: PlayPeople
) -> Move | None:
    """Who goes: what stands before the verb, and in all of its clause, may say so."""
    said, behind_it = verb.group(), _CLAUSE.split(after)[0]
    if _BOTH.fullmatch(before):
        return Move("clear", others=True)
    if _is_of_many(before, said):
        return _exit("exeunt", f"{before} {behind_it}", people)
    if _AS_ONE_GOES.fullmatch(before + said):
        return replace(_of_those_before("exit", before, after, people), speaker=True)
    if _kind(verb) >= AFTER:
        move = _of_those_before("exit", before, after, people)
        if move.others or move.who != tuple(people.mentions(before)):
            return move
        if move.who:
            return _exit_of(doers(clause, people))
        return None if _THINGS.search(f"{before}{said}") else move
    if said.islower() and people.mentions(before):
        return _exit_of(doers(clause, people))
    return _exit(said, behind_it, people)


def _exit_of(who: tuple[Mention, ...]) -> Move:
    return Move("exit", who, speaker=not who)


def _kind(verb: re.Match[str]) -> int:
    """Which of `VERBS` it is."""
    return int((verb.lastgroup or "v0")[1:])


def _is_of_many(before: str, verb: str) -> bool:
    """Whether all go, or all but some, who stand before the verb."""
    return bool(_ALL.search(before) or (_THEY_ALL.search(before) and _GO.match(verb)))


def _is_by_the_by(text: str, verb: re.Match[str]) -> bool:
    """Whether a verb only tells how somebody comes or goes, who is said to do so in the same sentence
    (`Enter DAN, fleeing`), or what is under way and may yet be stopped (`as he is going out`)."""
    so_far = _SENTENCES.split(text[max(0, verb.start() - SENTENCE) : verb.start()])[-1]
    doing = VERBS[_kind(verb)][0]
    if doing == "enter or exit" and _ENTER.search(so_far):
        return True
    if not verb.group().casefold().split()[0].endswith("ing"):
        return False
    if doing in ("enter", "exit", "enter or exit", "descend", "follow"):
        return bool(_COMES_OR_GOES.search(so_far) or _UNDER_WAY.search(so_far))
    state = UNSEEN.match(verb.group()) or _ASLEEP.match(verb.group())
    return bool(state and _COMES_OR_GOES.search(so_far))


def business(text: str, people: PlayPeople) -> str:
    """The direction; nothing where it only says who comes, goes or is spoken to."""
    if audience(text, people) is not None and not is_silent(text):
        return ""
    rest = text
    for mention in reversed(people.mentions(text)):
        rest = rest[: mention.start] + rest[mention.end :]
    rest = _OTHERS.sub("", VERB.sub("", re.sub(r"\b[A-Z][A-Z]+\b", "", rest)))
    return "" if _IDLE.issuperset(re.findall(r"[a-z]{2,}", rest.casefold())) else text


def _enter(text: str, people: PlayPeople) -> Move:
    named = [
        one
        for one in people.mentions(text)
        if not _DEAD.match(behind(text, one))
        and not _BODY_OF.search(text[max(0, one.start - _CLOSE) : one.start])
    ]
    together = are_unseen(text)
    hidden = frozenset(one for one in named if together or is_unseen(text, one))
    asleep = frozenset(
        one
        for one in named
        if _ASLEEP.search(until("[;.]", text, one)) or _AS_DEAD.match(behind(text, one))
    )
    return Move(
        "enter", tuple(named), hidden=hidden, asleep=asleep, others=bool(_OTHERS.search(text))
    )


def _exit(verb: str, text: str, people: PlayPeople) -> Move:
    many = verb.casefold() == "exeunt"
    going, *staying = _BUT.split(text, maxsplit=1)
    going = _ELSEWHERE.sub("", _MEANWHILE.sub("", _STAYING.sub("", going)))
    named = (*people.mentions(going), *people.companies(going))
    but = tuple(people.mentions(staying[0])) if staying else ()
    if along := _ALONG.search(going):
        return Move(
            "exit",
            named,
            but,
            speaker=along[1] is not None,
            along="all" if "them" in along.groups() else "one",
        )
    if staying and _ALL.search(going) and not named:
        return Move("clear", but=but)
    if many and len(named) == 1 and len(named[0].names) > 1:
        named = (named[0]._replace(plural=True),)
    if named and _COMPANY.search(going):
        return Move("exit", named, but, others=True)
    if _OTHERS.search(going) and not named and not _ALL.search(going):
        return Move("exit", others=many or not _BESIDE.match(going))
    if not named:
        return Move("clear" if many or _ALL.search(going) else "exit")
    return Move("exit", named, speaker=bool(_BESIDE.match(going)))


def _of_those_before(doing: Doing, before: str, after: str, people: PlayPeople) -> Move:
    named = people.mentions(before)
    if doing == "sleep" and _ALL.search(before) and not named:
        but = people.mentions(after) if _BUT.search(after) else []
        return Move(doing, but=tuple(but), company=True)
    if doing == "wake" and (woken := _right_behind(after, people)):
        named = woken
    elif re.search(r"\bwho\s*$", before):
        named = named[-1:]
    others = bool(_THEY.search(before))
    speaker = False
    if match := _WITH.match(after):
        speaker = not (named or others)
        named += people.mentions(" ".join(filter(None, match.groups())))
    return Move(doing, tuple(named), others=others, speaker=speaker)


def _coming(verb: str, before: str, after: str, people: PlayPeople) -> Move:
    """Of those before the verb; where nobody is, of whoever speaks."""
    move = _of_those_before("enter", before, after, people)
    if not move.who and not before.strip() and _BARE.match(after):
        return replace(move, speaker=True)
    others = people.mentions(after)
    how = _CLAUSE.split(after)[0][: others[0].start if others else None]
    named = frozenset(move.who)
    return replace(
        move,
        hidden=named if UNSEEN.search(how) and not _FOUND.search(verb) else frozenset(),
        asleep=named if _ASLEEP.search(how) else frozenset(),
    )


def _follow(before: str, people: PlayPeople) -> Move:
    """Of those before the verb; where nobody is, of whoever speaks."""
    named = tuple(people.mentions(before))
    many = bool(_ALL.search(before) or _THEY_ALL.search(before))
    return Move("follow", named, others=many, speaker=not (named or many))


def _killed(before: str, after: str, people: PlayPeople) -> tuple[Mention, ...]:
    """Whoever is named behind the verb; whoever kills themselves."""
    if _SELF.match(after) or not after.strip():
        return tuple(people.mentions(before))
    return tuple(_right_behind(after, people))


def _right_behind(after: str, people: PlayPeople) -> list[Mention]:
    """Whoever is named right behind a verb."""
    return [one for one in people.mentions(after)[:1] if not after[: one.start].strip()]


def _end_of_list(text: str, named: Sequence[Mention]) -> int:
    """Where the names end that a sentence begins with."""
    end = named[0].end
    for one in named[1:]:
        if not LISTED.fullmatch(text[end : one.start]):
            break
        end = one.end
    return end


def _list(text: str, people: PlayPeople, *, last: bool) -> str:
    """The sentence behind a verb, and those that only name more: "Enter ANA. BO, carried in a chair"."""
    ends = [match.start() for match in _SENTENCE.finditer(text)]
    if last and text[ends[-1] if ends else 0 :].strip(" ."):
        ends.append(len(text))
    taken = ends[0] if ends else len(text)
    for end in ends[1:]:
        more = text[taken:end].lstrip(" .!?'")
        named = people.mentions(more)
        if not named or named[0].start or _HAS_VERB.match(more[_end_of_list(more, named) :]):
            break
        taken = end
    return text[:taken]
