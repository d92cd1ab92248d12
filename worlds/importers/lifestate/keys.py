"""What the keys of LIFESTATE-BENCH may be called: as its text calls them, and as others may."""

from __future__ import annotations

from collections.abc import Mapping

from whoknew.worlds.importers.lifestate.form import FACT, RELATION, SELF

Names = Mapping[str, tuple[str, ...]]
"""Each key as we write it, with what else it may be called."""

QUESTIONS = ("questions", "qa", "qas", "qapairs", "questionsandanswers", "questionanswers")

PARTS: Names = {
    "title": ("title", "name", "dataset"),
    "roles": ("roles", "rolecards", "charactercards", "characters", "cards", "agents", "people"),
    "episodes": ("episodes", "experience", "experiences", "scenes", "script", "scripts", "story"),
    "questions": QUESTIONS,
}
EPISODE: Names = {
    "id": ("id", "episode", "episodeid", "episodenumber", "scene"),
    "title": ("title", "name", "theme"),
    "location": ("location", "place", "setting", "where", "l"),
    "time": ("time", "when", "date", "t"),
    "narration": ("narration", "narrative", "scriptednarration", "description", "n"),
    "participants": ("participants", "characters", "roles", "cast", "people", "agents"),
    "actions": ("actions", "action", "stagedirections", "stagedirection", "directions"),
    "dialogues": (
        "dialogues", "dialogue", "dialogs", "dialog", "fulldialogue", "fulldialogues", "lines",
        "conversation", "turns", "d",
    ),
    "questions": QUESTIONS,
}  # fmt: skip
CARD: Names = {
    "name": ("name", "role", "character"),
    "background": ("background", "backgroundstory", "description", "profile", "identity"),
    "personality": ("personality", "personalitytraits", "traits", "characteristics"),
    "relationships": ("relationships", "relationship", "relations", "relation", "interpersonal"),
}
LINE: Names = {
    "speaker": ("speaker", "speakers", "role", "character", "name", "agent", "person", "who"),
    "text": ("text", "line", "words", "content", "utterance", "speech", "dialogue", "says", "said"),
    "action": ("action", "actions", "stagedirection", "direction", "narration"),
    "heard_by": ("heardby", "witnesses"),
}
QUESTION: Names = {
    "id": ("id", "questionid", "qaid", "qid"),
    "role": ("role", "character", "name", "agent", "person", "who", "askedof", "asked"),
    "kind": ("kind", "type", "questiontype", "dimension", "category", "aspect"),
    "question": ("question", "q", "query"),
    "answer": (
        "answer", "a", "reference", "referenceanswer", "groundtruth", "gold", "goldanswer",
        "standardanswer", "correctanswer",
    ),
    "evidence": ("evidence",),
}  # fmt: skip

OF_KIND: Names = {
    SELF: ("self", "selfawareness", "selfperception", "selfaware"),
    FACT: (
        "fact", "facts", "factual", "factualmemory", "factualepisodememory",
        "factualepisodememoryretrieval", "episodememory", "episodicmemory", "memory",
        "memoryanddecisionmaking", "memorydecisionmaking",
    ),
    RELATION: (
        "relation", "relations", "rel", "relationship", "relationships", "relationshipshift",
        "relationshift", "plotinteraction", "plotinteractions",
    ),
}  # fmt: skip
"""Both sets of names that the paper has for its three dimensions."""


def plain(key: str) -> str:
    """A key without case, spaces and signs."""
    return "".join(sign for sign in key.casefold() if sign.isalnum())


def named(key: str, names: Names) -> str | None:
    """Which of these a key stands for."""
    bare = plain(key)
    return next((name for name, some in names.items() if bare in some), None)
