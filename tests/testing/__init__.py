"""What others can hold their own memories, methods, agents, judges and models to: the same suites that
ours pass. One module each, of sentences that every part of its kind passes, whole.

It needs pytest, pytest-asyncio and hypothesis: `pip install 'whoknew[testing]'`.
"""

import pytest

SUITES = ("memories", "methods", "agents", "judges", "models")

pytest.register_assert_rewrite(*(f"{__name__}.{suite}" for suite in SUITES))
