"""Replies as servers and models may send them, each of any length: what makes a careless reader slow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from whoknew.agents import actiontext
from whoknew.agents.agent import Moment
from whoknew.agents.briefing import QUESTION
from whoknew.agents.errors import BadAction, BadAnswer
from whoknew.agents.lines import Line, quoted
from whoknew.agents.memories.writing import cut
from whoknew.agents.mind import Dealing
from whoknew.agents.models import keeping, opinion, questions
from whoknew.agents.models.answers import answered
from whoknew.agents.models.asked_for import unframed
from whoknew.agents.models.overtaken import gone, replaced
from whoknew.agents.models.statement import statements
from whoknew.agents.sections import Sections
from whoknew.agents.understand import understand
from whoknew.eventlog.words import terms
from whoknew.worlds.importers.sotopia import actiontext as sotopia
from whoknew.worlds.importers.sotopia.division import division
from whoknew.worlds.importers.sotopia.profiles import untagged


def _filled(before: str, again: str, after: str = "") -> Callable[[int], str]:
    """A text of some length: a beginning, a part over and over, an end."""
    return lambda length: before + again * (length // len(again)) + after


PLANTED: Mapping[str, Callable[[int], str]] = {
    "blanks": _filled("", " ", "x"),
    "line ends": _filled('{"act":', "\n", "x"),
    "digits": _filled('{"text": ', "1", "x}"),
    "a number": _filled('{"text": ', "1", "}"),
    "digits after a point": _filled('{"text": .', "1", "x}"),
    "an exponent": _filled('{"text": 1e', "9", "x}"),
    "a fence without an end": _filled("```", "a"),
    "a fence of blanks": _filled("```json", " ", "x"),
    "fences": _filled("", "```"),
    "fences that hold braces": _filled("", "```{```"),
    "braces": _filled("", "{"),
    "objects": _filled("", '{"a": [', ""),
    "lists": _filled('{"text": ', "["),
    "numbers in a list": _filled('{"a": ' * 18 + "[", "1,", "x"),
    "names without quotes": _filled('{"text": [', "word "),
    "apostrophes": _filled("{'text': 'a", "'a"),
    "escapes": _filled('{"text": "', "\\"),
    "quotation marks": _filled('{"text": ', '"'),
    "a text without an end": _filled('{"text": "', "word "),
    "escaped quotation marks": _filled("[private to [", "'\\", "]] said"),
    "comments without an end": _filled('{"a": ' * 18 + "[1", "/*"),
    "comments": _filled("{", "//\n", "x"),
    "references": _filled("Well. ", "[1]", "x"),
    "references with blanks": _filled("Well. ", " [1] ", ""),
    "an offer": _filled("/offer Bram: 1 a", " ", "b"),
    "conjunctions": _filled("[1] Oda", " and", ' "x"'),
    "quotations": _filled("[1] Oda: ", '"'),
    "sections": _filled("", "# Now\n[1] "),
    "sentences": _filled("", ". "),
    "one word": _filled("", "ations"),
    "tags": _filled("", "<p"),
    "denials": _filled("", "not "),
    "blanks behind a turn": _filled("Never again", " ", "x"),
    "addresses": _filled("", " says to "),
    "commas": _filled("", ", ", "x"),
    "hints without an end": _filled("", "<strategy_hint>"),
    "who was there": _filled("", " (there: ", "x"),
    "question marks": _filled("What do you say of it that ", "?", "x"),
    "other words each time": lambda length: " ".join(map(str, range(length // 7))),
}


def read(text: str) -> None:
    """By all that reads what others wrote: understood or refused, and never another way."""
    for reader in READERS:
        reader(text)


def _understood(text: str) -> None:
    with suppress(BadAnswer):
        understand(text, Dealing)


def _acted(text: str) -> None:
    unseen: Any = None  # what is written is read without the view
    with suppress(BadAction):
        actiontext.parse(text, Moment(who="Oda", view=unseen, present=("Bram",)))


def _summary(text: str) -> None:
    list(statements([Line(text, text=text, written=True)]))


def _turned(text: str) -> None:
    gone(text)
    replaced(text)


def _asked(text: str) -> None:
    told = Line(text, 1, "Oda", text, act="speak")
    questions.written(Sections(who="Oda", here=(told,), wanted={"self": 1}), ())


def _answered(text: str) -> None:
    told = Line(f"[1] Oda says: {quoted(text)}", 1, "Oda", text, act="speak")
    asked = 'To whom was it that Oda said, "says to"?'
    for question in (asked, text):
        answered(Sections(who="Bram", memory=(told,), question=question))


def _placed(text: str) -> None:
    opinion.expert("when", ["", f"[1] {text}{QUESTION}{text}"])


def _kept(text: str) -> None:
    deed = Line(f"{text} => {text}", 1, "Oda", text, act="speak")
    keeping.kept(Sections(who="Oda", here=(deed,)), tuple(keeping.PARTS))


def _divided(text: str) -> None:
    division("They divide 3 books.", [text])


READERS: tuple[Callable[[str], object], ...] = (
    _understood,
    _acted,
    _summary,
    _turned,
    _asked,
    _answered,
    _placed,
    _kept,
    _divided,
    unframed,
    terms,
    lambda text: cut(text, 300),
    sotopia.parse,
    untagged,
)
