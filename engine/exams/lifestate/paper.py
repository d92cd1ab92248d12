"""The figures of the paper LIFESTATE-BENCH, to stand beside ours: marked as the paper's, never mixed with
them.

Percent of a mark of 0 to 10, by kind, and over all. Its questions were written by people; its judge is a
language model. Its deviations are not given row by row.
"""

from __future__ import annotations

from whoknew.engine.exams.kind import Published

KINDS = ("self %", "fact %", "relation %")
ALL = "ACC %"

_HAMLET = {
    "Llama-3.1-8B, GRACE": (67.3, 43.7, 19.2, 21.9),
    "Llama-3.1-8B, LoRA": (69.1, 53.6, 22.7, 25.6),
    "Llama-3.1-8B, summary": (73.5, 54.2, 42.1, 47.0),
    "Llama-3.1-8B, direct": (74.2, 58.8, 43.7, 58.0),
    "GPT-4-turbo, summary": (84.6, 62.7, 54.5, 66.1),
    "GPT-4-turbo, direct": (84.3, 62.3, 54.2, 65.9),
    "DeepSeek-R1, summary": (85.6, 64.3, 56.5, 65.8),
    "DeepSeek-R1, direct": (86.4, 63.3, 58.7, 67.3),
}

_SYNTHETIC = {
    "Llama-3.1-8B, GRACE": (76.2, 47.3, 27.4, 34.0),
    "Llama-3.1-8B, LoRA": (77.7, 51.2, 31.2, 40.7),
    "Llama-3.1-8B, summary": (83.3, 52.7, 46.6, 50.2),
    "Llama-3.1-8B, direct": (83.6, 61.4, 45.2, 67.0),
    "GPT-4-turbo, summary": (84.2, 74.5, 61.1, 73.3),
    "GPT-4-turbo, direct": (85.4, 75.5, 62.9, 75.6),
    "DeepSeek-R1, summary": (85.7, 70.1, 62.7, 73.5),
    "DeepSeek-R1, direct": (87.6, 74.7, 67.4, 74.2),
}

PAPER: dict[str, Published] = {
    f"the paper's: {text}, {arm}": {
        name: (value, None) for name, value in zip((*KINDS, ALL), row, strict=True)
    }
    for text, table in (("Hamlet", _HAMLET), ("synthetic", _SYNTHETIC))
    for arm, row in table.items()
}
"""Its rows, each figure without a deviation."""
