"""`wallsim teach`: small teachings of plans and of attacks from the command to their files, and what is refused."""

import json
import shutil

import pytest

from tests.cli.commands import document, done, refusal
from tests.refusals import assert_names
from wallsim.policies.catalogue import read_policy
from wallsim.policies.correction import attack_features
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


# ------------------------------------------------------------------------------------------------- attacks


@pytest.fixture(scope="module")
def attacking(finished, tmp_path_factory):
    """The command of a teaching of attacks that has finished, its folder and what it printed."""
    folder = tmp_path_factory.mktemp("attacks") / "small"
    command = ("teach", finished[1] / "balanced_taught.toml", *SMALL, "--attacks", "--out", folder)
    return command, folder, done(*command, "--workers", 2).stdout


def written(folder, name):
    """The contents of a file of models."""
    return json.loads((folder / f"{name}.json").read_text())


def test_taught_attacks_lie_beside_the_plans_that_the_pupil_knew(finished, attacking):
    _, folder, shown = attacking
    plans, both = written(finished[1], "balanced_taught"), written(folder, "balanced_taught_taught")
    attacks = both.pop("attacks")
    assert both == {**plans, "name": "balanced_taught_taught"}
    assert attacks["inputs"] == list(attack_features.INPUT_NAMES)
    assert "--attacks" in attacks["command"]
    assert [line["round"] for line in attacks["held_out"]] == list(MOMENTS)
    assert 0 < min(line["lessons"] for line in attacks["held_out"])
    assert max(line["lessons"] for line in attacks["held_out"]) <= 40
    assert "choices in combat" in shown
    policy = read_policy(folder / "balanced_taught_taught.toml")
    assert policy.correction.packed()[0].attacks == 1
    assert "--attacks" in policy.source.decode()


def test_a_finished_teaching_of_attacks_is_read_repaired_and_verified(attacking, monkeypatch):
    command, folder, _ = attacking
    monkeypatch.setattr(LessonGames, "play", None)
    names = [f"balanced_taught_taught.{ending}" for ending in ("json", "toml")]
    before = {name: (folder / name).read_bytes() for name in names}
    first = document(*command)
    assert first["command"] == written(folder, "balanced_taught_taught")["attacks"]["command"]
    assert not {"models", "attacks"} & first.keys()
    for name in names:
        (folder / name).write_bytes(b"damaged")
        assert document(*command) == first
        assert {name: (folder / name).read_bytes() for name in names} == before
    done("verify", folder)


def test_plans_that_are_taught_again_keep_the_attacks(attacking, tmp_path):
    folder = attacking[1]
    policy = folder / "balanced_taught_taught.toml"
    again = ("teach", policy, *SMALL, "--name", "again", "--out", tmp_path / "again")
    result = document(*again)
    both, known = written(tmp_path / "again", "again"), written(folder, "balanced_taught_taught")
    assert both["attacks"] == known["attacks"]
    assert both["models"] != known["models"]
    assert document(*again) == result
    assert_names(refusal(*again, "--out", tmp_path / "other", "--earlier", folder), "attacks", folder)


@pytest.mark.parametrize("kind", [(), ("--attacks",)], ids=["plans", "attacks"])
def test_of_a_year_that_is_not_taught_the_models_stay(kind, attacking, tmp_path):
    policy = attacking[1] / "balanced_taught_taught.toml"
    done(
        "teach", policy, *SMALL, *kind, "--years", 2, "--depth", "year", "--name", "again", "--out", tmp_path / "again"
    )
    new, known = written(tmp_path / "again", "again"), written(attacking[1], "balanced_taught_taught")
    if kind:
        assert new["models"] == known["models"]
        new, known = new["attacks"], known["attacks"]
    assert [line["round"] for line in new["held_out"]] == list(MOMENTS[3:])
    for place, name in enumerate(MOMENTS):
        assert (new["models"]["3"][name] == known["models"]["3"][name]) == (place < 3)


@pytest.mark.parametrize(
    ("more", "named"),
    [
        (("--years", 3), ("years", "3", "1, 2")),
        (("--years", "1,1"), ("years", "1,1")),
        (("--years", 2), ("years", "balanced", "both")),
        (("--depth", "game"), ("depth", "game", "round, year")),
    ],
)
def test_years_and_depths_that_there_are_not_are_refused(more, named, tmp_path):
    assert_names(refusal("teach", "balanced", *SMALL, *more, "--out", tmp_path / "none"), *named)
    assert not (tmp_path / "none").exists()


def test_attacks_of_a_pupil_whose_plans_were_not_taught_are_refused(tmp_path):
    error = refusal("teach", "balanced", *SMALL, "--attacks", "--out", tmp_path / "none")
    assert_names(error, "POLICY", "balanced", "correction")
    assert not (tmp_path / "none").exists()
