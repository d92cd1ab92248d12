"""Ten faults in a run that two processes share: nothing is lost, and nothing done twice."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from adversity.faulted_run import FaultedRun, crashed, cut, frozen, killed, restarted
from model_servers import by_digest, serving
from postgres_server import Cluster
from shared_runs import Sharers, made_again, played_alone
from small_worlds import NIGHT

from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Called
from whoknew.eventlog.machinery import CallStarted

CHAINS = 6


def calls(*told: str) -> list[Event]:
    """Of an episode: `2?a` says that in turn 2 a call `a` is started, `2!a` that it is answered."""
    bodies = {"?": lambda digest: CallStarted("act", "m", digest), "!": answered}
    return [
        Event(
            "w", seq, NIGHT, NIGHT, bodies[one[1]](one[2]), episode=1, turn=int(one[0]), actor="A"
        )
        for seq, one in enumerate(told, 1)
    ]


def answered(digest: str) -> Called:
    return Called("act", "m", digest, reply="Yes.")


@pytest.mark.parametrize(
    ("told", "again"),
    [
        ("1?a 1!a 2?b 2!b", 0),
        ("1?a 1?b 1?a 1?b 1!a 1!b 2?c", 1),
        ("1?a 1?b 1!a 1?b 1!b", 1),
        ("1?a 1?a 1?a 1!a", 2),
        ("1?a 1?a 1!a 2?b 2?b 2!b", 2),
    ],
)
def test_what_was_in_flight_together_is_made_again_together(told: str, again: int) -> None:
    assert made_again(calls(*told.split())) == again


@pytest.mark.parametrize("told", ["1?a 1!a 1?a", "1?a 1?b 1!a 1!b 1?b 1!b"])
def test_what_was_answered_may_not_be_asked_again(told: str) -> None:
    with pytest.raises(AssertionError, match="an answered call was made again"):
        made_again(calls(*told.split()))


async def test_ten_faults_lose_nothing_and_no_call_is_made_again_but_those_in_flight(
    tmp_path: Path, postgres: Cluster, database: str
) -> None:
    faults = [cut, crashed, frozen, killed, crashed, restarted, frozen, cut, killed, crashed]
    async with serving("openai", after=by_digest) as server:
        told, needed = await played_alone(Sharers(str(tmp_path / "alone.db"), server, CHAINS))
        server.asked.clear()
        async with FaultedRun(Sharers(database, server, CHAINS), postgres, 2) as run:
            await run.strike(faults, Random(25), needed)
            await run.finish()
            await run.check(told, needed)
    assert run.struck.total() == len(faults)
