"""Plans, checked as a whole before anything runs."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from whoknew.agents.models.direction import DIRECTION
from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.document import parse as parse_exam
from whoknew.engine.exams.lifelong.lifelong_exam import LifelongExam
from whoknew.engine.exams.plan import ExamPlan
from whoknew.engine.plan.document import load_plan, parse_plan
from whoknew.engine.plan.loading import Options, load
from whoknew.engine.plan.new import template
from whoknew.engine.plan.plan import Episodes, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.worlds import shelf
from whoknew.worlds.errors import BadDocument
from whoknew.worlds.faults import DIRECTIONS

SETTING = """
name = "kitchen"
title = "A kitchen"
begins = 2000-01-01T20:00:00
characters = [{ name = "Oda" }, { name = "Bram" }]
scenarios = [{ name = "soup", text = "Soup.", cast = ["Oda", "Bram"] }]
"""


def plan(tmp_path: Path, text: str, setting: str = SETTING) -> Path:
    (tmp_path / "kitchen.toml").write_text(setting)
    (tmp_path / "plan.toml").write_text(f'world = "kitchen.toml"\n{text}')
    return tmp_path / "plan.toml"


def wrong(tmp_path: Path, text: str, setting: str = SETTING) -> str:
    with pytest.raises(BadDocument) as caught:
        load_plan(plan(tmp_path, text, setting))
    return str(caught.value).replace(f"{tmp_path}/", "")


@pytest.mark.parametrize("world", shelf.bundled())
def test_the_template_is_a_plan_of_each_bundled_world(world: str) -> None:
    loaded = parse_plan(template(world), "template")
    assert loaded.plan == Plan(world, log=f"{world}.db", agents={"everyone": Seat()})


@pytest.mark.parametrize("world", shelf.bundled())
def test_each_line_of_the_template_that_is_off_can_be_turned_on(world: str) -> None:
    text = template(world)
    scenario = shelf.find(world).scenarios[0].name
    somebody = shelf.find(world).characters[0].name
    lines = []
    for line in text.splitlines():
        off = line.removeprefix("# ")
        is_key = off != line and (" = " in off or off.startswith("[")) and not off.startswith("[[")
        lines.append(off if is_key else line)
    on = "\n".join(lines).replace("SOMEBODY", somebody)
    on = on.replace('["first", "second"]', f'["{scenario}"]')
    on = on.replace('model = "offline:"', 'model = "openai:NAME"')
    loaded = parse_plan(on, "template")
    assert loaded.plan.limits["run"].money == 5
    assert loaded.plan.seat(somebody).agent == "scripted"
    assert loaded.plan.models["openai:NAME"].price_in == 2.5


def test_a_seat_leaves_the_rest_as_it_is_for_everyone(tmp_path: Path) -> None:
    text = """
[agents.everyone]
model = "http://localhost:1/v1#m"
memory = "entire"
[agents.Oda]
memory = "none"
"""
    loaded = load_plan(plan(tmp_path, text))
    oda = loaded.plan.seat("Oda")
    assert (oda.model, oda.memory) == ("http://localhost:1/v1#m", "none")
    assert loaded.plan.seat("Bram").memory == "entire"


def test_a_plan_that_plays_nothing_is_a_mistake(tmp_path: Path) -> None:
    assert (
        "plan.toml:3: episodes.play: is empty: name a scenario, or leave the key out to play all"
        in wrong(tmp_path, "[episodes]\nplay = []\n")
    )


def test_a_chain_of_no_episodes_counts_none() -> None:
    setting = shelf.find("midnight-diner")
    (chain,) = Program.of(Plan(setting.name, episodes=Episodes(play=())), setting, "x.db").chains
    assert chain.count() == len(chain.episodes()) == 0


def test_every_mistake_of_plan_and_setting_comes_in_one_report(tmp_path: Path) -> None:
    text = """chains = 0
