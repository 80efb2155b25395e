"""Every output names in its first lines what is not the default, and no page names a folder of its writer's machine."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest
import typer

from tests.cli.commands import ROOT, document, done
from wallsim.analysis.contrasts.comparison import compare
from wallsim.analysis.contrasts.pairing import paired_runs
from wallsim.analysis.tournament.results import judge
from wallsim.cli import app
from wallsim.experiment.components import table_identity
from wallsim.experiment.experiment import Experiment, identity
from wallsim.folder.results import Run
from wallsim.folder.tournament import TournamentRun
from wallsim.report.figures.forest import changes
from wallsim.report.figures.ratings import ladder, payoff_heatmap
from wallsim.report.figures.style import save_picture
from wallsim.report.html.page import page_names
from wallsim.report.tables.tuning import curve_title
from wallsim.rules.files import data_folder
from wallsim.rules.other_settings import other_settings, settings_line, settings_of, settings_of_all
from wallsim.searches.weights import Tuning

WITH_LINEUPS = {  # a key of an experiment, and what is said of it
    "board": "board mine (",
    "tower": "tower mid",
    "expansions": "expansion leaders",
    "rules": "food_track = open",
    "amounts": "palace_price = 4 (printed 3)",
    "lineups": "line-ups by seat B, A, C, D",
    "thalers": "starting Thalers A 11",
    "without": "without Regensburg",
    "lineup": "edited line-up A",
    "interventions": "intervention hand",
}
NOT_DEFAULT = "Not the default:"
IN_SOME = "(in some games)"
DEALT = {"edition": "first edition", "setup": "counties dealt at random"}
TEXT = """
policies = "random"
games = 40
plans = true
lineups = ["B", "A", "C", "D"]
board = "mine"
tower = "mid"
expansions = ["leaders"]
thalers = { A = 11 }
without = ["Regensburg"]
amounts = { palace_price = 4 }
rules = { food_track = "open" }
lineup.A.exchange = { Holstein = "Steiermark" }
interventions = [{ do = "hand", thalers = 2, seat = 0, round = "start" }]
"""
SCENARIO = 'board = "mine"\ntower = "mid"\nrules = { food_track = "open" }\namounts = { palace_price = 4 }'
CHANGES = ["board: that of the game → mine (", "tower: spielbyweb → mid", "food_track: capped → open", "palace_price"]
FLAGS = "--board mine --tower mid --switch food_track=open --edition 1e --setup draft"
FLAG_WORDS = ["board mine (", "tower mid", "food_track = open", "first edition", "draft"]
RANDOM = ("run", "--policies", "random", "--games", 40, "--quiet")


def flat(text):
    """Without tags, escapes and line ends."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text)).replace("&#39;", "'")


def beginning(text):
    """What is read first: of a page up to its first table, of a picture all, else some lines of a terminal."""
    if "<html" in text:
        return flat(text.partition("<body")[2].partition("<table")[0])
    return flat(text) if "<svg" in text else flat(text)[:1500]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a board of one's own, a run with much that is not the default, one dealt, and one as printed."""
    place = tmp_path_factory.mktemp("designer")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        shutil.copytree(data_folder("board"), "mine")
        counties = Path("mine/counties.csv")
        counties.write_text(counties.read_text("utf-8").replace("Altmark,Brandenburg,6", "Altmark,Brandenburg,5"))
        Path("x.toml").write_text(TEXT, "utf-8")
        Path("s.toml").write_text(
            f'policies = "random"\ngames = 40\n[scenario.printed]\n[scenario.other]\n{SCENARIO}', "utf-8"
        )
        cautious = (ROOT / "docs" / "examples" / "cautious.toml").read_text("utf-8")
        Path("cautious.toml").write_text(f"# Made by: wallsim tune --board {place}/mine\n{cautious}", "utf-8")
        shutil.copy(ROOT / "docs" / "examples" / "evening.txt", place)
        for name in ("x", "s"):
            done("run", f"{name}.toml", "--out", place / {"x": "a"}.get(name, name), "--quiet")
        done(*RANDOM, "--out", place / "b")
        done(*RANDOM, "--setup", "deal", "--edition", "1e", "--out", place / "c")
    return place


