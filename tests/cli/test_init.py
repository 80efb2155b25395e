"""`wallsim init`: a commented experiment file, which is the experiment of defaults."""

import re
import tomllib
from pathlib import Path

from tests.cli.commands import done
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import FIELDS, load_experiment
from wallsim.rules.ruleset import SWITCHES


def test_the_file_is_the_experiment_of_defaults(here):
    assert "experiment.toml" in done("init").stdout
    rules = tomllib.loads(Path("experiment.toml").read_text("utf-8"))["rules"]
    assert load_experiment("experiment.toml").model_dump() == Experiment(rules=rules).model_dump()
    assert load_experiment("experiment.toml").hash() == Experiment().hash()


def test_every_key_and_every_switch_stands_there_with_its_meaning(here):
    done("init", "mine.toml")
    text = Path("mine.toml").read_text("utf-8")
    said = tomllib.loads(text)
    commented = set(re.findall(r"^# (\w+) = .* +# ", text, re.MULTILINE))
    assert set(said) | commented == set(FIELDS)
    assert list(said["rules"]) == [switch.field for switch in SWITCHES]
    for switch in SWITCHES:
        assert f"[{switch.mark}] {switch.meaning}" in text
    uncommented = re.sub(r"^# (\w+ = )", r"\1", text, flags=re.MULTILINE)
    assert set(tomllib.loads(uncommented)) == set(FIELDS)
