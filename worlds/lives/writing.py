"""What is written: first what for, to whom and what it is to show, then the text.

What happens leaves messages, searches, posts on its way; in the evening a page of the diary takes in the
whole day. So one piece of evidence shows in several traces, and one trace shows several.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from random import Random

from msgspec import Struct

from whoknew.worlds.lives.bank import LifeBank
from whoknew.worlds.lives.happenings import LifeHappening, LivedDays
from whoknew.worlds.lives.life import LifeTrace, Medium
from whoknew.worlds.lives.people import LifeCast
from whoknew.worlds.lives.plan import LifePlan, PlannedArc, loose
from whoknew.worlds.lives.snapshots import mood
from whoknew.worlds.lives.wording import Wording

MINUTE = timedelta(minutes=1)

PAGE_DAYS = 0.8
"""Of so many days there is a page in the diary, also where all that happened was told elsewhere."""

REMIND = 0.35
"""So many pages think of an arc, whatever happened."""

OFTEN: Mapping[str, float] = {"msg": 0.85, "post": 0.6, "memo": 0.6, "cal": 0.7, "photo": 0.6}
"""How often what could be written in a medium is."""

ERRANDS: Mapping[str, int] = {
    "chat": 46,
    "search": 18,
    "memo": 10,
    "photo": 7,
    "post": 12,
    "cal": 4,
    "mail": 5,
}

TRIES = 8
"""So often it is tried to say something otherwise than before, until something is put behind it."""

TALKS = ("friend", "friend2", "sibling", "colleague", "neighbour", "mother", "date")
"""With whom one chats."""


class PlannedTrace(Struct, frozen=True, kw_only=True):
    """The first of two steps: all but the text. Its `key` are the things that it is to show."""

    at: datetime
    medium: Medium
    writer: str
    audience: tuple[str, ...]
    intent: str
    evidence: tuple[str, ...]
    key: tuple[str, ...]


class LifeWriter:
    """Writes day by day."""

    def __init__(
        self,
        draw: Random,
        *,
        bank: LifeBank,
        cast: LifeCast,
        plan: LifePlan,
        days: LivedDays,
        wording: Wording,
    ) -> None:
        self._draw, self._bank, self._cast, self._plan = draw, bank, cast, plan
        self._days, self._wording = days, wording
        self._told: set[str] = set()

    def day(self, day: date) -> tuple[list[LifeHappening], list[LifeTrace]]:
        """All that happens on a day, and all its traces, in their order, not numbered yet."""
        chatted: list[LifeTrace] = []

        def errand(at: datetime) -> LifeHappening:
            done, written = self._errand(at)
            chatted.extend(written)
            return done

        happenings = self._days.day(day, errand)
        traces = chatted + [trace for one in happenings for trace in self._of(one)]
        shown = {name for one in traces for name in one.evidence}
        untold = [one for one in happenings if one.texts.diary and not _memo_only(one, shown)]
        if untold or self._draw.random() < PAGE_DAYS:
            traces += self._page(day, untold)
        return happenings, sorted(traces, key=lambda one: one.at)

    # what events leave

    def _of(self, one: LifeHappening) -> Iterator[LifeTrace]:
        """All but the page of the diary."""
        texts, at = one.texts, one.event.at
        if one.event.sort == "echo" and self._draw.random() > 0.25:
            return
        for number, text in enumerate(texts.search):
            if number < 3 and self._draw.random() < 0.75:
                yield self._own(one, "search", text, at + number * MINUTE, "to find out")
        for key, medium, intent in (
            ("memo", "memo", "not to forget"),
            ("cal", "calendar", "to keep the time free"),
            ("photo", "photo", "to keep how it looked"),
        ):
            for text in getattr(texts, key)[:1]:
                if one.event.sort == "echo" or self._draw.random() < OFTEN[key]:
                    yield self._own(one, medium, text, at + 5 * MINUTE, intent)  # type: ignore[arg-type]
        for text in texts.post[:1]:
            if self._draw.random() < OFTEN["post"]:
                yield self._post(one, text, at + 20 * MINUTE)
        yield from self._to_somebody(one)

    def _own(
        self, one: LifeHappening, medium: Medium, text: str, at: datetime, intent: str
    ) -> LifeTrace:
        planned = self._planned(one, medium, at, (), intent)
        return self._written(planned, text, one.bound)

    def _post(self, one: LifeHappening, text: str, at: datetime) -> LifeTrace:
        strangers = self._days.strangers(at.date())
        audience = tuple(
            contact.name for contact in self._cast.contacts if contact.role not in strangers
        )
        planned = self._planned(one, "post", at, audience, "to let everybody know")
        return self._written(planned, f"{text} {{tag}}", one.bound)

    def _to_somebody(self, one: LifeHappening) -> Iterator[LifeTrace]:
        """A message or a letter, and what comes back."""
        texts, role = one.texts, one.texts.to
        if not role:
            return
        at = one.event.at + self._draw.randint(10, 90) * MINUTE
        who = self._cast.roles[role]
        if texts.mail and (not texts.msg or self._draw.random() < 0.6):
            planned = self._planned(one, "e-mail", at, (who,), "to say it properly")
            yield self._written(planned, self._mail(texts.mail[0], role), one.bound)
        elif texts.msg and (one.event.sort == "arc" or self._draw.random() < OFTEN["msg"]):
            planned = self._planned(one, "private message", at, (who,), "to tell it at once")
            template = self._wording.one_of(texts.msg)
            yield self._written(planned, f"{template}{{goodbye}}", one.bound)
            if texts.reply:
                later = at + self._draw.randint(1, 25) * MINUTE
                planned = self._planned(
                    one, "private message", later, (self._cast.persona.name,), "to answer", who
                )
                yield self._written(planned, self._wording.one_of(texts.reply), one.bound)

    def _mail(self, body: str, role: str) -> str:
        first = self._cast.persona.name.split()[0]
        to = self._cast.own[role]
        opening = self._wording.fill("{mail-open}", {**self._cast.own, "to_name": to})
        return f"{{subject}}\n{opening}\n{body}\n{{mail-close}}\n{first}"

    # what is written of an ordinary day

    def _errand(self, at: datetime) -> tuple[LifeHappening, list[LifeTrace]]:
        kind = self._draw.choices(list(ERRANDS), weights=list(ERRANDS.values()))[0]
        bound = self._days.named(at.date())
        first = self._cast.claim["me"]
        if kind in ("chat", "mail"):
            return self._chat(at, bound, by_mail=kind == "mail")
        voice, medium, told = {
            "search": ("errand-search", "search", f'{first} looked up: "%s".'),
            "memo": ("errand-memo", "memo", f'{first} noted: "%s"'),
            "photo": ("street-photo", "photo", f'{first} kept a picture: "%s"'),
            "post": ("street-post", "post", f'{first} posted: "%s"'),
            "cal": ("errand-cal", "calendar", f'{first} put down: "%s".'),
        }[kind]
        text = self._new(f"{{{voice}}}", bound, sentence=medium != "search")
        done = self._days.errand(at, told % text)
        if medium == "post":
            return done, [self._post(done, _plain(text), at)]
        planned = self._planned(done, medium, at, (), "not to forget")  # type: ignore[arg-type]
        return done, [self._written(planned, _plain(text), bound)]

    def _chat(
        self, at: datetime, bound: Mapping[str, str], *, by_mail: bool
    ) -> tuple[LifeHappening, list[LifeTrace]]:
        absent = self._days.absent(at.date())
        role = self._wording.one_of([one for one in TALKS if one not in absent], "talks")
        who, first = self._cast.roles[role], self._cast.claim["me"]
        named = {**bound, **_not_oneself(role, bound)}
        if by_mail:
            thoughts = " ".join(f"{{{name}}}" for name in ("asking", "even", "good", "asking"))
            text = self._new(self._mail(thoughts, role), named)
            done = self._days.errand(at, f"{first} wrote a letter to {who} about nothing much.")
            planned = self._planned(done, "e-mail", at, (who,), "to keep in touch")
            return done, [self._written(planned, _plain(text), bound)]
        number = int(
            self._wording.one_of([str(place) for place in range(len(self._bank.chats))], "chats")
        )
        chat = self._bank.chats[number]
        named |= loose((*chat.ask, *chat.back), named, self._wording, named)
        text = self._new(f"{{hello}}{self._wording.one_of(chat.ask)}{{goodbye}}", named)
        done = self._days.errand(at, f'{first} and {who} chatted, about: "{text}"')
        mine, theirs = self._cast.persona.name, who
        if self._draw.random() < 0.4:
            mine, theirs = who, self._cast.persona.name
        ask = self._planned(done, "private message", at, (theirs,), "to chat", mine)
        later = at + self._draw.randint(1, 30) * MINUTE
        back = self._planned(done, "private message", later, (mine,), "to answer", theirs)
        return done, [
            self._written(ask, _plain(text), named),
            self._written(back, self._wording.one_of(chat.back), named),
        ]

    # the diary

    def _page(self, day: date, happenings: Sequence[LifeHappening]) -> Iterator[LifeTrace]:
        bound = self._days.named(day)
        at = datetime.combine(day, time(21)) + self._draw.randint(0, 170) * MINUTE
        parts = ["{diary-open}"]
        said = [self._wording.say(parts[0], bound)]
        evidence: list[str] = []
        for one in happenings:
            said += [self._wording.say(text, one.bound) for text in one.texts.diary]
            evidence += one.shows
        said += self._thoughts(bound)
        told = {one.event.of for one in happenings}
        standing = [
            (arc, place)
            for arc in self._plan.arcs
            if (place := arc.at(day)) is not None and arc.sketch.id not in told
        ]
        if standing and (self._draw.random() < REMIND or not evidence):
            text, shows = self._reminder(*self._draw.choice(standing), bound)
            said.append(text)
            evidence += shows
        if not evidence:
            return
        said.append(self._wording.say("{diary-close}", bound))
        planned = PlannedTrace(
            at=at,
            medium="diary",
            writer=self._cast.persona.name,
            audience=(),
            intent="to keep the day",
            evidence=tuple(dict.fromkeys(evidence)),
            key=(),
        )
        yield self._written(planned, _plain(" ".join(said)), bound)

    def _thoughts(self, bound: Mapping[str, str]) -> Iterator[str]:
        count = self._draw.randint(1, self._plan.length.thoughts)
        for _ in range(count):
            voice = mood(self._days.now) if self._draw.random() < 0.7 else "even"
            yield self._wording.say(f"{{{voice}}}", bound)

    def _reminder(
        self, arc: PlannedArc, place: int, bound: Mapping[str, str]
    ) -> tuple[str, tuple[str, ...]]:
        """How an arc stands, which is no news: the evidence is what once told it."""
        own = {**bound, **arc.bound[place]}
        wondering = self._wording.say(
            "{still}", {**own, "title": self._wording.fill(arc.sketch.title, own)}
        )
        told = self._wording.one_of(arc.anchor(place).told, f"{arc.sketch.id}/{place}")
        made = self._days.states[arc.sketch.id, place]
        return f"{wondering} {self._wording.say(told, own)}", (made.evidence[1].id,)

    # the two steps

    def _planned(
        self,
        one: LifeHappening,
        medium: Medium,
        at: datetime,
        audience: tuple[str, ...],
        intent: str,
        writer: str = "",
    ) -> PlannedTrace:
        shows = one.evidence[1:2] if one.event.sort == "turn" else one.evidence[:1]
        return PlannedTrace(
            at=at,
            medium=medium,
            writer=writer or self._cast.persona.name,
            audience=audience,
            intent=intent,
            evidence=tuple(piece.id for piece in shows),
            key=tuple(piece.claim for piece in shows),
        )

    def _written(self, planned: PlannedTrace, template: str, bound: Mapping[str, str]) -> LifeTrace:
        text = self._new(template, bound, sentence=planned.medium != "search")
        self._told.add(text)
        return LifeTrace(
            id="",
            at=planned.at,
            medium=planned.medium,
            writer=planned.writer,
            audience=planned.audience,
            intent=planned.intent,
            evidence=planned.evidence,
            text=text,
        )

    def _new(self, template: str, bound: Mapping[str, str], *, sentence: bool = True) -> str:
        """In words in which nothing was written yet."""
        say = self._wording.say if sentence else self._wording.fill
        text = say(template, bound)
        for _ in range(TRIES):
            if text not in self._told:
                return text
            text = say(template, bound)
        more = "again" if sentence else "further"
        while text in self._told:
            text = f"{text} {say(f'{{{more}}}', bound)}"
        return text


def _memo_only(one: LifeHappening, shown: set[str]) -> bool:
    """Whether what is hardly worth a page stands elsewhere."""
    return one.event.sort == "echo" and set(one.event.evidence) <= shown


def _plain(text: str) -> str:
    """What was put into words already, so that nothing in it is taken for a template."""
    return "".join(" " if sign in "[]{}|" else sign for sign in text)


def _not_oneself(role: str, bound: Mapping[str, str]) -> dict[str, str]:
    """Nobody is told of itself by its name."""
    return {role: bound["friend" if role != "friend" else "sibling"]}
