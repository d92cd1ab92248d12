"""What is told of a log's address, and what is kept back."""

from __future__ import annotations

from pathlib import Path

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


def test_a_link_that_leads_round_in_a_circle_is_no_log_of_anybody(tmp_path: Path) -> None:
    (tmp_path / "a.db").symlink_to("a.db")
    assert not is_same_log(str(tmp_path / "a.db"), str(tmp_path / "b.db"))
