"""Lines of prompts: whatever a text holds, it stays one line, and reads back as it was."""

from __future__ import annotations

import msgspec
from hypothesis import example, given
from hypothesis import strategies as st

from whoknew.agents.lines import one_line, quoted

ENDS = "\n\r\x0b\x0c\x1c\x1d\x1e\x7f\x85\x9f\u2028\u2029"


@given(st.text(st.characters(exclude_categories=("Cs",)) | st.sampled_from(ENDS)))
@example("plain")
@example("plain\x7f")
@example("not so plain: \u00e9\x85")
def test_what_is_quoted_is_one_line_and_reads_back(text: str) -> None:
    written = quoted(text)
    assert msgspec.json.decode(written) == text
    assert not set(written) & set(ENDS)


@given(st.text(st.sampled_from("ab \u00e9" + ENDS)))
def test_a_name_is_brought_to_one_line_and_else_stays_as_it_is(text: str) -> None:
    told = one_line(text)
    assert len(told.splitlines()) <= 1
    assert told == text or len(text.splitlines()) > 1 or text.splitlines() == [told]
