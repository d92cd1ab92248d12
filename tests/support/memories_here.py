"""The memories that can be had here: some need packages that not everybody has installed."""

from __future__ import annotations

import pytest

from whoknew.agents.memories.vendors import VendorEntry, installed
from whoknew.engine.registry import MEMORIES


def _is_here(name: str) -> bool:
    entry = MEMORIES.entry(name)
    return not issubclass(entry, VendorEntry) or installed(entry.package)


HERE = [
    name
    for name in MEMORIES.ours
    if _is_here(name) and not MEMORIES.entry(name).in_weights  # which need a model that takes them
]

NEEDED = {
    name: pytest.mark.skipif(not _is_here(name), reason=f"{name} needs whoknew[vendors]")
    for name in MEMORIES.ours
}

EACH = [pytest.param(name, marks=NEEDED[name]) for name in MEMORIES.ours]
"""For tests of all of them, one by one."""
