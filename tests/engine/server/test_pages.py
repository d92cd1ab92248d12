"""A page of events holds what fits, of either end, and says where to go on."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from whoknew.engine.server.pages import BYTES, page_of

SIZES = st.lists(st.sampled_from((None, 1, 1000, BYTES // 3, BYTES + 1)), max_size=120)


@given(sizes=SIZES, newest=st.booleans(), data=st.data())
async def test_pages_follow_one_another_and_each_is_full_or_the_last(
    sizes: list[int | None], newest: bool, data: st.DataObject
) -> None:
    """Of places at which a reader is sent a text of some size, or nothing."""
    texts = [None if size is None else "x" * size for size in sizes]

    async def read(after: int, upto: int) -> Sequence[str | None]:
        return texts[after:upto]

    after = begins = data.draw(st.integers(0, len(texts)))
    upto = ends = data.draw(st.integers(after, len(texts)))
    found: list[str] = []
    while after < upto:
        page = await page_of(read, after, upto, newest=newest)
        assert page.events == [text for text in texts[page.after : page.upto] if text is not None]
        assert len(page.events) == 1 or sum(len(text) + 2 for text in page.events) <= BYTES
        if newest:
            assert page.upto == upto and page.after < upto
            upto, left, found = page.after, texts[after : page.after], page.events + found
        else:
            assert page.after == after and page.upto > after
            after, left, found = page.upto, texts[page.upto : upto], found + page.events
        if left:  # the next one had no room
            beside = left[-1 if newest else 0]
            assert beside is not None
            assert sum(len(text) + 2 for text in (*page.events, beside)) > BYTES
    assert found == [text for text in texts[begins:ends] if text is not None]
