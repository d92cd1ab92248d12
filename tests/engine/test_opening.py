"""What is told of a log's address, and what is kept back."""

from __future__ import annotations

import pytest

from whoknew.engine.opening import file_of, without_password
from whoknew.engine.running.stop import is_same_log
from whoknew.eventlog.errors import BadAddress


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


def test_what_no_file_can_be_called_is_refused() -> None:
    for look in (lambda: file_of("a\0.db"), lambda: is_same_log("a\0.db", "b.db")):
        with pytest.raises(BadAddress, match=r"U\+0000"):
            look()
