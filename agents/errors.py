"""What can go wrong in a mind, or on the way to a model.

    AgentError
    ├── BadModel          an address that names no model, or one that this machine cannot reach
    │   └── NoKey             its key is not set
    ├── BadAction         an action that cannot be done as things stand
    ├── BadEdits        edits of a model that cannot be read, merged or taken back
    ├── BadPart         a part that does not do what its port asks of it
    ├── BadAnswer         what a model said could not be understood; it can be asked again
    │   ├── NotJson       what stands there is no JSON
    │   └── GivesAway     a line that was refused as often as it was asked for
    └── ModelError        a call failed
        ├── ServerUnavailable  for now: not reached, timed out, overloaded, cut off
        │   └── Busy           the server says to come back later
        ├── BadReply           a reply that is not in the server's own protocol; it can be asked again
        ├── Rejected           for good: the name, the request
        │   ├── KeyRefused     the key, or the account that it stands for
        │   └── PastWindow     its window holds no such prompt: nothing was asked
        ├── NotCalled          no answer, by no fault of a server: whoever wanted it makes the call
        └── NotRecorded        no recorded call has this prompt

Each says what was tried, on what, what was found, and what to do.
"""

from __future__ import annotations

from math import ceil


class AgentError(Exception):
    """Whatever keeps a character from acting."""


class BadModel(AgentError):
    """An address that names no model, or one that this machine cannot reach."""


class NoKey(BadModel):
    """The key of a model is not set."""


class BadAction(AgentError):
    """An action that cannot be done as things stand."""


class BadEdits(AgentError):
    """Edits of a model that cannot be read, merged or taken back."""


class BadPart(AgentError):
    """A part that does not do what its port asks of it."""


class BadAnswer(AgentError):
    """What a model said could not be understood; it can be asked again, and told why: in so few
    words that what was wrong, however long it was, can be quoted in them."""

    def __init__(self, message: str) -> None:
        super().__init__(message if len(message) <= 2000 else f"{message[:2000]}...")


class NotJson(BadAnswer):
    """What stands there is no JSON; `at` is how far it was read."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


class GivesAway(BadAnswer):
    """A line still gave away what `who` cannot know when it was asked for so many times. `stops`: its
    plan would rather stop than go on without."""

    def __init__(self, who: str, times: int, *, stops: bool) -> None:
        super().__init__(
            f"what {who} cannot know was given away by each of {times} replies: the guard refused them"
        )
        self.stops = stops


class ModelError(AgentError):
    """A call failed. `attempts` were made."""

    attempts: int = 1


class ServerUnavailable(ModelError):
    """The server cannot answer for now: not reached, timed out, overloaded, cut off."""


class Busy(ServerUnavailable):
    """The server says to come back later, perhaps when: after so many seconds."""

    def __init__(self, message: str, after: float | None = None) -> None:
        super().__init__(message)
        self.after = after


class BadReply(ModelError):
    """A reply that is not in the server's own protocol."""


class Rejected(ModelError):
    """The server refuses for good: the name of the model, the request."""


class KeyRefused(Rejected):
    """The server refuses whoever asks with this key, whatever is asked."""


class PastWindow(Rejected):
    """A prompt of so many `tokens`, where its model's window has `room` for fewer. Nothing was asked: the
    same can be asked with less of the past, as its seat says by its `budget`."""

    def __init__(self, model: str, tokens: int, room: int, *, budget: int = 0) -> None:
        less = f"its seat a `budget` of {budget:,} at most, or " if budget else ""
        super().__init__(
            f"{model} has room for a prompt of {max(0, room):,} tokens, and this one has {tokens:,}: give "
            f"{less}fewer `max_tokens`, or a model with a larger window"
        )
        self.model, self.tokens, self.room = model, tokens, room

    def budget(self, past: int, prompt: int) -> int:
        """Of how many tokens of the past there would be room, where it was `past` of a `prompt`: in our own
        count, which differs from that of its model."""
        share = prompt / max(1, self.tokens)
        return max(0, past - 1 - ceil((self.tokens - self.room) * share))

    def advised(self, past: int, prompt: int) -> PastWindow:
        """The same, with the budget that helps."""
        budget = self.budget(past, prompt) if past else 0
        return PastWindow(self.model, self.tokens, self.room, budget=budget)


class NotCalled(ModelError):
    """A process that sends calls died or hangs, and has no answer."""


class NotRecorded(ModelError):
    """No recorded call has this prompt."""