[episodes]
play = ["soop"]
ordr = "random"
[agents.Odo]
model = "opnai:x"
memory = "sumary"
[limits.rum]
calls = 3
[limits.run]
money = -1
"""
    told = wrong(tmp_path, text, SETTING.replace('title = "A kitchen"', ""))
    assert "kitchen.toml: title: is missing" in told
    told = wrong(tmp_path, text)
    for one in (
        "plan.toml:2: chains: is 0, but should be 1 at least",
        "plan.toml:4: episodes.play[0]: 'soop' is no scenario: did you mean 'soup'?",
        "plan.toml:5: episodes.ordr: no such key: did you mean 'order'? There are: 'play', 'repeat', 'shuffle', 'order', ",
        "plan.toml:6: agents.Odo: is no character of 'kitchen': did you mean 'Oda'?",
        "plan.toml:7: agents.Odo.model: 'opnai:x' is no address of a model; did you mean 'openai:x'?",
        "plan.toml:8: agents.Odo.memory: there is no memory 'sumary': did you mean 'summary'?",
        "plan.toml:9: limits.rum: is 'rum': did you mean 'run'?",
        "plan.toml:12: limits.run.money: is -1, but should be above 0",
    ):
        assert one in told
    assert told.startswith("8 mistakes:")


def test_a_mistake_that_a_seat_has_from_everyone_is_told_once(tmp_path: Path) -> None:
    text = """[agents.everyone]
memory = "sumary"
method = "plan"
[agents."Oda Berg"]
temperature = 1.0
[agents.Bram]
memory = "sumary"
method = "vot"
"""
    told = wrong(tmp_path, text, SETTING.replace("Oda", "Oda Berg")).splitlines()
    assert [one.partition(": there")[0].strip() for one in told] == [
        "4 mistakes:",
        "plan.toml:3: agents.everyone.memory",
        "plan.toml:4: agents.everyone.method",
        "plan.toml:8: agents.Bram.memory",
        "plan.toml:9: agents.Bram.method",
    ]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (
            '[agents.everyone]\nmodel = "http://localhost"',
            "names no model: give http://HOST:PORT/v1#NAME",
        ),
        ('[agents.everyone]\nmodel = "openai:"', "names no model"),
        ('[agents.everyone]\nmodel = "http://[::1]:99999/v1#m"', "Port out of range"),
        ('[agents.everyone]\nmodel = "http://[::1/v1#m"', "is no address of a server"),
        ('[agents.everyone]\nmodel = "http://:8000/v1#m"', "it names no host"),
        (
            '[models."openai:x"]\nattempts = 2',
            "no seat and no judge uses it: none of this plan names a model: leave this out",
        ),
        (
            '[agents.Oda]\nmodel = "openai:y"\n[models."openai:x"]\nattempts = 2',
            "no seat and no judge uses it: did you mean 'openai:y'?",
        ),
        (
            '[agents.everyone]\n[models."openai:x"]\nattempts = 2',
            "no seat and no judge uses it: they use 'offline:'",
        ),
        ("[agent.everyone]", "plan.toml:2: agent: no such key: did you mean 'agents'?"),
        ('[agents.everyone]\nagent = "human"', ""),
        ('chains = 2\n[agents.Oda]\nagent = "human"', "cannot play in 2 chains at once"),
        ('[agents.Oda]\nagent = "scripted"', "a script needs `lines`"),
        (
            '[judges.right]\nby = "rubric"',
            "judges.right.by: 'rubric' judges answers, not episodes: those that do are dimensions",
        ),
        ('[agents.Oda]\nagent = "scripted"\nlines = { soap = ["x"] }', "is no scenario"),
        (
            '[agents.Oda]\nmodel = "offline:"\nlines = { soup = ["x"] }',
            "plan.toml:4: agents.Oda.lines: are played by no agent of this seat, which is 'mind': set",
        ),
        ('[agents.everyone]\nlines = { soup = ["x"] }\n[agents.Oda]\nagent = "scripted"', ""),
        (
            'agents.Oda.agent = "mind"\n[agents.everyone]\nagent = "scripted"\nlines = { soup = ["x"] }',
            "",
        ),
        ('[agents.everyone]\nlines = { soup = ["x"] }\n[agents.Oda]', "agents.everyone.lines: are"),
        (
            '[agents.Oda]\nmodel = "openai:x"\n[models."openai:x"]\nprice_in = 1.0',
            "give both price_in and price_out",
        ),
    ],
)
def test_what_cannot_be_meant_is_told(tmp_path: Path, text: str, what: str) -> None:
    if what:
        assert what in wrong(tmp_path, text)
    else:
        assert load_plan(plan(tmp_path, text))


@pytest.mark.parametrize("shape", ["3", '"x"', "[3]", "{ everyone = 3 }"])
def test_a_key_of_another_shape_is_a_mistake_in_either_plan(tmp_path: Path, shape: str) -> None:
    """Both are tried where neither fits: what is no plan may yet be an examination's."""
    for key in Plan.__struct_fields__:
        text = f"{key} = {shape}\n"
        with suppress(BadDocument):
            load(str(plan(tmp_path, text if key != "world" else "")), None, Options())
    for key in (*ExamPlan.__struct_fields__, *LifelongExam.__struct_fields__):
        with suppress(BadDocument):
            head = "" if key == "exam" else 'exam = "lifelong"\n'
            parse_exam(f"{head}{key} = {shape}\n", "exam.toml")


