"""The package as it is installed, where it is installed with names of its own."""

from __future__ import annotations

from types import ModuleType

import pytest

import whoknew


def with_its_names() -> ModuleType:
    """Whoever installed the tree to be edited before it had an `__init__.py` does not find that."""
    if whoknew.__file__ is None:
        pytest.skip("installed before `whoknew` had names: make (or pip install -e .) does it anew")
    return whoknew
