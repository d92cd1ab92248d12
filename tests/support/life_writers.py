"""A model that writes lives and asks about them, by what it is asked alone: well, or so that one check does
not let it pass."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from model_servers import Doing

from whoknew.agents.models.model import Reply, Request
from whoknew.agents.prompts.text import prompt
from whoknew.engine.exams.clonemem.stages.requests import PROMPTS

PURPOSES = {prompt(name): name for name in PROMPTS if name.startswith("life.")}

FEELINGS = ("curious", "proud", "nervous", "calm", "restless")

Told = dict[str, list[Any]]

Bad = Callable[[dict[str, Any]], dict[str, Any]]


class LifeModel:
    """Writes well, but for what `bad` makes of the good answer of a purpose, as long as it is not asked
    again; or always, with `always`."""

    name = "lives"

    def __init__(self, bad: dict[str, Bad] | None = None, *, always: bool = False) -> None:
        self.calls: list[Request] = []
        self._bad, self._always = bad or {}, always

    async def complete(self, request: Request) -> Reply:
        self.calls.append(request)
        purpose = request.purpose
        first = len(request.messages) == 2
        said = good(purpose, request.messages[1].text)
        if purpose in self._bad and (first or self._always):
            said = {**said, **self._bad[purpose](said)}
        return Reply(text=json.dumps(said), tokens_in=1, tokens_out=1)


def writing(asked: Any) -> Doing:
    """The same of a server's protocol."""
    return Doing(json.dumps(good(purpose_of(asked), asked["messages"][1]["content"])))


def purpose_of(asked: Any) -> str:
    return PURPOSES[asked["messages"][0]["content"]]


def told_in(text: str) -> Told:
    """The data of a prompt, by headings."""
    found: Told = {}
    for part in re.split(r"^# ", text, flags=re.MULTILINE)[1:]:
        heading, *lines = part.strip().split("\n")
        found[heading] = [json.loads(line) for line in lines]
    return found


def good(purpose: str, text: str) -> dict[str, Any]:
    """What passes."""
    return GOOD[purpose](told_in(text))


def _persona(told: Told) -> dict[str, Any]:
    return {
        "job": "bookbinder",
        "family": "Comes from a family of ferrymen.",
        "education": "An apprenticeship in a bindery",
        "personality": "Thinks long and says little, and keeps a promise.",
        "concerns": ["the rent", "growing deaf"],
        "before": "Lived by the sea until the bindery there was shut.",
        "contacts": [
            {"name": one["name"], "text": f"Knows much about knots, {place}."}
            for place, one in enumerate(told["Those around it"])
        ],
    }


THINGS = ("sailing", "a garden", "the choir", "an old quarrel", "the bridge", "early trains")
STATES = (
    ("only dreaming of it and saying nothing", "a poster hung at the station"),
    ("trying it in secret", "a neighbour lent what was needed"),
    ("open about it and proud", "somebody clapped for the first time"),
    ("tired of it and close to giving up", "a whole week went wrong"),
    ("back at it, for the joy alone", "a letter came that asked for more"),
    ("done with it for good", "the last of it was given away"),
)
CUES = ("drew boats on envelopes", "came home late with wet shoes", "whistled at work")


def _arcs(told: Told) -> dict[str, Any]:
    arcs = []
    for number, one in enumerate(told["The arcs that are wanted"]):
        thing = f"{THINGS[number % 6]} {'again ' * (number // 6)}".strip()
        states = [
            {
                "state": f"{STATES[place % 6][0]}, as to {thing}",
                "feeling": FEELINGS[place % 5],
                "trigger": f"{STATES[place % 6][1]} for {thing}",
                "cue": f"{CUES[place % 3]} for {thing} {place}",
            }
            for place in range(len(one["days"]))
        ]
        arcs.append({"dimension": one["dimension"], "title": thing, "states": states})
    return {"arcs": arcs}


