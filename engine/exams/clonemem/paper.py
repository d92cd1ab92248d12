"""The figures of the paper CloneMem, to stand beside ours: marked as the paper's, never mixed with them.

Percent of right choices, what memory brought, how answers agree, and the recalls that it prints, at ten
traces a question. Helpfulness and consistency are parts of the best mark.
"""

from __future__ import annotations

from whoknew.engine.exams.kind import Published
from whoknew.engine.judges.recalls import ALL_ALL, ALL_ANY, ANY_ALL, ANY_ANY, FLAT

CHOICE, MADE_UP, PERFECT = "choice %", "made up %", "perfect %"

POINTS, HELPFUL, CONSISTENCY = "points", "helpful", "consistency"

RECALLS = {one: f"recall, {one}" for one in (FLAT, ALL_ALL, ALL_ANY, ANY_ALL, ANY_ANY)}

_HEADS = (CHOICE, CONSISTENCY, HELPFUL, POINTS, *(RECALLS[one] for one in (ALL_ANY, ANY_ANY, FLAT)))

_ROWS: dict[str, tuple[float, ...]] = {
    "GPT-4o-mini, oracle": (89.3, 0.837, 0.933, 0.999),
    "GPT-4o-mini, A-Mem": (88.1, 0.720, 0.636, 0.556, 0.210, 0.586, 0.269),
    "GPT-4o-mini, Mem0": (87.6, 0.671, 0.620, 0.501, 0.128, 0.434, 0.175),
    "GPT-4o-mini, flat": (88.5, 0.719, 0.778, 0.653, 0.218, 0.585, 0.275),
    "Llama-3.1-8B, oracle": (86.0, 0.689),
    "Llama-3.1-8B, A-Mem": (78.7, 0.497),
    "Llama-3.1-8B, Mem0": (72.4, 0.438),
    "Llama-3.1-8B, flat": (77.8, 0.473),
    "Qwen3.5-Plus, full context of 100,000 tokens": (96.8, 0.801),
    "Qwen3.5-Plus, full context of 500,000 tokens": (95.1, 0.684),
}

PAPER: dict[str, Published] = {
    f"the paper's: {arm}": {head: (value, None) for head, value in zip(_HEADS, row, strict=False)}
    for arm, row in _ROWS.items()
}
"""Its rows, each figure without a deviation."""
