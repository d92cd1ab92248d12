"""What others wrote is read in time that grows with its length, and no faster: a reader that is
quadratic would not be through with these texts in an hour."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from hostile_replies import PLANTED, read
from hypothesis import given, settings
from hypothesis import strategies as st
from waiting import PATIENCE

from whoknew.agents.errors import BadAnswer
from whoknew.agents.methods.method import LONGEST, SHOWN, insist
from whoknew.agents.models.model import Message, Reply, Request
from whoknew.eventlog.words import LONGEST as LONGEST_WORD
from whoknew.eventlog.words import terms

TESTS = Path(__file__).parents[1] / "support"
LENGTH = 2**18

PIECES = sorted(
    {*" \t\n{}[]()\"'`\\/:;,.#|-+*<>eE19aé漢“”", "```", "//", "/*", "*/", "[1]", " and "}
)


def test_reading_a_reply_is_linear_in_its_length() -> None:
    program = f"import hostile_replies\nfor make in hostile_replies.PLANTED.values(): hostile_replies.read(make({LENGTH}))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=TESTS,
        timeout=PATIENCE,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("plant", PLANTED)
def test_no_reply_is_more_than_its_readers_can_refuse(plant: str) -> None:
    for length in (0, 1, 7, 500):
        read(PLANTED[plant](length))


@settings(max_examples=60, deadline=timedelta(seconds=60))
@given(
    st.lists(st.sampled_from(PIECES), max_size=4).map("".join),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=3).map("".join),
)
def test_no_text_of_any_pieces_takes_long(before: str, again: str, after: str) -> None:
    read(before + again * (2**16 // len(again)) + after)


class Says:
    name = "m:"

    def __init__(self, *texts: str) -> None:
        self._texts = list(texts)
        self.asked: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        return Reply(text=self._texts.pop(0))


async def test_a_reply_that_is_too_long_is_refused_unread_and_asked_for_again() -> None:
    model = Says("x" * (LONGEST + 1), "Yes.")
    asked = Request("answer", (Message("user", "Well?"),))
    assert await insist(model, asked, str, 1) == "Yes."
    *_, said, why = model.asked[1].messages
    assert len(said.text) < 2 * SHOWN
    assert "131,073 signs long, of which 131,072 are read at most" in why.text


def test_what_is_wrong_is_said_in_few_words_however_long_it_was() -> None:
    assert len(str(BadAnswer("x" * 10**6))) < 3000


def test_of_a_word_without_an_end_its_beginning_counts() -> None:
    endless = "ations" * 10**6
    (term,) = terms(endless)
    assert len(term) <= LONGEST_WORD
    assert terms(endless[:LONGEST_WORD]) == [term]
