"""To whom the words behind a stage direction are spoken: to all, to some, or in private."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from whoknew.worlds.importers.play.people import Mention, PlayPeople

YOU = re.compile(
    r"\b(?:you|your|yours|thou|thee|thy|thine|ye|sirrah|sir|sirs|madam|lady|gentlemen|masters|"
    r"friends?|my lord|cousin|coz|hail|welcome|good[- ](?:morrow|day|even|night))\b",
    re.IGNORECASE,
)
ABSENT = re.compile(r"\b(?:he|she|it|they|his|her|him|them|yonder|yon)\b", re.IGNORECASE)
"""Words that speak to somebody, and of somebody."""
_VOICE = re.compile(
    r"(?<!retires )(?<!retire )(?<!retiring )(?<!withdraws )(?<!withdraw )(?<!withdrawing )(?<!down )"
    r"\b(?:within|beneath|below|off-?stage|(?:off|behind) the (?:stage|scenes?))\b"
    r"|(?:^|\b(?:from|heard|call(?:s|ing)|knock(?:s|ing)|speak(?:s|ing)|cr(?:ies|ying)) )without\b"
    r"|\boff stage\b|^off\W*$|^outside(?:\W*$| the (?:door|gate|house|window)\b)"
    r"|\b(?:from|heard|call(?:s|ing)) (?:outside|off)\b|^behind the door\b"
    r"|^(?:from|in) the (?:next|other|adjoining) room\b|^from the (?:street|garden|hall|kitchen|stairs)\b"
    r"|\b(?-i:[A-Z])[\w ]{0,40}'s voice\b",
    re.IGNORECASE,
)
_SOFTLY = (
    r"(?:aside|apart|low(?:er)?|sotto voce|privately|whisper(?:s|ing)?|in a whisper|softly"
    r"|in (?:a low(?:er)? voice|an undertone)|under (?:his|her|their) breath)"
)
_ASIDE = re.compile(
    rf"^(?:(?:speak|talk|conferr?|convers)(?:e?s|ing) )?{_SOFTLY}\b"
    r"(?:,? ?(?:to|with|so that only) (?P<whom>.*))?",
    re.IGNORECASE,
)
_LOW = re.compile(r"\blower\b", re.IGNORECASE)
"""How one goes on who speaks to somebody."""
_IN_AN_EAR = re.compile(
    r"^(?:(?:(?:whisper|speak)(?:s|ing)? )?in(?:to)? (?P<one>.*?)(?:'s?)? ear\b"
    r"|whisper(?:s|ing)? (?P<two>.*)"
    r"|(?:tak|draw|lead|pull)(?:es?|s|ing) (?P<three>.*?) (?:aside|apart)\b)",
    re.IGNORECASE,
)
_TO = re.compile(
    r"^(?:(?:say|speak|mutter|mumble|murmur|talk|sing)(?:s|ing) )?to (?P<whom>.*)", re.IGNORECASE
)
_NOBODY = re.compile(
    r"(?:(?:him|her|them)sel(?:f|ves)|the (?:audience|spectators|house))\b", re.IGNORECASE
)
_PRIVATE = re.compile(rf"\b(?:{_SOFTLY}|in (?:his|her) ear)\b", re.IGNORECASE)
_ALOUD = re.compile(r"^(?:aloud|loud(?:ly|er)?|reads|coming forward)\b", re.IGNORECASE)
_SILENTLY = re.compile(
    r"\breads?\b.{0,500}\b(?:silently|to (?:him|her|them)sel(?:f|ves))", re.IGNORECASE
)
_THAT_ONE = re.compile(
    r"(?:to |with )?(?:him|his|her|them|their)\b(?=\W*$|[,;]| (?:in|and|low|softly)\b)",
    re.IGNORECASE,
)
_PAIR = re.compile(
    r"\b(?:(?:take|draw|lead|pull|call)(?:s|ing)?|taking|leading) (?P<one>[^,.;]{1,60}?) (?:aside|apart)\b"
    r"|\b(?:talk|speak|confer|converse|whisper)(?:s|r?ing)? (?:aside|apart|together|privately)\b"
    r"|\b(?P<low>whisper|confer|converse)(?=\W*$)",
    re.IGNORECASE,
)


class Audience(Struct, frozen=True):
    """To whom the words after a direction are spoken. Without a `whom`, an aside is for oneself."""

    kind: Literal["all", "aside", "to"]
    whom: tuple[Mention, ...] = ()


def audience(text: str, people: PlayPeople, before: Sequence[str] = ()) -> Audience | None:
    """What a direction says of who hears; None where it says nothing. `before`: who spoke before, as
    "to her" means."""
    if is_silent(text):
        return Audience("aside")
    if (match := _IN_AN_EAR.match(text)) and (
        whom := _whom(" ".join(filter(None, match.groups())), people, before)
    ):
        return Audience("aside", whom)
    if match := _ASIDE.match(text):
        said = match["whom"] or ("to them" if _LOW.search(match[0]) else "")
        return Audience("aside", _whom(said, people, before))
    if match := _TO.match(text):
        if _NOBODY.match(match["whom"]):
            return Audience("aside")
        private = _PRIVATE.search(match["whom"])
        return Audience("aside" if private else "to", _whom(match["whom"], people, before))
    return Audience("all") if is_aloud(text) else None


def _whom(text: str, people: PlayPeople, before: Sequence[str]) -> tuple[Mention, ...]:
    if named := people.mentions(text):
        return tuple(named)
    if _THAT_ONE.match(text):
        return tuple(Mention((name,), False, 0, 0) for name in before)
    return ()


def pair(
    text: str, people: PlayPeople, speakers: Sequence[str], others: Sequence[str] = ()
) -> tuple[str, ...]:
    """Those who talk with each other alone from a direction on: "ANA takes BO aside". `others`: whom "her"
    means."""
    if not (match := _PAIR.search(text)):
        return ()
    named = [one.names[0] for one in people.mentions(text[: match.end()]) if one.certain]
    if match["one"] and _THAT_ONE.match(match["one"]):
        named += others[:1]
    if len(named) == 1 and not match["low"]:
        named += speakers[-1:]
    found = tuple(dict.fromkeys(named))
    return found if len(found) > 1 else ()


def is_aloud(text: str) -> bool:
    """Whether all are to hear what comes next, whatever was whispered before."""
    return bool(_ALOUD.match(text))


def is_silent(text: str) -> bool:
    """Whether somebody reads without a sound."""
    return bool(_SILENTLY.search(text))


def is_voice(text: str) -> bool:
    """Whether whoever speaks is heard from somewhere off the stage, or from hiding."""
    return bool(_VOICE.search(text)) or text.strip(". ").casefold() == "behind"
