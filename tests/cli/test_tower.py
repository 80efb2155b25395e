"""The commands about towers and battles: what they print and write."""

import re
from functools import partial

import pytest

from tests.cli.commands import document, done, refusal
from tests.refusals import assert_names
from wallsim.analysis.tower import fitted_models
from wallsim.analysis.tower.cast_file import read_casts
from wallsim.analysis.tower.floors import MIN_SIMULATIONS, fit_layered
from wallsim.rules.tower import Independent, Urn, load_tower

# --------------------------------------------------------------------------------------------------- simulate


def simulated(path, *words):
    done("tower", "simulate", "--out", path, *words)
    return path


def test_a_bench_log_can_be_read_and_the_same_seed_gives_the_same_bytes(here):
    one, two, other = (
        here / simulated(f"{name}.csv", "--casts", 60, "--seed", seed)
        for name, seed in (("one", 1), ("two", 1), ("three", 2))
    )
    assert one.read_bytes() == two.read_bytes() != other.read_bytes()
    assert len(read_casts(one).casts().event) == 60
    shown = done("tower", "simulate", "--casts", 43).stdout.splitlines()
    assert shown[0].startswith("session,cast,event,in_red,")
    assert len(shown) == 1 + 43 + 6


def test_a_log_of_games_has_a_session_a_game_and_balanced_books(here):
    words = ("--protocol", "game", "--games", 2, "--players", 3, "--policies", "random", "--tower", "mid-urn")
    log = read_casts(here / simulated("games.csv", *words))
    assert list(dict.fromkeys(log.session)) == ["game 0", "game 1"]
    assert log.colours == ("red", "blue", "yellow", "green")
    assert [event for event in log.event if event in ("fill", "empty")] == ["fill", "empty"] * 2
    assert log.notes == ()


# -------------------------------------------------------------------------------------------------------- fit


@pytest.fixture(scope="module")
def casts(tmp_path_factory):
    """A log of 60 casts; do not change it."""
    return simulated(tmp_path_factory.mktemp("casts") / "casts.csv", "--casts", 60)


def fitted(text, *words, name="casts"):
    """What a fit to a log of this text prints, and its tower."""
    with open(f"{name}.csv", "w", encoding="utf-8") as file:
        file.write(text)
    return done("tower", "fit", f"{name}.csv", *words).output, load_tower(f"{name}.toml")


def test_a_fit_writes_a_tower_that_a_run_takes_and_finds_its_preset(here):
    simulated("casts.csv", "--tower", "spielbyweb", "--casts", 120)
    shown = done("tower", "fit", "casts.csv", "--no-layered").output
    assert_names(shown, "120 casts", "1 session", "5 colours", "yellow, purple, green", "casts.toml")
    assert_names(shown, "Urn against independent", "Nearest preset: spielbyweb")
    assert re.search(r"^independent +p +0\.6", shown, re.M)
    tower = load_tower("casts.toml")
    assert isinstance(tower.parameters, Independent)
    assert tower.parameters.p == pytest.approx(2 / 3, abs=0.06)
    assert tower.parameters.q == pytest.approx(1 / 3, abs=0.06)
    assert "casts.csv" in tower.source
    assert "120 casts" in tower.evidence[0]
    done("run", "--games", 40, "--tower", "casts.toml", "--policies", "random", "--out", "run")


def test_the_tower_of_a_short_log_is_pulled_to_the_presets_and_report_and_file_say_so(here):
    text = "cast;event;in_rot;in_blau;out_rot;out_blau\n0;fill;7;7;5;4\n1;battle;5;1;3;1\n2;empty;0;0;4;3\n"
    shown, tower = fitted(text, "--no-layered")
    assert re.search(r"^ +q +1e-06 ", shown, re.M)  # what the log alone says
    assert re.search(r"holds [\d.]+ cubes; .* [\d.]+ to [\d.]+", shown)
    assert 0.05 < tower.parameters.q < 0.5
    assert 0.3 < tower.parameters.p < 0.8
    assert "prior" in "\n".join(tower.evidence)


def test_model_and_file_can_be_named_folders_are_made_and_a_tower_file_is_written_again(here, casts):
    for _ in range(2):
        done("tower", "fit", casts, "--no-layered", "--model", "urn", "--out", "new/own.toml")
    assert isinstance(load_tower("new/own.toml").parameters, Urn)


