"""`wallsim.tune`, `exploit`, `learn` and `teach`: the commands' searches from Python, with the same options."""

import inspect
import json

import pytest
import typer.main

import wallsim
from tests.cli.searches import TINY, tiny
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
    assert (again.keys, [line.partition(" already ")[2] for line in again.lines]) == (
        [], ["contains this tuning, finished; nothing to play."],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"population": 1}, 'population: "1" is not a whole number from 2 to 1000'),
        ({"weights": "luck"}, "weights: 'luck' is not one of"),
        ({"players": 7}, "players: 7 is not one of 3, 4, 5"),
        ({"setup": ["draft", "draft"]}, "setup: draft,draft has a duplicate"),
        ({"tower": ",".join(["mid" * 40] * 2)}, "tower: midmid"),
        ({"rules": {"combat": "maybe"}}, "combat"),
        ({"workers": 0}, "workers"),
    ],
)
def test_what_will_not_do_is_refused_by_the_name_of_its_parameter_and_nothing_is_written(tmp_path, options, message):
    with pytest.raises(wallsim.InputError) as caught:
        wallsim.tune("balanced", tmp_path / "x", **{**OPTIONS, **options})
    assert message in str(caught.value)
    assert not (tmp_path / "x").exists()
    with pytest.raises(TypeError, match="generation"):
        wallsim.tune("balanced", tmp_path / "x", generation=3)


def test_an_option_that_there_is_not_is_named_with_the_one_that_is_meant(tmp_path):
    with pytest.raises(TypeError, match=r"generation: .*generations"):
        wallsim.tune("balanced", tmp_path, generation=3)
    with pytest.raises(TypeError, match=r"seats: .*seat"):
        wallsim.advise(wallsim.Experiment(), seats=3)
