"""Episodes played at once against a stub of a model: beside a bare client, and beside sotopia."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from urllib.request import urlopen

import msgspec
from figure import Figure, Missing, Reach
from msgspec import Struct
from peer import Stumbled, installed, run
from server import started
from session import Session

HERE = Path(__file__).parent
TURNS = 20
SOTOPIA, LITELLM = "0.1.5", "1.80.0"
BESIDE = f"sotopia {SOTOPIA}, its own batch runner on the same stub"


class Took(Struct, frozen=True):
    wall: float
    turns: int
    calls: int
    """Those of the warm-up included."""
    rss: float = 0.0
    cpu: float = 0.0
    by_episode: tuple[float, ...] = ()
    acts: dict[int, int] = {}
    in_flight: float = 0.0
    ending: float = 0.0

    @property
    def rate(self) -> float:
        return self.turns / self.wall


def figures(session: Session) -> Iterator[Figure]:
    yield from _speed(session)
    yield from _latency(session)
    yield _growth(session)
    try:
        python = installed(session, f"sotopia=={SOTOPIA}", f"litellm=={LITELLM}")
    except Missing as missing:
        yield Figure(f"episodes beside sotopia {SOTOPIA}", missing=str(missing))
        yield from _in_flight(session, None)
    else:
        yield from _beside_sotopia(session, python)
        yield from _in_flight(session, python)


def _speed(session: Session) -> Iterator[Figure]:
    """So many episodes that they go on for seconds: what begins and ends must not weigh."""
    chains, at_once = session.size(256, 8), session.size(64, 4)
    with stub(0) as url:
        pairs = session.interleaved(
            lambda: ours(f"{url}#stub", chains, at_once=at_once),
            lambda: bare(url, chains * TURNS, at_once),
        )
    yield Figure(
        f"{at_once} episodes at once, http model, SQLite FULL",
        "turns/s",
        [one.rate for one, _ in pairs],
        [limit.rate for _, limit in pairs],
        "calls/s of a bare aiohttp client on the same stub",
        Reach(0.5, "share"),
    )


def _latency(session: Session) -> Iterator[Figure]:
    for slow, count, most in (((200, 5), (256, 4), 1.15), ((500, 10), (1000, 8), 1.3)):
        latency, episodes = session.size(*slow), session.size(*count)
        with stub(latency) as url:
            runs = session.repeated(lambda url=url, n=episodes: ours(f"{url}#stub", n))
        least = TURNS * latency / 1000
        yield Figure(
            f"{episodes:,} episodes in flight, a model of {latency} ms",
            "s",
            [one.wall for one in runs],
            [least] * len(runs),
            f"s, the least that {TURNS} turns can take",
            Reach(most * least, "most"),
        )


def _growth(session: Session) -> Figure:
    """CPU of an episode at the end of a chain beside its beginning, with memory `summary`."""
    episodes, chains = session.size(40, 4), session.size(16, 2)
    with stub(0) as url:
        runs = session.repeated(
            lambda: ours(f"{url}#stub", chains, episodes=episodes, memory="summary")
        )
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


def _beside_sotopia(session: Session, python: Path) -> Iterator[Figure]:
    many, longer = session.size(64, 4), session.size(256, 8)
    with stub(0) as url:
        by_http, by_sdk, peer = session.in_turn(
            lambda: ours(f"{url}#stub", longer, at_once=many),
            lambda: ours("openai:stub", longer, url, at_once=many),
            lambda: sotopia(python, url, many),
        )
    for how, mine, times in (("http model", by_http, 12), ("through the openai SDK", by_sdk, 3)):
        yield Figure(
            f"{many} episodes at once, {how}, beside sotopia",
            "turns/s",
            [one.rate for one in mine],
            [one.rate for one in peer],
            BESIDE,
            Reach(times, "times"),
        )


def _in_flight(session: Session, python: Path | None) -> Iterator[Figure]:
    """Many beside few, of ours and of sotopia where it is: what each further one comes to."""
    many, few, latency = session.size(256, 8), session.size(64, 4), session.size(200, 5)
    with stub(latency) as url:
        works = [
            lambda: ours(f"{url}#stub", many),
            lambda: ours(f"{url}#stub", few),
            lambda: ours(f"{url}#stub", many, at_once=few),
        ]
        if python:
            works += [lambda: sotopia(python, url, many), lambda: sotopia(python, url, few)]
        mine, fewer, in_turn, *theirs = session.in_turn(*works, runs=3)

    def each(some: list[Took], fewer: list[Took]) -> list[float]:
        return [(a.rss - b.rss) / (many - few) for a, b in zip(some, fewer, strict=True)]

    if theirs:
        yield Figure(
            f"{many} episodes, a model of {latency} ms, beside sotopia",
            "turns/s",
            [one.rate for one in mine],
            [one.rate for one in theirs[0]],
            BESIDE,
            notes={"seconds": f"{median(one.wall for one in theirs[0]):.3g} s of sotopia"},
        )
    yield Figure(
        "memory of each further episode in flight",
        "MB",
        each(mine, fewer),
        each(*theirs) if theirs else [],
        "MB of sotopia's" if theirs else "",
        Reach(0.06, "most"),
        notes={"how": f"{many} episodes and {few}, most memory in use, a model of {latency} ms"},
    )
    yield Figure(
        "of that, what it takes while it is in flight",
        "MB",
        each(mine, in_turn),
        notes={"how": f"{many} episodes all at once, and the same {few} at once"},
    )


def ours(
    model: str,
    chains: int,
    base: str = "",
    *,
    at_once: int | None = None,
    episodes: int = 1,
    memory: str = "none",
) -> Took:
    environment = {**os.environ, "OPENAI_API_KEY": "none", "OPENAI_BASE_URL": base}
    numbers = [chains, at_once or chains, episodes, TURNS]
    command = [sys.executable, HERE / "chainer.py", model, memory, *numbers]
    return _counted(base or model.partition("#")[0], command, environment)


def bare(url: str, calls: int, at_once: int) -> Took:
    return _counted(url, [sys.executable, HERE / "caller.py", url, calls, at_once])


def sotopia(python: Path, url: str, episodes: int) -> Took:
    # -P: the bench's own modules are not in its way.
    return _counted(url, [python, "-P", HERE / "peer_sotopia.py", url, episodes])


@contextmanager
def stub(latency: float) -> Iterator[str]:
    """A stub in a process of its own, and its address; it answers after so many ms."""
    with started(sys.executable, HERE / "stub.py", latency) as server:
        yield f"http://127.0.0.1:{server.line()}/v1"


def _counted(url: str, command: list[object], environment: dict[str, str] | None = None) -> Took:
    """What a program tells of itself, if the stub was asked as often as it tells."""
    before = asked(url)
    told = run(command, environment).strip().splitlines()[-1]
    took = msgspec.json.decode(told, type=Took)
    if (calls := asked(url) - before) != took.calls:
        raise Stumbled(f"{command[1:3]}: tells of {took.calls} calls, the stub of {calls}")
    return took


def asked(url: str) -> int:
    with urlopen(f"{url}/count", timeout=60) as answer:
        return int(answer.read())
