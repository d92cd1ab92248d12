"""The paper's own figures, to stand beside ours: marked as the paper's, never mixed with them.

Goel and Zhu, "Lifelong-Sotopia": five hard episodes, ten runs of each; language models, judged by a
language model. Ours are of other scenarios, and of whatever models a plan names.
"""

from __future__ import annotations

from msgspec import Struct


class Published(Struct, frozen=True):
    """A row of the paper's table of hard episodes; None where it gives no deviation."""

    model: str
    memory: str
    believability: float
    believability_deviation: float | None
    goal: float
    goal_deviation: float | None


PUBLISHED = (
    Published("GPT-4o", "none", 8.1, 0.32, 5.9, 0.46),
    Published("GPT-4o", "summary", 9.1, 0.54, 6.9, 0.49),
    Published("Gemini-1.5", "summary", 8.55, None, 6.6, None),
    Published("Llama-3.1", "summary", 8.0, None, 6.8, None),
    Published("Llama-3.2", "summary", 8.2, None, 6.7, None),
)
