"""What axe-core finds wrong with a page, by the rules of WCAG 2.2 AA."""

from __future__ import annotations

from importlib.resources import files

from playwright.async_api import Page

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
TAGS = "'wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'"
CHECKED = f"axe.run({{runOnly: [{TAGS}], resultTypes: ['violations']}})"  # nothing is told of what is right


async def violations(page: Page) -> list[str]:
    await page.wait_for_load_state("networkidle")
    await page.evaluate(AXE)
    found = (await page.evaluate(CHECKED))["violations"]
    return [f"{one['id']}: {node['html']}" for one in found for node in one["nodes"]]
