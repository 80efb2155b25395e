"""The experiment that a page hands on: whoever saves it plays the same games, with the same custom files."""

import shutil
import tomllib

import pytest

from tests.refusals import refused
from wallsim.errors import RunError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.play.play import play_run
from wallsim.play.scenarios.file import load_experiments
from wallsim.play.shared_experiment import FILE, shared_scenarios, shared_tournament, tournament_policies
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament
from wallsim.rules.files import data_folder

EXCHANGE = {"A": {"exchange": {"Baden": "Breisgau", "Anhalt": "Vogtland"}}, "D": {"exchange": {"Vogtland": "Anhalt"}}}
REPLACE = {"B": {"replace": {"Tirol": 5, "Bm. Lüttich": 4}}}
HANDICAP = [
    {"do": "hand", "vp": 2, "seat": "B", "round": "start"},
    {"do": "event", "to": "cancelled", "round": "fall 1"},
]
SETTINGS = [
    {"thalers": {"A": 11, "C": 19}},
    {"lineup": EXCHANGE, "lineups": ("B", "A", "D", "C")},
    {"lineup": REPLACE, "without": ("Burgund",)},
    {"rules": {"combat": "may", "bank": 160}, "amounts": {"palace_price": 4}},
    {"interventions": HANDICAP[:1], "seasons": True, "columns": "lean"},
    {"edition": "1e", "expansions": "all", "setup": "draft", "tower": "mid"},
]


def saved(shared, folder):
    """The path of the experiment, saved with its files as a reader does."""
    for name, data in {FILE: shared.text.encode(), **shared.files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder / FILE


def played(folder, games=2, **keys):
    keys = {"policies": "random", **keys}
    return play_run(Experiment(games=games, **keys), folder, workers=1)


def test_scenarios_are_played_again_from_the_text_alone(tmp_path):
    runs = {f"s{number}": played(tmp_path / str(number), **keys) for number, keys in enumerate([{}, *SETTINGS])}
    again = load_experiments(saved(shared_scenarios(runs), tmp_path / "saved")).experiments
    assert {name: each.hash() for name, each in again.items()} == {name: run.hash for name, run in runs.items()}
    assert {each.games for each in again.values()} == {2}


def test_the_text_has_only_what_a_reader_needs(tmp_path):
    runs = {"printed": played(tmp_path / "a"), "swap+2": played(tmp_path / "b", games=3, lineup=EXCHANGE)}
    values = tomllib.loads(shared_scenarios(runs).text)
    scenarios = values.pop("scenario")
    assert values == {"players": 4, "setup": "lineup", "policies": "random", "seed": 1, "tower": "spielbyweb"}
    assert scenarios == {"printed": {"games": 2}, "swap+2": {"games": 3, "lineup": EXCHANGE}}


@pytest.fixture
def custom(tmp_path):
    """Experiments with a board, towers of one name and other numbers, a Python policy, and one of weights."""
    shutil.copytree(data_folder("board"), tmp_path / "hills")
    policies = [shutil.copy(f"docs/examples/{name}", tmp_path) for name in ("hothead.py", "cautious.toml")]
    keys = []
    for p in (0.4, 0.8):
        tower = tmp_path / f"{p}" / "mine.toml"
        tower.parent.mkdir()
        tower.write_text(f'model = "independent"\np = {p}\nq = 0.1\nsource = "me"\n', "utf-8")
        keys.append({"tower": str(tower), "board": str(tmp_path / "hills"), "policies": [*policies, *policies]})
    return keys


def test_custom_files_go_with_it_each_scenario_with_its_own(custom, tmp_path):
    runs = {f"s{number}": played(tmp_path / f"run{number}", **keys) for number, keys in enumerate(custom)}
    shared = shared_scenarios(runs)
    assert str(tmp_path) not in shared.text
    assert shared.has_code
    again = load_experiments(saved(shared, tmp_path / "saved"), trust_code=True).experiments
    assert {name: each.hash() for name, each in again.items()} == {name: run.hash for name, run in runs.items()}
    one = shared_scenarios({"s0": runs["s0"]})
    assert {"policies/hothead.py", "policies/cautious.toml", "tower-mine.toml"} <= set(one.files)


def test_a_changed_file_is_no_part_of_what_was_played(custom, tmp_path):
    run = played(tmp_path / "run", **{**custom[0], "policies": custom[0]["policies"][1]})
    (tmp_path / "run" / "policies" / "cautious.toml").write_text("other", "utf-8")
    with refused("policies/cautious.toml", by=RunError):
        shared_scenarios({"a": run})


@pytest.mark.parametrize("keys", [{}, *SETTINGS[:4], {"interventions": HANDICAP}, SETTINGS[5]])
def test_a_tournament_is_played_again_from_its_text_and_policies(keys, tmp_path):
    design = Tournament(
        ["random", "balanced"], Experiment(**{key: each for key, each in keys.items() if key != "columns"}), 1
    )
    run = play_tournament(design, tmp_path / "cup", workers=1)
    shared = shared_tournament(run)
    table = load_experiment(saved(shared, tmp_path / "saved"))
    assert Tournament(tournament_policies(run, shared.files), table, 1).identity() == run.identity


def test_a_tournament_names_its_custom_files(custom, tmp_path, monkeypatch):
    keys = custom[0]
    design = Tournament([*keys["policies"][:2], "random"], Experiment(tower=keys["tower"], board=keys["board"]), 1)
    run = play_tournament(design, tmp_path / "cup", workers=1)
    shared = shared_tournament(run)
    policies = tournament_policies(run, shared.files)
    assert policies == ["policies/cautious.toml", "policies/hothead.py", "random"]
    path = saved(shared, tmp_path / "saved")
    monkeypatch.chdir(path.parent)
    assert Tournament(policies, load_experiment(FILE), 1).identity() == run.identity


def test_interventions_make_another_tournament():
    null = [{"do": "hand", "vp": 0, "seat": "A", "round": "start"}]
    plain, same, changed = (
        Tournament(["random", "balanced"], Experiment(interventions=steps), 1).identity()
        for steps in ([], null, HANDICAP)
    )
    assert plain == same != changed
