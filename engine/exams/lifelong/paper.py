"""The paper's own figures, to stand beside ours: marked as the paper's, never mixed with them.

Goel and Zhu, "Lifelong-Sotopia": five hard episodes, ten runs of each; language models, judged by a
language model. Ours are of other scenarios, and of whatever models a plan names.
"""

from __future__ import annotations

from whoknew.engine.exams.kind import Published

PAPER: dict[str, Published] = {
    "the paper's: GPT-4o, none": {"hard.BEL": (8.1, 0.32), "hard.GOAL": (5.9, 0.46)},
    "the paper's: GPT-4o, summary": {"hard.BEL": (9.1, 0.54), "hard.GOAL": (6.9, 0.49)},
    "the paper's: Gemini-1.5, summary": {"hard.BEL": (8.55, None), "hard.GOAL": (6.6, None)},
    "the paper's: Llama-3.1, summary": {"hard.BEL": (8.0, None), "hard.GOAL": (6.8, None)},
    "the paper's: Llama-3.2, summary": {"hard.BEL": (8.2, None), "hard.GOAL": (6.7, None)},
}
"""Rows of its table of hard episodes, each score with its mean and, where it gives one, its deviation."""
