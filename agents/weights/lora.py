"""LoRA, by peft: a low-rank part of each linear layer is trained, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from whoknew.agents.errors import BadModel, Rejected
from whoknew.agents.weights.libraries import brief, library
from whoknew.agents.weights.prompt_tokens import RowTokens
from whoknew.agents.weights.training import TrainingOrder

if TYPE_CHECKING:
    from whoknew.agents.weights.network import Network

TRAINING = "being_trained"
"""What the adapter is called that is being trained."""

AT_HAND = 8
"""So many adapters are kept in memory."""

WEIGHTS, SETTINGS = "adapter_model.safetensors", "adapter_config.json"
"""The files of an adapter, as peft and others read them."""

IGNORED = -100
"""What stands in the place of a token that is not to be learned."""

LONGEST = 1.0
"""How long a gradient is at most: as others train by whom adapters are trained (transformers' Trainer)."""


class Lora:
    """Adapters of one network."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._peft: Any = None
        self._loaded: list[str] = []

    def train(
        self, order: TrainingOrder, rows: Sequence[tuple[str, str]]
    ) -> tuple[str, int, float]:
        """The digest of an adapter, how many steps it took, the loss of the last round."""
        config = self._config(order.settings)
        try:
            model = self._added(TRAINING, config)
        except ValueError as error:
            raise BadModel(f"LoRA cannot change these layers: {brief(error)}") from None
        try:
            self._begin(order)
            steps, loss = self._steps(model, order, rows)
            files = {WEIGHTS: self._weights(), SETTINGS: _settings(config)}
        finally:
            model.delete_adapter(TRAINING)
        return self._network.keep(files), steps, loss

    def _config(self, settings: Mapping[str, Any]) -> Any:
        rank, width = settings["rank"], self._network.model.config.hidden_size
        if rank > width:
            raise Rejected(f"a rank of {rank} is more than the layers are wide: {width} at most")
        return library("peft").LoraConfig(
            task_type="CAUSAL_LM",
            r=rank,
            lora_alpha=settings["alpha"],
            target_modules=list(settings["targets"]) or "all-linear",
        )

    @contextmanager
    def on(self, adapter: str, path: Path) -> Iterator[None]:
        """Answer by an adapter for a while."""
        if adapter not in self._loaded:
            config = library("peft").LoraConfig.from_pretrained(path)
            self._added(adapter, config)
            self._fill(adapter, path)
            self._loaded.append(adapter)
            if len(self._loaded) > AT_HAND:
                self._peft.delete_adapter(self._loaded.pop(0))
        self._peft.base_model.enable_adapter_layers()
        self._peft.set_adapter(adapter, inference_mode=True)
        try:
            yield
        finally:
            self._peft.base_model.disable_adapter_layers()

    def _added(self, name: str, config: Any) -> Any:
        if self._peft is None:
            self._peft = library("peft").get_peft_model(
                self._network.model, config, adapter_name=name
            )
            self._peft.eval()
            self._peft.base_model.disable_adapter_layers()
        else:
            self._peft.add_adapter(name, config)
        return self._peft

    def _begin(self, order: TrainingOrder) -> None:
        """From the artefact before, or from weights that hang on the seed and their names alone."""
        if order.after:
            self._fill(TRAINING, self._network.artefact(order.after))
            return
        torch = self._network.torch
        chance = torch.Generator().manual_seed(order.settings["seed"])
        for name, part in sorted(self._peft.named_parameters()):
            if f".{TRAINING}." in name:
                fresh = torch.zeros(part.shape)
                if "lora_A" in name:
                    fresh.uniform_(-1, 1, generator=chance).mul_(part.shape[-1] ** -0.5)
                part.data.copy_(fresh)

    def _steps(
        self, model: Any, order: TrainingOrder, rows: Sequence[tuple[str, str]]
    ) -> tuple[int, float]:
        """How many, and the loss of the last round. The rate falls to nothing, so that it settles."""
        torch, settings = self._network.torch, order.settings
        examples = [self._network.text.row(order.who, *row) for row in rows]
        batches = self._batches(examples, settings)
        model.base_model.enable_adapter_layers()
        model.set_adapter(TRAINING)
        try:
            parts = [part for _, part in sorted(model.named_parameters()) if part.requires_grad]
            optimizer, losses = torch.optim.AdamW(parts, weight_decay=0.0), list[float]()
            for step, batch in enumerate(batches):
                for group in optimizer.param_groups:
                    group["lr"] = settings["rate"] * (1 - step / len(batches))
                losses.append(self._step(model, optimizer, parts, batch))
        finally:
            model.base_model.disable_adapter_layers()
        last = losses[-(len(batches) // settings["epochs"]) :]
        loss = sum(last) / len(last)
        if not (isfinite(loss) and all(bool(part.isfinite().all()) for part in parts)):
            raise Rejected(
                f"nothing was learned in {len(losses)} rounds: the loss is {loss}. Train at a lower rate "
                f"than {settings['rate']}"
            )
        return len(losses), round(loss, 6)

    def _batches(
        self, examples: Sequence[RowTokens], settings: Mapping[str, Any]
    ) -> list[list[RowTokens]]:
        """Those of all epochs, each in an order of its own that hangs on the seed alone."""
        torch, size = self._network.torch, settings["batch"]
        chance = torch.Generator().manual_seed(settings["seed"])
        found = []
        for _ in range(settings["epochs"]):
            turns = [
                examples[at] for at in torch.randperm(len(examples), generator=chance).tolist()
            ]
            found += [turns[start : start + size] for start in range(0, len(turns), size)]
        return found

    def _step(
        self, model: Any, optimizer: Any, parts: Sequence[Any], batch: Sequence[RowTokens]
    ) -> float:
        torch, network = self._network.torch, self._network
        longest = max(len(prompt) + len(reply) for prompt, reply in batch)
        ids, labels, mask = [], [], []
        for prompt, reply in batch:
            pad = longest - len(prompt) - len(reply)
            ids.append([*prompt, *reply, *[network.tokenizer.eos_token_id] * pad])
            labels.append([*[IGNORED] * len(prompt), *reply, *[IGNORED] * pad])
            mask.append([1] * (longest - pad) + [0] * pad)
        found = model(
            input_ids=torch.tensor(ids, device=network.device),
            attention_mask=torch.tensor(mask, device=network.device),
            labels=torch.tensor(labels, device=network.device),
        )
        optimizer.zero_grad()
        found.loss.backward()
        torch.nn.utils.clip_grad_norm_(parts, LONGEST)
        optimizer.step()
        return float(found.loss.detach())

    def _fill(self, name: str, path: Path) -> None:
        """Put the weights of an artefact into an adapter."""
        weights = library("safetensors.torch").load_file(path / WEIGHTS)
        library("peft").set_peft_model_state_dict(self._peft, weights, adapter_name=name)

    def _weights(self) -> bytes:
        found = library("peft").get_peft_model_state_dict(self._peft, adapter_name=TRAINING)
        kept = {name: found[name].contiguous().cpu() for name in sorted(found)}
        return bytes(library("safetensors.torch").save(kept))


def _settings(config: Any) -> bytes:
    """As peft writes them, in an order that is always the same."""
    told = {
        key: sorted(one) if isinstance(one, set) else one for key, one in config.to_dict().items()
    }
    told |= {"inference_mode": True, "base_model_name_or_path": None}
    return msgspec.json.encode(told, order="deterministic", enc_hook=str)


def merged(model: Any, path: Path) -> Any:
    """A model with an adapter that was trained elsewhere, as part of its own weights."""
    if not (path / WEIGHTS).is_file():
        raise BadModel(
            f"{path} holds no adapter: there is no file {WEIGHTS} in it, as peft writes it"
        )
    peft = library("peft")
    try:
        both = peft.PeftModel.from_pretrained(model, path, local_files_only=True)
        there = library("safetensors.torch").load_file(path / WEIGHTS)
        odd = sorted(there.keys() ^ peft.get_peft_model_state_dict(both).keys())
        whole = both.merge_and_unload() if not odd else None
    except Exception as error:  # noqa: BLE001  (a damaged adapter makes peft raise anything)
        raise BadModel(f"{path} holds no adapter for this model: {brief(error)}") from None
    if whole is None:
        raise BadModel(
            f"{path} holds no adapter for this model: {len(odd)} of its parts do not fit ({odd[0]}, ...)"
        )
    return whole.eval().requires_grad_(False)
