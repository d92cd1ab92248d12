"""The verbs of stage directions, in all their forms, and what each does to whom it is said of."""

from __future__ import annotations

import re
from typing import Literal

Doing = Literal[
    "enter", "exit", "clear", "hide", "show", "die", "fall", "sleep", "walk", "pray", "stay", "wake"
]


def _forms(verbs: str) -> str:
    """A pattern for all forms of some verbs: hide, hides, hideth, hiding."""
    return "(?:" + "|".join(map(_forms_of, verbs.split())) + ")"


def _forms_of(verb: str) -> str:
    """By the spelling of English: die, dying; hide, hiding; step, stepping; fly, flies."""
    if verb.endswith("ie"):
        return f"{verb}s?|{verb}th|{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith("ee"):
        return f"{verb[:-1]}(?:e|es|eth|ing)"
    if re.search("[^aeiou]y$", verb):
        return f"{verb[:-1]}(?:y|ies|ieth|ying)"
    doubled = verb[-1] if re.search("[^aeiou][aeiou][npt]$", verb) else ""
    return f"{verb}(?:s|es|eth|{doubled}ing)?"


_THEMSELVES = r"(?:him|her|them)sel(?:f|ves)"
_AWAY = "(?:carried|led|borne|dragged) (?:out|off|away)"

VERBS: tuple[tuple[Doing, str], ...] = (
    ("enter", rf"(?:re-)?enter|{_forms('discover')}(?! {_THEMSELVES})"),
    ("exit", r"exit|exeunt"),
    (
        "enter",
        (
            rf"(?:re-)?enter(?:s|eth|ing)|{_forms('come')} in|{_forms('return appear')}"
            r"|(?:is|are|being) (?:brought in|discovered)"
        ),
    ),
    (
        "exit",
        (
            rf"exits|exiting|{_forms('vanish descend escape flee depart')}|flies|flying"
            rf"|{_forms('run')} (?:off|away|out|in)"
            rf"|{_forms('go')} (?:out|off|away|in|down|up)|{_forms('steal')} away|{_forms('slip')} out"
            rf"|{_forms('retire withdraw')} (?:without|within|in|into the)(?=\W|$)"
            rf"|(?:is|are|being) {_AWAY}"
        ),
    ),
    (
        "die",
        (  # one who is dying may speak yet
            r"dies?|dieth|(?:is|are) (?:slain|killed)|expires?"
            rf"|{_forms('fall drop')} (?:down )?dead|{_forms('give')} up the ghost"
        ),
    ),
    (
        "wake",
        (
            rf"(?:{_forms('awake wake awaken waken')}|{_forms('start')} up|{_forms('come')} to himself)"
            rf"(?: and {_forms('start')} up)?"
        ),
    ),
    (
        "pray",
        (
            rf"(?:{_forms('retire withdraw')}|{_forms('go stand')} apart|{_forms('step')} aside),? and "
            rf"{_forms('kneel pray read write')}"
            rf"|{_forms('kneel')} (?:down )?(?:and {_forms('pray')}|to pray|in prayer|apart|aside"
            r"|at the altar)"
            rf"|{_forms('pray')}"
            rf"|(?:{_forms('fall go')}|is|are) (?:to|at) (?:his |her |their )?(?:prayers?|devotions?)"
        ),
    ),
    (
        "sleep",
        (
            rf"{_forms('sleep faint swoon')}|{_forms('fall')} asleep"
            rf"|{_forms('lie')} down and {_forms('sleep')}"
            rf"|{_forms('fall')} (?:down )?in(?:to)? a (?:trance|swoon|fit)"
        ),
    ),
    (
        "hide",
        (
            rf"{_forms('hide')}(?: {_THEMSELVES})?|{_forms('conceal')} {_THEMSELVES}"
            rf"|{_forms('retire withdraw')}"
            rf"|{_forms('stand step go walk draw move')} "
            r"(?:aside|apart|aloof|close|by themselves|a ?part|at a distance)"
            rf"|{_forms('draw step stand')} back"
            rf"|{_forms('get go step slip creep stand')} (?:up )?behind"
            rf"|{_forms('lie')} (?:hid|hidden|close|in ambush|in wait)|{_forms('lurk')}"
            rf"|{_forms('climb')} (?:over )?the \w+"
            rf"(?:,? and {_forms('leap')} down(?: within it)?)?"
        ),
    ),
    (
        "show",
        (
            rf"{_forms('advance')}|{_forms('come step')} (?:forward|forth|out)"
            rf"|{_forms('rise arise')}(?: from (?:his|her|their) knees)?"
            rf"|{_forms('discover show reveal')} {_THEMSELVES}"
        ),
    ),
    ("fall", rf"(?<!let )(?<!lets )(?<!letting ){_forms('fall')}(?: down)?"),
)
"""Which words of stage directions count as an exit, an entrance, a death and so on: of several that
fit at one place the first here."""

VERB = re.compile(
    r"\b(?:" + "|".join(f"(?P<v{n}>{verb})" for n, (_, verb) in enumerate(VERBS)) + r")\b",
    re.IGNORECASE,
)
AFTER = 2
"""The verbs up to here stand before whom they mean: Enter A, Exit B. The others stand after."""
