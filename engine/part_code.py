"""The code of parts that are not ours: where it is found, loaded, and refused in plain words."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from threading import Thread
from traceback import walk_stack, walk_tb
from types import FrameType
from typing import TYPE_CHECKING, Any

from whoknew.engine.errors import BrokenPart
from whoknew.eventlog.nearest import closest, guess, nearest

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


OUTSIDE: set[str] = set()
"""The modules, by the first of their names, in which entries of parts stand that are not ours."""


def load(place: str) -> Any:
    """A module, or what a module calls by a name: `module:name`."""
    module, _, name = place.partition(":")
    found = import_module(module)
    if not name or hasattr(found, name):
        return getattr(found, name) if name else found
    own = [one for one, what in vars(found).items() if getattr(what, "__module__", None) == module]
    meant = f": {nearest(name, own)}" if own else ""
    raise AttributeError(f"{module} has no attribute {name!r}{meant}")


def is_place(name: str) -> bool:
    """Whether this is `module:Name`."""
    module, colon, what = name.partition(":")
    return bool(colon) and what.isidentifier() and all(map(str.isidentifier, module.split(".")))


def check_beside(name: str, beside: Path | None) -> None:
    """Refuse a module that stands beside a plan, where this process has another one of its name: it
    can have but one (BrokenPart)."""
    module = name.partition(":")[0].partition(".")[0]
    file = getattr(sys.modules.get(module), "__file__", None)
    if beside is None or file is None:
        return
    for here in (beside / f"{module}.py", beside / module / "__init__.py"):
        if here.exists() and here.resolve() != Path(file).resolve():
            raise BrokenPart(
                f"{name} stands in {here.resolve()}, but {module!r} is {file} in this process: give "
                "one of the two another name, or use their plans in processes of their own"
            )


def tried(
    what: str, module: str, loading: Callable[[], object], beside: Path | None = None
) -> object:
    """What is loaded. Whatever code from elsewhere does while it loads is told as a mistake, with
    its line, or where it was looked for."""
    try:
        return loading()
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        why = f"{type(error).__name__}: {error}{_place_of(error, module, beside)}"
        raise BrokenPart(f"{what} cannot be loaded: {why}") from error


LOADING = 30.0
"""Seconds that what is installed may take to load: whoever lists all parts waits for each."""


def in_time(loading: Callable[[], object]) -> object:
    """What is loaded, on a thread that can be left behind."""
    found, errors = list[object](), list[BaseException]()

    def load_it() -> None:
        try:
            found.append(loading())
        except BaseException as error:  # noqa: BLE001  (raised again, to whoever waits)
            errors.append(error)

    thread = Thread(target=load_it, daemon=True)
    thread.start()
    thread.join(LOADING)
    if errors:
        raise errors[0]
    if not found:
        raise TimeoutError(f"it is not loaded after {LOADING:g} s")
    return found[0]


def _place_of(error: BaseException, module: str, beside: Path | None) -> str:
    """The innermost line of a module, or of its package, on which an error was raised."""
    if isinstance(error, ModuleNotFoundError) and error.name == module and beside is not None:
        meant = guess(closest(module, (one.stem for one in beside.glob("*.py"))))
        return f": it is neither in {beside.resolve()} nor installed{meant and '; '}{meant}"
    package = module.partition(".")[0]
    lines = [
        f" ({Path(frame.f_code.co_filename).name}, line {line})"
        for frame, line in walk_tb(error.__traceback__)
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] == package
    ]
    return lines[-1] if lines else ""


def brought_by_packages(group: str) -> Iterator[EntryPoint]:
    """The entry points of a group. A package that wrote down nonsense keeps nobody else's from being
    found."""
    from importlib.metadata import distributions  # it brings `email` along: 8 ms

    for package in distributions():
        try:
            found = package.entry_points.select(group=group)
        except Exception:  # noqa: BLE001, S112  (whatever reading it comes to)
            continue
        yield from found


def package_of(point: EntryPoint) -> str:
    package = point.dist
    return f"{package.name} {package.version}" if package else point.value


def described(found: object) -> str:
    return f"the class {found.__name__}" if isinstance(found, type) else f"a {type(found).__name__}"


def culprit(error: BaseException) -> str:
    """In which part from outside an error was raised, and on which line, to be put before it; nothing
    where it was raised in none."""
    where = _in_parts(walk_tb(error.__traceback__))
    return f"{where[-1]}: " if where else ""


def at_work(frame: FrameType | None) -> str:
    """Which part from outside is at work in a frame, and on which line; nothing where none is."""
    where = _in_parts(walk_stack(frame))
    return where[0] if where else ""


def _in_parts(lines: Iterable[tuple[FrameType, int]]) -> list[str]:
    """Those of the lines that stand in parts from outside."""
    modules = [(str(frame.f_globals.get("__name__", "")), line) for frame, line in lines]
    return [
        f"{module}, line {line}" for module, line in modules if module.partition(".")[0] in OUTSIDE
    ]


def told(error: BaseException) -> str:
    """An error that nobody foresaw, after the part in which it was raised."""
    return f"{culprit(error)}{type(error).__name__}: {error}"
