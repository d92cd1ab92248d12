"""What is told of a log's address, and what is kept back."""

from __future__ import annotations

import pytest

from whoknew.engine.opening import without_password


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("log.db", "log.db"),
        ("postgresql://host/db", "postgresql://host/db"),
        ("postgresql://me@host:5432/db", "postgresql://me@host:5432/db"),
        ("postgresql://me:se:c@ret@host:5432/db", "postgresql://me@host:5432/db"),
    ],
)
def test_a_password_is_never_shown(address: str, shown: str) -> None:
    assert without_password(address) == shown
