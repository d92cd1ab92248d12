"""GRACE: a codebook at one layer of a network, whose weights stay frozen.

Where the last token of a prompt, or one of its answer, lies near a key, the layer says the value of that
key instead of its own. An edit is a whole answer: one key and one value for each of its tokens, and its
end. Values are learned by gradient; which key answers is decided by the codebook alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy
from msgspec import Struct

from whoknew.agents.errors import BadEdits, Rejected
from whoknew.agents.weights.codebook import Codebook, Edit
from whoknew.agents.weights.codebook_files import EditedRow, layer_of, read, written
from whoknew.agents.weights.key_matrix import Vector
from whoknew.agents.weights.prompt_tokens import RowTokens
from whoknew.agents.weights.training import TrainingOrder
from whoknew.eventlog.logger import logger

if TYPE_CHECKING:
    from whoknew.agents.weights.network import Network

SURE = 0.9
"""A value is learned that leads to its token with this share."""

ROUNDS = 3
"""So many times an edit is mended that does not hold: each time with twice the steps at half the rate."""


class LayerLook(Struct):
    """How the layer is looked at: from which place of the text on; what it said itself at the last one
    is `seen`, and `trial` stands there, where a value is being learned."""

    codebook: Codebook
    start: int = -1
    seen: Any = None
    trial: Any = None


class Grace:
    """Codebooks of one network."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._loaded: dict[str, tuple[Codebook, int]] = {}

    def train(
        self, order: TrainingOrder, rows: Sequence[tuple[str, str]]
    ) -> tuple[str, int, float]:
        """The digest of a codebook, how many steps it took, and which share of its edits does not hold."""
        layer = self._layer(order.settings["layer"])
        codebook, edited = self._begun(order, rows, layer)
        first = 1 + max((one.number for one in edited), default=0)
        every = [*edited, *_fresh(order, rows, first)]
        last = {(one.who, one.asked): one.number for one in every}
        wanted = [one for one in every if one.number == last[one.who, one.asked]]
        for old in edited:
            if old.number != last[old.who, old.asked]:
                codebook.take_back(old.number)
        with self._looked(layer, LayerLook(codebook)) as looking:
            editing = Editing(self._network, looking, order.settings)
            broken = editing.make(wanted, first)
        if broken:
            logger().warning(
                "grace.unheld",
                model=self._network.name,
                who=order.who,
                edits=f"{broken * len(wanted):.0f} of {len(wanted)} do not hold",
                tried=f"up to {order.settings['steps'] * 2**ROUNDS} steps for each token",
                todo="give more steps, or a model that can say these words",
            )
        return self._network.keep(written(codebook, wanted, layer)), editing.steps, round(broken, 6)

    @contextmanager
    def on(self, adapter: str, path: Path) -> Iterator[None]:
        """Answer by a codebook for a while."""
        if adapter not in self._loaded:
            self._loaded = {adapter: self.load(path)}
        codebook, layer = self._loaded[adapter]
        with self._looked(layer, LayerLook(codebook)):
            yield

    def load(self, path: Path) -> tuple[Codebook, int]:
        """A codebook, and its layer; BadEdits where it does not fit this network."""
        (codebook, _), layer = read(path), layer_of(path)
        width, layers = self._network.model.config.hidden_size, len(self._layers())
        if not 0 <= layer < layers or any(len(one.key) != width for one in codebook):
            raise BadEdits(
                f"the edits in {path} are of another model: this one has {layers} layers of {width} numbers"
            )
        return codebook, layer

    def _begun(
        self, order: TrainingOrder, rows: Sequence[tuple[str, str]], layer: int
    ) -> tuple[Codebook, list[EditedRow]]:
        """What the order goes on from: nothing, where that is the base."""
        if order.after:
            return read(self._network.artefact(order.after))
        return Codebook(self._radius(order, rows, layer)), []

    def _layer(self, wanted: int | None) -> int:
        layers = len(self._layers())
        if wanted is not None and wanted >= layers:
            raise Rejected(f"there is no layer {wanted}: its model has {layers}, from 0 on")
        return max(0, layers - 2) if wanted is None else wanted

    def _layers(self) -> Any:
        torch, config = self._network.torch, self._network.model.config
        for part in self._network.model.modules():
            if isinstance(part, torch.nn.ModuleList) and len(part) == config.num_hidden_layers:
                return part
        raise Rejected("the layers of this model are not found: GRACE cannot edit it")

    @contextmanager
    def _looked(self, layer: int, looking: LayerLook) -> Iterator[LayerLook]:
        handle = self._layers()[layer].register_forward_hook(
            lambda part, given, said: _said(self._network.torch, looking, said)
        )
        try:
            yield looking
        finally:
            handle.remove()

    def _radius(self, order: TrainingOrder, rows: Sequence[tuple[str, str]], layer: int) -> float:
        """The usual radius: the share of how long an activation is."""
        with self._looked(layer, LayerLook(Codebook(1.0))) as looking:
            editing = Editing(self._network, looking, order.settings)
            key = editing.key(self._network.text.row(order.who, *rows[0])[0])
        return float(order.settings["radius"] * (key @ key) ** 0.5)


