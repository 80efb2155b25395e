"""The commands about towers and battles: what they print, write and refuse."""

import re

import pytest
from typer.testing import CliRunner

from wallsim.analysis.tower.cast_file import read_casts
from wallsim.cli import app
from wallsim.rules.tower import Independent, Urn, load_tower


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*words):
    return CliRunner().invoke(app, [*map(str, words)])


def refused(*words):
    """The message of a command that ends with status 2, having printed no traceback."""
    result = call(*words)
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    return result.stderr


def simulated(path, *words):
    result = call("tower", "simulate", "--out", path, *words)
    assert result.exit_code == 0, result.output
    return path


# --------------------------------------------------------------------------------------------------- simulate


def test_a_bench_log_can_be_read_and_the_same_seed_gives_the_same_bytes(here):
    one, two = simulated("one.csv", "--casts", 60), simulated("two.csv", "--casts", 60)
    assert (here / one).read_bytes() == (here / two).read_bytes()
    assert len(read_casts(here / one).casts().event) == 60
    other = simulated("three.csv", "--casts", 60, "--seed", 2)
    assert (here / one).read_bytes() != (here / other).read_bytes()


def test_a_log_of_games_has_a_session_a_game_and_balanced_books(here):
    simulated(
        "games.csv", "--protocol", "game", "--games", 2, "--players", 3, "--policies", "random", "--tower", "mid-urn"
    )
    log = read_casts(here / "games.csv")
    assert list(dict.fromkeys(log.session)) == ["game 0", "game 1"]
    assert log.colours == ("red", "blue", "yellow", "green")
    assert [event for event in log.event if event in ("fill", "empty")] == ["fill", "empty"] * 2
    assert log.notes == ()


def test_without_out_the_log_goes_to_standard_output():
    result = call("tower", "simulate", "--casts", 43)
    assert result.stdout.startswith("session,cast,event,in_red,")
    assert len(result.stdout.splitlines()) == 1 + 43 + 6


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--tower", "pisa"], "--tower: 'pisa' is neither a preset"),
        (["--casts", "42"], '--casts: "42" is not a whole number from 43 to 100000'),
        (["--protocol", "play"], '--protocol: "play" is not one of bench, game'),
        (["--players", "4"], "--players: cannot be used with --protocol bench"),
        (["--protocol", "game", "--casts", "50"], "--casts: cannot be used with --protocol game"),
        (["--protocol", "game", "--players", "6"], '--players: 6 is not one of 3, 4, 5'),
        (["--protocol", "game", "--games", "0"], '--games: "0" is not a whole number'),
        (["--seed", "-1"], '--seed: "-1" is not a whole number from 0'),
    ],
)  # fmt: skip
def test_what_cannot_be_simulated_is_refused_and_nothing_is_written(here, words, message):
    assert message in refused("tower", "simulate", "--out", "log.csv", *words)
    assert list(here.iterdir()) == []


# -------------------------------------------------------------------------------------------------------- fit


def test_a_fit_writes_a_tower_that_a_run_takes_and_finds_its_preset(here):
    simulated("casts.csv", "--tower", "spielbyweb", "--casts", 120)
    result = call("tower", "fit", "casts.csv", "--no-layered")
    assert result.exit_code == 0, result.output
    assert "120 casts in 1 session, 5 colours (red, blue, yellow, purple, green)" in result.output
    assert re.search(r"^independent +p +0\.6", result.output, re.M)
    assert "Urn against independent: likelihood ratio " in result.output
    assert "Nearest preset: spielbyweb" in result.output
    assert "The fitted tower, model independent, is in casts.toml" in result.output
    tower = load_tower(str(here / "casts.toml"))
    assert isinstance(tower.parameters, Independent)
    assert abs(tower.parameters.p - 2 / 3) < 0.06
    assert abs(tower.parameters.q - 1 / 3) < 0.06
    assert tower.source == "fitted to the casts of casts.csv"
    assert tower.evidence[0] == "120 casts in 1 session"
    assert call("run", "--games", 40, "--tower", "casts.toml", "--policies", "random", "--out", "run").exit_code == 0


