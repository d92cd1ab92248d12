"""The small chain with secrets, and a model that tells them: everybody knows one of their own in each
scenario, and the model gives away those of others."""

from __future__ import annotations

from typing import Any

import msgspec
from model_servers import Doing, by_digest, digest_of_asked
from msgspec.structs import replace

from whoknew.testing.small_chain import SETTING

SECRETS = {
    "thursday": {
        "Oda": "Barnaby hid forty silver spoons beneath the lighthouse stairs.",
        "Bram": "The harbour master sold a rotten barge to three drunken millers.",
        "Kit": "Grandmother buried her wedding ring under the crooked pear tree.",
        "Nell": "Eleven smugglers sleep above the bakery until the frost breaks.",
    },
    "friday": {
        "Oda": "A blind violinist poisoned the mayor's favourite carriage horse.",
        "Nell": "The chapel organ hides letters from a banished Portuguese admiral.",
    },
    "sunday": {
        "Bram": "Whoever painted the tavern sign forged nine hundred banknotes.",
        "Kit": "My cousin drained the mill pond looking for a drowned cannon.",
        "Oda": "The new schoolteacher escaped from a circus in Rotterdam.",
    },
}

GUARDED = replace(
    SETTING, scenarios=tuple(replace(one, goals=SECRETS[one.name]) for one in SETTING.scenarios)
)

TWICE = "(2 of"
"""How whoever is asked for the third time is told that it gave something away."""


def leaking(asked: Any) -> Doing:
    """What a model says that gives something away in half of its lines, until it was told of it twice.
    It depends on nothing but what was asked."""
    text = " ".join(message["content"] for message in asked["messages"])
    chosen = int(digest_of_asked(asked)[2:6], 16)
    acts = b'"act"' in msgspec.json.encode(asked.get("response_format"))
    unknown = [
        secret for some in SECRETS.values() for secret in some.values() if secret not in text
    ]
    if not acts or TWICE in text or chosen % 2:
        return by_digest(asked)
    said = {"act": "speak", "text": unknown[chosen % len(unknown)]}
    return Doing(msgspec.json.encode(said).decode(), wait=0.004)
