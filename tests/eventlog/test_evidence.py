"""Evidence is for whoever examines: nobody witnesses it, and no prompt holds any."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from small_worlds import opened, said

from whoknew.agents.lines import line
from whoknew.engine.finding.story_index import fitting
from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.errors import Refused
from whoknew.eventlog.kinds import EvidenceNoted

STORED = Path(__file__).parents[1] / "stored"


async def test_evidence_that_somebody_witnesses_is_refused() -> None:
    async with open_log(":memory:") as log:
        await log.append("w", [*opened("Ana"), said("Ana", "The boat is sold.")])
        with pytest.raises(Refused, match="evidence is witnessed by nobody, not by Ana"):
            seen = Draft(EvidenceNoted("Ana sold the boat."), witnesses=("Ana",), about=(3,))
            await log.append("w", [seen])
        await log.append("w", [Draft(EvidenceNoted("Ana sold the boat."), about=(3,))])
        assert 4 not in await log.view("w", "Ana")
        assert [one.seq for one in await fitting(log, "w", "Who sold the boat?", 5)] == [3]


async def test_of_an_old_log_that_has_such_a_witness_it_comes_into_no_prompt(
    tmp_path: Path,
) -> None:
    async with open_log(shutil.copy(STORED / "v2.db", tmp_path)) as log:
        events = await (await log.view("elsinore", "Ødön")).events()
        noted = [event for event in events if isinstance(event.body, EvidenceNoted)]
        assert len(noted) == 1
        assert not line(1, noted[0])
