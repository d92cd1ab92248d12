"""What is no number, or too small for its type, is no answer and no artefact (law 7)."""

from __future__ import annotations

import shutil
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from small_trainings import GRACE, LORA, MINE, OTHERS, answers, asked, learned
from tiny_models import right

from whoknew.agents.errors import Rejected
from whoknew.agents.models.model import Sampling
from whoknew.agents.weights.artefacts import Artefacts
from whoknew.agents.weights.lora import Lora
from whoknew.engine.registry import model


def spoiled(file: Path, name: str) -> None:
    """A file of weights, of which those of a name are no numbers."""
    torch_files = import_module("safetensors.torch")
    weights = torch_files.load_file(file)
    for key in weights:
        if name in key:
            weights[key] = weights[key] * float("nan")
    torch_files.save_file(weights, file, metadata={"format": "pt"})


@pytest.mark.parametrize("temperature", [0.0, 1.0])
async def test_a_model_whose_weights_are_no_numbers_says_nothing_and_learns_nothing(
    temperature: float, tiny: Path, tmp_path: Path
) -> None:
    shutil.copytree(tiny, base := tmp_path / "base")
    spoiled(base / "model.safetensors", "layers.0")
    question = replace(asked(MINE[0]), sampling=Sampling(max_tokens=5, temperature=temperature))
    async with model(f"local:{base}").keeping_in(tmp_path / "kept").open(60) as local:
        with pytest.raises(Rejected, match="its scores are no numbers"):
            await local.complete(question)
        for by in (replace(LORA, epochs=1), GRACE):
            with pytest.raises(Rejected, match=r"nothing was learned|no value was learned"):
                await learned(local, by, MINE[:1])
    assert Artefacts(tmp_path / "kept").digests() == []


async def test_an_adapter_whose_weights_are_no_numbers_answers_nobody(
    tiny: Path, tmp_path: Path
) -> None:
    async with model(f"local:{tiny}").keeping_in(tmp_path).open(60) as local:
        found = await learned(local, replace(LORA, epochs=1), MINE[:1])
    spoiled(tmp_path / found.digest / "adapter_model.safetensors", "lora_B")
    async with model(f"local:{tiny}#{tmp_path / found.digest}").open(60) as local:
        with pytest.raises(Rejected, match="its scores are no numbers"):
            await local.complete(asked(MINE[0]))


async def test_a_training_whose_last_round_came_to_no_number_keeps_nothing(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its loss is that of before the round, and still a number."""
    step = Lora._step

    def last(lora: Lora, model: Any, optimizer: Any, parts: Any, batch: Any) -> float:
        loss = step(lora, model, optimizer, parts, batch)
        parts[0].data.fill_(float("inf"))
        return loss

    monkeypatch.setattr(Lora, "_step", last)
    async with model(f"local:{tiny}").keeping_in(tmp_path / "kept").open(60) as local:
        with pytest.raises(Rejected, match="nothing was learned in 1 rounds"):
            await learned(local, replace(LORA, epochs=1), MINE[:1])
    assert Artefacts(tmp_path / "kept").digests() == []


@pytest.mark.parametrize("kind", ["bfloat16", "float16"])
async def test_a_model_of_half_as_many_bits_is_trained_and_edited(
    kind: str, tiny: Path, tmp_path: Path
) -> None:
    """As most are that others give away. A value is learned in 32 bits even so."""
    torch, transformers = import_module("torch"), import_module("transformers")
    shutil.copytree(tiny, base := tmp_path / "base")
    whole = transformers.AutoModelForCausalLM.from_pretrained(tiny)
    whole.to(getattr(torch, kind)).save_pretrained(base)
    async with model(f"local:{base}").keeping_in(tmp_path / "kept").open(60) as local:
        before = await answers(local, OTHERS)
        edited = await learned(local, GRACE, MINE[:4])
        assert edited.loss == 0
        assert right(await answers(local, MINE[:4], edited.digest), MINE[:4]) == 1
        assert await answers(local, OTHERS, edited.digest) == before
        trained = await learned(local, LORA, MINE[:4])
        assert right(await answers(local, MINE[:4], trained.digest), MINE[:4]) == 1