def _events(told: Told) -> dict[str, Any]:
    first = told["The person"][0].split()[0].rstrip(",")
    days = told["The days"][0]
    begins, ends = (datetime.fromisoformat(days[one].split(", ")[1]) for one in ("from", "to"))
    count, inside = told["What is wanted"][0]["events"], told["How it is inside"][0]
    step = (ends + timedelta(hours=20) - begins - timedelta(hours=8)) / count
    matters = [one["arc"] for one in told["How things stand as these days begin"]]
    events = []
    for number in range(count):
        at = begins + timedelta(hours=8) + step * number
        when = f"at {at:%H:%M} on {at:%d %B %Y}"
        arc = matters[number % len(matters)] if matters and number % 2 else ""
        claims = [("fact", f"{first} mended a kite of colour {number} {when}.")]
        if arc:
            claims = [("fact", f"{first} did a piece of {arc}, number {number}, {when}.")]
        happens = f"{first} was busy {when}."
        feeling = FEELINGS[(number + at.day) % 5]
        if number == 0 and told["The turn"]:
            (turn,) = told["The turn"]
            arc, feeling = turn["arc"], turn["feeling"]
            stands = f"From then on {first} was {turn['how it stands from then on']}."
            claims = [("fact", f"{turn['what brings it about'].capitalize()} {when}.")]
            claims.append(("opinion", stands))
        inside = {
            "energy": round(0.9 * inside["energy"] + 0.05, 3),
            "stress": round(0.9 * inside["stress"] + 0.03, 3),
        }
        events.append(
            {
                "at": at.replace(second=0, microsecond=0).isoformat(),
                "arc": arc,
                "happens": happens,
                "evidence": [{"sort": sort, "claim": claim} for sort, claim in claims],
                **inside,
                "emotion": feeling,
                "focus": arc or "the week",
            }
        )
    return {"events": events}


def _intents(told: Told) -> dict[str, Any]:
    me, people = told["The person"][0]["name"], [one["name"] for one in told["Those around it"]]
    found = []
    for event in told["What happened"]:
        numbers = [int(one) for one in event["evidence"]]
        key = " ".join(event["evidence"].values())[:200]
        own = {"medium": "diary", "writer": me, "to": [], "after": 3, "intent": "to keep it"}
        told_to = {"medium": "private message", "writer": me, "to": people[:1], "after": 5}
        found += [
            {**own, "key": key, "evidence": numbers},
            {**told_to, "intent": "to tell it", "key": key, "evidence": numbers[-1:]},
        ]
    return {"traces": found}


def _trace(told: Told) -> dict[str, Any]:
    (what,) = told["In which medium, when, to whom, what for"]
    _, *claims = told["What it is to show"]
    return {"text": f"{' '.join(claims)} So I wrote it, {what['intent']}, {what['at']}."}


def _gate(told: Told) -> dict[str, Any]:
    (wanted,), entries = told["What is wanted"], told["What is so"]
    least, until = wanted["evidence at least"], told["The date of the question"][0]
    some = entries[-least:] if least else []
    return {
        "possible": True,
        "why": "It moved.",
        "evidence": [one["number"] for one in some],
        "begins": some[0]["day"] if some else until,
        "ends": some[-1]["day"] if some else until,
        "outline": f"What happened of {entries[-1]['matter']}.",
    }


def _question(told: Told) -> dict[str, Any]:
    (wanted,), (until,) = told["What is wanted"], told["The date of the question"]
    rests = told["What the answer rests on"]
    (about,) = told["What it wants to know"]
    asked = f"Looking back from {until}, what of the kind {wanted['kind']} was it: {about[:-1]}?"
    if wanted["kind"] == "unanswerable":
        return {"question": asked, "answer": "I do not know"}
    return {"question": asked, "answer": "; ".join(one["claim"] for one in rests)}


def _wrong(told: Told) -> dict[str, Any]:
    count, (right,) = told["What is wanted"][0]["wrong answers"], told["The right answer"]
    seen = len(told["Wrong answers that were seen through: give others"])
    turned = right.split()
    found = []
    for _ in range(seen + count):
        turned = [*turned[1:], turned[0]]
        found.append(" ".join(turned))
    if right == "I do not know":
        found = [f"On a day in {month}" for month in ("May", "June", "July")]
    return {"wrong": found[-count:]}


def _solve(told: Told) -> dict[str, Any]:
    return {"choice": 0}


def found_out(text: str) -> dict[str, Any]:
    """What a reader finds who needs no time: the choice that was said as it stands there."""
    told = told_in(text)
    known = told["What is known"]
    said = [one["number"] for one in told["The choices"] if known_in(one["choice"], known)]
    return {"choice": said[0] if said else 0}


def known_in(choice: str, known: Sequence[str]) -> bool:
    return all(one in known for one in choice.split("; "))


def _review(told: Told) -> dict[str, Any]:
    return {"keep": len(told["The question"][0]) % 10 != 0, "why": "It reads well."}


GOOD = {
    "life.persona": _persona,
    "life.arcs": _arcs,
    "life.events": _events,
    "life.intents": _intents,
    "life.trace": _trace,
    "life.gate": _gate,
    "life.question": _question,
    "life.wrong": _wrong,
    "life.solve": _solve,
    "life.review": _review,
}
