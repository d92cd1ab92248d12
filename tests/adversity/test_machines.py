"""Ten faults in a run that two processes share: nothing is lost, and nothing done twice."""

from __future__ import annotations

from pathlib import Path
from random import Random

from adversity.faulted_run import FaultedRun, crashed, cut, frozen, killed, restarted
from model_servers import by_digest, serving
from postgres_server import Cluster
from shared_runs import Sharers, over

CHAINS = 6


async def test_ten_faults_lose_nothing_and_no_call_is_made_again_but_those_in_flight(
    tmp_path: Path, postgres: Cluster, database: str
) -> None:
    faults = [cut, crashed, frozen, killed, crashed, restarted, frozen, cut, killed, crashed]
    async with serving("openai", after=by_digest) as server:
        alone = Sharers(str(tmp_path / "alone.db"), server, CHAINS)
        async with alone.one() as process:
            await over(process)
        told, needed = await alone.stories(), server.calls
        server.asked.clear()
        async with FaultedRun(Sharers(database, server, CHAINS), postgres, 2) as run:
            await run.strike(faults, Random(25), needed)
            await run.finish()
            await run.check(told, needed)
    assert run.struck.total() == len(faults)