class Editing:
    """Edits of one codebook, made and looked at."""

    def __init__(self, network: Network, looking: LayerLook, settings: Any) -> None:
        self._network, self._looking, self._settings = network, looking, settings
        self.steps = 0

    def make(self, wanted: Sequence[EditedRow], first: int) -> float:
        """Make those from a number on, and again all that do not hold; which share of them still does not."""
        for one in wanted:
            if one.number >= first:
                self.edit(one)
        for mend in range(1, ROUNDS + 1):
            for one in (failing := [one for one in wanted if not self.holds(one)]):
                self._looking.codebook.take_back(one.number)
                self.edit(one, mend)
            if not failing:
                return 0.0
        return sum(not self.holds(one) for one in wanted) / len(wanted)

    def key(self, tokens: Sequence[int], start: int = -1) -> Vector:
        """What the layer says itself of the last token."""
        with self._network.torch.no_grad():
            self._forward(tokens, start)
        found: Vector = self._looking.seen.double().cpu().numpy()
        return found

    def edit(self, row: EditedRow, mend: int = 0) -> None:
        """One key for each token of the answer, in its order."""
        codebook, (prompt, reply) = self._looking.codebook, self._tokens(row)
        start, tokens = len(prompt) - 1, list(prompt)
        for label in reply:
            key = self.key(tokens, start)
            edit = Edit(row.number, label, key)
            change = codebook.edit(edit, key)
            if change.decision != "widen":
                codebook.learn(change.at, self._learned(tokens, start, label, mend))
            elif self._next(tokens, start) != label:
                codebook.part(edit, self._learned(tokens, start, label, mend))
            tokens.append(label)

    def holds(self, row: EditedRow) -> bool:
        """Whether the answer comes, token by token."""
        prompt, reply = self._tokens(row)
        with self._network.torch.no_grad():
            scores = self._forward([*prompt, *reply[:-1]], len(prompt) - 1)
        found: bool = scores[len(prompt) - 1 :].argmax(-1).tolist() == reply
        return found

    def _tokens(self, row: EditedRow) -> RowTokens:
        return self._network.text.row(row.who, row.asked, row.reply)

    def _next(self, tokens: Sequence[int], start: int) -> int:
        with self._network.torch.no_grad():
            return int(self._forward(tokens, start)[-1].argmax())

    def _learned(self, tokens: Sequence[int], start: int, label: int, mend: int) -> Vector:
        """A value by which a token follows: from what the layer says itself, step by step."""
        torch, looking = self._network.torch, self._looking
        self.key(tokens, start)
        value = looking.seen.detach().float().clone().requires_grad_(True)
        optimizer = torch.optim.Adam([value], lr=self._settings["rate"] / 2**mend)
        looking.trial = value
        try:
            for _ in range(self._settings["steps"] * 2**mend):
                shares = self._forward(tokens, start)[-1].float().log_softmax(-1)
                if float(shares[label].detach().exp()) > SURE:
                    break
                optimizer.zero_grad()
                (-shares[label]).backward()
                optimizer.step()
                self.steps += 1
        finally:
            looking.trial = None
        found: Vector = value.detach().double().cpu().numpy()
        if not numpy.isfinite(found).all():
            raise Rejected(
                f"no value was learned for an edit: what came of it is no number. Give a rate lower than "
                f"{self._settings['rate']}, or put a whole model there: its weights may be damaged"
            )
        return found

    def _forward(self, tokens: Sequence[int], start: int) -> Any:
        """What may follow each token; the codebook is looked up from a place on."""
        self._looking.start = start
        ids = self._network.torch.tensor([list(tokens)], device=self._network.device)
        try:
            return self._network.model(input_ids=ids).logits[0]
        finally:
            self._looking.start = -1


def _fresh(order: TrainingOrder, rows: Sequence[tuple[str, str]], first: int) -> list[EditedRow]:
    """The rows of an order as edits, numbered from the first on."""
    return [
        EditedRow(
            number=number,
            who=order.who,
            asked=asked,
            reply=reply,
            episode=max(order.episodes, default=0),
            place=origin.place,
            at=origin.at,
        )
        for number, ((asked, reply), origin) in enumerate(
            zip(rows, order.origins, strict=True), first
        )
    ]


def _said(torch: Any, looking: LayerLook, said: Any) -> Any:
    """What a layer says, with values where keys are near."""
    hidden = said[0] if isinstance(said, tuple) else said
    length = hidden.shape[1]
    start = looking.start if looking.start >= 0 else length - 1
    looking.seen = hidden[0, -1].detach()
    places = [(row, place) for row in range(hidden.shape[0]) for place in range(start, length)]
    keys = torch.stack([hidden[at] for at in places]).detach().double().cpu().numpy()
    changed = hidden
    for (row, place), key in zip(places, keys, strict=True):
        last = row == 0 and place == length - 1
        value = looking.trial if last else None
        if value is None and (held := looking.codebook.holding(key)) is not None:
            value = torch.tensor(looking.codebook[held].value, device=hidden.device)
        if value is not None:
            if changed is hidden:
                changed = hidden.clone()
            changed[row, place] = value.to(hidden.dtype)
    return (changed, *said[1:]) if isinstance(said, tuple) else changed