@pytest.mark.parametrize(
    "text",
    [
        "cast,event,in_all,out_all\n1,fill,31,21\n2,battle,8,3\n3,battle,6,4\n",
        "cast;event;in_rot;in_blau;out_rot;out_blau;note\n0;fill;7;7;5;4;\n1;battle;5;1;3;1;\n2;empty;0;0;4;3;gezählt\n",
    ],
    ids=["totals", "semicolons"],
)
def test_the_tower_of_a_short_log_is_pulled_to_the_presets_and_report_and_file_say_so(here, text):
    (here / "short.csv").write_text(text, "utf-8")
    result = call("tower", "fit", "short.csv", "--no-layered")
    assert result.exit_code == 0, result.output
    assert re.search(r"^ +q +1e-06 ", result.output, re.M)  # what the log alone says
    assert "The log alone does not determine q." in result.output
    assert re.search(r"holds [\d.]+ cubes; the log and the prior allow [\d.]+ to [\d.]+", result.output)
    tower = load_tower(str(here / "short.toml"))
    assert 0.05 < tower.parameters.q < 0.5
    assert 0.3 < tower.parameters.p < 0.8
    assert "prior from the presets" in "\n".join(tower.evidence)


def test_the_model_and_the_file_can_be_named_and_a_tower_file_be_written_again(here):
    simulated("casts.csv", "--casts", 60)
    for _ in range(2):
        result = call("tower", "fit", "casts.csv", "--no-layered", "--model", "urn", "--out", "own.toml")
        assert result.exit_code == 0, result.output
    assert isinstance(load_tower(str(here / "own.toml")).parameters, Urn)


def test_a_fit_never_replaces_a_file_of_another_kind(here):
    simulated("casts.csv", "--casts", 60)
    (here / "casts.toml").write_text("# my notes\n", "utf-8")
    assert "casts.toml already exists and was not written by this command" in refused("tower", "fit", "casts.csv")
    assert (here / "casts.toml").read_text("utf-8") == "# my notes\n"


def test_a_log_is_never_replaced(here):
    (here / "casts.csv").write_text("in_red,out_red\n6,2\n", "utf-8")
    assert "casts.csv already exists and was not written by this command" in refused(
        "tower", "simulate", "--out", "casts.csv"
    )
    assert (here / "casts.csv").read_text("utf-8") == "in_red,out_red\n6,2\n"


def test_folders_are_made_before_the_work_is_done(here):
    simulated("new/casts.csv", "--casts", 60)
    result = call("tower", "fit", "new/casts.csv", "--no-layered", "--out", "other/own.toml")
    assert result.exit_code == 0, result.output
    assert (here / "other" / "own.toml").exists()


@pytest.mark.slow
def test_casts_that_differ_in_luck_ask_for_the_urn(here):
    (here / "uneven.toml").write_text(
        'model = "urn"\nretention = 0.33\ncapacity = 1e6\nkappa = 0.4\nbeta = 0\nphi = 0.8\n'
    )
    simulated("casts.csv", "--casts", 250, "--tower", "uneven.toml")
    result = call("tower", "fit", "casts.csv", "--no-layered")
    assert "Casts vary more than independent allows: likelihood ratio of phi" in result.output
    assert load_tower(str(here / "casts.toml")).parameters.phi > 0.4


def test_a_log_of_more_cubes_than_any_box_is_fitted_without_simulation(here):
    rows = ["200,150", *["60,60", "40,50"] * 20]
    (here / "casts.csv").write_text("\n".join(["in_red,out_red", *rows, ""]), "utf-8")
    result = call("tower", "fit", "casts.csv")
    assert result.exit_code in (0, 2), result.output
    assert "nothing is simulated" in result.output or "casts.csv, line" in result.output


@pytest.mark.parametrize("name", ["", ".", "/"])
def test_what_is_no_file_is_refused_plainly(here, name):
    assert "Traceback" not in refused("tower", "fit", name)


def test_a_contradiction_is_named_with_its_line_and_nothing_is_written(here):
    (here / "casts.csv").write_text("in_red,out_red\n6,2\n3,8\n", "utf-8")
    message = refused("tower", "fit", "casts.csv")
    assert "casts.csv, line 3, column out_red: 8 fell out, at most 7 can" in message
    assert [path.name for path in here.iterdir()] == ["casts.csv"]


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        (None, [], "casts.csv"),
        ("in_red,out_red\n0,0\n", [], "casts.csv: "),
        ("in_red,out_red\n6,6\n", [], "casts.csv: "),
        ("in_red,out_red\n6,2\n", ["--model", "best"], '--model: "best" is not one of auto, independent, urn, layered'),
        ("in_red,out_red\n6,2\n", ["--floors", "5"], '--floors: "5" is not a whole number from 1 to 4'),
        ("in_red,out_red\n6,2\n", ["--no-layered", "--model", "layered"], "--model: layered cannot be combined"),
    ],
)
def test_logs_and_wishes_that_will_not_do_are_refused(here, text, words, message):
    if text is not None:
        (here / "casts.csv").write_text(text, "utf-8")
    assert message in refused("tower", "fit", "casts.csv", *words)
    assert not (here / "casts.toml").exists()


