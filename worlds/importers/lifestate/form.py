"""The form of LIFESTATE-BENCH, as it is written here: roles, episodes, and under each episode its
questions by their ids."""

from __future__ import annotations

from msgspec import Struct

FORMAT = "lifestate"

SELF, FACT, RELATION = "self", "fact", "relation"

KINDS = (SELF, FACT, RELATION)


class RoleCard(Struct, frozen=True, omit_defaults=True):
    """Who somebody is. Relations are by name where the form has them so."""

    background: str = ""
    personality: str = ""
    relationships: dict[str, str] | str = ""


class PlayedLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is said, or done: a text or an action. Without a speaker it is a stage direction. `heard_by`
    are those who heard it besides; all participants, where it is not there."""

    speaker: str | tuple[str, ...] = ()
    text: str = ""
    action: str = ""
    heard_by: tuple[str, ...] | None = None

    @property
    def speakers(self) -> tuple[str, ...]:
        return (self.speaker,) if isinstance(self.speaker, str) else self.speaker


class PlayedEpisode(Struct, frozen=True, kw_only=True, omit_defaults=True):
    title: str = ""
    location: str = ""
    time: str = ""
    narration: str = ""
    participants: tuple[str, ...] = ()
    dialogues: tuple[PlayedLine, ...] = ()


class AskedQuestion(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`evidence` are sets of lines, each as EPISODE#NUMBER."""

    role: str
    kind: str
    question: str
    answer: str
    evidence: tuple[tuple[str, ...], ...] = ()


class LifestateForm(Struct, frozen=True, kw_only=True, omit_defaults=True):
    title: str = ""
    roles: dict[str, RoleCard] = {}
    episodes: dict[str, PlayedEpisode] = {}
    questions: dict[str, dict[str, AskedQuestion]] = {}


def line_id(episode: str, number: int) -> str:
    """What a line is called where a question rests on it."""
    return f"{episode}#{number}"
