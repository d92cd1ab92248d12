"""What axe-core finds wrong with a page, by the rules of WCAG 2.2 AA."""

from __future__ import annotations

from importlib.resources import files

from playwright.async_api import Page

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
TAGS = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']"
COLOURS = "{ type: 'rule', values: ['color-contrast', 'link-in-text-block'] }"
"""The rules that what is the same in other colours can break."""


def checked(rules: str = TAGS) -> str:
    """What has a page checked where axe-core is loaded. Nothing is told of what is right."""
    return f"axe.run({{runOnly: {rules}, resultTypes: ['violations']}})"


async def violations(page: Page) -> list[str]:
    await page.wait_for_load_state("networkidle")
    await page.evaluate(AXE)
    return await _found(page, TAGS)


async def violations_in_both(page: Page) -> list[str]:
    """Light and dark, which differ in nothing but colours."""
    light = await violations(page)
    await page.emulate_media(color_scheme="dark")
    dark = await _found(page, COLOURS)
    await page.emulate_media(color_scheme="light")
    return light + dark


async def _found(page: Page, rules: str) -> list[str]:
    found = (await page.evaluate(checked(rules)))["violations"]
    return [f"{one['id']}: {node['html']}" for one in found for node in one["nodes"]]