def test_seats_that_are_no_tables_are_told_as_mistakes(tmp_path: Path) -> None:
    for text in ("agents = 3", "agents = []", "[agents]\neveryone = 3"):
        with pytest.raises(BadDocument, match=r"agents.* should be a table of keys"):
            load(str(plan(tmp_path, text)), None, Options())


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "chains = 3\nseed = 2\n"])
def test_what_says_nothing_of_an_examination_is_a_plan_without_a_world(
    tmp_path: Path, text: str
) -> None:
    (tmp_path / "plan.toml").write_text(text)
    with pytest.raises(BadDocument, match="world: is missing"):
        load(str(tmp_path / "plan.toml"), None, Options())


def test_the_plan_of_an_examination_is_known_for_one(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text('memories = ["none"]\n')
    with pytest.raises(WrongPlan, match="whoknew exam run"):
        load(str(tmp_path / "plan.toml"), None, Options())


def test_each_line_of_a_script_is_read_before_anything_is_played(tmp_path: Path) -> None:
    text = """
[agents.Oda]
agent = "scripted"
[agents.Oda.lines]
soup = ["Good evening.", "/wisper Bram: Not so loud.", "/whisper Brom: Hm.", "/do", "/leave"]
"*" = ["/offer Bram 2 pan"]
"""
    told = wrong(tmp_path, text)
    for what in (
        "plan.toml:6: agents.Oda.lines.soup[1]: '/wisper Bram: Not so loud.' cannot be done",
        "'wisper' is no command: did you mean 'whisper'?",
        "lines.soup[2]: '/whisper Brom: Hm.' cannot be done: 'Brom' is no person here: did you mean",
        "lines.soup[3]: '/do' cannot be done: what? Write it as /do ties up the boat",
        "write NAME: 2 book, 1 hat",
    ):
        assert what in told, told
    assert told.startswith("4 mistakes:")


def test_a_mistake_of_somebody_with_a_space_in_the_name_is_told_with_its_line(
    tmp_path: Path,
) -> None:
    setting = """name = "kitchen"
title = "A kitchen"
begins = 2000-01-01T20:00:00
characters = [{ name = "Oda Berg" }, { name = "Bram" }]
places = [{ name = "hall" }]
[[scenarios]]
name = "late soup"
text = "Soup."
cast = ["Oda Berg", "Bram"]
[scenarios.where]
"Oda Berg" = "hell"
[scenarios.goals]
Bram = "Eat."
"Oda Borg" = "Cook."
"""
    text = """
[agents.Bram]
[agents."Oda Berg"]
agent = "scripted"
memory = "sumary"
[agents."Oda Berg".lines]
"late soap" = ["Good evening."]
"late soup" = ["/wisper Bram: Not so loud."]
[agents."Oda Borg"]
[judges."my judge"]
by = "rulez"
"""
    told = wrong(tmp_path, text, setting)
    for one in (
        'kitchen.toml:11: scenarios[0].where."Oda Berg": ',
        'kitchen.toml:14: scenarios[0].goals."Oda Borg": ',
    ):
        assert one in told, told
    told = wrong(tmp_path, text, setting.replace("hell", "hall").replace("Borg", "Berg"))
    for one in (
        'plan.toml:6: agents."Oda Berg".memory: ',
        'plan.toml:8: agents."Oda Berg".lines."late soap": ',
        'plan.toml:9: agents."Oda Berg".lines."late soup"[0]: ',
        'plan.toml:10: agents."Oda Borg": ',
        'plan.toml:12: judges."my judge".by: ',
    ):
        assert one in told, told


LIGHTHOUSE = SETTING.replace("kitchen", "lighthouse").replace(
    'scenarios = [{ name = "soup", text = "Soup.", cast = ["Oda", "Bram"] }]',
    """places = [{ name = "the lamp room" }, { name = "the stairs" }, { name = "the cellar" }]
scenarios = [
  { name = "storm", text = "A storm.", cast = ["Oda", "Bram"], place = "the stairs", where = { Oda = "the lamp room" } },
  { name = "calm", text = "Calm.", cast = ["Oda", "Bram"], place = "the cellar" },
]""",
)


@pytest.mark.parametrize(
    ("scenario", "line", "what"),
    [
        ("storm", "/leave the stiars", "no place to go to: did you mean 'the stairs'?"),
        ("storm", "/leave The stairs", ""),
        ("storm", "/leave Good night.", ""),
        ("storm", "/leave the stiars: Bye.", "no place to go to: did you mean 'the stairs'?"),
        ("storm", "/leave the cellar", "'the cellar' is no place to go to"),
        ("calm", "/leave", ""),
        ("calm", "/leave Good night.", ""),
        ("calm", "/leave the stiars", "nobody can go to 'the stairs' from here"),
        ("calm", "/leave the stairs: Bye.", "nobody can go to 'the stairs' from here"),
        ('"*"', "/leave the stairs", ""),
        ('"*"', "/leave the stiars", "no place to go to: did you mean 'the stairs'?"),
        ("calm", "/agree", "there is nothing to divide"),
        ("calm", "/offer Oda: 1 pan", "there is nothing to divide"),
        ("calm", "", "nothing is said: write words, or /pass to do nothing"),
        ("calm", "[3]", "nothing is said: write words, or /pass to do nothing"),
    ],
)
def test_a_line_that_names_what_is_not_there_is_a_mistake_of_the_plan(
    tmp_path: Path, scenario: str, line: str, what: str
) -> None:
    text = f"""
[agents.Oda]
agent = "scripted"
[agents.Oda.lines]
{scenario} = ["{line}"]
"""
    if not what:
        load_plan(plan(tmp_path, text, LIGHTHOUSE))
    else:
        assert what in wrong(tmp_path, text, LIGHTHOUSE)


def test_a_world_that_is_not_there_is_told_with_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text('world = "flatmats"')
    with pytest.raises(BadDocument, match="did you mean 'flatmates'"):
        load_plan(tmp_path / "plan.toml")


def test_a_file_that_is_not_there_is_told_with_the_nearest_beside_it(tmp_path: Path) -> None:
    there = plan(tmp_path, "")
    with pytest.raises(BadDocument, match=r"there is no such file: did you mean 'plan\.toml'\?"):
        load_plan(tmp_path / "plam.toml")
    there.write_text('world = "kichen.toml"')
    with pytest.raises(BadDocument, match=r"no such file: did you mean 'kitchen\.toml'\?"):
        load_plan(there)
    there.write_text('world = "kitchen"')
    with pytest.raises(BadDocument, match=r"has this name: did you mean 'kitchen\.toml'\?"):
        load_plan(there)


@pytest.mark.parametrize("name", ["plans.toml", "plan.**", "gone.toml"])
def test_what_is_no_file_is_not_told_as_the_nearest(tmp_path: Path, name: str) -> None:
    (tmp_path / "plan.toml").mkdir()
    (tmp_path / "gone.toml").symlink_to("nowhere")
    with pytest.raises(BadDocument, match=r"there is no such file$"):
        load_plan(tmp_path / name)


def test_a_plan_that_is_not_there_is_told() -> None:
    with pytest.raises(BadDocument, match="there is no such file"):
        load_plan(Path("nowhere.toml"))


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (('"Bram" }', '"Oda" }'), "is 'Oda', as an earlier one is"),
        (('cast = ["Oda", "Bram"]', 'cast = ["Oda", "Brom"]'), "did you mean 'Bram'?"),
        (
            ('cast = ["Oda", "Bram"]', 'cast = ["Oda"]'),
            "has 1 character with those who come, but needs 2 at least",
        ),
        (("cast =", 'goals = { Odo = "x" }, cast ='), "'Odo' is no character"),
        (("cast =", 'place = "cellar", cast ='), "'cellar' is no place: there are none"),
        (("cast =", "turns = 0, cast ="), "turns: is 0, but should be 1 at least"),
        (("cast =", "pool = { pan = 1 }, cast ="), "says nothing of 'Oda'"),
        (
            ("cast =", "worth = { Oda = { pan = 1 } }, cast ="),
            "says what things are worth, but there is no `pool`",
        ),
        (("cast =", "turnings = [{ turn = 2 }], cast ="), "nothing happens in it"),
        (
            ("cast =", 'turnings = [{ turn = 2, who = "Kit", leaves = true }], cast ='),
            "'Kit' is no character",
        ),
        (
            (
                "scenarios =",
                'relations = [{ relation = "friend", between = ["Oda"] }]\nscenarios =',
            ),
            "whose relation is it?",
        ),
        (("2000-01-01T20:00:00", "2000-01-01T20:00:00Z"), "has a time zone"),
    ],
)
def test_a_setting_is_sound_in_all_its_parts(
    tmp_path: Path, change: tuple[str, str], what: str
) -> None:
    told = wrong(tmp_path, "", SETTING.replace(*change))
    assert what in told
    assert "kitchen.toml:" in told


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('Whisper to Brum Lind: "Hm."', "'Brum Lind' is no character: did you mean 'Bram Lind'?"),
        ('Whisper to Bram: "Hm."', "'Bram' is no character: did you mean 'Bram Lind'?"),
        ('Whisper to Bram Lind: "Hm."', ""),
        ('Whisper to the soup: "Hm."', ""),
        ('Go to the celar: "goes down"', "'the celar' is no place: did you mean 'the cellar'?"),
        ('Go to the cellar: "goes down"', ""),
        ('Go to Paris: "goes far"', ""),
        ('Wisper to Bram Lind: "Hm."', "'Wisper to' is no direction: did you mean 'Whisper to'?"),
        ('say: "Hm."', "'say' is no direction: did you mean 'Say'?"),
        ('Say to Bram: "Hm."', ""),
        ('Stay: "Not yet."', ""),
        ('Motto: "Salt first."', ""),
        ('Thing: "A spoon."', ""),
        ('Note to self: "Salt."', ""),
        ('Write to Bram Lind: "Come."', ""),
        ('Whisper to the cat: "Hm."', ""),
        ('Go to the larder: "goes far"', ""),
        ('Recipe: "Salt."', ""),
        ("Wisper to Bram Lind", ""),
    ],
)
def test_a_line_of_a_goal_that_is_nearly_a_direction_is_a_mistake_of_the_world(
    tmp_path: Path, line: str, what: str
) -> None:
    setting = f"""name = "kitchen"
title = "A kitchen"
begins = 2000-01-01T20:00:00
characters = [{{ name = "Oda" }}, {{ name = "Bram Lind" }}]
places = [{{ name = "the cellar" }}]
[[scenarios]]
name = "soup"
text = "Soup."
cast = ["Oda", "Bram Lind"]
[scenarios.goals]
Oda = '''
Cook.
{line}
'''
"""
    if not what:
        load_plan(plan(tmp_path, "", setting))
    else:
        assert f"kitchen.toml:11: scenarios[0].goals.Oda: {what}" in wrong(tmp_path, "", setting)


