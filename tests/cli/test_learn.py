"""`wallsim learn`: a small learning from the command to its file, resumed, played by a search, and refused."""

import json

import pytest

from tests.cli.searches import call
from wallsim.policies.value.features import INPUT_NAMES, MOMENTS
from wallsim.policies.value.value_file import read_value
from wallsim.searches.learning import learning
from wallsim.searches.learning.learning import Games

SMALL = ["--policies", "balanced,random", "--players", "3", "--games", 2000, "--units", 2, "--passes", 1]


def learned(folder, *words):
    result = call("learn", "--out", folder, *SMALL, *words)
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = tmp_path_factory.mktemp("learn") / "small"
    return folder, learned(folder, "--name", "small", "--workers", 2).stdout


@pytest.mark.slow
def test_the_file_is_a_value_and_says_how_it_was_made(done):
    folder, shown = done
    value = read_value(folder / "small.json")
    contents = value.contents
    assert contents["inputs"] == list(INPUT_NAMES)
    assert contents["command"].startswith("wallsim learn --policies balanced,random --players 3 --games 2000")
    assert str(folder) not in json.dumps(contents)
    assert contents["games"] == {"fitted": 1600, "held_out": 400, "block": 50}
    assert [line["moment"] for line in contents["held_out"]] == list(MOMENTS)
    assert list(contents["models"]) == ["3"]
    assert "400 games" in shown.replace(",", "")


@pytest.mark.slow
def test_random_and_balanced_are_easily_distinguished_and_the_last_fall_best(done):
    lines = read_value(done[0] / "small.json").contents["held_out"]
    assert lines[-1]["network"]["points"]["r2"] > 0.9
    assert lines[-1]["linear"]["win"]["r2"] > lines[0]["linear"]["win"]["r2"] > 0


@pytest.mark.slow
def test_the_same_command_plays_nothing_again(done, monkeypatch):
    folder, _ = done
    before = (folder / "small.json").read_bytes()
    monkeypatch.setattr(Games, "play", None)
    learned(folder, "--name", "small", "--workers", 1)
    assert (folder / "small.json").read_bytes() == before


@pytest.mark.slow
def test_other_units_are_fitted_to_the_same_games(done, monkeypatch):
    folder, _ = done
    monkeypatch.setattr(Games, "play", None)
    result = json.loads(learned(folder, "--units", 0, "--name", "linear", "--json").stdout)
    assert result["value_file"] == str(folder / "linear.json")
    assert "network" not in result["held_out"][0]
    assert read_value(folder / "linear.json").packed()[0].of[0].outward.any() == 0


@pytest.mark.slow
def test_games_are_rounded_up_to_whole_chunks_and_this_is_reported(done, monkeypatch):
    folder, _ = done
    monkeypatch.setattr(Games, "play", None)
    few = learned(folder, "--games", 10, "--name", "few")
    assert "--games: 10 is rounded up to whole chunks: 2,000 games" in few.stderr
    assert "rounded" not in learned(folder, "--name", "small").stderr


@pytest.mark.slow
def test_an_interruption_keeps_the_games_played(tmp_path, monkeypatch):
    played = learning.Games.play

    def stop(self, players, chunk):
        if chunk == 1:
            raise KeyboardInterrupt
        return played(self, players, chunk)

    monkeypatch.setattr(learning.Games, "play", stop)
    result = call("learn", "--out", tmp_path / "some", *SMALL, "--games", 4000, "--workers", 1)
    assert result.exit_code == 130
    assert "2,000 finished games are stored" in result.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--policies", "nobody"], "--policies: 'nobody' is not one of"),
        (["--players", "3,6"], "--players"),
        (["--players", "3,3"], "--players: 3,3 has a duplicate; each may occur once"),
        (["--setup", "lineup,none"], "--setup"),
        (["--tower", "leaning"], "--tower"),
        (["--noise", "0,much"], '--noise: "much" is not a number from 0 to 20'),
        (["--units", "14"], "--units"),
        (["--games", "0"], "--games"),
        (["--seed", "-1"], "--seed"),
        (["--name", "a/b"], '--name: "a/b" is not'),
        (["--workers", "0"], "--workers"),
    ],
)
def test_wrong_words_are_refused_before_anything_is_played(tmp_path, words, message):
    result = call("learn", "--out", tmp_path / "none", *SMALL, *words)
    assert result.exit_code == 2
    assert message in result.output
    assert not (tmp_path / "none").exists()


@pytest.mark.slow
def test_a_folder_of_other_games_is_refused(done):
    result = call("learn", "--out", done[0], *SMALL, "--seed", 2)
    assert result.exit_code == 2
    assert "contains another learning" in result.output
