"""The hash chain of a world."""

from hashlib import sha256

from small_worlds import elsinore

from whoknew.eventlog import Head, Log
from whoknew.eventlog.chain import GENESIS, link


def test_a_link_covers_the_hash_before_and_the_bytes() -> None:
    assert link(GENESIS, b"body") == sha256(bytes(32) + b"body").digest()
    assert link(link(GENESIS, b"a"), b"b") != link(link(GENESIS, b"b"), b"a")


def test_a_head_prints_its_world_its_seq_and_its_hash() -> None:
    assert str(Head("elsinore", 12, b"\x0f" * 32)) == f"elsinore #12 {'0f' * 32}"


async def test_the_head_is_the_chain_over_every_event(log: Log) -> None:
    await elsinore(log)
    digest = GENESIS
    for record in await log.store.records("elsinore", 0, 100, 100):
        digest = link(digest, record.body)
        assert record.hash == digest
    head = await log.head("elsinore")
    assert (head.seq, head.hash) == (14, digest)
