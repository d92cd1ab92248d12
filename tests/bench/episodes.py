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
from session import RESULTS, Session

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
    many = session.size(64, 4)
    yield from _speed(session, many)
    yield from _latency(session)
    yield from _memory(session)
    yield _growth(session)


def _speed(session: Session, many: int) -> Iterator[Figure]:
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
        beside = f"sotopia {SOTOPIA}, its own batch runner on the same stub"
        try:
            python = _installed(quick=session.quick)
        except Missing as missing:
            yield Figure(f"{many} episodes beside sotopia {SOTOPIA}", missing=str(missing))
            return
        pairs2 = session.interleaved(
            lambda: ours(f"{url}#stub", many), lambda: sotopia(python, url, many)
        )
        yield Figure(
            f"{many} episodes at once, http model",
            "turns/s",
            [one.rate for one, _ in pairs2],
            [peer.rate for _, peer in pairs2],
            beside,
            Reach(12, "times"),
        )
        pairs3 = session.interleaved(
            lambda: ours("openai:stub", many, url), lambda: sotopia(python, url, many)
        )
        yield Figure(
            f"{many} episodes at once, through the openai SDK",
            "turns/s",
            [one.rate for one, _ in pairs3],
            [peer.rate for _, peer in pairs3],
            beside,
            Reach(3, "times"),
        )


def _latency(session: Session) -> Iterator[Figure]:
    with stub(session.size(200, 5)) as url:
        episodes = session.size(256, 4)
        runs = session.repeated(lambda: ours(f"{url}#stub", episodes))
        yield Figure(
            f"{episodes} episodes, a model of 200 ms (ideal 4.0)",
            "s",
            [one.wall for one in runs],
            reach=Reach(4.6, "most"),
        )
    with stub(session.size(500, 5)) as url:
        episodes = session.size(1000, 8)
        runs = session.repeated(lambda: ours(f"{url}#stub", episodes))
        yield Figure(
            f"{episodes} episodes in flight, a model of 500 ms, beside the ideal 10 s",
            "x",
            [one.wall / 10 for one in runs],
            reach=Reach(1.3, "most"),
        )


def _memory(session: Session) -> Iterator[Figure]:
    """The same chains, few at once and all at once: what each further one in flight takes."""
    chains, few = session.size(512, 8), session.size(64, 2)
    with stub(session.size(50, 2)) as url:
        pairs = session.interleaved(
            lambda: ours(f"{url}#stub", chains), lambda: ours(f"{url}#stub", chains, at_once=few)
        )
        yield Figure(
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
    done = subprocess.run(
        [str(one) for one in command],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
        env=environment,
    )
    if done.returncode or not done.stdout.strip():
        raise RuntimeError(f"{command[1]} failed: {done.stderr.strip()[-300:]}")
    return msgspec.json.decode(done.stdout.strip().splitlines()[-1], type=kind)


def _installed(*, quick: bool) -> Path:
    """The interpreter of the peer's environment, which is made where there is none."""
    home = RESULTS / f"sotopia-{SOTOPIA}"
    python, ready = home / "bin" / "python", home / "ready"
    if ready.exists():
        return python
    if quick:
        raise Missing("not installed: a run without --quick does that")
    packages = [f"sotopia=={SOTOPIA}", f"litellm=={LITELLM}"]
    try:
        subprocess.run([sys.executable, "-m", "venv", "--clear", home], check=True, timeout=120)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *packages], check=True, timeout=600, capture_output=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise Missing(f"could not be installed: {error}") from None
    ready.touch()
    return python
