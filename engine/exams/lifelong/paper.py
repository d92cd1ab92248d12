"""The paper's own figures, to stand beside ours: marked as the paper's, never mixed with them.

Goel and Zhu, "Lifelong-Sotopia": five hard episodes, ten runs of each; language models, judged by a
language model. Ours are of other scenarios, and of whatever models a plan names.
"""

from __future__ import annotations

from msgspec import Struct


class Published(Struct, frozen=True, kw_only=True):
    """A row of the paper's table of hard episodes; None where it gives no deviation."""

    model: str
    memory: str
    believability: float
    believability_deviation: float | None
    goal: float
    goal_deviation: float | None


PUBLISHED = (
    Published(
        model="GPT-4o",
        memory="none",
        believability=8.1,
        believability_deviation=0.32,
        goal=5.9,
        goal_deviation=0.46,
    ),
    Published(
        model="GPT-4o",
        memory="summary",
        believability=9.1,
        believability_deviation=0.54,
        goal=6.9,
        goal_deviation=0.49,
    ),
    Published(
        model="Gemini-1.5",
        memory="summary",
        believability=8.55,
        believability_deviation=None,
        goal=6.6,
        goal_deviation=None,
    ),
    Published(
        model="Llama-3.1",
        memory="summary",
        believability=8.0,
        believability_deviation=None,
        goal=6.8,
        goal_deviation=None,
    ),
    Published(
        model="Llama-3.2",
        memory="summary",
        believability=8.2,
        believability_deviation=None,
        goal=6.7,
        goal_deviation=None,
    ),
)
