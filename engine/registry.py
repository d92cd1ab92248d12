"""The parts that a plan can name, memories, methods, agents, judges, models, kinds of exams and their
controls; and importers, which a command names.

Each name leads to an entry: a Struct whose fields are the part's settings, whose docstring begins with
its line of help, and which makes the part. Ours stand in tables here, loaded when a plan names them: so
rooms that play need nothing of those above, and nobody waits for what is not used. Others add theirs:

- installed, by an entry point of a package: `[project.entry-points."whoknew.memories"]`
- `module:Name`, in a plan file that is given on the command line, from beside that file or from what
  is installed. Nothing else can name such a part: over HTTP, or from a log, nobody has code loaded.

A model is named by an address: `openai:NAME`, or beside a plan `module:Name#REST`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache, cached_property, partial
from importlib import invalidate_caches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from whoknew.agents.errors import BadModel
from whoknew.agents.models.model import ModelEntry
from whoknew.agents.parts import Entry
from whoknew.engine.errors import BrokenPart, NoSuchPart
from whoknew.engine.part_code import (
    OUTSIDE,
    brought_by_packages,
    check_beside,
    described,
    in_time,
    is_place,
    load,
    package_of,
    tried,
)
from whoknew.eventlog.nearest import closest, guess, nearest

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class Parts:
    """All parts of one kind, by name."""

    def __init__(
        self,
        what: str,
        port: str,
        ours: Mapping[str, str],
        group: str = "",
        *,
        elsewhere: Mapping[str, str] = {},
    ) -> None:
        """`elsewhere` says of names that are parts of another kind why they cannot be named here."""
        self.what, self.ours, self.elsewhere = what, ours, elsewhere
        self._port, self._group = port, group
        self._taken = {*ours, *elsewhere}
        self.outside: dict[str, type[Struct]] = {}
        """What was loaded that is not ours, by name."""
        self._broken: dict[str, BrokenPart] = {}

    @cached_property
    def installed(self) -> Mapping[str, EntryPoint]:
        """What packages bring, by name. It takes a while to look: ours are found without."""
        return {one.name: one for one in brought_by_packages(self._group) if self._is_new(one.name)}

    def hidden(self) -> list[EntryPoint]:
        """What packages bring under names of ours, which cannot be named."""
        return [one for one in brought_by_packages(self._group) if one.name in self._taken]

    def _is_new(self, name: str) -> bool:
        """Whether a package can bring a part under a name: ours stay ours."""
        return bool(name) and name.isprintable() and name not in self._taken

    def names(self) -> list[str]:
        return list(dict.fromkeys([*self.ours, *self.installed, *self.outside]))

    def entry(self, name: str) -> type[Any]:
        """The entry of a name; NoSuchPart where there is none, BrokenPart where it does not load."""
        if name in self.ours:
            return _ours(self.ours[name])
        if name in self.elsewhere:
            raise NoSuchPart(self.elsewhere[name])
        if name not in self.outside:
            self.outside[name] = self._brought(name)
        return self.outside[name]

    def made(self, name: str, settings: Mapping[str, Any]) -> Any:
        """The entry of a name, with the settings that a plan gives; BrokenPart where it does not
        take them."""
        entry = self.entry(name)
        try:
            if not settings and name in self.ours:
                return _as_it_comes(self.ours[name])
            return msgspec.convert(dict(settings), entry)
        except Exception as error:
            why = (
                str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
            )
            raise BrokenPart(
                f"the {self.what} {name!r} does not take its settings: {why}"
            ) from error

    def settings(self, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """All settings that decide what a part comes to, those that are not given, too."""
        entry: Entry = self.made(name, given)
        return entry.deciding()

    def admit(self, name: str, beside: Path | None) -> None:
        """Load what a plan file on the command line names as `module:Name`, from beside that file
        or from what is installed. Whatever goes wrong is told when the entry is asked for, until
        it is loaded again."""
        if beside is not None and (folder := str(beside.resolve())) not in sys.path:
            sys.path.append(folder)
        module = name.partition(":")[0]
        was_loaded = module in sys.modules
        invalidate_caches()
        self._broken.pop(name, None)
        try:
            found = tried(repr(name), module, lambda: load(name), beside)
            check_beside(name, beside)
            self.outside[name] = self._checked(found, name)
        except BrokenPart as error:
            self._broken[name] = error
            if not was_loaded:
                sys.modules.pop(module, None)

    def source(self, name: str) -> str:
        """Where a part comes from."""
        if name in self.ours:
            return "whoknew"
        point = self.installed.get(name)
        return package_of(point) if point else name.partition(":")[0]

    def _brought(self, name: str) -> type[Any]:
        """What a package brings under a name."""
        if name in self._broken:
            raise self._broken[name]
        if point := self.installed.get(name):
            what = f"the {self.what} {name!r} of {package_of(point)}"
            try:
                found = tried(what, point.value.partition(":")[0], partial(in_time, point.load))
            except BrokenPart as error:
                if isinstance(error.__cause__, TimeoutError):  # nobody waits for it twice
                    self._broken[name] = error
                raise
            return self._checked(found, what)
        if is_place(name):
            article = "an" if self.what[0] in "aeiou" else "a"
            raise NoSuchPart(
                f"{name!r} is code beside a plan: only a plan file that is given on the command "
                "line can name it. To play, run that file (for a fork, a copy of it with the fork's "
                "`name`); to look or ask, add --plan FILE. Or install the code, as a package that "
                f"brings {article} {self.what}"
            )
        raise NoSuchPart(f"there is no {self.what} {name!r}: {nearest(name, self.names())}")

    def _checked(self, found: object, name: str) -> type[Any]:
        port = load(self._port)
        if isinstance(found, type) and issubclass(found, port):
            OUTSIDE.add(found.__module__.partition(".")[0])
            return found
        raise BrokenPart(
            f"{name} is no {self.what} that a plan can name: it should be a subclass of "
            f"{port.__name__}, but is {described(found)}"
        )


CONTROLS = Parts(
    "control",
    "whoknew.engine.exams.control:ControlEntry",
    {
        "oracle": "whoknew.engine.exams.controls:OracleEntry",
        "unsafe:full": "whoknew.engine.exams.controls:FullEntry",
        "unsafe:naive": "whoknew.engine.exams.controls:NaiveEntry",
        "unsafe:recall-late": "whoknew.engine.exams.controls:RecallLateEntry",
        "unsafe:recall-all": "whoknew.engine.exams.controls:RecallAllEntry",
        "unsafe:bookmarks": "whoknew.engine.exams.story_bookmarks:StoryBookmarksEntry",
    },
)
"""What stands in the place of a memory in exams of questions, and nowhere else: each is told what the
character that is asked may not know. So they are no memories, and nobody can add one."""
MEMORIES = Parts(
    "memory",
    "whoknew.agents.memories.memory:MemoryEntry",
    {
        "none": "whoknew.agents.memories.nothing:NoMemoryEntry",
        "entire": "whoknew.agents.memories.entire:EntireEntry",
        "summary": "whoknew.agents.memories.summary:SummaryEntry",
        "running": "whoknew.agents.memories.running:RunningEntry",
        "recall": "whoknew.agents.memories.recall:RecallEntry",
        "flat": "whoknew.agents.memories.flat:FlatEntry",
        "facts": "whoknew.agents.memories.facts:FactsEntry",
        "notes": "whoknew.agents.memories.notes:NotesEntry",
        "profile": "whoknew.agents.memories.profile:ProfileEntry",
        "codified": "whoknew.agents.memories.codified:CodifiedEntry",
        "examples": "whoknew.agents.memories.examples:ExamplesEntry",
        "bookmarks": "whoknew.agents.memories.bookmarks.bookmarks:BookmarksEntry",
        "lora": "whoknew.agents.memories.lora:LoraEntry",
        "grace": "whoknew.agents.memories.grace:GraceEntry",
        "mem0": "whoknew.agents.memories.mem0:Mem0Entry",
        "langmem": "whoknew.agents.memories.langmem:LangMemEntry",
    },
    "whoknew.memories",
    elsewhere={
        name: f"{name!r} is a control, which is told what a character may not know: only an exam of "
        "questions can name it"
        for name in CONTROLS.ours
    },
)
METHODS = Parts(
    "method",
    "whoknew.agents.methods.method:MethodEntry",
    {
        "plain": "whoknew.agents.methods.plain:PlainEntry",
        "stepwise": "whoknew.agents.methods.stepwise:StepwiseEntry",
        "few-shot": "whoknew.agents.methods.few_shot:FewShotEntry",
        "vote": "whoknew.agents.methods.vote:VoteEntry",
        "self-refine": "whoknew.agents.methods.self_refine:SelfRefineEntry",
        "experts": "whoknew.agents.methods.experts:ExpertsEntry",
        "unaided": "whoknew.agents.methods.unaided:UnaidedEntry",
        "predict": "whoknew.agents.methods.predict:PredictEntry",
        "bare": "whoknew.agents.methods.bare:BareEntry",
    },
    "whoknew.methods",
)
AGENTS = Parts(
    "agent",
    "whoknew.agents.agent:AgentEntry",
    {
        "mind": "whoknew.agents.mind:MindEntry",
        "human": "whoknew.agents.human:HumanEntry",
        "scripted": "whoknew.agents.scripted:ScriptedEntry",
        "bargainer": "whoknew.agents.bargainer:BargainerEntry",
    },
    "whoknew.agents",
)
JUDGES = Parts(
    "judge",
    "whoknew.engine.playing.judge:JudgeEntry",
    {
        "dimensions": "whoknew.engine.judges.dimensions:DimensionsEntry",
        "checklist": "whoknew.engine.judges.checklist:ChecklistEntry",
        "rules": "whoknew.engine.judges.rules:RulesEntry",
        "evidence": "whoknew.engine.judges.evidence:EvidenceEntry",
        "reference": "whoknew.engine.judges.reference:ReferenceEntry",
        "rubric": "whoknew.engine.judges.rubric:RubricEntry",
        "exact": "whoknew.engine.judges.tokens:ExactEntry",
        "overlap": "whoknew.engine.judges.tokens:OverlapEntry",
        "choice": "whoknew.engine.judges.choice:ChoiceEntry",
        "recalls": "whoknew.engine.judges.recalls:RecallsEntry",
        "remembered": "whoknew.engine.judges.remembered:RememberedEntry",
        "remembered-words": "whoknew.engine.judges.remembered_words:RememberedWordsEntry",
        "faithful": "whoknew.engine.judges.faithful:FaithfulEntry",
        "faithful-words": "whoknew.engine.judges.faithful_words:FaithfulWordsEntry",
        "moment": "whoknew.engine.judges.moment:MomentEntry",
        "moment-words": "whoknew.engine.judges.moment_words:MomentWordsEntry",
        "personality": "whoknew.engine.judges.personality:PersonalityEntry",
        "entailment": "whoknew.engine.judges.entailment:EntailmentEntry",
        "slips": "whoknew.engine.judges.slips:SlipsEntry",
        "slip-words": "whoknew.engine.judges.slip_words:SlipWordsEntry",
        "deed": "whoknew.engine.judges.deed:DeedEntry",
        "deed-words": "whoknew.engine.judges.deed_words:DeedWordsEntry",
    },
    "whoknew.judges",
)
MODELS = Parts(
    "model",
    "whoknew.agents.models.model:ModelEntry",
    {
        "offline": "whoknew.agents.models.address:OfflineEntry",
        "openai": "whoknew.agents.models.address:OpenAIEntry",
        "gemini": "whoknew.agents.models.address:GeminiEntry",
        "http": "whoknew.agents.models.address:HttpEntry",
        "https": "whoknew.agents.models.address:HttpsEntry",
        "minilm": "whoknew.agents.models.address:MiniLMEntry",
        "local": "whoknew.agents.models.address:LocalEntry",
        "recorded": "whoknew.agents.models.address:RecordedEntry",
        "cache": "whoknew.agents.models.address:CacheEntry",
    },
    "whoknew.models",
)
IMPORTERS = Parts(
    "importer",
    "whoknew.worlds.importers.imported:ImporterEntry",
    {
        "sotopia": "whoknew.worlds.importers.sotopia:SotopiaEntry",
        "play": "whoknew.worlds.importers.play:PlayEntry",
        "storyline": "whoknew.worlds.importers.storyline:StorylineEntry",
        "locomo": "whoknew.worlds.importers.locomo:LocomoEntry",
        "longmemeval": "whoknew.worlds.importers.longmemeval:LongmemevalEntry",
        "clonemem": "whoknew.worlds.importers.clonemem.reading:ClonememEntry",
        "bigtom": "whoknew.worlds.importers.bigtom:BigtomEntry",
        "lifestate": "whoknew.worlds.importers.lifestate:LifestateEntry",
        "timechara": "whoknew.worlds.importers.timechara:TimecharaEntry",
    },
    "whoknew.importers",
)
EXAMS = Parts(
    "exam",
    "whoknew.engine.exams.kind:ExamKind",
    {
        "questions": "whoknew.engine.exams.question_exam:QuestionExam",
        "scenes": "whoknew.engine.exams.scenes.scene_exam:SceneExam",
        "lifelong": "whoknew.engine.exams.lifelong.lifelong_exam:LifelongExam",
        "lifestate": "whoknew.engine.exams.lifestate.lifestate_exam:LifestateExam",
        "timechara": "whoknew.engine.exams.timechara.timechara_exam:TimecharaExam",
        "clonemem": "whoknew.engine.exams.clonemem.clonemem_exam:ClonememExam",
        "bookmarks": "whoknew.engine.exams.bookmarks.bookmarks_exam:BookmarksExam",
    },
    "whoknew.exams",
)

OF_A_PLAN = (MEMORIES, METHODS, AGENTS, JUDGES, MODELS)
KINDS = (*OF_A_PLAN, CONTROLS, IMPORTERS, EXAMS)


def for_mind(name: str) -> Parts:
    """In an exam of questions: where what stands in the place of a memory is found by its name."""
    return CONTROLS if name in CONTROLS.ours else MEMORIES


@cache
def _ours(place: str) -> type[Any]:
    """The entry of a part of ours, looked up once: what is asked for with each call must cost nothing."""
    entry: type[Any] = load(place)
    return entry


@cache
def _as_it_comes(place: str) -> Any:
    """An entry of ours without a setting: it cannot be changed, and one will do for all."""
    return msgspec.convert({}, _ours(place))


def model(address: str) -> ModelEntry:
    """The model that an address names, or a BadModel that says what is wrong with it. Nothing is
    opened."""
    name, rest = _beginning(address)
    if _holds_key(name, address):
        keys = MODELS.entry(name).keys if name in MODELS.ours else ()
        where = " or ".join(keys) or "it in the environment"
        what = rest.partition("#")[2] or name
        raise BadModel(f"the address of {what} holds a key: set {where} instead")
    entry = _model_entry(name, address)
    try:
        return entry(address=address, rest=rest)
    except ValueError as error:
        raise BadModel(f"{address!r} {error}") from None


def model_part(address: str) -> str:
    """The name of the part that an address leads to."""
    return _beginning(address)[0]


def model_form(name: str) -> str:
    """How an address that begins with a name is written."""
    form = str(MODELS.entry(name).form) if name in MODELS.ours or name in MODELS.outside else ""
    return form or (f"{name}#NAME" if is_place(name) else f"{name}:NAME")


def _beginning(address: str) -> tuple[str, str]:
    """The name of a model's entry, and the rest of its address: `module:Name#REST` is code beside a
    plan, where there is no scheme `module:`."""
    place, mark, beyond = address.partition("#")
    scheme, colon, rest = address.partition(":")
    if mark and is_place(place) and scheme not in MODELS.ours and scheme not in MODELS.installed:
        return place, beyond
    return (scheme, rest) if colon else ("", address)


def _holds_key(name: str, address: str) -> bool:
    server = address.partition("#")[0]
    return "@" in server and ("//" in server or name in ("http", "https"))


def _model_entry(name: str, address: str) -> type[ModelEntry]:
    try:
        return MODELS.entry(name)
    except BrokenPart as error:
        raise BadModel(str(error)) from error
    except NoSuchPart as error:
        if is_place(name):
            raise BadModel(str(error)) from None
    *forms, last = dict.fromkeys(map(model_form, MODELS.names()))
    scheme, _, rest = address.partition(":")
    close = closest(scheme, MODELS.names())
    meant = f"; {guess(f'{close}:{rest}')}" if close else ":"
    if is_place(address):
        meant += f" for code beside a plan add #NAME: {f'{address}#NAME'!r}; or"
    raise BadModel(
        f"{address!r} is no address of a model{meant} give one of {', '.join(forms)} or {last}"
    )
