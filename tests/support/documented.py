"""Code that the docs show, for tests to run."""

from __future__ import annotations

import re
from pathlib import Path

PARTS = Path(__file__).parents[2] / "docs/parts.md"


def documented(name: str) -> str:
    """The one example of docs/parts.md that holds a class of this name."""
    examples = re.findall(
        r"^```python\n(.*?)^```", PARTS.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    (code,) = [one for one in examples if f"class {name}(" in one]
    return str(code)
