"""`offline:`, the model that comes with Whoknew: deterministic, no network, no key.

It is extractive: all that it says is put together from its prompt, so what it knows is exactly
what its memory gave it. It is not a language model, and is not presented as one.

Where a goal holds lines such as `Say: "..."`, `Whisper to Nell: "..."`, `Think:`, `Do:`,
`Gesture:`, `Leave:` or `Go to the pantry:`, it performs them, one a turn. Out of lines, it takes up
what it heard last with the words that it remembers best match it; or it does nothing.
"""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from whoknew.agents.errors import Rejected
from whoknew.agents.models import (
    answers,
    bookmarking,
    keeping,
    opinion,
    questions,
    scenes,
    verdict,
)
from whoknew.agents.models.address import OFFLINE
from whoknew.agents.models.direction import DIRECTION
from whoknew.agents.models.hashing import hashed
from whoknew.agents.models.model import EMBED, Reply, Request
from whoknew.agents.models.statement import Statement, statements
from whoknew.agents.models.vectors import packed
from whoknew.agents.sections import Sections, Situation
from whoknew.eventlog.words import terms

_TELLS = 0.4
"""A line passes on another when this share of its words, and two at least, are the other's."""

_ACTS = {
    "Say": "speak",
    "Whisper to": "speak",
    "Think": "none",
    "Do": "action",
    "Gesture": "non-verbal",
    "Leave": "leave",
    "Go to": "leave",
}


LONG = 100_000
"""Letters of a prompt that take a hundredth of a second to read: longer ones are read beside the
loop, on which others wait."""


class Offline:
    name = OFFLINE

    async def complete(self, request: Request) -> Reply:
        size = sum(len(message.text) for message in request.messages)
        if size > LONG:
            said = await asyncio.to_thread(_said, request)
        else:
            said = _said(request)
        told = 0 if request.purpose == EMBED else len(said) // 4
        return Reply(text=said, tokens_in=size // 4, tokens_out=told)


NEED_SECTIONS = ("act", "remember", "look", "judge", "answer", "questions", *scenes.PURPOSES)
"""What it is asked for in sections, which it reads; of anything else it reads the text."""


def _said(request: Request) -> str:
    sections = request.sections
    if sections is None:
        if request.purpose in NEED_SECTIONS:
            raise Rejected(
                f"{OFFLINE} cannot {request.purpose} without the sections of the request, and this one "
                "has none: make it with briefing.request(...), and change it with replace(request, ...)"
            )
        sections = Sections(who="")
    asked = request.answer.__struct_fields__ if request.answer else ()
    match request.purpose:
        case "embed":
            return packed(hashed(message.text) for message in request.messages)
        case "act":
            return _json(_act(sections))
        case "remember" | "look" if asked and asked[0] in bookmarking.FIELDS:
            return _json(bookmarking.said(sections, asked[0]))
        case "remember":
            return _json(keeping.kept(sections, asked or ("overview",)))
        case "judge" if not asked:
            return opinion.judged(sections)
        case "judge":
            return _json(verdict.given(sections, asked))
        case "answer":
            return _json(answers.answered(sections))
        case "when" | "where":
            return opinion.expert(request.purpose, [message.text for message in request.messages])
        case "feedback":
            return _json(opinion.marked([message.text for message in request.messages]))
        case "leaks":
            return _json(opinion.gives_away([message.text for message in request.messages]))
        case scene if scene in scenes.PURPOSES:
            said = [one.text for one in request.messages if one.role == "assistant"]
            return _json(scenes.written(scene, sections, said))
        case "questions":
            said = [one.text for one in request.messages if one.role == "assistant"]
            return _json({"questions": questions.written(sections, said)})
        case _:
            return answers.plainly([message.text for message in request.messages])


def _act(sections: Sections) -> dict[str, Any]:
    who, now = sections.who, sections.now or Situation()
    here = list(statements(sections.here or ()))
    done = {line.text for line in here if line.who == who}
    known = [*statements(sections.memory), *here]
    for verb, whom, text in DIRECTION.findall(sections.goal):
        said = text.replace('\\"', '"')
        if said not in done and (verb != "Whisper to" or whom in (now.present or ())):
            return _performed(verb, whom, said, known)
    return {"act": "none"} if now.hidden else _taken_up(who, here, known, done)


def _performed(verb: str, whom: str, text: str, known: list[Statement]) -> dict[str, Any]:
    said: dict[str, Any] = {"act": _ACTS[verb], "text": text}
    if verb == "Whisper to":
        said["to"] = [whom]
    if verb == "Go to":
        said["goes"] = whom
    if verb in ("Say", "Whisper to"):
        said["refers_to"] = [line.place for line in known if _passes_on(text, line)][:1]
    return said


def _taken_up(
    who: str, here: list[Statement], known: list[Statement], done: set[str]
) -> dict[str, Any]:
    """Of what one remembers of others, what matches best the words that were said last, by another
    and by oneself. Nothing is said twice, and nobody's quotation is quoted again."""
    heard = next((line for line in reversed(here) if line.who not in ("", who)), None)
    if heard is None:
        return {"act": "none"}
    said = next((line.text for line in reversed(here) if line.who == who), "")
    names = set(terms(" ".join(line.who for line in known)))
    asked = set(terms(f"{heard.text} {said}")) - names
    spoken = " ".join(line.text for line in here)
    fitting = [
        (len(asked & set(terms(line.text))), line.place, line)
        for line in known
        if line.who not in ("", who) and line.place < here[0].place and line.text not in spoken
    ]
    best = max(fitting, default=None)
    if best is None or best[0] < 2:
        return {"act": "none"}
    line = best[2]
    text = line.text if line.text.startswith("As ") else f"As {line.who} said: {line.text}"
    return {"act": "speak", "text": text, "refers_to": [line.place]}


def _passes_on(text: str, line: Statement) -> bool:
    """Whether a text gives away what somebody said: who repeats itself to others tells them, too."""
    if not line.who:
        return False
    mine, theirs = set(terms(text)), set(terms(line.text))
    shared = len(mine & theirs)
    return shared >= 2 and shared >= _TELLS * min(len(mine), len(theirs))


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
