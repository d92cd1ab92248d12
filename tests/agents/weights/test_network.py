"""Memory in weights on a real model of two layers: trained, asked, the same again."""

from __future__ import annotations

import json
import pickle
import shutil
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy
import pytest
from hostile_pickles import Opens
from msgspec.structs import replace
from small_trainings import GRACE, LORA, MINE, NOON, OTHERS, answers, asked, learned
from structlog.testing import capture_logs
from tiny_models import right

from whoknew.agents.errors import BadEdits, BadModel, Rejected
from whoknew.agents.memories.grace import GraceEntry
from whoknew.agents.memories.lora import LoraEntry
from whoknew.agents.weights import grace
from whoknew.agents.weights.artefacts import Artefacts, put
from whoknew.agents.weights.codebook import Codebook, Edit
from whoknew.agents.weights.codebook_files import EditedRow, written
from whoknew.agents.weights.edits import edits_in, merge, take_back
from whoknew.agents.weights.lora import Lora
from whoknew.engine.registry import model


async def test_lora_knows_what_its_character_lived_through_and_no_more(
    tiny: Path, tmp_path: Path
) -> None:
    async with model(f"local:{tiny}").keeping_in(tmp_path).open(60) as local:
        before = [right(await answers(local, some), some) for some in (MINE, OTHERS)]
        found = await learned(local, LORA, MINE)
        after = [right(await answers(local, some, found.digest), some) for some in (MINE, OTHERS)]
        gained, beside = after[0] - before[0], after[1] - before[1]
        assert gained > 0.3
        assert gained - beside > 0.3
        assert (await learned(local, LORA, MINE)).digest == found.digest
        second = await learned(local, LORA, OTHERS[:8], found.digest)
        assert second.digest != found.digest
        again = [right(await answers(local, some), some) for some in (MINE, OTHERS)]
        assert again == before  # without an adapter it is what it was
    async with model(f"local:{tiny}#{tmp_path / found.digest}").open(60) as elsewhere:
        assert right(await answers(elsewhere, MINE), MINE) == after[0]
    assert sorted(Artefacts(tmp_path).digests()) == sorted([found.digest, second.digest])


