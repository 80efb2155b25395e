"""Names that no file or folder can have are refused by the package's own error, in every field and function."""

from pathlib import Path

import pytest

import wallsim
from tests.refusals import refused
from wallsim.experiment.file import load_experiment
from wallsim.folder.verification import verify_results

IMPOSSIBLE = {
    "long": "a" * 5000,
    "long Python": "a" * 5000 + ".py",
    "deep": "x/" * 3000 + "y.toml",
    "NUL": "a\0b",
    "NUL in TOML": "a\0b.toml",
    "NUL in Python": "a\0b.py",
    "half a character": "a\ud800b",
    "half a character in TOML": "a\ud800b.toml",
    "below a device": "/dev/null/x.toml",
    "NUL in an address": "s3://bucket/a\0",
}
TEXT = object()  # stands for the name
FIELDS = [
    *({name: TEXT} for name in (
        "name", "players", "setup", "edition", "games", "seed", "tower", "board", "policies", "expansions", "chunk",
        "an unknown key",
    )),
    {"policies": [TEXT] * 4}, {"expansions": [TEXT]}, {"lineups": [TEXT, "B", "C", "D"]}, {"without": [TEXT]},
    {"rules": {TEXT: "must"}}, {"rules": {"combat": TEXT}}, {"amounts": {TEXT: 1}}, {"thalers": {TEXT: 1}},
    {"lineup": {TEXT: {"Passau": 3}}}, {"lineup": {"A": {TEXT: 3}}}, {"interventions": [{"do": TEXT}]},
    {"interventions": [{"do": "hand", TEXT: 1}]}, {"interventions": [{"do": "armies", "county": TEXT, "by": 1}]},
]  # fmt: skip


def with_text(value, text):
    """A value in which a text stands wherever TEXT does."""
    if isinstance(value, dict):
        return {with_text(key, text): with_text(inner, text) for key, inner in value.items()}
    if isinstance(value, list):
        return [with_text(inner, text) for inner in value]
    return text if value is TEXT else value


SMALL = wallsim.Experiment(players=3, policies="random", games=1)
CUP = wallsim.Tournament(["random", "heedless"], wallsim.Experiment(players=3), blocks=1)
FUNCTIONS = [
    wallsim.play, lambda path: wallsim.play(SMALL, path), lambda path: wallsim.play(CUP, path), wallsim.open_run,
    wallsim.summarise, wallsim.trace, lambda path: wallsim.compare(path, path), wallsim.Scenarios.open,
    wallsim.Scenarios.verify, load_experiment, verify_results,
    lambda path: wallsim.Tournament(["random", "heedless"], path),
]  # fmt: skip
TEXTS = [
    lambda text: wallsim.Tournament([text, "random"]), wallsim.Tournament,
    lambda text: wallsim.Tournament(["random", "heedless"], blocks=text),
    lambda text: wallsim.play(SMALL, workers=text), lambda text: wallsim.trace(SMALL, text),
]  # fmt: skip
impossible = pytest.mark.parametrize("text", IMPOSSIBLE.values(), ids=IMPOSSIBLE)


@impossible
def test_every_field_of_an_experiment_refuses_it(text):
    for field in FIELDS:
        with pytest.raises(wallsim.InputError):
            wallsim.Experiment(**with_text(field, text))


@impossible
@pytest.mark.parametrize("kind", [str, Path])
def test_a_function_that_takes_a_path_refuses_it(text, kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for function in FUNCTIONS:
        with pytest.raises(wallsim.InputError):
            function(kind(text))
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@impossible
def test_a_function_that_takes_a_name_or_a_number_refuses_it(text):
    for function in TEXTS:
        with pytest.raises(wallsim.InputError):
            function(text)


def test_errors_name_what_cannot_be(tmp_path):
    with refused("board: aaa", "...aaa", "name too long", "a board folder"):
        wallsim.Experiment(board="a" * 5000)
    (tmp_path / "e.toml").write_text(f'board = "{"a" * 5000}"\ntower = "x\\u0000.toml"\n', "utf-8")
    with refused("board: ", "tower: ") as caught:
        load_experiment(tmp_path / "e.toml")
    assert len(caught.value.errors) == 2
