"""Appends on PostgreSQL, by a server of the bench's own that syncs: beside bare batches."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import bare
from appends import figure, through
from figure import Figure, Missing, Reach
from machine import filesystem
from postgres_server import Cluster, NoPostgres
from session import Session, require
from tasks import TASKS, Timed

from whoknew.eventlog import open_log


def figures(session: Session) -> Iterator[Figure]:
    require("asyncpg", "postgres")
    try:
        cluster = Cluster(fsync=True)
    except NoPostgres as missing:
        raise Missing(str(missing)) from None
    with cluster:
        if filesystem(cluster.folder) == "tmpfs":
            raise Missing(f"{cluster.folder} is in memory, where a sync costs nothing")
        yield _beside_bare(session, cluster)
        yield _with_leases(session, cluster)


def _beside_bare(session: Session, cluster: Cluster) -> Figure:
    each = session.size(200, 10)

    def ours() -> Timed:
        with cluster.database() as url:
            return asyncio.run(through(open_log(url), TASKS, each))

    def limit() -> Timed:
        with cluster.database() as url:
            return asyncio.run(bare.on_postgres(url, TASKS, each))

    return figure(
        f"{TASKS} tasks appending, PostgreSQL",
        session.interleaved(ours, limit),
        "unnest batches of plain rows through one connection",
        Reach(0.7, "share"),
    )


def _with_leases(session: Session, cluster: Cluster) -> Figure:
    """Each world held, so that each append states its epoch, beside the same with nothing held."""
    each = session.size(200, 10)

    def appending(*, held: bool) -> Timed:
        with cluster.database() as url:
            return asyncio.run(through(open_log(url), TASKS, each, held=held))

    return figure(
        f"{TASKS} tasks appending under leases, PostgreSQL",
        session.interleaved(lambda: appending(held=True), lambda: appending(held=False)),
        "the same without leases",
        Reach(0.9, "share"),
    )
