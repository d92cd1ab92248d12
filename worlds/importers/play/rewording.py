"""Directions in other words: what is only seemingly done left out, what is done to somebody as that one's own
doing."""

from __future__ import annotations

import re

from whoknew.worlds.importers.play.verbs import CHEST

_UNDONE = re.compile(
    r"\b(?:(?:mak(?:es?|ing)|offer(?:s|ing)?|seem(?:s|ing)?|pretend(?:s|ing)?|threaten(?:s|ing)?|about)"
    r" (?:as if |as though )?to (?![A-Z])"
    r"|(?:start|attempt|want|begin|turn|move|wish)s? to (?!(?:the|an?|his|her|their|him|them|one)\b|[A-Z])"
    r"|(?:try|tries) to (?![A-Z])|(?:(?:do|does|can|will) not|cannot|nearly|almost) (?![A-Z])"
    r"|(?:feign|counterfeit)(?:s|ing)? (?![A-Z])"
    r"|(?:holds?|keeps?|hinders?|prevents?|stops?|stays?) [^,.;]{1,60}? from )(?:(?! and \w+s\b)[^,.;])*"
)
"""What somebody only seems to do, or is kept from."""
_OTHERWISE_SAID = (
    (
        r"\b(?:goes|runs|steps) (?:out|off|in|away|to the door)\b[^.;]{0,40}?\b(?:returns|comes back)\b",
        "Enter",
    ),
    (
        r"\b(?i:pushes|thrusts|drives|turns|throws|sends) (?!(?:and|at|away|back|on|round|to)\b)([^,.;]{1,60}?) (?:out|off|away|forth)\b",
        r"; Exit \1",
    ),
    (
        (
            r"([^,.;]{0,60})\b(?i:drags|carries|leads|bears|hales|dragging|carrying|leading|bearing|haling)"
            r" ([^,.;]{1,60}?) (?:out|off|away|forth)\b"
        ),
        r"Exit \1, with \2",
    ),
    (
        (
            r"([^,.;]{0,60})\b(?:drags|carries|leads|bears|hales) (?:out|off|away)"
            r" (?![^,.;']{0,60}')((?:the )?[A-Z][^,.;]{0,60})"
        ),
        r"Exit \1, with \2",
    ),
    (
        (
            r"((?:the )?[A-Z][^,.;]{0,40}) (?:is|are) (?:led|taken|carried|borne|dragged|hurried|supported)"
            r" (?:out|off|away|forth) by (?=(?:the )?[A-Z])"
        ),
        r"Exit \1, with ",
    ),
    (
        r"\b(?:pulls|drags|draws|brings) ([^,.;]{1,60}?) (?:out )?from (?:behind|under|beneath|hiding)\b",
        r"; \1 comes forth",
    ),
    (
        (
            r"([^,.;]{0,60})\b(?i:takes|hurries|escorts|ushers|marches|hauls|helps|supports|conducts|hands(?! them)"
            r"|taking|hurrying|escorting|hauling|helping|supporting|conducting)"
            r" (him|her|them|(?:the )?[A-Z][^,.;']{0,40}?) (?:out|off|away|forth)\b(?! of )"
        ),
        r"Exit \1, with \2",
    ),
    (
        (
            r"\b(?i:shows|sees|waves|orders|bows) (him|her|them|(?:the )?[A-Z][^,.;']{0,40}?)"
            r" (?:out|off|away)\b(?! of )"
        ),
        r"; Exit \1",
    ),
    (
        (
            r"\b(?:brings|leads|carries|takes|ushers|shows|lets|drags|pushes|helps)"
            r" ((?:the )?[A-Z][^,.;']{0,40}?) in\b(?=\W*$|[,.;]| (?:and|at|by|from|through)\b)"
        ),
        r"; \1 comes in",
    ),
    (r"^To (?:them|him|her),? (?=[A-Z])", "Enter "),
    (r"\blets ([^,.;]{1,60}?) out\b", r"; \1 comes forth"),
    (r"\bdraws? (?:back )?the (?:arras|curtains?|hangings)\b[^.;]{0,40}?\bfinds?\b", "Discovers"),
    (r"\b[Ii]n (?:comes?|rush(?:es)?|runs?|steps?|walks?)\b", "Enter"),
    (
        r"\b(?:hides|conceals) ([A-Z][^,.;]{0,60}?)(?= (?:in|behind|under|beneath)\b|\W*$)",
        r"; \1 hides",
    ),
    (
        rf"\b(?:locks|shuts|puts) ([A-Z][^,.;]{{0,60}}?) (?:up )?in(?:to)? (?:the|a|his|her) {CHEST}\b",
        r"; \1 hides",
    ),
    (r"\b(?:shakes|kisses|pulls|calls) ([^,.;]{1,60}?) awake\b", r"; \1 wakes"),
)
"""What is done to somebody, in the words in which that one does it."""


def done(text: str) -> str:
    """Without what nobody does in the end."""
    return _UNDONE.sub("", text)


def plainly(text: str) -> str:
    """In the words in which those do it to whom it is done."""
    for said, plain in _OTHERWISE_SAID:
        text = re.sub(said, plain, text)
    return text
