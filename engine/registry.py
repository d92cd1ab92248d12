"""The names that a plan can give, each with where to find what is behind it.

They are strings, loaded when a plan names them: so the rooms that play need nothing of the rooms
above them, and nobody waits for what is not used.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

MEMORIES: Mapping[str, str] = {
    "none": "whoknew.agents.memories.nothing:NoMemory",
    "entire": "whoknew.agents.memories.entire:Entire",
    "summary": "whoknew.agents.memories.summary:Summary",
    "recall": "whoknew.agents.memories.recall:Recall",
}
METHODS: Mapping[str, str] = {
    "plain": "whoknew.agents.methods.plain:Plain",
    "stepwise": "whoknew.agents.methods.stepwise:Stepwise",
}
JUDGES: Mapping[str, str] = {
    "dimensions": "whoknew.engine.judges.dimensions:judge",
    "checklist": "whoknew.engine.judges.checklist:judge",
    "rules": "whoknew.engine.judges.rules:judge",
    "evidence": "whoknew.engine.judges.evidence:judge",
}
EXAMS: Mapping[str, str] = {"lifelong": "whoknew.engine.exams.lifelong.plan"}
"""Plans of examinations: each a module with `parse` and `template`."""


def load(place: str) -> Any:
    """A module, or what a module calls by a name: `module:name`."""
    module, _, name = place.partition(":")
    found = import_module(module)
    return getattr(found, name) if name else found
