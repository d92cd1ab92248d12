"""What calls took, added up, and what more of them would take."""

from __future__ import annotations

from msgspec import Struct

from whoknew.eventlog.kinds import Called


class CallStats(Struct):
    """What calls of one model and purpose took before: sums, from which follows how prompts grow
    from episode to episode."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    episodes: int = 0
    squares: int = 0
    products: int = 0

    def add(self, called: Called, episode: int) -> None:
        self.calls += 1
        prompt = called.tokens_in or 0
        self.tokens_in += prompt
        self.tokens_out += called.tokens_out or 0
        self.episodes += episode
        self.squares += episode**2
        self.products += episode * prompt

    def prompt(self, episode: int) -> float:
        """The tokens of a prompt in an episode, by the line that fits best; memories do not shrink,
        so it never falls."""
        spread = self.calls * self.squares - self.episodes**2
        growth = self.calls * self.products - self.episodes * self.tokens_in
        slope = max(0.0, growth / spread) if spread else 0.0
        return self.tokens_in / self.calls + slope * (episode - self.episodes / self.calls)

    @property
    def reply(self) -> float:
        return self.tokens_out / self.calls
