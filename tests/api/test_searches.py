"""`wallsim.tune`, `exploit`, `learn` and `teach`: the commands' searches from Python, with the same options."""

import inspect
import json

import pytest
import typer.main

import wallsim
from tests.cli.searches import TINY, tiny
from tests.refusals import refused
from wallsim.cli import app
from wallsim.searches.search import Watcher
from wallsim.searches.tuning.evaluation import Games

OPTIONS = {
    "players": 3, "games": 3, "population": 3, "workers": 1, "seed": 2, "generations": 3, "held_out": 6,
    "check_every": 2, "weights": ["hold", "deny"],
}  # fmt: skip
FUNCTIONS = {name: getattr(wallsim, name) for name in TINY}


class Told(Watcher):
    """Keeps what it is told."""

    def __init__(self):
        self.keys, self.lines, self.last = [], [], None

    def progress(self, done, total):
        self.last = done, total

    def did(self, key, facts):
        self.keys.append(key)

    def says(self, line):
        self.lines.append(line)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_option_of_a_command_is_a_parameter_of_its_function_with_the_same_default(name):
    known = {each.name: each.default for each in inspect.signature(FUNCTIONS[name]).parameters.values()}
    params = {each.name: each for each in typer.main.get_command(app).commands[name].params}
    ours = params.keys() - {"out", "dask", "as_json", "workers"}
    assert ours == known.keys() - {"folder", "watch", "workers"}
    given = {each for each in ours if known[each] not in (inspect.Parameter.empty, None)}
    assert {each: str(params[each].default) for each in given} == {each: str(known[each]) for each in given}
    assert all(f"\n{each}\n    " in FUNCTIONS[name].__doc__ for each in ours - {"policy", "policies"})


def test_a_tuning_from_python_is_that_of_the_command_and_is_told_of(tmp_path, monkeypatch):
    shown = json.loads(tiny("tune", tmp_path / "command", "--json").stdout)
    told = Told()
    result = wallsim.tune("balanced", tmp_path / "python", watch=told, **OPTIONS)
    paths = {"folder": str(tmp_path / "python"), "policy_file": str(tmp_path / "python" / "balanced_tuned.toml")}
    assert result == shown | paths
    assert told.keys == [("generation", 0), ("generation", 1), ("check", 2), ("generation", 2)]
    assert 0.9 < told.last[0] / told.last[1] <= 1  # finalists that are equal play once
    monkeypatch.setattr(Games, "play", None)
    again = Told()
    assert wallsim.tune("balanced", tmp_path / "python", watch=again, **OPTIONS) == result
    [line] = again.lines
    assert (again.keys, "nothing to play" in line) == ([], True)


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"population": 1}, ['population: "1" ', "from 2 to 1000"]),
        ({"weights": "luck"}, ["weights: 'luck' "]),
        ({"players": 7}, ["players: 7 ", "3, 4, 5"]),
        ({"setup": ["draft", "draft"]}, ["setup: draft,draft ", "duplicate"]),
        ({"rules": {"combat": "maybe"}}, ["combat"]),
        ({"workers": 0}, ["workers"]),
    ],
)
def test_what_will_not_do_is_refused_by_the_name_of_its_parameter_and_nothing_is_written(tmp_path, options, names):
    with refused(*names):
        wallsim.tune("balanced", tmp_path / "x", **{**OPTIONS, **options})
    assert not (tmp_path / "x").exists()


def test_an_option_that_there_is_not_is_named_with_the_one_that_is_meant(tmp_path):
    with refused("generation: ", "generations", by=TypeError):
        wallsim.tune("balanced", tmp_path, generation=3)
    with refused("seats: ", "seat", by=TypeError):
        wallsim.advise(wallsim.Experiment(), seats=3)
