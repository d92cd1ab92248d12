"""What two processes say to each other about calls: heard as it was said, however it is cut on the way."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whoknew.agents.models.calling.frames import (
    MOST,
    Dropping,
    Frames,
    FromCaller,
    NoAnswer,
    Opening,
    Posting,
    ServerAnswer,
    ToCaller,
)


class Kept:
    """A transport that keeps what is written to it, and is full each time."""

    def __init__(self, writes: Frames[Any]) -> None:
        self.written, self._writes = b"", writes

    def set_write_buffer_limits(self, high: int) -> None:
        pass

    def write(self, data: bytes) -> None:
        self.written += data
        self._writes.pause_writing()
        asyncio.get_running_loop().call_soon(self._writes.resume_writing)


NUMBERS = st.integers(0, 2**40)
TO_CALLER = st.one_of(
    st.builds(Opening, NUMBERS, st.text(), st.floats(0, 1000)),
    st.builds(Posting, NUMBERS, NUMBERS, st.text(), st.binary(max_size=40), NUMBERS),
    st.builds(Dropping, NUMBERS),
)
FROM_CALLER = st.one_of(
    st.builds(
        ServerAnswer,
        NUMBERS,
        st.integers(100, 599),
        st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=2),
        st.binary(max_size=40),
    ),
    st.builds(NoAnswer, NUMBERS, st.text(max_size=5), st.text(max_size=5)),
)


@pytest.mark.parametrize(
    ("kind", "messages"), [(ToCaller, TO_CALLER), (FromCaller, FROM_CALLER)], ids=["to", "from"]
)
@given(data=st.data())
async def test_what_is_said_is_heard_however_it_is_cut_on_the_way(
    kind: Any, messages: st.SearchStrategy[Any], data: st.DataObject
) -> None:
    turns = data.draw(st.lists(st.lists(messages, max_size=2 * MOST + 1), max_size=3))
    cuts = data.draw(st.lists(st.integers(1, 200)))
    heard = list[Any]()
    speaking = Frames[Any](kind, lambda _: None, lambda: None)
    kept = Kept(speaking)
    hearing = Frames[Any](kind, heard.append, lambda: None)
    speaking.connection_made(kept)
    for said in turns:
        for message in said:
            speaking.say(message)
        await asyncio.sleep(0)
    for _ in range(3 * (2 * MOST + 1)):
        await asyncio.sleep(0)
    left = kept.written
    for cut in [*cuts, len(left)]:
        hearing.data_received(left[:cut])
        left = left[cut:]
    hearing.data_received(left)
    assert heard == [message for said in turns for message in said]
