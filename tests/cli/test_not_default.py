"""Every output names in its first lines what is not the default, and no page names a folder of its writer's machine."""

import json
import re
import shutil
from pathlib import Path

import pytest
import typer

from tests.cli.test_games import ROOT, wallsim
from wallsim.cli import app
from wallsim.experiment.components import table_identity
from wallsim.experiment.experiment import Experiment, identity
from wallsim.folder.results import Run
from wallsim.folder.tournament import TournamentRun
from wallsim.report.figures.forest import changes
from wallsim.report.figures.ratings import ladder, payoff_heatmap
from wallsim.report.figures.style import save_picture
from wallsim.report.tables.tuning import curve_title
from wallsim.rules.files import data_folder
from wallsim.rules.other_settings import other_settings, settings_of_all
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
FLAGS = ["--board", "mine", "--tower", "mid", "--switch", "food_track=open", "--edition", "1e", "--setup", "draft"]
FLAG_WORDS = ["board mine (", "tower mid", "food_track = open", "first edition", "draft"]


def flat(text):
    """Without tags, escapes and line ends."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text)).replace("&#39;", "'")


def beginning(text):
    """What is read first: of a page up to its first table, of a picture all, else some lines of a terminal."""
    if "<html" in text:
        return flat(text.partition("<body")[2].partition("<table")[0])
    return flat(text) if "<svg" in text else flat(text)[:1500]


def unsaid(text, words):
    return [word for word in words if word not in beginning(text)]


def run(*words):
    result = wallsim(*map(str, words))
    assert result.exit_code == 0, result.output
    return result.stdout


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
        run("run", "x.toml", "--out", place / "a", "--quiet")
        run("run", "--policies", "random", "--games", "40", "--out", place / "b", "--quiet")
        run(
            "run",
            "--policies",
            "random",
            "--games",
            "40",
            "--setup",
            "deal",
            "--edition",
            "1e",
            "--out",
            "c",
            "--quiet",
        )
        run("run", "s.toml", "--out", place / "s", "--quiet")
    return place


@pytest.fixture(scope="module")
def cup(place):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        run("tournament", "random,balanced,builder", "--blocks", "2", *FLAGS, "--out", place / "t", "--quiet")
    return place / "t"


SCENARIO = 'board = "mine"\ntower = "mid"\nrules = { food_track = "open" }\namounts = { palace_price = 4 }'


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
    assert settings_of_all([["draft", "tower mid"], ["tower mid"]]) == ["draft (in some games)", "tower mid"]


def test_a_board_with_the_bytes_of_the_game_is_the_game(place):
    shutil.copytree(data_folder("board"), place / "same", dirs_exist_ok=True)
    assert Experiment(board="same").components().settings() == []


def test_a_board_keeps_its_name_where_it_is_copied_and_may_have_another(place):
    run("run", "a/experiment.toml", "--out", "again", "--quiet")
    assert "board mine (" in run("summary", "again")
    shutil.copytree("mine", "third", dirs_exist_ok=True)
    Path("third/name.txt").write_text("Hills and dales\nmore", "utf-8")
    assert Experiment(board="third").components().board.name == "Hills and dales"
    for line in ("\x1b[31mred", " " * 200):
        Path("third/name.txt").write_text(line, "utf-8")
        assert Experiment(board="third").components().board.name in ("", "third")


def test_more_than_a_few_amounts_are_counted():
    names = [f"{kind}_{what}" for kind in ("palace", "church", "trading_post") for what in ("price", "points", "tiles")]
    assert "1 more amounts" in Experiment(amounts=dict.fromkeys(names, 5)).components().settings()


@pytest.mark.parametrize(
    "words",
    [
        ("summary", "a"),
        ("run", "x.toml", "--out", "a"),
        pytest.param(("run", "x.toml", "--dry-run"), marks=pytest.mark.slow),
        pytest.param(("run", "x.toml", "--until", "vp +-20", "--out", "until", "--quiet"), marks=pytest.mark.slow),
        ("compare", "b", "a"),
        ("trace", "a", "--text"),
        ("trace", "x.toml", "--text"),
    ],
    ids=" ".join,
)
def test_text_begins_with_what_is_not_the_default(words):
    assert unsaid(run(*words), WITH_LINEUPS.values()) == []


@pytest.mark.parametrize("words", [("summary", "c"), ("compare", "c", "b"), ("trace", "c", "--text")], ids=" ".join)
def test_so_do_games_of_another_edition_and_set_up(words):
    assert unsaid(run(*words), DEALT.values()) == []


@pytest.mark.parametrize(
    "words",
    [
        ("summary", "a"),
        pytest.param(("run", "x.toml", "--dry-run"), marks=pytest.mark.slow),
        ("compare", "b", "a"),
        ("openings", "a"),
    ],
    ids=" ".join,
)
def test_so_do_documents_for_programs(words):
    def found(value):
        if isinstance(value, dict):
            return str(value.get("not_default", "")) + "".join(map(found, value.values()))
        return "".join(map(found, value)) if isinstance(value, list) else ""

    text = found(json.loads(run(*words, "--json")))
    assert [word for word in WITH_LINEUPS.values() if word not in text] == []


def test_a_trace_for_programs_names_another_board_alone():
    first = json.loads(run("trace", "a").partition("\n")[0])
    assert first["board"]["name"] == "mine"
    assert "board" not in json.loads(run("trace", "b").partition("\n")[0])


PAGES = {
    "report": ("report", "a", "--out"),
    "compare": ("compare", "b", "a", "--html"),
    "replay": ("replay", "a", "--out"),
    "openings": ("openings", "a", "--out"),
}


@pytest.mark.parametrize("name", PAGES)
def test_so_do_pages(name, place):
    run(*PAGES[name], f"{name}.html")
    assert unsaid(Path(f"{name}.html").read_text("utf-8"), WITH_LINEUPS.values()) == []


def test_so_do_tables_of_openings():
    run("openings", "a", "--out", "openings.csv")
    assert [word for word in WITH_LINEUPS.values() if word not in Path("openings.csv").read_text("utf-8")] == []


def test_so_do_scenarios_in_every_output():
    words = ["board: that of the game → mine (", "tower: spielbyweb → mid", "food_track: capped → open", "palace_price"]
    run("report", "s", "--out", "s.html")
    run("compare", "s", "--html", "s2.html")
    for text in (
        run("summary", "s"),
        run("compare", "s"),
        *(Path(f"{each}.html").read_text("utf-8") for each in ("s", "s2")),
    ):
        assert unsaid(text, words) == []
    document = json.loads(run("summary", "s", "--json"))
    assert "board mine (" in str(document["scenarios"][1]["not_default"])
    assert document["comparison"]["baseline"] == "printed"


@pytest.mark.slow
def test_so_do_tournaments(cup):
    assert unsaid(run("tournament", "t"), FLAG_WORDS) == []
    text = str(json.loads(run("tournament", "t", "--json"))["not_default"])
    assert [word for word in FLAG_WORDS if word not in text] == []
    run("report", "t", "--out", "t.html")
    assert unsaid(Path("t.html").read_text("utf-8"), FLAG_WORDS) == []


def test_so_do_pictures(place):
    from wallsim.analysis.contrasts.comparison import compare
    from wallsim.analysis.contrasts.pairing import paired_runs

    run("summary", "a", "--plot", "a.svg")
    save_picture(changes(compare(paired_runs(Run.open("b"), Run.open("a")))).get_figure(), "c.svg")
    for name in ("a", "c"):
        assert unsaid(Path(f"{name}.svg").read_text("utf-8"), WITH_LINEUPS.values()) == []


@pytest.mark.slow
def test_so_do_maps():
    run("board", "map", "mine", "--out", "m.svg", "--title", "Taxes")
    assert unsaid(Path("m.svg").read_text("utf-8"), ["board mine (", "Taxes"]) == []


@pytest.mark.slow
def test_so_do_pictures_of_tournaments(cup):
    from wallsim.analysis.tournament.results import judge
    from wallsim.rules.other_settings import settings_line, settings_of

    finished = TournamentRun.open(cup)
    found, line = judge(finished), settings_line(settings_of(finished.manifest))
    save_picture(ladder(found.ratings, line), "l.svg")
    save_picture(payoff_heatmap(found.payoffs, found.ratings, found.cycles, line), "p.svg")
    for name in ("l", "p"):
        assert unsaid(Path(f"{name}.svg").read_text("utf-8"), FLAG_WORDS) == []


def test_so_do_pages_and_tables_of_policies():
    words = (*FLAGS[2:], "--board", "mine", "--games", "30")
    run("policy", "show", "random", "--against", "random", *words, "--out", "policy.md")
    assert unsaid(Path("policy.md").read_text("utf-8"), FLAG_WORDS) == []
    assert unsaid(run("policy", "compare", "random", "--against", "random", *words), FLAG_WORDS) == []


def test_so_do_line_ups():
    assert "board mine (" in beginning(run("lineups", "--board", "mine"))
    assert "Not the default" not in run("lineups")


def test_so_do_searches_once_for_all_their_games():
    searches = (Tuning(policy="balanced", tower="mid,spielbyweb", edition="1e"), Tuning(policy="balanced"))
    said = [settings_of_all([each.components().settings() for each in one.experiments]) for one in searches]
    assert said == [["tower mid (in some games)", "first edition"], []]


def test_so_do_learning_curves():
    facts = table_identity(Experiment(tower="mid").components())
    settings = {**facts, "start": {"name": "plain"}, "players": 4, "population": 2, "games": 3}
    assert curve_title({"settings": settings, "generations": 1}).splitlines()[1:] == ["Not the default: tower mid."]


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


SHARED = {  # a page, and the command that writes it but for its folders, which are absolute
    "run.html": ("report", "a", "--out"),
    "scenarios.html": ("report", "s", "--out"),
    "two.html": ("compare", "a", "b", "--html"),
    "many.html": ("compare", "s", "--html"),
    "game.html": ("replay", "a", "--out"),
    "openings.html": ("openings", "a", "--out"),
    "policy.md": ("policy", "show", "cautious.toml", "--against", "random", "--games", "30", "--out"),
}


def nameless(file, place):
    text = file.read_text("utf-8")
    return [folder for folder in (place, place.parent, Path.home()) if str(folder) in text] == []


@pytest.mark.parametrize("name", SHARED)
def test_no_page_names_a_folder_of_the_machine_on_which_it_was_made(name, place):
    text = (ROOT / "docs" / "examples" / "cautious.toml").read_text("utf-8")
    (place / "cautious.toml").write_text(f"# Made by: wallsim tune --board {place}/mine\n{text}", "utf-8")
    there = {"a", "b", "s", "cautious.toml"}
    run(*(place / word if word in there else word for word in SHARED[name]), place / "shared" / name)
    assert nameless(place / "shared" / name, place)


def test_nor_do_codebooks_and_the_command_of_a_page_has_last_names(place):
    codebooks = [*place.glob("*/codebook.md"), *place.glob("*/*/codebook.md")]
    assert len(codebooks) > 4
    assert [file for file in codebooks if not nameless(file, place)] == []
    run("compare", place / "a", place / "b", "--html", "named.html")
    assert "wallsim compare a b --html FILE" in flat(Path("named.html").read_text("utf-8"))


@pytest.mark.slow
def test_nor_do_pages_of_tournaments_and_reviews(place, cup):
    run("report", cup, "--out", "cup.html")
    run("review", shutil.copy(ROOT / "docs" / "examples" / "evening.txt", place), "--out", "review.html")
    assert [name for name in ("cup.html", "review.html") if not nameless(place / name, place)] == []


def test_folders_of_one_name_are_told_apart_by_the_folder_above():
    from wallsim.report.html.page import page_names

    assert page_names([Path("/x/before/run"), Path("/x/after/run")]) == ["before/run", "after/run"]
    assert page_names([Path.home() / "run", Path("/y/run")]) == ["run", "y/run"]
    assert page_names([Path("results/../a")]) == ["a"]
