"""`wallsim init`: a commented experiment file that can be played at once."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.cli.test_games import refusal, wallsim
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import FIELDS, load_experiment
from wallsim.rules.ruleset import SWITCHES


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_the_file_is_the_experiment_of_defaults():
    assert "Wrote experiment.toml" in wallsim("init").stdout
    assert (
        load_experiment("experiment.toml").model_dump()
        == Experiment(rules=tomllib.loads(Path("experiment.toml").read_text("utf-8"))["rules"]).model_dump()
    )
    assert load_experiment("experiment.toml").hash() == Experiment().hash()


def test_every_key_and_every_switch_stands_there_with_its_meaning():
    wallsim("init", "mine.toml")
    text = Path("mine.toml").read_text("utf-8")
    said = tomllib.loads(text)
    commented = set(re.findall(r"^# (\w+) = .* +# ", text, re.MULTILINE))
    assert set(said) | commented == set(FIELDS)
    assert list(said["rules"]) == [switch.field for switch in SWITCHES]
    for switch in SWITCHES:
        assert f"[{switch.mark}] {switch.meaning}" in text
    uncommented = re.sub(r"^# (\w+ = )", r"\1", text, flags=re.MULTILINE)
    assert set(tomllib.loads(uncommented)) == set(FIELDS)


def test_the_file_can_be_played():
    wallsim("init", "mine.toml")
    result = wallsim("run", "mine.toml", "--games", "3", "--out", "run")
    assert result.exit_code == 0, result.output


def test_no_file_is_replaced():
    Path("mine.toml").write_text("kept", "utf-8")
    assert "already exists" in refusal("init", "mine.toml")
    assert Path("mine.toml").read_text("utf-8") == "kept"
    assert "must end in .toml" in refusal("init", "mine.txt")
    assert "cannot be written" in refusal("init", "nowhere/mine.toml")
