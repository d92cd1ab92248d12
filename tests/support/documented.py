"""Code that the docs show, for tests to run."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def documented(name: str, page: str = "parts") -> str:
    """The one example of a page that holds a class of this name."""
    text = (DOCS / f"{page}.md").read_text("utf-8")
    examples = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    (code,) = [one for one in examples if f"class {name}(" in one]
    return str(code)
