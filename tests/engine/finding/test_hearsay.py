"""Who was told of what, folded event by event, is what knowledge says of the world as a whole."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import Struct
from small_worlds import NIGHT, opened
from store_places import VolatilePlace, log_at

from whoknew.engine.finding.hearsay import Hearsay
from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import Acted, EpisodeOpened, TellingFound

PEOPLE = ("Ann", "Bob", "Cid", "Dot")


class Speech(Struct, frozen=True):
    """Somebody speaks before some, maybe nobody, or reads aloud what another wrote: of some earlier
    speeches. Of others it is found later that one tells of another."""

    by: str
    heard: set[str]
    about: set[int]
    found: set[tuple[int, int]]
    writer: str | None = None

    @property
    def teller(self) -> str:
        return self.writer or self.by


SPEECHES = st.lists(
    st.builds(
        Speech,
        by=st.sampled_from(PEOPLE),
        heard=st.sets(st.sampled_from(PEOPLE)),
        about=st.sets(st.integers(0, 11), max_size=2),
        found=st.sets(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=1),
        writer=st.sampled_from((None, None, *PEOPLE)),
    ),
    max_size=12,
)


@given(SPEECHES)
@example([Speech("Ann", {"Ann"}, set(), set()), Speech("Bob", {"Bob"}, set(), {(1, 0)}, "Ann")])
@example([Speech("Ann", {"Ann"}, set(), set()), Speech("Bob", {"Bob", "Cid"}, {0}, set(), "Ann")])
async def test_it_says_who_was_told_as_knowledge_does(speeches: list[Speech]) -> None:
    drafts: list[Draft] = [
        *opened(*PEOPLE),
        Draft(EpisodeOpened("Rain.", PEOPLE), NIGHT, 1),
    ]
    seqs = list[int]()
    for one in speeches:
        of = tuple(sorted({seqs[place] for place in one.about if place < len(seqs)}))
        spoken = Acted("Hm.", writer=one.writer)
        heard = tuple(sorted(one.heard))
        drafts.append(Draft(spoken, episode=1, turn=1, actor=one.by, witnesses=heard, about=of))
        seqs.append(len(drafts))
        for speech, fact in one.found:
            if fact < speech < len(seqs):
                told = TellingFound(seqs[fact], speeches[speech].teller, score=0.9)
                drafts.append(Draft(told, cause=seqs[speech]))
    async with log_at(VolatilePlace()) as log:
        await log.append("w", drafts)
        knowledge = await log.knowledge("w")
        hearsay = Hearsay()
        for event in await (await log.director("w")).events():
            hearsay.hear(event)
        for who in PEOPLE:
            heard_of = hearsay.told.get(who, {})
            witnessed = set(knowledge.perceived(who))
            assert {seq for seq in heard_of if seq not in witnessed} == set(knowledge.told(who))
