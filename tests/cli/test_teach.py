"""`wallsim teach`: a small teaching from the command to its files, played, taught on, and refused."""

import json
import shutil

import pytest

from tests.cli.commands import document, done, refusal
from tests.refusals import assert_names
from wallsim.policies.catalogue import read_policy
from wallsim.policies.correction.features import INPUT_NAMES, MOMENTS
from wallsim.searches.teaching.lessons import LessonGames

pytestmark = pytest.mark.slow
SMALL = (
    "--value", "season-ends", "--players", 3, "--setup", "lineup", "--games", 400, "--plans", 6,
    "--tables", 1, "--units", 2, "--passes", 1,
)  # fmt: skip


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The command of a finished teaching, its folder and what it printed; do not change it."""
    folder = tmp_path_factory.mktemp("teach") / "small"
    command = ("teach", "balanced", *SMALL, "--out", folder)
    return command, folder, done(*command, "--workers", 2).stdout


def test_the_policy_and_its_correction_say_how_they_were_made(finished):
    _, folder, shown = finished
    policy = read_policy(folder / "balanced_taught.toml")
    contents, text = policy.correction.contents, policy.source.decode()
    assert contents["inputs"] == list(INPUT_NAMES)
    assert contents["command"].startswith("wallsim teach balanced --value season-ends --players 3 --games 400")
    assert contents["games"] == {"fitted": 360, "held_out": 40, "block": 20}
    assert [line["round"] for line in contents["held_out"]] == list(MOMENTS)
    assert [line["lessons"] for line in contents["held_out"]] == [40] * len(MOMENTS)
    assert list(contents["models"]) == ["3"]
    assert "wallsim teach balanced" in text
    assert str(folder) not in text + json.dumps(contents)
    assert "40 games" in shown


def test_the_taught_policy_plays_wherever_its_folder_lies(finished, tmp_path):
    moved = shutil.copytree(finished[1], tmp_path / "moved") / "balanced_taught.toml"
    shown = done("run", "--policies", moved, "--games", 20, "--players", 3, "--out", tmp_path / "run").stdout
    assert "balanced_taught" in shown


def test_other_fits_have_the_same_lessons(finished, monkeypatch):
    command, folder, _ = finished
    before = (folder / "balanced_taught.json").read_bytes()
    monkeypatch.setattr(LessonGames, "play", None)
    result = document(*command, "--units", 0, "--shrink", 0.5, "--name", "linear")
    assert result["policy_file"] == str(folder / "linear.toml")
    assert (folder / "balanced_taught.json").read_bytes() == before
    done("verify", folder)


def test_a_taught_policy_is_taught_on_with_the_lessons_of_the_earlier_teaching(finished, tmp_path):
    folder, lessons = finished[1], "lessons/3p-00000.npz"
    words = ("teach", folder / "balanced_taught.toml", *SMALL, "--rivals", "balanced,banker", "--name", "second",
             "--earlier", folder, "--out")  # fmt: skip
    both = document(*words, tmp_path / "second")
    assert both["earlier_games"] == 400
    assert [line["lessons"] for line in both["held_out"]] == [80] * len(MOMENTS)
    assert both["rivals"] == ["balanced", "banker"]
    (folder / lessons).rename(tmp_path / "3p-00000.npz")
    try:
        assert lessons in refusal(*words, tmp_path / "third")
    finally:
        shutil.move(tmp_path / "3p-00000.npz", folder / lessons)


def test_earlier_lessons_of_other_rules_or_players_are_refused(finished, tmp_path):
    elsewhere = ("teach", "balanced", *SMALL, "--out", tmp_path / "none", "--earlier", finished[1])
    assert_names(refusal(*elsewhere, "--players", 4), "no lessons", "4 players")
    assert_names(refusal(*elsewhere, "--edition", "1e"), "rules", "this teaching")
