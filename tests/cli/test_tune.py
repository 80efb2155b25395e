"""`wallsim tune`: a small tuning from the command to its files; what all searches have is in test_searches.py."""

import json
import tomllib

import polars as pl
import pytest
from PIL import Image

from tests.cli.commands import done
from tests.cli.searches import comments_of
from tests.refusals import assert_names
from wallsim.policies.catalogue import load_policy, policy_names, read_policy

SMALL = ("--players", 3, "--games", 12, "--population", 4, "--held-out", 120, "--check-every", 2, "--workers", 2)
SOME = (*SMALL, "--weights", "hold,deny,attack", "--step", 0.3)


def tuned(folder, generations, *words, policy="balanced", status=0):
    return done("tune", policy, "--out", folder, "--generations", generations, *words, status=status)


def moved(policy):
    """The weights that are not those of `balanced`."""
    start = load_policy("balanced").weights
    return {name for name, value in policy.weights.items() if value != start[name]}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a tuning of three generations, and what was printed; do not change it."""
    folder = tmp_path_factory.mktemp("tune") / "three"
    return folder, tuned(folder, 3, *SOME).stdout


def test_the_policy_file_loads_and_only_tuned_weights_have_moved(finished):
    folder, _ = finished
    policy = read_policy(folder / "balanced_tuned.toml")
    assert moved(policy) == {"hold", "deny", "attack"}
    assert all(policy.weights[name] == round(policy.weights[name], 3) for name in moved(policy))
    text = (folder / "balanced_tuned.toml").read_text()
    assert "3 players" in tomllib.loads(text)["description"]
    command = "wallsim tune balanced --players 3 --games 12 --population 4 --seed 1 --step 0.3"
    assert_names(comments_of(text), command, "120 games in 40 blocks", "against random")
    assert str(folder) not in text


def test_screen_file_and_tune_json_tell_the_same(finished):
    folder, shown = finished
    result = json.loads((folder / "tune.json").read_text())
    others = [name for name in policy_names() if name != "balanced" and load_policy(name).search is None]
    assert [estimate["opponent"] for estimate in result["held_out"]] == ["balanced", *others]
    comments = (folder / "balanced_tuned.toml").read_text()
    for estimate in result["held_out"]:
        assert estimate["low"] <= estimate["share"] <= estimate["high"]
        assert f"{100 * estimate['share']:.2f} %" in shown
        assert f"{100 * estimate['share']:.1f} %" in comments
    assert result["fair"] == 1 / 3
    assert len(set(result["seeds"].values())) == 4
    assert pl.read_parquet(folder / "curve.parquet").height == 4
    with Image.open(folder / "curve.png") as picture:
        assert picture.width > 600


def test_a_policy_file_can_be_the_start_and_balanced_is_then_a_reference(finished, tmp_path):
    tuned(tmp_path / "x", 1, *SOME, "--ridge", 5, "--name", "mine", policy=finished[0] / "balanced_tuned.toml")
    assert (tmp_path / "x" / "mine.toml").exists()
    result = json.loads((tmp_path / "x" / "tune.json").read_text())
    assert (result["settings"]["ridge"], result["settings"]["towards"]["name"]) == (5.0, "plain")
    roles = {each["opponent"]: each["role"] for each in result["held_out"]}
    assert (roles["balanced_tuned"], roles["balanced"]) == ("start", "reference")


@pytest.mark.slow
@pytest.mark.nightly
def test_weights_by_phase_are_tuned_over_several_set_ups_and_towers(tmp_path):
    words = (
        *SMALL, "--weights", "hold,deny,draft_border", "--phases", "year two,last fall", "--phase-weights", "hold",
        "--setup", "lineup,draft", "--tower", "spielbyweb,mid", "--expansions", "court", "--held-out", 60,
    )  # fmt: skip
    tuned(tmp_path / "x", 1, *words)
    policy = read_policy(tmp_path / "x" / "balanced_tuned.toml")
    assert moved(policy) == {"hold", "deny", "draft_border"}
    assert {phase: set(table) for phase, table in policy.phases.items()} == {"year two": {"hold"}, "fall 2": {"hold"}}
    comments = comments_of((tmp_path / "x" / "balanced_tuned.toml").read_text())
    assert_names(
        comments, "--setup lineup,draft --tower spielbyweb,mid", "deny, draft_border; by phase", "fall 2) hold"
    )
    result = json.loads((tmp_path / "x" / "tune.json").read_text())
    assert result["phases"] == policy.phases
    assert len(result["settings"]["further"]) == 3
