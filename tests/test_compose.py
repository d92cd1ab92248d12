"""The Dockerfile and the compose file of docs/cluster: as far as they can be held without a daemon."""

from __future__ import annotations

import asyncio
import re
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from kitchen_runs import command
from waiting import line_with

from whoknew.engine.logs.ls import roster

yaml = pytest.importorskip("yaml")

FOLDER = Path(__file__).parents[1] / "docs/cluster"


@pytest.fixture
def services() -> dict[str, Any]:
    services: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yaml").read_text())["services"]
    return services


def test_what_is_taken_from_elsewhere_has_a_version(services: dict[str, Any]) -> None:
    dockerfile = (FOLDER / "Dockerfile").read_text()
    images = [*re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE), services["postgres"]["image"]]
    assert all(re.search(r":\d+\.\d+(\.\d+)?-", image) for image in images)
    assert "-c /src/.ci/constraints.txt" in dockerfile


def test_every_file_that_is_named_is_there(services: dict[str, Any]) -> None:
    for one in services.values():
        if "build" in one:
            assert (FOLDER / one["build"]["context"] / one["build"]["dockerfile"]).is_file()
        for volume in one.get("volumes", []):
            source = volume.split(":")[0]
            assert source == "lives" or (FOLDER / source).is_file()


async def test_every_command_does_what_it_is_there_for(
    services: dict[str, Any], database: str, tmp_path: Path
) -> None:
    (tmp_path / "plan.toml").write_text((FOLDER / "plan.toml").read_text())
    serve = services["server"]["command"]
    port = serve.index("--port") + 1
    serve[port] = "0"  # one that is free here
    here = {"WHOKNEW_LOG": database, "WHOKNEW_TOKEN": "t0ken-of-this-test"}
    async with AsyncExitStack() as stack:
        begun = []
        for words in (serve, services["worker-1"]["command"], services["worker-2"]["command"]):
            process = command(*words, folder=tmp_path, **here)
            begun.append(await stack.enter_async_context(process))
        server, *workers = begun
        assert server.stdout is not None
        await line_with(server.stdout, " at http://")
        ended = await asyncio.gather(*(one.communicate() for one in workers))
        assert [one.returncode for one in workers] == [0, 0], ended
    worlds = await roster(database)
    assert len(worlds) == 8
    assert {one.state for one in worlds} == {"finished"}
