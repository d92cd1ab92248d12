"""A model that writes of scenes, good and bad, by what it is asked alone: at first nothing that will do,
and when it is asked again what the offline model would write."""

from __future__ import annotations

import json
import re
from typing import Any

from model_servers import Doing

from whoknew.agents.lines import Line
from whoknew.agents.models import scenes
from whoknew.agents.sections import Acquaintance, Sections
from whoknew.engine.exams.timechara.scene_draft import WAYS

BAD: dict[str, dict[str, object]] = {
    "sentence": {
        "sentence": "Wren went up to the lamp. Who was there then?",
        "evidence": [1],
        "people": [],
    },
    "fact": {"word": "why", "question": "Is it so?", "answer": "Yes.", "key": "Yes"},
    "fake": {"sentence": "It was so.", "true": "", "false": "x", "question": "?", "answer": "No."},
    "gold": {"answer": "I was there, was not there, and remember all of it."},
}

_THERE = re.compile(r"^\(There: (.*)\.\)$")
_LINE = re.compile(
    r'^\[(?P<at>\d+)\] (?P<who>.+?) (?:says aside|says|whispers)(?: to [^"]+?)?: (?P<said>".*")$'
)


_WANTED = {
    "sentence": "the one thing in this scene",
    "fact": "It is wanted with the word",
    "fake": "Change the sentence in one place",
    "gold": "answers that are known to be right",
}
"""What stands in the rules of each, and of no other."""


def purpose_of(asked: Any) -> str:
    rules = asked["messages"][0]["content"]
    return next((one for one, words in _WANTED.items() if words in rules), "check")


def is_again(asked: Any) -> bool:
    return len(asked["messages"]) > 2


def writing(asked: Any) -> Doing:
    purpose = purpose_of(asked)
    if purpose == "check":
        return Doing('{"answer": "I do not know."}')
    if not is_again(asked):
        return Doing(json.dumps(BAD[purpose]), wait=0.01)
    return Doing(json.dumps(good(asked)), wait=0.01)


def good(asked: Any) -> dict[str, object]:
    """What passes, of the prompt alone."""
    purpose, told = purpose_of(asked), str(asked["messages"][1]["content"])
    if purpose == "gold":
        return {"answer": _gold(told)}
    lines = tuple(_line(one) for one in told.split("\n"))
    sentence = "" if purpose == "sentence" else json.loads(told.split("\n")[1])
    rules = asked["messages"][0]["content"]
    strategy = next((one for one, way in WAYS.items() if way in rules), "")
    people = re.findall(r"in the place of one \((.*?)\)", rules)
    sections = Sections(
        who="",
        here=lines,
        question=sentence,
        wanted={strategy: 1},
        others=tuple(map(Acquaintance, people[0].split(", "))) if people else (),
    )
    return scenes.written(purpose, sections, ())


def _line(text: str) -> Line:
    if there := _THERE.match(text):
        return Line(text, 0, "", there[1])
    if said := _LINE.match(text):
        return Line(text, int(said["at"]), said["who"], json.loads(said["said"]), act="speak")
    return Line(text, 1)


def _gold(told: str) -> str:
    """The right answer by what is said to hold."""
    temporal, *more = [json.loads(one) for one in told.split("\n") if one.startswith('"')][:-1]
    happened = temporal.partition("that ")[2].partition(". What was said around it")[0]
    if "has not happened yet" in temporal:
        return "I do not know of that."
    if more:
        was = "was there. The answer" in more[0]
        return f"I was there when {happened}." if was else "I was not there."
    if right := re.search(r"Right is: (.*)$", temporal):
        return str(right[1])
    true = re.search(r"not so: ['\"](.*?)['\"] stands there", temporal)
    return f"No, that is not how it was: it was {true[1]}." if true else "No, it was not so."
