"""What trains and runs models in this process: torch, transformers and peft, of the extra `train`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from whoknew.agents.errors import BadModel

INSTALL = "pip install 'whoknew[train]'"


BRIEF = 300
"""Characters."""


def brief(error: Exception) -> str:
    """What such a library raised, in so few words that they can be shown: some print a whole model."""
    told = " ".join(str(error).split()) or type(error).__name__
    return told if len(told) <= BRIEF else f"{told[:BRIEF]}..."


def library(name: str) -> Any:
    """A library, or a BadModel that says what to install."""
    try:
        return import_module(name)
    except ImportError as error:
        missing = error.name or name
        raise BadModel(
            f"a model in this process needs {missing}: {INSTALL} (without a GPU take the CPU build of "
            "torch first, which is a tenth of the size)"
        ) from None
