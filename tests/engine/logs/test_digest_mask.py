"""Digests hidden, and put back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from whoknew.engine.logs.digest_mask import DigestMask, unmasked

DIGESTS = st.text("0123456789abcdef", min_size=16, max_size=64)
TEXTS = st.lists(st.one_of(DIGESTS, st.sampled_from(" -:,x"), st.text(max_size=5))).map("".join)


@given(st.lists(TEXTS))
def test_what_is_hidden_comes_back(texts: list[str]) -> None:
    mask = DigestMask(str)
    hidden = [mask.hide(text) for text in texts]
    assert [unmasked(text, mask.masked) for text in hidden] == texts
    assert [mask.hide(text) for text in texts] == hidden


@given(DIGESTS)
def test_none_is_left_wherever_it_stands(digest: str) -> None:
    hidden = DigestMask(str).hide(f"facts-{digest}: as {digest}, not x{digest[:12]}")
    assert digest not in hidden
    assert f"x{digest[:12]}" in hidden, "what is no digest stays"


@given(DIGESTS)
def test_nobody_can_tell_what_stands_there_from_what_stood(digest: str) -> None:
    assert DigestMask(str).hide(digest) != DigestMask(str).hide(digest)
