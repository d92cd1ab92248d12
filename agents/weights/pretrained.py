"""A model in a folder as transformers writes it: read whole, from this disk alone, with no code of its own."""

from __future__ import annotations

import hashlib
import warnings
from pathlib import Path
from typing import Any

from msgspec import Struct

from whoknew.agents.errors import BadModel
from whoknew.agents.weights.libraries import brief, library

FORMS = ("*.safetensors", "*.json", "*.model", "*.jinja", "merges.txt", "vocab.txt")
"""The files of a model that decide what it says: the last two are of tokenizers."""

SMALL = 50_000_000
"""Weights. A smaller model is faster on one processor than on all."""


class Pretrained(Struct, frozen=True, kw_only=True):
    """The model and its tokenizer; `digest` is that of its files, `device` where it stands, `window` how many
    tokens it can hold."""

    torch: Any
    model: Any
    tokenizer: Any
    device: str
    digest: str
    window: int


def pretrained(path: Path) -> Pretrained:
    """The model of a folder, its weights frozen; BadModel where a part of it is missing or damaged."""
    if not path.is_dir():
        raise BadModel(f"{path} is no folder of a model that transformers can load")
    torch, transformers = library("torch"), library("transformers")
    library("peft")
    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
    warnings.filterwarnings("ignore", module="(peft|transformers)")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tokenizer, model = _loaded(transformers, path)
    window: int = getattr(model.config, "max_position_embeddings", 0)
    if not window:
        raise BadModel(
            f"{path / 'config.json'} names no window: give max_position_embeddings in it"
        )
    if tokenizer.eos_token_id is None:
        raise BadModel(f"the tokenizer in {path} has no eos_token: no reply would come to an end")
    model = model.to(device).eval().requires_grad_(False)
    if sum(one.numel() for one in model.parameters()) < SMALL:
        torch.set_num_threads(1)
    return Pretrained(
        torch=torch,
        model=model,
        tokenizer=tokenizer,
        device=device,
        digest=_digest(path),
        window=window,
    )


def _loaded(transformers: Any, path: Path) -> tuple[Any, Any]:
    here: Any = {"local_files_only": True, "trust_remote_code": False}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(path, **here)
        model, found = transformers.AutoModelForCausalLM.from_pretrained(
            path,
            dtype="auto",
            use_safetensors=True,
            output_loading_info=True,
            ignore_mismatched_sizes=True,
            **here,
        )
    except Exception as error:  # noqa: BLE001  (a damaged folder makes transformers raise anything)
        raise BadModel(
            f"{path} holds no model that transformers can load: {brief(error)}"
        ) from None
    odd = sorted(one if isinstance(one, str) else one[0] for one in found["mismatched_keys"])
    if missing := sorted({*found["missing_keys"], *odd}):
        raise BadModel(
            f"{path} lacks {len(missing)} of the weights that its config.json names ({missing[0]}, ...), or "
            "has them in another size: they would be drawn by lot. Put the whole model there"
        )
    return tokenizer, model


def _digest(path: Path) -> str:
    """Of a model: its weights, its form, its tokenizer."""
    whole = hashlib.sha256()
    for file in sorted(one for form in FORMS for one in path.glob(form)):
        with file.open("rb") as data:
            whole.update(file.name.encode() + hashlib.file_digest(data, "sha256").digest())
    return whole.hexdigest()[:32]
