"""The verbs of stage directions, in all their forms, and what each does to whom it is said of."""

from __future__ import annotations

import re
from typing import Literal

Doing = Literal[
    "enter", "exit", "clear", "hide", "show", "die", "kill", "fall", "sleep", "walk", "pray", "stay",
    "wake", "descend", "follow", "enter or exit", "show or exit",
]  # fmt: skip


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
_AWAY = "(?:carried|led|borne|dragged|thrust|driven|pushed|taken|hurried|sent|shown|ordered) (?:out|off|away|forth)"
_MOTION = "walk stride march dash storm rush hurry hasten stagger limp slink sneak tiptoe stalk sweep bolt stroll wander stumble"
_HOUSE = (
    "(?:house|tent|castle|palace|chamber|cell|church|tavern|shop|monastery|abbey|temple|city|town"
    "|garden|kitchen|hall|street|study|parlour|bedroom|yard|(?:(?:next|other|inner) )?room)"
)
CHEST = "(?:chest|trunk|closet|cupboard|basket|press|tub|barrel|bed|coffin|tree|hedge|thicket|bush(?:es)?)"

VERBS: tuple[tuple[Doing, str], ...] = (
    (
        "enter",
        (
            rf"(?:re-)?enter|{_forms('discover')}(?! {_THEMSELVES})|{_forms('let show usher bring lead carry')} in"
            rf"|curtains?\b[^.;]{{0,40}}\b{_forms('show reveal')}"
        ),
    ),
    ("exit", r"exit|exeunt"),
    (
        "enter",
        (
            rf"(?:re-)?enter(?:s|eth|ing)|{_forms('come')} (?:\w+ing )?(?:in|back)(?! to {_THEMSELVES})|{_forms('return appear arrive')}"
            rf"|{_forms(f'{_MOTION} burst steal slip creep crawl step climb jump leap')} in"
            r"(?=\W*$|[,.;]| (?:again|and|at|by|from|through|upon|with)\b)"
            rf"|{_forms('come walk run')} on(?=\W*$|[,.;]| (?:again|and|by|from|with)\b)"
            rf"|{_forms('join')} (?:them|him|her(?! hand)|the (?:others|rest|company|party)|(?-i:[A-Z])\w+)\b(?!')"
            r"|comes(?=\W*$|[.;])|(?:has|have) come (?:in|back)"
            r"|(?:is|are|being) (?:discovered|revealed|admitted|(?:brought|let|shown|ushered|led|carried|borne|dragged|pushed) (?:in|on))"
        ),
    ),
    (
        "exit",
        (
            rf"exits|exiting|{_forms('vanish disappear escape flee depart')}|(?:flies|flying)(?! (?:at|upon|into a)\b)"
            rf"|{_forms('run')} (?:off|away|out)"
            r"|leaves?(?: (?:the (?:room|stage|scene|house)|him|her|them|(?-i:[A-Z])[\w']+(?: and (?-i:[A-Z])\w+)?))?"
            r"(?=\W*$|[,.;]|,? (?:all )?(?:but|except|save)\b| (?:by|through|with)\b)"
            rf"|{_forms('go')} (?:(?:out|off|away|in|down|up)(?! to (?:(?:him|her|them)\b|(?-i:[A-Z]))| (?:the )?stage\b)|into (?:the|his|her|their) {_HOUSE})|{_forms('steal')} away|{_forms('slip')} out"
            rf"|{_forms(_MOTION)} (?:out|off|away)(?! (?:to|from)\b)"
            rf"|{_forms('go')} (?:upstairs|downstairs|home|indoors|outside)"
            rf"|{_forms('go')} to (?:fetch|find|seek|call|bring) (?-i:[A-Z])\w+"
            r"|goes(?=\W*$|[.;])|(?:has|have|is|are) gone(?: (?:out|off|away|in))?(?=\W*$|[,.;]| unnoticed\b)"
            rf"|{_forms('retire withdraw')} (?:without|within|in|into the)(?=\W|$)"
            rf"|(?:is|are|being) (?:\w+ and )?{_AWAY}"
        ),
    ),
    (
        "enter or exit",  # by whether they are there
        rf"{_forms('run')} in(?:(?! (?:the|an?|his|her|their)\b)|to (?:the|his|her|their) (?:room|{_HOUSE}))",
    ),
    (
        "show or exit",  # by whether they are hidden
        rf"{_forms('step creep crawl climb jump leap')} out(?=\W*$|[,.;]| (?:and|again|at|by|for|from|of|through|with)\b)",
    ),
    ("descend", _forms("descend")),  # by whether they speak on
    (
        "die",
        (  # one who is dying may speak yet
            r"dies?|dieth|(?:is|are) (?:slain|killed)|expires?"
            rf"|{_forms('fall drop')} (?:down )?dead|{_forms('give')} up the ghost"
            rf"|{_forms('breathe')} (?:his|her) last"
        ),
    ),
    (
        "kill",
        (
            rf"{_forms('kill slay murder strangle')}|{_forms('stab')}(?= {_THEMSELVES})"
            rf"|{_forms('run fall')} (?:up)?on (?:his|her) sword"
        ),
    ),
    (
        "wake",
        (
            rf"(?:{_forms('awake wake awaken waken')}|{_forms('start')} up|{_forms('come')} (?:back )?to (?:him|her)self"
            rf"|{_forms('rouse')} {_THEMSELVES}|{_forms('revive')}|{_forms('recover')}(?! (?:his|her|the|a) )"
            rf"|{_forms('open')} (?:his|her|their) eyes)"
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
            rf"{_forms('sleep faint swoon doze slumber drowse snore')}|{_forms('nod')} off"
            rf"|(?:{_forms('fall drop sink')}|is|are|lies|fallen) (?:fast |sound )?asleep"
            rf"|{_forms('lie')} down and {_forms('sleep')}"
            rf"|{_forms('fall')} (?:down )?in(?:to)? a (?:trance|swoon|fit)"
        ),
    ),
    (
        "hide",
        (
            rf"{_forms('hide')}(?: {_THEMSELVES}|(?! (?:the|an?|his|her|its?|their)\b))|{_forms('conceal')} {_THEMSELVES}"
            rf"|{_forms('retire withdraw')}"
            rf"|{_forms('stand step go walk draw move')} "
            r"(?:aside|apart|aloof|close|by themselves|a ?part|at a distance)"
            rf"|{_forms('draw step stand')} back|{_forms('stand')} by(?=\W*$|[,.;])"
            rf"|{_forms('get go step slip creep crawl crouch duck stand stop stay wait linger')} (?:(?:up|down) )?behind"
            rf"|{_forms('get creep crawl crouch slip')} (?:down )?(?:under|beneath)\b"
            rf"|{_forms('get creep crawl slip climb go')} (?:up |down )?into (?:the|a|his|her) {CHEST}"
            rf"|{_forms('climb')} (?:up )?(?:the|a) (?:tree|hedge)"
            rf"|{_forms('sit keep')} (?:apart|aside|aloof|at a distance)"
            rf"|{_forms('lie')} (?:hid|hidden|close|in ambush|in wait)|{_forms('lurk')}"
            rf"|{_forms('climb')} (?:over )?the \w+"
            rf"(?:,? and {_forms('leap')} down(?: within it)?)?"
        ),
    ),
    (
        "show",
        (
            rf"{_forms('advance')}|{_forms('come step burst creep crawl')} (?:forward|forth|out|down)|{_forms('come')} up to"
            rf"|{_forms('rise arise')}(?: from (?:his|her|their) knees)?"
            rf"|{_forms('discover show reveal')} {_THEMSELVES}"
            rf"|{_forms('come creep crawl step climb rise get')} (?:out )?(?:from|of) (?:the|a|his|her) {CHEST}"
            rf"|{_forms('come creep step')} from (?:behind|under|(?:(?:his|her|their) )?hiding)"
            rf"|{_forms('come step rush leap')} between|{_forms('leave')} (?:his|her|their) hiding"
            rf"|{_forms('drop leap jump')} (?:down )?from"
            r"|(?:is|are|being) (?:pulled|dragged|drawn|found|discovered) (?:out )?"
            r"(?:from )?(?:behind|under|beneath|in hiding)"
            rf"|{_forms('uncover')} (?:his|her|their) ears"
        ),
    ),
    (
        "stay",
        rf"{_forms('stop cover')} (?:his|her|their) ears|{_forms('put')} (?:his|her|their) fingers in",
    ),
    ("fall", rf"(?<!let )(?<!lets )(?<!letting ){_forms('fall')}(?: down)?"),
    ("follow", _forms("follow")),
)
"""Which words of stage directions count as an exit, an entrance, a death and so on: of several that
fit at one place the first here."""

VERB = re.compile(
    r"\b(?:" + "|".join(f"(?P<v{n}>{verb})" for n, (_, verb) in enumerate(VERBS)) + r")\b",
    re.IGNORECASE,
)
AFTER = 2
"""The verbs up to here stand before whom they mean: Enter A, Exit B. The others stand after."""
