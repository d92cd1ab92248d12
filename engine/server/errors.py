"""What a server refuses.

EngineError
├── BadRequest      a request gives what its route does not take
├── TooSlow         a request whose body did not come in time
├── NameTaken       a world of this name is there already, or being played
├── RequestRefused  a guest asks for what it may not see or do
│   └── NoToken     nobody knows who asks
├── SeatTaken       a seat that cannot be taken, or left, now
├── NoSuchRun       no run of this server has that number
├── NotShared       a log in a file, which no other process plays
├── NoSuchExam      no exam of this server, or no cell of one, is called so
├── NoSuchToken     a token to be taken back that does not stand
├── NoTokens        the file of the view tokens cannot be used
├── PortTaken       another program listens on the port
├── NoRoom          more connections than this system can have open
├── NoBundle        a bundle that cannot be sent: it would tell more than it should
├── BadOrigin       what no site can be called, whose pages could be let in
└── Unsafe          others could reach the server without a token
"""

from __future__ import annotations

from whoknew.engine.errors import EngineError


class BadRequest(EngineError):
    """A request gives what its route does not take."""


class TooSlow(EngineError):
    """A request whose body did not come in time."""


class NameTaken(EngineError):
    """A world of this name is there already, or being played."""


class RequestRefused(EngineError):
    """A guest asks for what it may not see or do."""


class NoToken(RequestRefused):
    """Nobody knows who asks: it came without a token, or with one that is none here."""


class SeatTaken(EngineError):
    """A seat that cannot be taken, or left, now."""


class NoSuchRun(EngineError):
    """No run of this server has that number."""


class NotShared(EngineError):
    """A log in a file, which no other process plays."""


class NoSuchExam(EngineError):
    """No exam of this server, or no cell of one, is called so."""


class NoSuchToken(EngineError):
    """No token of that id stands."""


class NoTokens(EngineError):
    """The file of the view tokens cannot be used."""


class NoRoom(EngineError):
    """More connections than this system can have open."""


class PortTaken(EngineError):
    """Another program listens on the port."""


class Unsafe(EngineError):
    """Others could reach this server without a token."""


class BadOrigin(EngineError):
    """What no site can be called, whose pages could be let in."""


class NoBundle(EngineError):
    """A bundle that cannot be sent: it would tell more than it should."""