def test_what_is_nearly_a_direction_is_nearly_one_that_is_performed() -> None:
    lines = "\n".join(f'{one}: "Hm."' for one in DIRECTIONS)
    assert [verb for verb, *_ in DIRECTION.findall(lines)] == [*DIRECTIONS]


def test_a_misspelt_key_of_a_seat_is_told_the_keys_of_a_seat(tmp_path: Path) -> None:
    text = '[agents.everyone]\ntemprature = 0.1\nagent = "robot"\nmethod = "plan"'
    (told,) = [one for one in wrong(tmp_path, text).splitlines() if "temprature" in one]
    assert "did you mean 'temperature'? There are: 'agent', 'model', 'memory'," in told
    assert told.endswith("and a table of settings for each part that it names, such as 'summary'")
    assert "robot" not in told and "'plan'" not in told


@pytest.mark.parametrize("deed", ['enters = "open"', 'leaves = "yes"', 'becomes = "sleepy"'])
def test_a_misspelt_word_in_a_turning_is_one_mistake(tmp_path: Path, deed: str) -> None:
    turning = f'turnings = [{{ turn = 2, who = "Bram", {deed} }}]'
    setting = SETTING.replace('cast = ["Oda", "Bram"]', f'cast = ["Oda", "Bram"], {turning}')
    told = wrong(tmp_path, "", setting)
    assert told.count("kitchen.toml") == 1 and "mistakes" not in told
