"""A prompt in the tokens of a model: a chat that waits for its answer, a reply, a row to be trained on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from whoknew.agents.errors import Rejected
from whoknew.agents.models.model import Message
from whoknew.agents.weights.libraries import brief
from whoknew.agents.weights.rows import question

RowTokens = tuple[list[int], list[int]]
"""What is asked, and what is to be answered."""


class PromptTokens:
    """How a tokenizer puts it, for the model of a name with a window."""

    def __init__(self, tokenizer: Any, window: int, name: str) -> None:
        self._tokenizer, self._window, self._name = tokenizer, window, name
        others = (one.content for one in tokenizer.added_tokens_decoder.values() if one.special)
        signs = {*tokenizer.all_special_tokens, *others}  # some have no name of their own
        self._signs = sorted(signs, key=len, reverse=True)

    def chat(self, chat: Sequence[Message]) -> list[int]:
        """In the form that its model has for a chat, or line by line."""
        told = [{"role": one.role, "content": self._plain(one.text)} for one in chat]
        if self._tokenizer.chat_template:
            text = self._in_form(told)
            return list(self._tokenizer(text, add_special_tokens=False)["input_ids"])
        text = "".join(f"{one['content']}\n" for one in told)
        return list(self._tokenizer(text)["input_ids"])

    def reply(self, text: str) -> list[int]:
        """With the sign that it is over."""
        found = self._tokenizer(self._plain(text), add_special_tokens=False)["input_ids"]
        return [*found, self._tokenizer.eos_token_id]

    def row(self, who: str, asked: str, reply: str) -> RowTokens:
        """Of what does not fit into the window the newest."""
        said = self.reply(reply)[: self._window // 2]
        return self.chat(question(who, asked))[-(self._window - len(said)) :], said

    def _in_form(self, told: list[dict[str, str]]) -> str:
        """Some models have no place for a system message (Gemma's): there it stands before what is asked."""
        try:
            return self._formed(told)
        except Rejected:
            if [one["role"] for one in told[:2]] != ["system", "user"]:
                raise
            system, user, *others = told
            asked = f"{system['content']}\n\n{user['content']}"
            return self._formed([{"role": "user", "content": asked}, *others])

    def _formed(self, told: list[dict[str, str]]) -> str:
        try:
            return str(
                self._tokenizer.apply_chat_template(
                    told, tokenize=False, add_generation_prompt=True
                )
            )
        except Exception as error:  # noqa: BLE001  (a template is a program, and raises anything)
            raise Rejected(
                f"the chat template of {self._name} has no form for this chat: {brief(error)}"
            ) from None

    def _plain(self, text: str) -> str:
        """What people say is text, whatever stands in it: no sign of the model's, such as that it is over."""
        for sign in self._signs:
            text = text.replace(sign, f"{sign[0]} {sign[1:]}" if len(sign) > 1 else " ")
        return text