def test_a_log_of_seven_colours_is_simulated_without_them(here):
    columns = [f"in_c{colour},out_c{colour}" for colour in range(7)]
    rows = [",".join("3,2" if colour == row % 7 else "0,0" for colour in range(7)) for row in range(30)]
    (here / "casts.csv").write_text("\n".join([",".join(columns), *rows, ""]), "utf-8")
    result = call("tower", "fit", "casts.csv", "--no-layered")
    assert result.exit_code == 0, result.output
    assert "30 casts in 1 session, 7 colours" in result.output
    assert "Nearest preset: " in result.output


@pytest.mark.slow
def test_the_layered_tower_is_fitted_with_its_misfit(here):
    simulated("casts.csv", "--tower", "spielbyweb-layered")
    result = call("tower", "fit", "casts.csv", "--model", "layered")
    assert result.exit_code == 0, result.output
    assert "Nearest preset: spielbyweb-layered" in result.output
    assert re.search(r"Layered: misfit [\d.]+ over \d+ statistics, p ", result.output)
    assert len(load_tower(str(here / "casts.toml")).parameters.cells) == 2


# ------------------------------------------------------------------------------------------- battles, pictures


def test_exact_odds_add_up_and_say_so():
    result = call("battle", "odds", "--attackers", 1, "--defenders", 1)
    # Each falls with chance 2/3: one alone with 2/9, both or none with 5/9.
    assert re.search(r"the attacker wins +22\.2 %", result.output)
    assert re.search(r"tie: the county becomes neutral +55\.6 %", result.output)
    assert "Exact: " in result.output


def test_a_grid_of_simulated_odds_names_tower_battles_and_seed():
    words = ("--attackers", "2-3", "--defenders", "1-2", "--tower", "mid-urn", "--battles", 500, "--state", "adverse")
    result = call("battle", "odds", *words)
    assert "Simulated: 500 battles per cell, seed 1." in result.output
    assert len(re.findall(r"\d+ / \d+ / \d+", result.output)) == 4


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--kind", "siege"], '--kind: "siege" is not one of player, neutral, revolt'),
        (["--attackers", "0"], "attackers: 0 is not a whole number from 1 to 62"),
        (["--attackers", "5-2"], '--attackers: "2" is not a whole number from 5'),
        (["--attackers", "1-50"], "is a range of more than 31 numbers"),
        (["--tray", "red=1"], '--tray: "red=1" is not ROLE=NUMBER'),
        (["--inside", "attacker=1,attacker=2"], "each role once"),
        (["--inside", "attacker=62"], "more than the 62 in the box"),
        (["--inside", "attacker=1", "--state", "fresh"], "--state: cannot be combined with --inside"),
        (["--state", "empty"], '--state: "empty" is not one of fresh, loaded, adverse'),
        (["--tower", "pisa"], "--tower: 'pisa' is neither a preset"),
        (["--kind", "neutral", "--no-peasants-join"], "--no-peasants-join: can be used only with --kind player"),
        (["--attackers", "1-20", "--defenders", "1-20", "--battles", "1000000"], "is more than 100000000 in total"),
        (["--battles", "0"], '--battles: "0" is not a whole number'),
    ],
)
def test_battles_that_cannot_be_are_refused(words, message):
    assert message in refused("battle", "odds", *words)


def test_pictures_of_towers_are_written(here):
    result = call("tower", "show", "--tower", "mid", "--tower", "rulebook", "--games", 30, "--policy", "random")
    assert result.exit_code == 0, result.output
    folder = here / "results" / "towers"
    assert sorted(path.name for path in folder.iterdir()) == ["chances.png", "contents.png", "first_fill.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in folder.iterdir())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--tower", "mid", "--tower", "mid"], "are not 1 to 9 different towers"),
        (["--tower", "pisa"], "--tower: 'pisa' is neither a preset"),
        (["--tower", "mid", "--tower", "own/mid.toml"], "have the same name twice"),
        (["--out", "own"], "--out: own is not a folder"),
        (["--policy", "nobody"], "--policy: 'nobody' is not one of"),
        (["--players", "2"], '--players: "2" is not a whole number from 3 to 5'),
        (["--games", "3"], '--games: "3" is not a whole number from 30'),
    ],
)
def test_pictures_that_cannot_be_are_refused_and_no_folder_is_made(here, words, message):
    if "own/mid.toml" in words:
        (here / "own").mkdir()
        (here / "own" / "mid.toml").write_text('model = "independent"\np = 0.5\nq = 0.5\n', "utf-8")
    elif "own" in words:
        (here / "own").write_text("a file", "utf-8")
    before = sorted(here.rglob("*"))
    assert message in refused("tower", "show", *words)
    assert sorted(here.rglob("*")) == before
