"""Episodes played at once against a stub of a model: beside a bare client, and beside sotopia."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TypeVar

import msgspec
from figure import Figure, Missing, Reach
from msgspec import Struct
from peer import installed, run
from session import Session

HERE = Path(__file__).parent
TURNS = 20
SOTOPIA, LITELLM = "0.1.5", "1.80.0"

T = TypeVar("T", bound=Struct)


class Took(Struct, frozen=True):
    wall: float
    turns: int
    rss: float
    cpu: float = 0.0
    by_episode: tuple[float, ...] = ()

    @property
    def rate(self) -> float:
        return self.turns / self.wall


class Called(Struct, frozen=True):
    rate: float
    cpu: float


def figures(session: Session) -> Iterator[Figure]:
    yield from _speed(session)
    try:
        python = installed(session, f"sotopia=={SOTOPIA}", f"litellm=={LITELLM}")
    except Missing as missing:
        yield Figure(f"episodes beside sotopia {SOTOPIA}", missing=str(missing))
    else:
        yield from _beside_sotopia(session, python)
    yield from _latency(session)
    yield _memory(session)
    yield _growth(session)


def _speed(session: Session) -> Iterator[Figure]:
    many = session.size(64, 4)
    with stub(0) as url:
        pairs = session.interleaved(
            lambda: ours(f"{url}#stub", many), lambda: bare(url, many * TURNS, many)
        )
        yield Figure(
            f"{many} episodes at once, http model, SQLite FULL",
            "turns/s",
            [one.rate for one, _ in pairs],
            [limit.rate for _, limit in pairs],
            "calls/s of a bare aiohttp client on the same stub",
            Reach(0.5, "share"),
        )


def _beside_sotopia(session: Session, python: Path) -> Iterator[Figure]:
    many, more = session.size(64, 4), session.size(256, 8)
    beside = f"sotopia {SOTOPIA}, its own batch runner on the same stub"
    with stub(0) as url:
        by_http, by_sdk, peer = session.in_turn(
            lambda: ours(f"{url}#stub", many),
            lambda: ours("openai:stub", many, url),
            lambda: sotopia(python, url, many),
        )
        peers = [one.rate for one in peer]
        yield Figure(
            f"{many} episodes at once, http model, beside sotopia",
            "turns/s",
            [one.rate for one in by_http],
            peers,
            beside,
            Reach(12, "times"),
        )
        yield Figure(
            f"{many} episodes at once, through the openai SDK, beside sotopia",
            "turns/s",
            [one.rate for one in by_sdk],
            peers,
            beside,
            Reach(3, "times"),
        )
    with stub(session.size(200, 5)) as url:
        mine, peer, fewer = session.in_turn(
            lambda: ours(f"{url}#stub", more),
            lambda: sotopia(python, url, more),
            lambda: sotopia(python, url, many),
            runs=3,
        )
        yield Figure(
            f"{more} episodes, a model of 200 ms, beside sotopia",
            "turns/s",
            [one.rate for one in mine],
            [one.rate for one in peer],
            beside,
            notes={"seconds": f"{median(one.wall for one in peer):.3g} s of sotopia"},
        )
        yield Figure(
            "memory of each further episode in flight, of sotopia",
            "MB",
            [(a.rss - b.rss) / (more - many) for a, b in zip(peer, fewer, strict=True)],
        )


def _latency(session: Session) -> Iterator[Figure]:
    for seconds, count, most in ((0.2, 256, 1.15), (0.5, 1000, 1.3)):
        with stub(session.size(int(1000 * seconds), 5)) as url:
            episodes = session.size(count, 4)
            runs = session.repeated(lambda url=url, n=episodes: ours(f"{url}#stub", n))
        least = TURNS * seconds
        yield Figure(
            f"{episodes:,} episodes in flight, a model of {1000 * seconds:.0f} ms",
            "s",
            [one.wall for one in runs],
            [least] * len(runs),
            "s, the least that 20 turns can take",
            Reach(most * least, "most"),
        )


def _memory(session: Session) -> Figure:
    """The same chains, few at once and all at once: what each further one in flight takes."""
    chains, few = session.size(512, 8), session.size(64, 2)
    with stub(session.size(50, 2)) as url:
        pairs = session.interleaved(
            lambda: ours(f"{url}#stub", chains), lambda: ours(f"{url}#stub", chains, at_once=few)
        )
    return Figure(
        "memory of each further episode in flight",
        "MB",
        [(all_.rss - some.rss) / (chains - few) for all_, some in pairs],
        reach=Reach(0.06, "most"),
        notes={"how": f"{chains} chains, {few} at once and all at once, most memory in use"},
    )


def _growth(session: Session) -> Figure:
    """CPU of an episode at the end of a chain beside its beginning, with memory `summary`."""
    episodes, chains = session.size(40, 4), session.size(16, 2)
    with stub(0) as url:
        runs = session.repeated(lambda: ours(f"{url}#stub", chains, episodes=episodes))
    edge = max(1, episodes // 8)
    grown = []
    for one in runs:
        ends = one.by_episode
        each = [after - before for before, after in zip((0.0, *ends), ends, strict=False)]
        grown.append(median(each[-edge:]) / median(each[1 : 1 + edge]))
    return Figure(
        f"an episode at the end of a chain of {episodes} beside one at its beginning",
        "x",
        grown,
        reach=Reach(1.2, "most"),
        notes={"what": "CPU of all that an episode takes, its longer prompts included"},
    )


def ours(
    model: str, chains: int, base: str = "", *, at_once: int | None = None, episodes: int = 1
) -> Took:
    environment = {**os.environ, "OPENAI_API_KEY": "none", "OPENAI_BASE_URL": base}
    arguments = [model, chains, at_once or chains, episodes, TURNS]
    return _json([sys.executable, HERE / "chainer.py", *arguments], Took, environment)


def bare(url: str, calls: int, at_once: int) -> Called:
    return _json([sys.executable, HERE / "caller.py", url, calls, at_once], Called)


def sotopia(python: Path, url: str, episodes: int) -> Took:
    # -P: the bench's own modules are not in its way.
    return _json([python, "-P", HERE / "peer_sotopia.py", url, episodes], Took)


@contextmanager
def stub(latency: float) -> Iterator[str]:
    """A stub in a process of its own, and its address."""
    program = [sys.executable, str(HERE / "stub.py"), str(latency)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            yield f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
        finally:
            server.terminate()


def _json(command: list[object], kind: type[T], environment: dict[str, str] | None = None) -> T:
    return msgspec.json.decode(run(command, environment).strip().splitlines()[-1], type=kind)
