"""Reading what models answer: texts that make a careless reader slow, of up to 4 MB, by everything
that reads what others wrote. CPU for each MB should be the same, however long they are."""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time

from figure import Figure, Reach
from growth import LINEAR, grown
from hostile_replies import PLANTED, read
from session import Session

MB = 10**6


def figures(session: Session) -> Iterator[Figure]:
    sizes = [MB // 64, MB // 32] if session.quick else [MB // 16, MB // 4, MB, 4 * MB]
    took: dict[str, list[float]] = {}
    for name, make in PLANTED.items():
        took[name] = [_took(make(size)) for size in sizes]
    worst = max(took, key=lambda name: took[name][-1])
    whole = [sum(times) for times in zip(*took.values(), strict=True)]
    flat = {name: _flat(sizes, times) for name, times in took.items()}
    steepest = max(flat, key=lambda name: flat[name])
    yield grown(f"reading {len(took)} planted replies", "s", sizes, [whole], LINEAR)
    yield grown(f"reading the slowest, {worst}", "s", sizes, [took[worst]], LINEAR)
    yield Figure(
        "CPU for each MB of the longest, beside that of a quarter of it; the steepest",
        "x",
        [flat[steepest]],
        reach=Reach(2.0, "most"),
        notes={"steepest": steepest},
    )


def _flat(sizes: list[int], times: list[float]) -> float:
    """How much longer a MB takes of the longest text than one of the text before it."""
    return times[-1] / sizes[-1] / (times[-2] / sizes[-2])


def _took(text: str) -> float:
    begun = process_time()
    read(text)
    return process_time() - begun
