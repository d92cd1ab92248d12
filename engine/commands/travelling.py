"""Travelling in a world: to any moment, as anybody, and otherwise than it went."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from whoknew.engine.commands.options import (
    DEFAULT_LOG,
    At,
    Json,
    LogOption,
    Name,
    World,
    answer,
    argument,
    flag,
    on,
    option,
)

app = typer.Typer()


@app.command(
    epilog="Example: whoknew replay midnight-diner --at E4 --as Rufus --log midnight-diner.db"
)
def replay(
    world: World,
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    who: Annotated[str | None, option("--as", "NAME", "Only what NAME perceived.")] = None,
    after: Annotated[str | None, option("--from", "CURSOR", "Only what came after it.")] = None,
    follow: Annotated[bool, flag("--follow", "Go on with what happens next.")] = False,
    speed: Annotated[
        float | None,
        typer.Option("--speed", min=0.001, metavar="X", help="X times as fast as it happened."),
    ] = None,
    json: Json = False,
) -> None:
    """Show a world as it stood at any moment.

    With --as, what one character had perceived by then; what it was told is marked.
    """
    from whoknew.engine.opening import reading
    from whoknew.engine.show import replay as show
    from whoknew.engine.travel import replay as replaying

    async def found() -> Any:
        async with reading(log) as opened:
            window = None if json else replaying.WINDOW
            seen = await replaying.replay(
                opened, world, at, character=who, after=after, window=window
            )
            if (follow or speed is not None) and not json:
                await show.watch(opened, seen, speed=speed, follow=follow)
                return None
            return seen

    answer(found(), lambda seen: show.shown(seen) if seen else "", json)


@app.command(
    epilog="Example: whoknew knows midnight-diner --about 'cannot taste' --trace --log midnight-diner.db"
)
def knows(
    world: World,
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    about: Annotated[str | None, option("--about", "TEXT", "Words, a seq, or 12-20.")] = None,
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="So many at most.")] = 20,
    skip: Annotated[int, typer.Option(min=0, metavar="N", help="Leave out the first N.")] = 0,
    who: Annotated[str, option("--who", "NAMES", "Only these, with commas between.")] = "",
    trace: Annotated[bool, flag("--trace", "Also how it came to those who were told.")] = False,
    json: Json = False,
) -> None:
    """Show who knows of what at any moment: present, told, absent.

    Without --about, of the secrets that were marked (`whoknew mark --secret`).
    """
    from whoknew.engine.show.knows import shown
    from whoknew.engine.travel import knows as knowing

    names = tuple(name.strip() for name in who.split(",") if name.strip())
    work = on(
        log,
        lambda opened: knowing.knows(
            opened, world, at, about=about, who=names, limit=limit, skip=skip
        ),
    )
    answer(work, lambda found: shown(found, trace=trace), json)


@app.command(
    epilog="Example: whoknew ask midnight-diner Vera 'Who cannot taste?' --log midnight-diner.db"
)
def ask(
    world: World,
    name: Name,
    question: Annotated[str, argument("QUESTION")],
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    model: Annotated[str, option("--model", "MODEL", "As in a plan.")] = "offline:",
    memory: Annotated[str, option("--memory", "MEMORY", "As in a plan.")] = "entire",
    method: Annotated[str, option("--method", "METHOD", "As in a plan.")] = "plain",
    unsaved: Annotated[bool, flag("--no-save", "Do not keep it on the log.")] = False,
    json: Json = False,
) -> None:
    """Ask a character something at any moment of its life.

    It answers from its view alone. Shown are what that rests on, and how much it could not see.
    Question and answer are kept on the log, witnessed by nobody.
    """
    from whoknew.engine.asking.probe import probe
    from whoknew.engine.show.travel import asked

    work = probe(log, world, name, question, at, model, memory, method, save=not unsaved)
    found = answer(work, asked, json)
    if found.answer is None:
        raise typer.Exit(1)


@app.command(
    epilog="Example: whoknew recall midnight-diner Vera 'the soup' --log midnight-diner.db"
)
def recall(
    world: World,
    name: Name,
    words: Annotated[str, argument("WORDS")],
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    k: Annotated[int, typer.Option("-k", min=1, metavar="N", help="So many at most.")] = 10,
    json: Json = False,
) -> None:
    """Search what a character knows at any moment."""
    from whoknew.engine.show.travel import recalled
    from whoknew.engine.travel import recall as recalling

    answer(
        on(log, lambda opened: recalling.recall(opened, world, name, words, at, k)), recalled, json
    )


@app.command(epilog="Example: whoknew prompt midnight-diner E2.T3 --log midnight-diner.db")
def prompt(
    world: World,
    at: Annotated[str, argument("CURSOR")],
    log: LogOption = DEFAULT_LOG,
    who: Annotated[str | None, option("--who", "NAME", "Only what NAME was asked.")] = None,
    json: Json = False,
) -> None:
    """Show what a model was given at a turn, and what it answered.

    The prompt is made again from the log and compared with the digest of what was sent.
    """
    from whoknew.engine.show.prompt import shown
    from whoknew.engine.travel import prompt as prompting

    answer(on(log, lambda opened: prompting.prompts(opened, world, at, who)), shown, json)


@app.command(
    epilog="Example: whoknew fork midnight-diner --at E2.T1 --tell Vera 'Dorte cannot taste.' --log midnight-diner.db"
)
def fork(
    world: World,
    log: LogOption = DEFAULT_LOG,
    at: Annotated[str | None, option("--at", "CURSOR", "As far as it is the same.")] = None,
    name: Annotated[str | None, option("--name", "WORLD", "What the new world is called.")] = None,
    tell: Annotated[
        list[str] | None,
        typer.Option("--tell", metavar="NAME TEXT", help="NAME alone gets to know of it."),
    ] = None,
    goal: Annotated[
        list[str] | None,
        typer.Option("--goal", metavar="NAME TEXT", help="What NAME wants from now on."),
    ] = None,
    replace: Annotated[
        tuple[int, str] | None,
        typer.Option("--replace", metavar="SEQ TEXT", help="Another wording of that event."),
    ] = None,
    about: Annotated[
        list[int] | None,
        typer.Option("--about", metavar="SEQ", help="An event that the new wording tells of."),
    ] = None,
    json: Json = False,
) -> None:
    """Begin a what-if: a world that is another's up to a cursor.

    `whoknew run --world` goes on in it, by the plan of its parent. With --replace all that came
    after SEQ, up to the cursor, stays as it was.
    """
    from whoknew.engine.show.travel import forked
    from whoknew.engine.show.usage import pairs
    from whoknew.engine.travel import fork as forking

    changes = forking.Changes(pairs(tell), pairs(goal), replace, tuple(about or ()))
    work = on(
        log, lambda opened: forking.fork(opened, world, at, name=name, changes=changes), write=True
    )
    answer(work, lambda found: forked(found, log), json)


@app.command(
    epilog="Example: whoknew diff midnight-diner --who Rufus,Dorte --log midnight-diner.db"
)
def diff(
    world: World,
    other: Annotated[str | None, argument("OTHER")] = None,
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    after: Annotated[str | None, option("--from", "CURSOR", "The other cursor.")] = None,
    who: Annotated[str, option("--who", "NAMES", "Two characters; or one, with --from.")] = "",
    json: Json = False,
) -> None:
    """Compare two characters, two cursors, or a fork with its parent.

    OTHER is another world of the same origin; without it, a fork's parent.
    """
    from whoknew.engine.show.diff import shown
    from whoknew.engine.travel import diff as comparing

    names = tuple(name.strip() for name in who.split(",") if name.strip())
    work = on(log, lambda opened: comparing.compare(opened, world, other, at, after, names))
    answer(work, shown, json)


@app.command(epilog="Example: whoknew rerun midnight-diner --log midnight-diner.db")
def rerun(
    world: World,
    log: LogOption = DEFAULT_LOG,
    recorded: Annotated[
        bool, flag("--recorded/--no-recorded", "With the answers on the log.")
    ] = True,
    json: Json = False,
) -> None:
    """Play a world again, and say whether the same story comes of it.

    It is played in memory, with the answers that are on the log: no model is asked, nothing is
    written. It exits with 1 where the story differs.
    """
    from whoknew.engine.show.travel import rerun as shown
    from whoknew.engine.travel import rerun as rerunning

    if not recorded:
        raise typer.BadParameter("to ask the models anew, run its plan under another name")
    found = answer(on(log, lambda opened: rerunning.rerun(opened, world)), shown, json, "playing")
    if not found.agrees:
        raise typer.Exit(1)


@app.command(
    epilog="Example: whoknew mark midnight-diner 'the secret' --at '#97' --secret --log midnight-diner.db"
)
def mark(
    world: World,
    name: Name,
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    secret: Annotated[bool, flag("--secret", "Follow who knows of the event there.")] = False,
    json: Json = False,
) -> None:
    """Give a moment a name, which is a cursor from then on."""
    from whoknew.engine.show.travel import marked
    from whoknew.engine.travel import mark as marking

    work = on(log, lambda opened: marking.mark(opened, world, name, at, secret=secret), write=True)
    answer(work, lambda found: marked(found, log), json)
