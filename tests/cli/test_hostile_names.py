"""Names of strangers' files: a terminal shows what they contain and does none of it, no page takes them as markup."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.commands import done, refusal
from tests.naive.rng import JIT
from tests.refusals import assert_names, refused
from tests.test_markdown import read
from wallsim.api.summary import summarise
from wallsim.errors import RunError
from wallsim.escaping import UNPRINTABLE, escaped
from wallsim.experiment.identity import identity_hash
from wallsim.folder.results import Run
from wallsim.folder.verification import verify_results
from wallsim.report.tables.console import make_console
from wallsim.report.tables.summary import print_summary
from wallsim.rules.files import data_folder
from wallsim.rules.tower import load_tower

ACTS = "\x1b[2J\x1b]0;title\x07\r\x08\x7f\x9b31m\u202e\u2066\u2028\u200b\ue000"
SHOWN = escaped(ACTS)
MARKUP = "<script>alert(1)</script>|[x](javascript:1)"
POLICY = "<script>|[red]`$x_$&amp;"  # names of files have no slashes
MOVES = """
from wallsim.jit import lowest_bit


def place(game, rules, mind, seat, free):
    return lowest_bit(free)
"""
plays = pytest.mark.skipif(not JIT, reason="answers are machine code")


def is_harmless(text):
    """Whether a text has no character that acts on a terminal."""
    return escaped(text) == text


def quiet_refusal(*words):
    """The refusal of a command, which no terminal would obey."""
    said = refusal(*words)
    assert is_harmless(said), ascii(said)
    return said


def toml(text):
    """A text as a string of TOML, which any character can stand in but as an escape."""
    return json.dumps(text).replace("\x7f", "\\u007f")


@pytest.fixture
def board(here):
    """A copy of the shipped board with one county of another name, in `board`; takes that name."""

    def renamed(name, county="Tirol"):
        shutil.rmtree("board", ignore_errors=True)
        shutil.copytree(data_folder("board"), "board", ignore=shutil.ignore_patterns("*.md"))
        for path in Path("board").iterdir():
            text = path.read_text("utf-8")
            if path.suffix == ".json":
                path.write_text(text.replace(f'"{county}"', json.dumps(name[:40])), "utf-8")
            else:
                path.write_text(re.sub(rf"(?m)(^|,){county}(?=,|$)", lambda f: f[1] + quoted(name), text), "utf-8")
        return "board"

    return renamed


def quoted(text):
    """A text as a cell of CSV."""
    return '"' + text.replace('"', '""') + '"'


# ------------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    "text",
    [
        "name = TEXT",
        "policies = TEXT",
        'policies = ["random", TEXT, "random", "random"]',
        'policies = "x/INNER.py"',
        'tower = "./INNER.toml"',
        "board = TEXT",
        "setup = TEXT",
        'lineups = [TEXT, "A", "B", "C"]',
        "TEXT = 3",
        "amounts = { TEXT = 3 }",
        "[rules]\nTEXT = 3",
        "[rules]\ncombat = TEXT",
        "[lineup.TEXT]\nTirol = 3",
        "[lineup.A]\nTEXT = 3",
        'interventions = [{ do = "hand", TEXT = 3 }]',
        "[scenario.TEXT]\ngames = 3",
        "[scenario.one]\npolicies = TEXT",
        "[factor]\nTEXT = [1, 2]",
        "scenario_seeds = TEXT",
        "games = 3 TEXT",
    ],
)
def test_values_of_an_experiment_file_are_quoted_without_their_control_characters(here, text):
    (here / "x.toml").write_text(text.replace("TEXT", toml(ACTS)).replace("INNER", toml(ACTS)[1:-1]), "utf-8")
    assert "x.toml: " in quiet_refusal("run", "x.toml")


@pytest.mark.parametrize("name", [f"a{ACTS}b.toml", "a\udcffb.toml"])
def test_names_of_files_and_folders_are_quoted_without_their_control_characters(here, name):
    for words in (
        ("run", name), ("run", "--policies", f"./{name}.py"), ("run", "--tower", name), ("run", "--board", name),
        ("summary", name), ("compare", name, name), ("tournament", f"{name},random"), ("policy", "show", name),
        ("board", "check", name), ("tower", "fit", name), ("teach", "balanced", "--value", name, "--out", "o"),
        ("battle", "odds", "--tray", name), ("study", name), ("init", f"{name}.py"), ("run", "--switch", name),
        ("run", "--intervene", name), ("run", "--until", name), ("run", "--games", name), ("run", f"--{name}"),
        (name,), ("run", "x.toml", name), ("run", "--plot", name),
    ):  # fmt: skip
        said = quiet_refusal(*words)
        assert SHOWN in said or "b.toml" in said


def test_a_new_file_with_such_a_name_is_a_sound_file(here):
    assert is_harmless(done("init", f"a{ACTS}\nb.toml").output)
    assert len(list(here.iterdir())) == 1
    assert "TOML" not in quiet_refusal("run", f"a{ACTS}\nb.toml", "--seed", "none")


def test_a_board_has_no_control_characters_and_its_errors_show_them_as_escapes(here, board):
    for name in (f"Ti{ACTS}rol", "Ti\nrol"):
        folder = board(name)
        said = quiet_refusal("board", "check", folder)
        assert UNPRINTABLE in said
        assert len(said.splitlines()) == int(re.search(r"board: (\d+) errors", said)[1]) + 1, "a line for each"
        assert is_harmless(done("board", "check", folder, "--json", status=2).stdout)
        quiet_refusal("run", "--board", folder)
        quiet_refusal("board", "map", folder, "--out", "x.png")


def test_policies_and_towers_have_no_control_characters_in_their_names(here):
    for name in ("a\x1b[31mb", "a\nb", "a\u202eb", "a\U000f0000b"):
        Path(f"{name}.toml").write_text('base = "balanced"', "utf-8")
        Path(f"{name}.py").write_text("raise SystemExit", "utf-8")
        for ending in ("toml", "py"):
            said = quiet_refusal("run", "--policies", f"./{name}.{ending}")
            assert_names(said, "policy", UNPRINTABLE)
        shutil.copy(data_folder("tower") / "mid.toml", f"{name}.toml")
        assert_names(quiet_refusal("run", "--tower", f"./{name}.toml"), "--tower", UNPRINTABLE)


def test_logs_of_casts_and_values_of_maps_are_quoted_without_their_control_characters(here):
    Path("x.csv").write_text(f"in_{ACTS},out_red,event\n1,2,{ACTS}\n", "utf-8", newline="")
    quiet_refusal("tower", "fit", "x.csv")
    Path("x.csv").write_text(f"in_red,out_red,event\n1,1,{quoted(ACTS)}\n{quoted(ACTS)},1,bench\n", "utf-8", newline="")
    quiet_refusal("tower", "fit", "x.csv")
    for text in (f"county,{ACTS},b\nTirol,1,2\n", f"county,v\n{quoted(ACTS)},1\n", f"county,v\nTirol,{quoted(ACTS)}\n"):
        Path("x.csv").write_text(text, "utf-8", newline="")
        quiet_refusal("board", "map", "--values", "x.csv", "--out", "x.png")


def test_a_column_of_somebody_else_is_a_unit_without_control_characters(here):
    Path("x.csv").write_text(f"county,{quoted('a' + ACTS[:4] + '<script>$b$')}\nTirol,1\nHolstein,3\n", "utf-8")
    assert is_harmless(done("board", "map", "--values", "x.csv", "--title", f"$t$ {ACTS}", "--out", "x.svg").output)
    text = Path("x.svg").read_text("utf-8")
    assert is_harmless(text)
    assert not list(ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}script"))
    assert "a\\x1b[2J&lt;script&gt;$b$" in text


# -------------------------------------------------------------------------------------------------- results


@pytest.fixture
def names(here, board):
    """Options of a game whose board, policy and tower have names that are markup, and the tower a source that acts."""
    Path(f"{POLICY}.py").write_text(MOVES, "utf-8")
    tower = (data_folder("tower") / "mid.toml").read_text("utf-8")
    Path("[b]<i>.toml").write_text(re.sub("(?m)^source = .*$", lambda _: f"source = {toml(ACTS + MARKUP)}", tower))
    folder = board(MARKUP, "Holstein")
    (here / folder / "map.json").unlink()
    return ("--board", folder, "--policies", f"{POLICY}.py,random,random", "--tower", "[b]<i>.toml", "--players", "3")


@plays
def test_a_run_is_played_reported_and_drawn_with_names_that_are_markup(here, names):
    words = ("run", *names, "--setup", "deal", "--games", 2, "--counties", "--out", "run", "--plot", "x.svg")
    for text in (done(*words).output, done("summary", "run").output):
        assert is_harmless(text)
        assert POLICY in text
        assert "Tower: [b]<i>, model" in text
        assert "\\x1b[2J\\x1b]0;title" in text.replace("\n", "")
        assert "\\u202e" in text
    assert is_harmless(Path("x.svg").read_text("utf-8"))
    words = " ".join(ElementTree.fromstring(Path("x.svg").read_text("utf-8")).itertext())
    assert POLICY in words
    words, tags = read(Path("run/codebook.md").read_text("utf-8"))
    assert not tags & {"script", "a", "em", "strong"}
    assert POLICY in words
    assert MARKUP in words
    assert verify_results("run") == []


@plays
def test_the_source_of_a_tower_may_be_anything(here, names):
    assert load_tower("[b]<i>.toml").source == ACTS + MARKUP
    assert is_harmless(done("battle", "odds", "--tower", "[b]<i>.toml", "--battles", 10).output)


def test_a_game_is_reported_with_names_that_are_markup(here, names):
    story = done("trace", *names, "--text").stdout
    assert is_harmless(story)
    assert f"seat 0 ({POLICY})" in story
    lines = done("trace", *names).stdout
    assert is_harmless(lines)
    assert json.loads(lines.splitlines()[0])["policies"] == [POLICY, "random", "random"]


def test_a_page_of_a_policy_shows_what_its_file_says(here, names):
    said = f"{MARKUP} {ACTS} *a* _b_ `c`"
    Path(f"{POLICY}.toml").write_text(
        f'# <img src=x onerror=alert(1)>\n# 1. [y](javascript:2)\n#\n# ## no heading\n'
        f'base = "balanced"\ndescription = {toml(said)}\n', "utf-8",
    )  # fmt: skip
    words = ("policy", "show", f"{POLICY}.toml", "--games", 30, "--players", 3, "--tower", "[b]<i>.toml")
    page = done(*words, "--against", "random", "--board", "board").stdout
    assert is_harmless(page)
    text, tags = read(page)
    assert tags <= {"h1", "h2", "p", "code", "table", "thead", "tbody", "tr", "th", "td", "ul", "li", "strong"}
    assert text.startswith(f"Policy {POLICY}\n")
    assert f"{MARKUP} {SHOWN} *a* _b_ c" in text
    assert "<img src=x onerror=alert(1)> 1. [y](javascript:2)" in text
    assert not re.search(r"<strong>[^<±+−\d]", page)


@plays
def test_the_manifest_of_a_stranger_is_printed_without_its_control_characters(here, capsys):
    done("run", "--players", 3, "--policies", "random", "--games", 2, "--out", "run")
    run = Run.open("run")
    manifest = json.loads(json.dumps(run.manifest))
    manifest["experiment"]["name"] = f"name{ACTS}\nrun: no file is missing or changed."
    manifest["tower"] |= {"name": f"tower{ACTS}", "source": f"source{ACTS}"}
    manifest["board"] |= {"assumed": [f"assumed{ACTS}"], "sources": [f"sources{ACTS}"], "folder": ACTS}
    strange = replace(run, manifest=manifest)
    estimate = summarise(strange)
    print_summary(make_console(), strange, estimate)
    for text in (capsys.readouterr().out, str(estimate)):
        assert is_harmless(text)
        flat = re.sub(r"\n *", "", text)
        for what in ("name", "tower", "source", "assumed", "sources"):
            assert f"{what}\\x1b[2J" in flat, what
        assert not re.search(r"(?m)^run: no file", text)
    for policy in manifest["experiment"]["identity"]["policies"]:
        policy["name"] = f"[bold]policy{ACTS}[/bold]"
    manifest["experiment"]["hash"] = identity_hash(manifest["experiment"]["identity"])
    with refused("column policy", by=RunError):  # the files have other names
        summarise(replace(run, manifest=manifest))


@plays
def test_files_in_a_folder_of_a_stranger_are_listed_without_their_control_characters(here):
    done("run", "--players", 3, "--policies", "random", "--games", 2, "--out", "run")
    Path(f"run/seats/a{ACTS}\nrun: no file is missing or changed.parquet").touch()
    result = done("verify", "run", status=1)
    assert is_harmless(result.output)
    assert result.stderr.count("\n") == 2  # the error, and what repairs it
    assert SHOWN in result.stderr
    assert is_harmless(done("verify", "run", "--json", status=1).stdout)
