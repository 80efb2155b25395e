"""Names that no file or folder can have are refused by the package's own error, in every field and function."""

from pathlib import Path

import pytest

import wallsim
from tests.refusals import refused
from wallsim.experiment.file import load_experiment
from wallsim.folder.verification import verify_results

IMPOSSIBLE = {
    "long": "a" * 5000,
    "long TOML": "a" * 5000 + ".toml",
    "long Python": "a" * 5000 + ".py",
    "deep": "x/" * 3000 + "y.toml",
    "NUL": "a\0b",
    "NUL in TOML": "a\0b.toml",
    "NUL in Python": "a\0b.py",
    "NUL in a folder": "x\0/y",
    "half a character": "a\ud800b",
    "half a character in TOML": "a\ud800b.toml",
    "half a character in Python": "a\ud800b.py",
    "below a device": "/dev/null/x.toml",
    "NUL in an address": "s3://bucket/a\0",
}
FIELDS = {
    **{name: (lambda text, name=name: {name: text}) for name in (
        "name", "players", "setup", "edition", "games", "seed", "tower", "board", "policies", "expansions", "chunk",
    )},
    "a policy of four": lambda text: {"policies": [text] * 4},
    "an expansion of some": lambda text: {"expansions": [text]},
    "a line-up": lambda text: {"lineups": [text, "B", "C", "D"]},
    "a county out of play": lambda text: {"without": [text]},
    "a switch": lambda text: {"rules": {text: "must"}},
    "the value of a switch": lambda text: {"rules": {"combat": text}},
    "an amount": lambda text: {"amounts": {text: 1}},
    "a seat": lambda text: {"thalers": {text: 1}},
    "an edited line-up": lambda text: {"lineup": {text: {"Passau": 3}}},
    "an edited county": lambda text: {"lineup": {"A": {text: 3}}},
    "an intervention": lambda text: {"interventions": [{"do": text}]},
    "a key of an intervention": lambda text: {"interventions": [{"do": "hand", text: 1}]},
    "a county of an intervention": lambda text: {"interventions": [{"do": "armies", "county": text, "by": 1}]},
    "an unknown key": lambda text: {text: 1},
}  # fmt: skip
SMALL = wallsim.Experiment(players=3, policies="random", games=1)
CUP = wallsim.Tournament(["random", "heedless"], wallsim.Experiment(players=3), blocks=1)
FUNCTIONS = {
    "play": wallsim.play,
    "play into": lambda path: wallsim.play(SMALL, path),
    "play a tournament into": lambda path: wallsim.play(CUP, path),
    "open_run": wallsim.open_run,
    "summarise": wallsim.summarise,
    "trace": wallsim.trace,
    "compare": lambda path: wallsim.compare(path, path),
    "Scenarios.open": wallsim.Scenarios.open,
    "Scenarios.verify": wallsim.Scenarios.verify,
    "load_experiment": load_experiment,
    "verify": verify_results,
    "a tournament's table": lambda path: wallsim.Tournament(["random", "heedless"], path),
}
TEXTS = {
    "a tournament's policy": lambda text: wallsim.Tournament([text, "random"]),
    "a tournament's only policy": wallsim.Tournament,
    "blocks": lambda text: wallsim.Tournament(["random", "heedless"], blocks=text),
    "workers": lambda text: wallsim.play(SMALL, workers=text),
    "game": lambda text: wallsim.trace(SMALL, text),
}
impossible = pytest.mark.parametrize("text", IMPOSSIBLE.values(), ids=IMPOSSIBLE)


@impossible
@pytest.mark.parametrize("field", FIELDS)
def test_a_field_of_an_experiment_refuses_it(text, field):
    with pytest.raises(wallsim.InputError):
        wallsim.Experiment(**FIELDS[field](text))


@impossible
@pytest.mark.parametrize("kind", [str, Path])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_that_takes_a_path_refuses_it(text, name, kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(wallsim.InputError):
        FUNCTIONS[name](kind(text))
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@impossible
@pytest.mark.parametrize("name", TEXTS)
def test_a_function_that_takes_a_name_or_a_number_refuses_it(text, name):
    with pytest.raises(wallsim.InputError):
        TEXTS[name](text)


def test_errors_name_what_cannot_be(tmp_path):
    with refused("board: aaa", "...aaa", "name too long", "a board folder"):
        wallsim.Experiment(board="a" * 5000)
    (tmp_path / "e.toml").write_text(f'board = "{"a" * 5000}"\ntower = "x\\u0000.toml"\n', "utf-8")
    with refused("board: ", "tower: ") as caught:
        load_experiment(tmp_path / "e.toml")
    assert len(caught.value.errors) == 2
