"""A program for the environment of eventsourcing: its SQLite recorder, timed.

    python -P peer_eventsourcing.py NEW.db BODIES.jsonl EVENTS

It prints appends and reads a second, as JSON: appends of bytes that are encoded already; reads
decoded as the library decodes, and by msgspec, which is kinder to it.
"""

import json
import sys
import uuid
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, datetime_now_with_tzinfo
from eventsourcing.persistence import StoredEvent

SECONDS = 2.0

PAGE = 1000


class Event(msgspec.Struct, gc=False):
    world: str
    seq: int
    at: datetime
    recorded: datetime
    body: dict[str, Any]
    episode: int = 0
    turn: int = 0
    actor: str | None = None
    witnesses: tuple[str, ...] = ()


class World(Aggregate):
    class Said(Aggregate.Event):
        world: str
        seq: int
        at: str
        recorded: str
        body: dict
        episode: int
        turn: int
        actor: str
        witnesses: list


def main(path: str, bodies: list[bytes], count: int) -> None:
    few = count < 10_000
    rates = {"appends": appends(application(path + ".appends"), bodies, 20 if few else 10**9)}
    encoded = application(path + ".bytes")
    fill(encoded, count, lambda origin, n: StoredEvent(origin, n, "Said", bodies[n % len(bodies)]))
    decode = msgspec.json.Decoder(Event).decode
    rates["reads_by_msgspec"] = reads(encoded, lambda one: decode(one.state))
    own = application(path + ".own")
    fields = [json.loads(body) for body in bodies]
    fill(own, count, lambda origin, n: said(own, origin, n, fields[n % len(fields)]))
    rates["reads"] = reads(own, own.mapper.to_domain_event)
    print(json.dumps(rates))


def application(path: str) -> Application:
    return Application({"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": path})


def said(own: Application, origin: uuid.UUID, number: int, fields: dict[str, Any]) -> StoredEvent:
    event = World.Said(
        originator_id=origin,
        originator_version=number,
        timestamp=datetime_now_with_tzinfo(),
        **{"turn": 0, **fields},  # which our encoding leaves out where it is 0
    )
    return own.mapper.to_stored_event(event)


def appends(application: Application, bodies: list[bytes], most: int) -> float:
    origin = uuid.uuid4()
    count, began = 0, perf_counter()
    while perf_counter() - began < SECONDS and count < most:
        body = bodies[count % len(bodies)]
        application.recorder.insert_events([StoredEvent(origin, count, "Said", body)])
        count += 1
    return count / (perf_counter() - began)


def fill(
    application: Application, count: int, stored: Callable[[uuid.UUID, int], StoredEvent]
) -> None:
    origin = uuid.uuid4()
    for start in range(0, count, PAGE):
        numbers = range(start, start + PAGE)
        application.recorder.insert_events([stored(origin, number) for number in numbers])


def reads(application: Application, decode: Callable[[Any], object]) -> float:
    start, count, began = 1, 0, perf_counter()
    while page := application.recorder.select_notifications(start=start, limit=PAGE):
        for one in page:
            decode(one)
        count += len(page)
        start = page[-1].id + 1
    return count / (perf_counter() - began)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]).read_bytes().splitlines(), int(sys.argv[3]))
