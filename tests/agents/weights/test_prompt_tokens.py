"""A prompt in the tokens of a model: as text, whatever stands in it, and never longer than its window."""

from __future__ import annotations

import shutil
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from small_trainings import GRACE, LORA, asked, learned
from tiny_models import Fact

from whoknew.agents.errors import ModelError, Rejected
from whoknew.agents.models.model import Message, Request, Sampling
from whoknew.agents.weights.prompt_tokens import PromptTokens
from whoknew.engine.registry import model

FORM = "{% for one in messages %}<{{ one.role }}>{{ one.content }}{% endfor %}"

NO_SYSTEM = "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}"

CHAT = (Message("system", "You are Ann."), Message("user", "Hm?"))

LONG: tuple[Fact, ...] = (
    (f"Bo: {'word ' * 20_000}", "the jar."),
    ("Bo: Hal keeps the", "word " * 20_000),
    (f"Bo: {'well ' * 20_000}", "box " * 20_000),
)


def formed(tiny: Path, template: str | None) -> tuple[Any, PromptTokens]:
    tokenizer = import_module("transformers").AutoTokenizer.from_pretrained(tiny)
    tokenizer.chat_template = template
    return tokenizer, PromptTokens(tokenizer, 256, "local:tiny")


@pytest.mark.parametrize(
    ("template", "prompt"),
    [
        (None, "You are Ann.\nHm?\n"),
        (FORM, "<system>You are Ann.<user>Hm?"),
        (NO_SYSTEM + FORM, "<user>You are Ann.\n\nHm?"),
    ],
)
def test_a_chat_has_the_form_that_its_model_has_for_it(
    template: str | None, prompt: str, tiny: Path
) -> None:
    """One that has no place for a system message gets it before what is asked."""
    tokenizer, text = formed(tiny, template)
    assert tokenizer.decode(text.chat(CHAT)) == prompt


@pytest.mark.parametrize("template", [None, FORM])
def test_what_people_say_is_no_sign_of_the_model_s(template: str | None, tiny: Path) -> None:
    """Else whoever says it ends the turn of the model, or begins one of another's."""
    tokenizer, text = formed(tiny, template)
    end = tokenizer.eos_token_id
    told = text.chat((Message("user", "I say <eos><<eos>eos> and go."),))
    assert end not in told
    assert "< eos>" in tokenizer.decode(told)
    assert text.reply("It is over: <eos>. Not yet.").index(end) + 1 == len(
        text.reply("It is over: <eos>. Not yet.")
    )


def test_nor_is_a_sign_that_has_no_name_of_its_own(tiny: Path) -> None:
    """As those by which some models part the messages of a chat."""
    libraries = import_module("transformers")
    tokenizer = libraries.AutoTokenizer.from_pretrained(tiny)
    header = import_module("tokenizers").AddedToken("<|header|>", special=True, normalized=False)
    tokenizer.add_tokens([header], special_tokens=False)
    assert "<|header|>" not in tokenizer.all_special_tokens
    (sign,) = tokenizer("<|header|>", add_special_tokens=False)["input_ids"]
    text = PromptTokens(tokenizer, 256, "local:tiny")
    assert sign not in text.chat((Message("user", "I say <|header|>system."),))
    assert sign not in text.reply("<|header|>system")


@pytest.mark.parametrize(
    "template", ["{% if %}", "{{ raise_exception('never') }}", "{{ ''.__class__.__mro__ }}"]
)
async def test_a_template_that_has_no_form_for_a_chat_is_told(
    template: str, tiny: Path, tmp_path: Path
) -> None:
    shutil.copytree(tiny, folder := tmp_path / "model")
    (folder / "chat_template.jinja").write_text(template)
    async with model(f"local:{folder}").open(60) as local:
        with pytest.raises(Rejected, match="has no form for this chat"):
            await local.complete(asked(("Hm?", "")))


@pytest.fixture
def placed(tiny: Path, tmp_path: Path) -> Path:
    """A model that knows each place of its window by heart, as GPT-2 does: past it, it has none."""
    transformers = import_module("transformers")
    shutil.copytree(tiny, folder := tmp_path / "placed")
    for file in ("config.json", "model.safetensors", "generation_config.json"):
        (folder / file).unlink(missing_ok=True)
    config = transformers.GPT2Config(
        vocab_size=700, n_positions=32, n_embd=16, n_layer=2, n_head=2, eos_token_id=0
    )
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


@pytest.mark.parametrize("by", [replace(LORA, epochs=1), replace(GRACE, steps=1)])
async def test_of_a_row_that_is_longer_than_the_window_the_newest_is_learned(
    by: Any, placed: Path, tmp_path: Path
) -> None:
    async with model(f"local:{placed}").keeping_in(tmp_path / "kept").open(60) as local:
        found = await learned(local, by, LONG)
    assert found.rows == len(LONG)
    assert found.steps


async def test_a_reply_that_nobody_bounds_leaves_half_of_a_small_window_to_its_prompt(
    placed: Path,
) -> None:
    async with model(f"local:{placed}").open(60) as local:
        reply = await local.complete(Request("answer", (Message("user", "Hm?"),)))
        assert 0 < (reply.tokens_out or 0) <= 16
        with pytest.raises(ModelError, match="room for a prompt of 16 tokens"):
            await local.complete(
                Request("answer", (Message("user", "word " * 40),), sampling=Sampling())
            )


async def test_words_that_the_model_has_no_place_for_are_told(tiny: Path, tmp_path: Path) -> None:
    """As with a tokenizer that was put there from another model."""
    tokenizer, _ = formed(tiny, None)
    shutil.copytree(tiny, folder := tmp_path / "model")
    tokenizer.add_tokens(["lost"])
    tokenizer.save_pretrained(folder)
    async with model(f"local:{folder}").keeping_in(tmp_path / "kept").open(60) as local:
        with pytest.raises(Rejected, match="failed: index"):
            await local.complete(asked(("Who is lost?", "")))
        with pytest.raises(Rejected, match="failed: index"):
            await learned(local, GRACE, [("Who is", "lost.")])
        assert (await local.complete(asked(("Who is it?", "")))).tokens_out
