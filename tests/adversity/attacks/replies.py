"""Whatever a model says is read in time, or told to be no answer: the reading alone, no server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from random import Random
from typing import Any

from adversity.attack import Attack, Ground, Strike
from adversity.mutations import STRANGE, altered, mutated
from model_servers import Doing, judged, spoken

from whoknew.agents.answering import Answer
from whoknew.agents.errors import BadAnswer, ModelError
from whoknew.agents.memories.summary import _answer
from whoknew.agents.mind import Dealing, Going, Said
from whoknew.agents.models.chat import completed
from whoknew.agents.models.refusals import LARGEST, refused
from whoknew.agents.understand import understand

KINDS = (Said, Going, Dealing, Answer, _answer(("overview", "negotiation", "knowledge")))

SAID: Sequence[Any] = (
    {"act": "speak", "text": "Good evening."},
    {"act": "speak", "text": "To you.", "to": ["Oda", "Bram"], "refers_to": [1, 2]},
    {"act": "leave", "text": "", "goes": "the quay"},
    {"act": "speak", "text": "Half.", "offer": {"Oda": {"book": 2}}, "agrees": False},
    {"answer": "Bram.", "rests_on": [3]},
    {"overview": "It rained.", "negotiation": "None.", "knowledge": "Little."},
    judged(7),
)

AROUND = ("{}", "```json\n{}\n```", "Here it is:\n\n{}\n\nDone.", "{}{}", "<think>{{</think>{}")

ENDLESS = (
    " ",
    "\n",
    "\t\n",
    "9",
    "9.",
    "{",
    "[",
    '{"a":',
    '{"text": "',
    "```",
    "```\n",
    "```json {",
    "/*",
    "// ",
    "#",
    "\\",
    "\\u0041",
    "\\ud83d",
    "'",
    "\u2019",
    "a",
    "a'",
    "null,",
    "1e",
    "-",
    ".5",
    "true ",
    "☠",
    "/* */",
    '{"act": "speak"',
)
"""What real servers and models get stuck in."""


@contextmanager
def setup(ground: Ground) -> Iterator[Strike]:
    def strike(chance: Random) -> None:
        text = _said(chance)
        _understood(text, chance)
        body = _body(text, chance)
        with suppress(ModelError):
            reply = completed("m", body, 0.0)
            assert reply.tokens_in is None or isinstance(reply.tokens_in, int)
            _understood(reply.text, chance)
        headers = {"Retry-After": chance.choice(RETRY)} if chance.random() < 0.5 else {}
        assert isinstance(refused("m", chance.choice(STATUSES), headers, body), ModelError)

    yield strike


ATTACK = Attack(setup=setup, short=1500)

STATUSES = (100, 204, 304, 400, 401, 404, 408, 413, 418, 429, 500, 503, 529, 599, 999)

RETRY = (
    "0",
    "7",
    "-5",
    "nan",
    "inf",
    "-inf",
    "1e999",
    "9" * 400,
    "٣",
    "",
    "soon",
    "Thu, 99 Foo 2026 99:99:99 GMT",
    "Fri, 31 Dec 9999 23:59:59 GMT",
    "Fri, 31 Dec 9999 23:59:59 -9999",
    "Mon, 01 Jan 0001 00:00:00 +2359",
    "Sun, 06 Nov 1994 08:49:37",
    "0x10",
    "1_000",
    "7, 9",
)
"""What a server may say of when to come back."""


def _understood(text: str, chance: Random) -> None:
    kind = chance.choice(KINDS)
    try:
        assert isinstance(understand(text, kind), kind)
    except BadAnswer as error:
        assert len(str(error)) < 2000


def _said(chance: Random) -> str:
    """What a model says: nearly right, or wrong at random, or the same thing without an end."""
    value = chance.choice(SAID)
    if chance.random() < 0.5:
        value = altered(value, chance, lambda: chance.choice(STRANGE))
    text = chance.choice(AROUND).format(*[_json(value)] * 2)
    text = text.encode("utf-8", "replace").decode()  # a server sends nothing else
    if chance.random() < 0.3:
        text = text.replace('"', "'").replace("false", "False").replace("null", "None")
    if chance.random() < 0.5:
        text = mutated(text.encode(), chance).decode("utf-8", "replace")
    if chance.random() < 0.05:
        most = chance.choice((1000, 40_000, 40_000, LARGEST if chance.random() < 0.05 else 1000))
        endless = chance.choice(ENDLESS)
        at = chance.randrange(len(text) + 1)
        text = text[:at] + endless * (most // len(endless)) + text[at:]
    return text


def _body(text: str, chance: Random) -> bytes:
    """What a server sends: its protocol, or nearly."""
    body: Any = spoken("openai", Doing(text))
    if chance.random() < 0.5:
        body = altered(body, chance, lambda: chance.choice(STRANGE))
    data = _json(body).encode("utf-8", "surrogatepass")
    return mutated(data, chance) if chance.random() < 0.4 else data


def _json(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)
