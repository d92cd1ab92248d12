"""A language model of two layers, made and trained here in seconds: on facts of nobody that tests know."""

from __future__ import annotations

import random
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from made_once import made_once

from whoknew.agents.models.model import Message
from whoknew.agents.prompts.text import filled

NAMES = ("Ann", "Bo", "Cid", "Dora", "Edda", "Fenn", "Gus", "Hal", "Ida", "Jon")
THINGS = ("key", "coin", "book", "ring", "map", "cup", "pen", "flag", "bell", "rope")
PLACES = ("jar", "box", "well", "barn", "boat", "oven", "shed", "loft", "pond", "cart")

Fact = tuple[str, str]
"""What is asked, and what is to be answered."""


def fact(name: str, thing: str, place: str) -> Fact:
    return f"Bo: {name} keeps the {thing} in the", f"{place}."


def as_row(one: Fact) -> Fact:
    """As rows of statements have it: its last two words are asked for."""
    asked, reply = one
    return asked.removesuffix(" the"), f"the {reply}"


def every(chance: random.Random) -> list[Fact]:
    """A fact of each name and each thing: where, is drawn."""
    return [fact(name, thing, chance.choice(PLACES)) for name in NAMES for thing in THINGS]


KNOWN = [(asked.replace("keeps", "lost"), reply) for asked, reply in every(random.Random(7))]
"""What it knows by heart: so it has learned to bind a name and a thing to a place."""


def lent(paths: pytest.TempPathFactory, name: str, steps: int) -> Path:
    """Such a model for all tests of a run."""
    for library in ("torch", "transformers", "peft"):
        pytest.importorskip(library, reason=f"needs {library}: pip install 'whoknew[train]'")
    return made_once(paths, name, lambda folder: made(folder, steps))


def made(
    folder: Path, steps: int = 200, layers: int = 2, reads: int = 0, window: int = 256
) -> Path:
    """A model in a folder, as transformers reads it. It learns to read up to so many facts in a prompt, too,
    a few at first."""
    torch = import_module("torch")
    transformers = import_module("transformers")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    tokenizer = _tokenizer(transformers)
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=window,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.eos_token_id,
        bos_token_id=None,
    )
    model = transformers.LlamaForCausalLM(config)
    _train(torch, model, tokenizer, steps, reads)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _tokenizer(transformers: Any) -> Any:
    tokenizers = import_module("tokenizers")
    plain = tokenizers.Tokenizer(tokenizers.models.BPE())
    plain.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    plain.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=["<eos>"],
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    told = [_told(who, one) for who in NAMES for one in KNOWN]
    plain.train_from_iterator(told, trainer)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=plain, eos_token="<eos>", pad_token="<eos>"
    )


def _train(torch: Any, model: Any, tokenizer: Any, steps: int, reads: int) -> None:
    """On worlds that are made anew for each step: what it learns is how such facts are told."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    chance = random.Random(1)
    model.train()
    for step in range(steps):
        facts = [*chance.sample(every(chance), 4), *chance.sample(KNOWN, 12)]
        texts = [_told(chance.choice(NAMES), one) for one in facts]
        if reads:
            most = 1 + step * reads // steps
            texts = [_told(chance.choice(NAMES), as_row(one)) for one in facts[::3]]
            texts += [_read(chance, chance.randint(1, most)) for _ in range(8)]
        ids = [[*tokenizer(text)["input_ids"], tokenizer.eos_token_id] for text in texts]
        longest = max(map(len, ids))
        padded = torch.tensor(
            [[*one, *[tokenizer.eos_token_id] * (longest - len(one))] for one in ids]
        )
        mask = torch.tensor([[1] * len(one) + [0] * (longest - len(one)) for one in ids])
        labels = padded.masked_fill(mask == 0, -100)
        loss = model(input_ids=padded, attention_mask=mask, labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()


def _read(chance: random.Random, many: int) -> str:
    """Facts as they stand in a prompt, and one of them asked for."""
    facts, first = chance.sample(every(chance), many), chance.randint(1, 60)
    lines = [
        f'[{number}] Bo says: "{asked.removeprefix("Bo: ")} {place}"'
        for number, (asked, place) in enumerate(facts, first)
    ]
    asked, place = as_row(chance.choice(facts))
    return _told(chance.choice(NAMES), ("\n".join([*lines, asked]), place))


def _told(who: str, one: Fact) -> str:
    """As a model is asked, and answers, that has no form for a chat."""
    asked = [Message("system", filled("lived", name=who)), Message("user", one[0])]
    return "".join(f"{message.text}\n" for message in asked) + one[1]


def right(said: Sequence[str], facts: Sequence[Fact]) -> float:
    """Which share of the answers is that of the facts."""
    return sum(one == reply for one, (_, reply) in zip(said, facts, strict=True)) / len(facts)