@pytest.fixture(scope="module")
def cup(place):
    """A tournament in that folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        words = ("random,balanced,builder", "--blocks", 2, *FLAGS.split())
        done("tournament", *words, "--out", place / "t", "--quiet")
    return place / "t"


@pytest.fixture(autouse=True)
def _here(place, monkeypatch):
    monkeypatch.chdir(place)


@pytest.mark.parametrize(
    "keys",
    [
        {"setup": "draft"},
        {"setup": "deal", "players": 5},
        {"edition": "1e"},
        {"expansions": "all"},
        {"tower": "mid"},
        {"rules": {"bank": 160}},
        {"amounts": {"palace_price": 4}},
        {"lineups": ("B", "A", "C", "D")},
        {"thalers": {"0": 14}},
        {"without": ("Tirol",)},
        {"lineup": {"A": {"exchange": {"Holstein": "Steiermark"}}}},
        {"interventions": ({"do": "hand", "vp": 2, "seat": 0, "round": "start"},)},
        {"board": "mine"},
    ],
    ids=lambda keys: next(iter(keys)),
)
def test_each_change_alone_is_one_setting(keys):
    """The parts of a game and the identity of a run say the same."""
    experiment = Experiment(**keys)
    parts = experiment.components()
    found = parts.settings()
    assert len(found) == 1
    assert other_settings(identity(experiment, parts), parts.board.name, parts.tower.name) == found


def test_the_default_says_nothing_and_players_policies_and_games_are_no_settings():
    for experiment in (Experiment(), Experiment(players=5, policies="random", games=3, seed=9, seasons=True)):
        assert experiment.components().settings() == []
    assert settings_of_all([["draft", "tower mid"], ["tower mid"]]) == [f"draft {IN_SOME}", "tower mid"]
    for words in (("lineups",), ("summary", "b")):
        assert NOT_DEFAULT not in done(*words).stdout


def test_a_board_keeps_its_name_where_it_is_copied_and_may_have_another(place):
    shutil.copytree(data_folder("board"), place / "same", dirs_exist_ok=True)
    assert Experiment(board="same").components().settings() == []  # its bytes are those of the game
    done("run", "a/experiment.toml", "--out", "again", "--quiet")
    assert "board mine (" in done("summary", "again").stdout
    shutil.copytree("mine", "third", dirs_exist_ok=True)
    Path("third/name.txt").write_text("Hills and dales\nmore", "utf-8")
    assert Experiment(board="third").components().board.name == "Hills and dales"
    for line in ("\x1b[31mred", " " * 200):
        Path("third/name.txt").write_text(line, "utf-8")
        assert Experiment(board="third").components().board.name in ("", "third")


def test_more_than_a_few_amounts_are_counted():
    names = [f"{kind}_{what}" for kind in ("palace", "church", "trading_post") for what in ("price", "points", "tiles")]
    assert "1 more amounts" in Experiment(amounts=dict.fromkeys(names, 5)).components().settings()


OUTPUTS = [  # a command, whose last word may be the file that it writes, and what it names
    *(
        (line, WITH_LINEUPS.values())
        for line in (
            "summary a", "run x.toml --out a", "compare b a", "trace a --text",
            "report a --out report.html", "compare b a --html compare.html", "replay a --out replay.html",
            "openings a --out openings.html", "openings a --out openings.csv", "summary a --plot a.svg",
        )
    ),
    *((line, DEALT.values()) for line in ("summary c", "compare c b", "trace c --text")),
    *((line, CHANGES) for line in ("summary s", "compare s", "report s --out s.html", "compare s --html s2.html")),
    (f"policy show cautious.toml --against random {FLAGS} --games 30 --out policy.md", FLAG_WORDS),
    (f"policy compare random --against random {FLAGS} --games 30", FLAG_WORDS),
    ("lineups --board mine", ["board mine ("]),
    *(
        pytest.param(line, words, marks=pytest.mark.slow)
        for line, words in (
            ("run x.toml --dry-run", WITH_LINEUPS.values()), ("tournament t", FLAG_WORDS),
            ("board map mine --title Taxes --out m.svg", ["board mine (", "Taxes"]),
            ("report t --out t.html", FLAG_WORDS), ("review evening.txt --out review.html", []),
        )
    ),
]  # fmt: skip
FOLDERS = {"a", "b", "s", "t", "cautious.toml", "evening.txt"}  # what pages are made of, given by absolute paths


@pytest.mark.parametrize(("line", "words"), OUTPUTS, ids=[getattr(each, "values", each)[0] for each in OUTPUTS])
def test_every_output_begins_with_what_is_not_the_default_and_no_page_names_a_folder_of_its_machine(
    place, request, line, words
):
    if "t" in line.split():
        request.getfixturevalue("cup")
    given = shlex.split(line)
    file = place / given[-1]
    if not file.suffix or given[0] == "trace":
        assert unsaid(beginning(done(*given).stdout), words) == []
        return
    done(*(place / word if word in FOLDERS else word for word in given))
    text = file.read_text("utf-8")
    if file.suffix == ".csv":
        assert unsaid(text, words) == []
        return
    assert unsaid(beginning(text), words) == []
    assert is_nameless(text, place)


def unsaid(text, words):
    """Which words a text lacks."""
    return [word for word in words if word not in text]


def is_nameless(text, place):
    """Whether a text names no folder of the machine on which it was written."""
    return not any(str(folder) in text for folder in (place, place.parent, Path.home()))


@pytest.mark.parametrize("line", ["summary a", "compare b a", "openings a", "run x.toml --dry-run"])
def test_so_do_documents_for_programs(line):
    def found(value):
        if isinstance(value, dict):
            return str(value.get("not_default", "")) + "".join(map(found, value.values()))
        return "".join(map(found, value)) if isinstance(value, list) else ""

    assert unsaid(found(document(*line.split())), WITH_LINEUPS.values()) == []


def test_so_does_the_document_of_scenarios():
    answer = document("summary", "s")
    assert "board mine (" in str(answer["scenarios"][1]["not_default"])
    assert answer["comparison"]["baseline"] == "printed"


def test_a_trace_for_programs_names_another_board_alone():
    first, printed = (json.loads(done("trace", name).stdout.partition("\n")[0]) for name in "ab")
    assert first["board"]["name"] == "mine"
    assert "board" not in printed


def drawn(axes):
    """The beginning of a picture."""
    save_picture(axes.get_figure(), "drawn.svg")
    return beginning(Path("drawn.svg").read_text("utf-8"))


def test_so_do_pictures_of_comparisons():
    result = compare(paired_runs(Run.open("b"), Run.open("a")))
    assert unsaid(drawn(changes(result)), WITH_LINEUPS.values()) == []


@pytest.mark.slow
def test_so_do_the_document_and_pictures_of_a_tournament(cup):
    assert unsaid(str(document("tournament", cup)["not_default"]), FLAG_WORDS) == []
    finished = TournamentRun.open(cup)
    found, line = judge(finished), settings_line(settings_of(finished.manifest))
    for picture in (ladder(found.ratings, line), payoff_heatmap(found.payoffs, found.ratings, found.cycles, line)):
        assert unsaid(drawn(picture), FLAG_WORDS) == []


def test_so_do_searches_once_for_all_their_games():
    searches = (Tuning(policy="balanced", tower="mid,spielbyweb", edition="1e"), Tuning(policy="balanced"))
    said = [settings_of_all([each.components().settings() for each in one.experiments]) for one in searches]
    assert said == [[f"tower mid {IN_SOME}", "first edition"], []]
    facts = table_identity(Experiment(tower="mid").components())
    settings = {**facts, "start": {"name": "plain"}, "players": 4, "population": 2, "games": 3}
    assert curve_title({"settings": settings, "generations": 1}).splitlines()[1:] == [f"{NOT_DEFAULT} tower mid."]


def test_every_command_with_a_board_or_a_tower_is_among_these_or_tested_where_it_is_slow():
    group = typer.main.get_command(app)
    found = set()
    for name, command in group.commands.items():
        for inner, each in getattr(command, "commands", {"": command}).items():
            if {"board", "tower"} & {param.name for param in each.params}:
                found.add(f"{name} {inner}".strip())
    here = {"run", "trace", "tournament", "policy show", "policy compare", "lineups"}
    slow = {"tune", "exploit", "learn", "teach", "advise"}  # by their experiments; advice in tests/cli/test_advise.py
    their_own = {"battle odds", "tower simulate", "tower show"}  # say of which tower they are
    assert found == here | slow | their_own


def test_no_codebook_names_a_folder_and_the_command_of_a_page_has_last_names(place):
    codebooks = [*place.glob("*/codebook.md"), *place.glob("*/*/codebook.md")]
    assert len(codebooks) > 4
    assert [file for file in codebooks if not is_nameless(file.read_text("utf-8"), place)] == []
    done("compare", place / "a", place / "b", "--html", "named.html")
    assert "wallsim compare a b --html" in flat(Path("named.html").read_text("utf-8"))


def test_folders_of_one_name_are_told_apart_by_the_folder_above():
    assert page_names([Path("/x/before/run"), Path("/x/after/run")]) == ["before/run", "after/run"]
    assert page_names([Path.home() / "run", Path("/y/run")]) == ["run", "y/run"]
    assert page_names([Path("results/../a")]) == ["a"]
