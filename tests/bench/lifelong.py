"""A whole examination without a network: chains of 45 episodes in four arms, played and judged."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from time import perf_counter

from figure import Figure
from peer import run
from server import COMMAND
from session import Session

PLAN = """
exam = "lifelong"
name = "exam"
chains = {chains}
episodes = {episodes}
hard = 5
grid.memories = ["none", "recall", "summary", "entire"]
[agents.everyone]
agent = "bargainer"
"""


def figures(session: Session) -> Iterator[Figure]:
    chains, episodes = session.size(10, 1), session.size(40, 9)
    plan = session.folder / "exam.toml"
    plan.write_text(PLAN.format(chains=chains, episodes=episodes), "utf-8")

    def seconds(command: str) -> float:
        begun = perf_counter()
        run([*COMMAND, "exam", command, plan, "--log", session.folder / "exam.db"])
        return perf_counter() - begun

    def played() -> float:
        session.file("exam.db")
        return seconds("run")

    took = session.in_turn(played, runs=3)[0]
    whole = f"{chains} chains of {episodes + 5} episodes with each of 4 memories"
    rate = f"{4 * chains * (episodes + 5) / median(took):.0f} episodes a second"
    yield Figure(f"{whole}, played and judged", "s", took, notes={"that is": rate})
    yield Figure(
        f"{whole}, reported once more", "s", session.in_turn(lambda: seconds("report"), runs=3)[0]
    )
