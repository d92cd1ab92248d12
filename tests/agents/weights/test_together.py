"""Whoever asks at the same time is answered together, and as if nobody else had asked."""

from __future__ import annotations

import asyncio
import random
import shutil
import threading
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from small_trainings import GRACE, LORA, MINE, OTHERS, asked, learned
from tiny_models import every
from waiting import PATIENCE

from whoknew.agents.errors import ModelError, Rejected
from whoknew.agents.models.local import MOST
from whoknew.agents.models.model import Model, Reply, Request, Sampling
from whoknew.agents.weights.artefacts import Artefacts
from whoknew.agents.weights.lora import Lora
from whoknew.agents.weights.network import Network
from whoknew.agents.weights.rows import question
from whoknew.engine.registry import model

SAMPLINGS = (
    Sampling(max_tokens=12),
    Sampling(max_tokens=12, temperature=1.0),
    Sampling(max_tokens=12, temperature=1.0, seed=3),
    Sampling(max_tokens=12, temperature=0.7, top_p=0.9, seed=4),
)


def of_all_lengths(many: int) -> list[Request]:
    """Prompts of one fact to eight: so most of a batch are padded."""
    chance, facts = random.Random(1), every(random.Random(2))
    texts = ["\n".join(" ".join(one) for one in chance.sample(facts, at % 8)) for at in range(many)]
    ends = [fact[0] for fact in chance.sample(facts, many)]
    return [
        Request("answer", question("Ann", f"{text}\n{end}"), sampling=SAMPLINGS[0])
        for text, end in zip(texts, ends, strict=True)
    ]


async def together(local: Model, requests: Sequence[Request]) -> list[Reply]:
    return await asyncio.gather(*map(local.complete, requests))


async def alone(local: Model, requests: Sequence[Request]) -> list[Reply]:
    return [await local.complete(request) for request in requests]


def said(replies: Sequence[Reply]) -> list[tuple[Any, ...]]:
    """All but how long it took."""
    return [(one.text, one.tokens_in, one.tokens_out, one.ended) for one in replies]


async def test_many_are_answered_at_once_and_each_as_if_alone(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes, answer = list[int](), Network.said

    def watched(network: Network, chats: Sequence[Any], *how: Any) -> list[Any]:
        sizes.append(len(chats))
        return answer(network, chats, *how)

    monkeypatch.setattr(Network, "said", watched)
    requests = of_all_lengths(2 * MOST)
    async with model(f"local:{tiny}").keeping_in(tmp_path).open(60) as local:
        trained = [await learned(local, by, MINE[:4]) for by in (replace(LORA, epochs=5), GRACE)]
        ways = [(sampling, "") for sampling in SAMPLINGS]
        ways += [(SAMPLINGS[0], one.digest) for one in trained]
        for sampling, adapter in ways:
            some = [replace(one, sampling=sampling, adapter=adapter) for one in requests]
            sizes.clear()
            many = await together(local, some)
            assert sizes == [MOST, MOST]
            assert said(many) == said(await alone(local, some))
            assert len({one.tokens_in for one in many}) > 8, "they are of many lengths"


async def test_each_token_is_counted_and_none_that_pads(tiny: Path) -> None:
    """Those that were answered, and not the sign that it is over."""
    transformers = import_module("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny)
    async with model(f"local:{tiny}").open(60) as local:
        for request, reply in zip(
            (some := of_all_lengths(8)), await together(local, some), strict=True
        ):
            text = "".join(f"{message.text}\n" for message in request.messages)
            assert reply.tokens_in == len(tokenizer(text)["input_ids"])
            assert reply.tokens_out == len(tokenizer(reply.text)["input_ids"])
        (cut,) = await alone(local, [replace(some[0], sampling=Sampling(max_tokens=1))])
        assert (cut.tokens_out, cut.ended) == (1, "length")


async def test_one_that_cannot_be_answered_fails_alone(tiny: Path, tmp_path: Path) -> None:
    """One without room; and one whose words lead to no numbers, as an embedding is damaged."""
    torch_files = import_module("safetensors.torch")
    transformers = import_module("transformers")
    damaged = tmp_path / "damaged"
    shutil.copytree(tiny, damaged)
    weights = torch_files.load_file(damaged / "model.safetensors")
    (token,) = transformers.AutoTokenizer.from_pretrained(tiny)("§")["input_ids"][:1]
    weights["model.embed_tokens.weight"][token] = float("nan")
    torch_files.save_file(weights, damaged / "model.safetensors", metadata={"format": "pt"})
    some = [asked(fact) for fact in OTHERS[:4]]
    async with model(f"local:{tiny}").open(60) as local:
        right = said(await alone(local, some))
    odd = [asked(("word " * 400, "")), asked(("Bo: § keeps the", ""))]
    async with model(f"local:{damaged}").open(60) as local:
        *mended, long, nan = await asyncio.gather(
            *map(local.complete, [*some, *odd]), return_exceptions=True
        )
        assert [one for one in mended if isinstance(one, BaseException)] == []
        assert said([one for one in mended if isinstance(one, Reply)]) == right
        assert isinstance(long, ModelError)
        assert isinstance(nan, Rejected)
        assert "its scores are no numbers" in str(nan)


async def test_a_training_ends_when_its_model_is_closed(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a command is stopped at once: else its process lives on for as long as that takes."""
    begun, step = threading.Event(), Lora._step

    def watched(lora: Lora, *given: Any) -> float:
        begun.set()
        return step(lora, *given)

    monkeypatch.setattr(Lora, "_step", watched)
    async with model(f"local:{tiny}").keeping_in(tmp_path / "kept").open(60) as local:
        training = asyncio.ensure_future(learned(local, replace(LORA, epochs=100_000), MINE))
        assert await asyncio.to_thread(begun.wait, PATIENCE)
        (thread,) = [one for one in threading.enumerate() if one.name.startswith("local model")]
    await asyncio.to_thread(thread.join, PATIENCE)
    assert not thread.is_alive()
    with pytest.raises(Rejected, match="was closed"):
        await training
    assert Artefacts(tmp_path / "kept").digests() == []