def test_a_fit_never_replaces_a_file_of_another_kind(here, casts):
    (here / "mine.toml").write_text("# my notes\n", "utf-8")
    assert_names(refusal("tower", "fit", casts, "--out", "mine.toml"), "mine.toml", "exists")
    assert (here / "mine.toml").read_text("utf-8") == "# my notes\n"


@pytest.mark.slow
@pytest.mark.nightly
def test_casts_that_differ_in_luck_ask_for_the_urn(here):
    (here / "uneven.toml").write_text(
        'model = "urn"\nretention = 0.33\ncapacity = 1e6\nkappa = 0.4\nbeta = 0\nphi = 0.8\n'
    )
    simulated("casts.csv", "--casts", 250, "--tower", "uneven.toml")
    assert_names(done("tower", "fit", "casts.csv", "--no-layered").output, "Casts vary more", "phi")
    assert load_tower("casts.toml").parameters.phi > 0.4


def test_a_log_of_more_cubes_than_any_box_is_fitted_without_simulation(here):
    rows = ["200,150", *["60,55", "50,55"] * 2]
    (here / "casts.csv").write_text("\n".join(["in_red,out_red", *rows, ""]), "utf-8")
    answer = document("tower", "fit", "casts.csv")
    assert (answer["nearest"], answer["fits"].keys()) == ([], {"independent", "urn"})
    assert isinstance(load_tower("casts.toml").parameters, Independent | Urn)


def test_a_log_that_tells_nothing_is_refused(here):
    for row in ("0,0", "6,6"):
        (here / "casts.csv").write_text(f"in_red,out_red\n{row}\n", "utf-8")
        assert "casts.csv: " in done("tower", "fit", "casts.csv", status=2).stderr
        assert not (here / "casts.toml").exists()


def test_a_log_of_seven_colours_is_simulated_without_them(here):
    columns = [f"in_c{colour},out_c{colour}" for colour in range(7)]
    rows = [",".join("3,2" if colour == row % 7 else "0,0" for colour in range(7)) for row in range(30)]
    shown, _ = fitted("\n".join([",".join(columns), *rows, ""]), "--no-layered")
    assert_names(shown, "30 casts in 1 session", "7 colours", "Nearest preset: ")


@pytest.mark.slow
def test_the_layered_tower_is_fitted_with_its_misfit(here, monkeypatch):
    monkeypatch.setattr(fitted_models, "fit_layered", partial(fit_layered, simulations=MIN_SIMULATIONS))
    simulated("casts.csv", "--tower", "spielbyweb-layered")
    shown = done("tower", "fit", "casts.csv", "--model", "layered").output
    assert "Nearest preset: spielbyweb-layered" in shown
    assert re.search(r"Layered: misfit [\d.]+ over \d+ statistics, p ", shown)
    assert len(load_tower("casts.toml").parameters.cells) == 2


# ------------------------------------------------------------------------------------------- battles, pictures


def test_simulated_odds_have_intervals_and_name_battles_and_seed():
    words = ("battle", "odds", "--attackers", "2-3", "--defenders", "1-2", "--tower", "mid-urn", "--battles", 500)
    shown = done(*words, "--state", "adverse").stdout
    assert_names(shown, "500 battles", "seed 1")
    assert len(re.findall(r"\d+ / \d+ / \d+", shown)) == 4
    cells = document(*words)["cells"]
    assert {(cell["attackers"], cell["defenders"]) for cell in cells} == {(2, 1), (2, 2), (3, 1), (3, 2)}
    one = document("battle", "odds", "--tower", "mid-urn", "--battles", 500)
    assert one["win"]["interval"][0] < one["win"]["value"] < one["win"]["interval"][1]
    exact = document("battle", "odds", "--attackers", 1, "--defenders", 1)  # each falls with chance 2/3
    assert (exact["battles"], exact["win"]["interval"]) == (None, None)
    assert [exact[end]["value"] for end in ("win", "tie", "lose")] == pytest.approx([2 / 9, 5 / 9, 2 / 9])


def test_pictures_of_towers_are_written(here):
    done("tower", "show", "--tower", "mid", "--tower", "rulebook", "--games", 30, "--policy", "random")
    folder = here / "results" / "towers"
    assert sorted(path.name for path in folder.iterdir()) == ["chances.png", "contents.png", "first_fill.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in folder.iterdir())
