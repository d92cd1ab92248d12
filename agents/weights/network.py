"""A causal language model of transformers: it is asked, many at a time, and trained.

Weights of its own stay as they are. An adapter (LoRA), or a codebook at one layer (GRACE), is put on for
as long as somebody is answered by it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from whoknew.agents.errors import ModelError, PastWindow, Rejected
from whoknew.agents.models.model import Message, Reply, Sampling
from whoknew.agents.weights.artefacts import BASE, Artefacts, base_of, digest_of, files_of
from whoknew.agents.weights.codebook_files import is_codebook
from whoknew.agents.weights.grace import Grace
from whoknew.agents.weights.lora import Lora, merged
from whoknew.agents.weights.pretrained import pretrained
from whoknew.agents.weights.prompt_tokens import PromptTokens
from whoknew.agents.weights.training import Trained, TrainingOrder

MOST_TOKENS = 256
"""Of a reply, where nobody says; of a small window half."""


class Network:
    """A model on a thread that is its own."""

    def __init__(self, path: Path, artefacts: Artefacts, adapter: str = "") -> None:
        """`adapter` is a folder of one that was trained elsewhere, or of edits."""
        base = pretrained(path)
        self.torch, self.model, self.tokenizer = base.torch, base.model, base.tokenizer
        self.text = PromptTokens(base.tokenizer, base.window, f"local:{path}")
        self.device, self.base, self.window = base.device, base.digest, base.window
        self.name, self.artefacts = f"local:{path}", artefacts
        self._edits = Path(adapter) if adapter and is_codebook(Path(adapter)) else None
        if adapter:
            self._check_base(Path(adapter))
        if adapter and self._edits is None:
            self.model = merged(self.model, Path(adapter))
            self.base = digest_of({"base": self.base.encode(), **files_of(Path(adapter))})
        self._closed = False
        self.model.register_forward_pre_hook(self._check_open)
        network: Any = (
            self  # pyright knows a file by two names here: by its folder and by the package
        )
        self.grace, self.lora = Grace(network), Lora(network)
        if self._edits is not None:
            self.grace.load(self._edits)

    def close(self) -> None:
        """Whatever its thread is at ends at the next text that it looks at: a training may be hours long."""
        self._closed = True

    def _check_open(self, *_: object) -> None:
        if self._closed:
            raise Rejected(f"{self.name} was closed")

    def train(self, order: TrainingOrder, rows: Sequence[tuple[str, str]]) -> Trained:
        """What an order comes to; the same order comes to the same artefact."""
        trainers: dict[str, Lora | Grace] = {"lora": self.lora, "grace": self.grace}
        if (by := trainers.get(order.by)) is None:
            raise Rejected(f"there is no trainer {order.by!r}: there are lora and grace")
        if self._edits is not None:
            raise Rejected(f"{self.name} answers by the edits in {self._edits}: train {self.name}")
        digest, steps, loss = by.train(order, rows)
        return Trained(
            digest=digest, base=self.base, rows=len(rows), steps=steps, loss=loss, seconds=0.0
        )

    def keep(self, files: Mapping[str, bytes]) -> str:
        """Keep what was trained, with what it was trained on; its digest."""
        return self.artefacts.keep({**files, BASE: self.base.encode()})

    def artefact(self, digest: str) -> Path:
        """Where something lies that was trained on this very model."""
        path = self.artefacts.path(digest)
        self._check_base(path)
        return path

    def _check_base(self, path: Path) -> None:
        if base_of(path) not in ("", self.base):
            raise Rejected(
                f"{path} was trained on another model than the one that is in {self.name} now "
                f"({base_of(path)}, not {self.base}): put that one back, or begin another log"
            )

    def said(
        self, chats: Sequence[Sequence[Message]], sampling: Sampling, adapter: str
    ) -> list[Reply | ModelError]:
        """What it says to each of some chats, by an adapter or without. One that it has no room for, or says
        nothing to, fails alone, whatever the others are."""
        every = [self.text.chat(chat) for chat in chats]
        most = sampling.max_tokens or min(MOST_TOKENS, self.window // 2)
        room = self.window - most
        prompts = [prompt for prompt in every if len(prompt) <= room]
        with self._with(adapter):
            replies = iter(self._generated(prompts, most, sampling) if prompts else ())
        return [
            self._reply(prompt, next(replies), most)
            if len(prompt) <= room
            else PastWindow(self.name, len(prompt), room)
            for prompt in every
        ]

    def _reply(
        self, prompt: Sequence[int], reply: Sequence[int] | None, most: int
    ) -> Reply | Rejected:
        if reply is None:
            return Rejected(
                f"{self.name} says nothing: its scores are no numbers (nan). Its weights, or those of its "
                "adapter, are damaged, or are too large for their type"
            )
        return Reply(
            text=self.tokenizer.decode(reply, skip_special_tokens=True).strip(),
            tokens_in=len(prompt),
            tokens_out=max(1, len(reply)),
            ended="length" if len(reply) == most else "stop",
        )

    @contextmanager
    def _with(self, adapter: str) -> Iterator[None]:
        path = self.artefact(adapter) if adapter else self._edits
        if path is None:
            yield
            return
        by = self.grace if is_codebook(path) else self.lora
        with by.on(path.name, path):
            yield

    def _generated(
        self, prompts: Sequence[list[int]], most: int, sampling: Sampling
    ) -> list[list[int] | None]:
        """Token by token, all at once, each until it is over; nothing where what may follow is no number."""
        torch, eos = self.torch, self.tokenizer.eos_token_id
        longest = max(map(len, prompts))
        pads = [longest - len(one) for one in prompts]
        ids = torch.tensor(
            [[eos] * pad + one for pad, one in zip(pads, prompts, strict=True)], device=self.device
        )
        mask = torch.tensor([[0] * pad + [1] * (longest - pad) for pad in pads], device=self.device)
        places = (mask.cumsum(-1) - 1).clamp(min=0)
        chances = [self._chance(sampling, prompt) for prompt in prompts]
        said: list[list[int]] = [[] for _ in prompts]
        over, lost, past = [False] * len(prompts), [False] * len(prompts), None
        with torch.no_grad():
            for _ in range(most):
                out = self.model(
                    input_ids=ids,
                    attention_mask=mask,
                    position_ids=places,
                    past_key_values=past,
                    use_cache=True,
                )
                past, scores = out.past_key_values, out.logits[:, -1].float()
                nowhere = scores.isnan().any(-1).tolist()
                lost = [
                    was or (now and not done)  # what is over is only filled up
                    for was, now, done in zip(lost, nowhere, over, strict=True)
                ]
                chosen = [
                    eos if gone else self._chosen(row, sampling, chance)
                    for row, chance, gone in zip(scores, chances, lost, strict=True)
                ]
                for at, token in enumerate(chosen):
                    over[at] = over[at] or token == eos
                    if not over[at]:
                        said[at].append(token)
                if all(over):
                    break
                ids = torch.tensor([[token] for token in chosen], device=self.device)
                mask = torch.cat([mask, torch.ones_like(mask[:, :1])], dim=-1)
                places = places[:, -1:] + 1
        return [None if gone else one for one, gone in zip(said, lost, strict=True)]

    def _chance(self, sampling: Sampling, prompt: Sequence[int]) -> Any:
        """Of one reply alone, so that it hangs on no neighbour: by the seed, else by the prompt."""
        seed = sampling.seed
        if seed is None:
            seed = int.from_bytes(hashlib.sha256(repr(list(prompt)).encode()).digest()[:6])
        return self.torch.Generator().manual_seed(seed)

    def _chosen(self, scores: Any, sampling: Sampling, chance: Any) -> int:
        if not sampling.temperature:
            return int(scores.argmax())
        shares = (scores.cpu() / sampling.temperature).softmax(-1)
        if sampling.top_p is not None and sampling.top_p < 1:
            ordered, places = shares.sort(descending=True)
            ordered[ordered.cumsum(-1) - ordered > sampling.top_p] = 0
            return int(places[self.torch.multinomial(ordered, 1, generator=chance)])
        return int(self.torch.multinomial(shares, 1, generator=chance))
