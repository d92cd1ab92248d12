"""The files of the page: what a browser keeps of them, and what it asks for again."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from browser import page_of
from playwright.async_api import Browser, expect
from whoknew_server import Served, page_of_story

from whoknew.engine.server.viewer_files import VIEWER, ViewerFiles

SENT = """() => performance.getEntriesByType('resource').filter(({ name }) => /[.](js|css|svg)$/.test(name))
  .map(({ name, transferSize }) => [name, transferSize])"""


async def test_a_file_is_kept_for_good_and_the_page_is_asked_for_again(server: Served) -> None:
    async with server.client.get("/?world=w") as response:
        assert response.headers["Cache-Control"] == "no-cache"
        known, page = response.headers["ETag"], await response.text()
    named = set(re.findall(r'(?:href|src)="(/[^"]+[.](?:js|css|svg))"', page))
    assert len(named) > 15
    assert {address.rpartition("/")[0] for address in named} == {"/" + known.strip('"')}
    for address in named:
        async with server.client.get(address) as response:
            assert response.status == 200, address
            assert "immutable" in response.headers["Cache-Control"]
            assert await response.read() == (VIEWER / Path(address).name).read_bytes()
    async with server.client.get("/", headers={"If-None-Match": known}) as response:
        assert (response.status, await response.read()) == (304, b"")
        assert response.headers["Content-Security-Policy"]


@pytest.mark.parametrize("folder", ["", "/0123456789abcdef"])
async def test_a_file_of_a_page_that_was_is_told_to_be_gone(server: Served, folder: str) -> None:
    async with server.client.get(f"{folder}/world.js") as response:
        assert response.status == 404
        assert "load the page again" in (await response.json())["error"]


@pytest.mark.parametrize("name", ["index.html", "world.js", "style.css"])
def test_whichever_file_changes_all_have_other_addresses(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "viewer"
    shutil.copytree(VIEWER, folder)
    assert ViewerFiles(folder).digest == ViewerFiles().digest
    (folder / name).write_bytes((folder / name).read_bytes() + b"\n")
    assert ViewerFiles(folder).digest != ViewerFiles().digest


async def test_who_comes_again_is_sent_no_module_again(server: Served, browser: Browser) -> None:
    async with page_of(browser) as page:
        sent = []
        for _ in range(2):
            await page.goto(page_of_story(server))
            await expect(page.get_by_label("Who knows of")).to_be_visible()
            sent.append(dict(await page.evaluate(SENT)))
        first, again = sent
        assert len(first) > 18
        assert all(first.values())
        assert first.keys() == again.keys()
        assert not any(again.values())
