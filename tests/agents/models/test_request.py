"""A request to a model: what is asked, and its digest."""

from __future__ import annotations

from msgspec.structs import replace

from whoknew.agents.models.model import Message, Request
from whoknew.testing.models import ASKED


def test_a_request_that_is_changed_has_another_digest() -> None:
    asked = Request("act", (Message("user", "What do you do?"),))
    other = Request("act", (Message("user", "What did you do?"),))
    assert asked.digest != other.digest
    assert replace(asked, messages=other.messages).digest == other.digest


def test_two_requests_are_equal_whichever_was_asked_for_its_digest() -> None:
    one, two = (Request("act", ASKED.messages, ASKED.answer, ASKED.sampling) for _ in range(2))
    assert one.digest
    assert one == two