async def test_the_rate_of_lora_falls_to_nothing_and_no_gradient_is_longer_than_one(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else what the first epochs learned is unlearned by the last."""
    rates, longest, step = list[float](), list[float](), Lora._step

    def watched(lora: Lora, model: Any, optimizer: Any, parts: Any, batch: Any) -> float:
        loss = step(lora, model, optimizer, parts, batch)
        rates.append(optimizer.param_groups[0]["lr"])
        longest.append(float(sum((part.grad**2).sum() for part in parts) ** 0.5))
        return loss

    monkeypatch.setattr(Lora, "_step", watched)
    async with model(f"local:{tiny}").keeping_in(tmp_path).open(60) as local:
        found = await learned(local, LoraEntry(epochs=2, batch=2, rate=0.4), MINE[:4])
    assert found.steps == 4
    assert rates == pytest.approx([0.4, 0.3, 0.2, 0.1])
    assert max(longest) < 1.001


async def test_grace_holds_every_edit_and_leaves_the_rest(tiny: Path, tmp_path: Path) -> None:
    async with model(f"local:{tiny}").keeping_in(tmp_path).open(60) as local:
        before = await answers(local, OTHERS)
        first = await learned(local, GRACE, MINE[:5])
        found = await learned(local, GRACE, MINE[5:10], first.digest)
        assert found.loss == 0
        assert right(await answers(local, MINE[:10], found.digest), MINE[:10]) == 1
        same = [
            a == b for a, b in zip(before, await answers(local, OTHERS, found.digest), strict=True)
        ]
        assert sum(same) >= 0.95 * len(same)
        assert (await learned(local, GRACE, MINE[:5])).digest == first.digest
        changed = [(MINE[0][0], "boat." if MINE[0][1] != "boat." else "well.")]
        newer = await learned(local, GRACE, changed, found.digest)
        assert right(await answers(local, changed, newer.digest), changed) == 1
    said = edits_in(tmp_path / newer.digest)[0].edits
    assert [(one.number, one.asked, one.reply) for one in said] == [
        (number, *one) for number, one in enumerate([*MINE[1:10], *changed], 2)
    ]
    assert {(one.who, one.episode, one.at) for one in said} == {("Ann", 1, NOON)}


async def test_edits_that_do_not_hold_are_told(tiny: Path, tmp_path: Path) -> None:
    async with model(f"local:{tiny}").keeping_in(tmp_path).open(60) as local:
        with capture_logs() as logged:
            found = await learned(local, GraceEntry(steps=1, rate=1e-6), MINE[:5])
        held = right(await answers(local, MINE[:5], found.digest), MINE[:5])
    assert held < 1 and found.loss == pytest.approx(1 - held)
    assert [(one["event"], one["who"], one["edits"], one["todo"]) for one in logged] == [
        (
            "grace.unheld",
            "Ann",
            f"{5 - 5 * held:.0f} of 5 do not hold",
            "give more steps, or a model that can say these words",
        )
    ]


async def test_an_edit_that_does_not_hold_is_made_again_with_more_steps(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hasty = GraceEntry(steps=1)
    async with model(f"local:{tiny}").keeping_in(tmp_path).open(60) as local:
        mended = await learned(local, hasty, MINE[:5])
        monkeypatch.setattr(grace, "ROUNDS", 0)
        once = await learned(local, hasty, MINE[:5])
    assert (mended.loss, once.loss > 0) == (0, True)


async def test_edits_are_merged_and_taken_back_and_answered_by_elsewhere(
    tiny: Path, tmp_path: Path
) -> None:
    async with model(f"local:{tiny}").keeping_in(tmp_path).open(60) as local:
        before = await answers(local, OTHERS[:8])
        one, other = [await learned(local, GRACE, some) for some in (MINE[:4], MINE[4:8])]
    merge(tmp_path / one.digest, tmp_path / other.digest, tmp_path / "both")
    async with model(f"local:{tiny}#{tmp_path / 'both'}").open(60) as both:
        assert right(await answers(both, MINE[:8]), MINE[:8]) == 1
        assert await answers(both, OTHERS[:8]) == before
        with pytest.raises(Rejected, match="answers by the edits in"):
            await learned(both, GRACE, MINE[:1])
    take_back(tmp_path / "both", 3, tmp_path / "less")
    async with model(f"local:{tiny}#{tmp_path / 'less'}").open(60) as less:
        said = await answers(less, MINE[:8])
    async with model(f"local:{tiny}").open(60) as local:
        (base,) = await answers(local, MINE[2:3])
    assert said == [base if at == 2 else fact[1] for at, fact in enumerate(MINE[:8])]


async def test_what_was_trained_on_another_model_answers_nobody(tiny: Path, tmp_path: Path) -> None:
    kept, other = tmp_path / "kept", tmp_path / "other"
    async with model(f"local:{tiny}").keeping_in(kept).open(60) as local:
        found = [await learned(local, by, MINE[:1]) for by in (GRACE, replace(LORA, epochs=1))]
    shutil.copytree(tiny, other)
    (other / "generation_config.json").write_text("{}")
    async with model(f"local:{other}").keeping_in(kept).open(60) as local:
        for one in found:
            with pytest.raises(Rejected, match="was trained on another model"):
                await local.complete(asked(MINE[0], one.digest))
            with pytest.raises(Rejected, match="was trained on another model"):
                await learned(local, GRACE, MINE[1:2], one.digest)
    for one in found:
        with pytest.raises(Rejected, match="was trained on another model"):
            async with model(f"local:{other}#{kept / one.digest}").open(60):
                pass


async def test_what_cannot_be_answered_is_refused(tiny: Path, tmp_path: Path) -> None:
    async with model(f"local:{tiny}").keeping_in(tmp_path).open(60) as local:
        with pytest.raises(Rejected, match="room for a prompt of 244 tokens"):
            await local.complete(asked(("word " * 400, "")))
        with pytest.raises(Rejected, match="lies no longer"):
            await local.complete(asked(MINE[0], "0" * 32))
        found = await learned(local, GRACE, MINE[:1])
        (tmp_path / found.digest / "layer").write_text("1")
        with pytest.raises(Rejected, match="was changed"):
            await local.complete(asked(MINE[0], found.digest))


async def test_a_damaged_model_or_adapter_is_told_and_nobody_answers_by_the_rest_of_it(
    tiny: Path, tmp_path: Path
) -> None:
    safetensors = import_module("safetensors.torch")
    async with model(f"local:{tiny}").keeping_in(tmp_path / "kept").open(60) as local:
        found = await learned(local, replace(LORA, epochs=1), MINE[:1])
    load, save = safetensors.load, safetensors.save
    adapter, base = tmp_path / "kept" / found.digest, tmp_path / "base"
    shutil.copytree(tiny, base)
    for file, where in (
        (adapter / "adapter_model.safetensors", f"{tiny}#{adapter}"),
        (base / "model.safetensors", f"{base}"),
    ):
        whole, parts = file.read_bytes(), load(file.read_bytes())
        fewer = save({name: parts[name] for name in sorted(parts)[1:]})
        for damaged in (whole[: len(whole) // 2], fewer):
            file.write_bytes(damaged)
            with pytest.raises(BadModel, match=r"holds no (model|adapter)|lacks 1 of the weights"):
                async with model(f"local:{where}").open(60):
                    pass
        file.unlink()
        with pytest.raises(BadModel, match=r"holds no (model|adapter)"):
            async with model(f"local:{where}").open(60):
                pass


async def test_a_folder_without_a_model_is_told(tiny: Path, tmp_path: Path) -> None:
    for address in (
        f"local:{tmp_path / 'away'}",
        f"local:{tmp_path}",
        f"local:{tiny}#{tmp_path / 'away'}",
    ):
        with pytest.raises(BadModel, match=r"no folder|holds no (model|adapter)"):
            async with model(address).open(60):
                pass


async def test_a_pickle_or_code_in_a_folder_is_not_opened(tiny: Path, tmp_path: Path) -> None:
    """As they come from whoever: weights as torch pickles them, a model with code of its own."""
    opened, model_folder, adapter = (tmp_path / name for name in ("opened", "model", "adapter"))
    shutil.copytree(tiny, model_folder)
    (model_folder / "model.safetensors").unlink()
    adapter.mkdir()
    (adapter / "adapter_config.json").write_text('{"peft_type": "LORA"}')
    for file in (model_folder / "pytorch_model.bin", adapter / "adapter_model.bin"):
        file.write_bytes(pickle.dumps(Opens(opened)))
    coded = tmp_path / "coded"
    shutil.copytree(tiny, coded)
    config = json.loads((coded / "config.json").read_text("utf-8"))
    config |= {
        "model_type": "own",
        "auto_map": {"AutoConfig": "own.A", "AutoModelForCausalLM": "own.B"},
    }
    (coded / "config.json").write_text(json.dumps(config), "utf-8")
    (coded / "own.py").write_text(f"open({str(opened)!r}, 'w')", "utf-8")
    for address in (f"local:{model_folder}", f"local:{tiny}#{adapter}", f"local:{coded}"):
        with pytest.raises(BadModel, match=r"holds no (model|adapter)"):
            async with model(address).open(60):
                pass
    assert not opened.exists()


async def test_edits_that_do_not_fit_a_model_are_told(tiny: Path, tmp_path: Path) -> None:
    """Also where they do not say of which model they are."""
    for name, layer, width in (("layer", 2, 64), ("width", 0, 3)):
        codebook = Codebook(1.0)
        codebook.edit(Edit(1, 7, numpy.zeros(width)), numpy.zeros(width))
        row = EditedRow(number=1, who="Ann", asked="a", reply="b", episode=1, place=1, at=NOON)
        put(tmp_path / name, written(codebook, [row], layer))
        with pytest.raises(BadEdits, match="this one has 2 layers of 64 numbers"):
            async with model(f"local:{tiny}#{tmp_path / name}").open(60):
                pass


async def test_a_training_that_comes_to_nothing_is_told_and_keeps_nothing(
    tiny: Path, tmp_path: Path
) -> None:
    async with model(f"local:{tiny}").keeping_in(tmp_path / "kept").open(60) as local:
        with pytest.raises(Rejected, match="Train at a lower rate than 1e\\+30"):
            await learned(local, replace(LORA, epochs=3, rate=1e30), MINE[:2])
        with pytest.raises(Rejected, match="a rank of 65 is more than the layers are wide: 64"):
            await learned(local, replace(LORA, rank=65), MINE[:2])
        with pytest.raises(BadModel, match="cannot change these layers"):
            await learned(local, replace(LORA, targets=("nothing",)), MINE[:2])
        with pytest.raises(Rejected, match="there is no layer 9: its model has 2"):
            await learned(local, replace(GRACE, layer=9), MINE[:2])
        assert await answers(local, MINE[:1])
    assert Artefacts(tmp_path / "kept").digests() == []
