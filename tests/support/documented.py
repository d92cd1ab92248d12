"""Code that the docs show, for tests to run."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def documented(name: str, page: str = "parts") -> str:
    """The one example of a page that holds a class of this name."""
    return shown(page, "python", f"class {name}(")


def shown(page: str, language: str, holding: str) -> str:
    """The one example of a page, in a language, that holds these words."""
    text = (DOCS / f"{page}.md").read_text("utf-8")
    examples = re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    (code,) = [one for one in examples if holding in one]
    return str(code)
