"""`wallsim tune`: a small tuning from the command to its files, shown, resumed, continued and refused."""

import json
import re
import tomllib

import polars as pl
import pytest
from PIL import Image

from tests.cli.searches import call, files
from wallsim.policies.catalogue import load_policy, policy_names, read_policy
from wallsim.searches.tuning.evaluation import Games

SMALL = ["--players", 3, "--games", 12, "--population", 4, "--held-out", 120, "--check-every", 2, "--workers", 2]
SOME = [*SMALL, "--weights", "hold,deny,attack", "--step", 0.3]


def tuned(folder, generations, *words):
    result = call("tune", "balanced", "--out", folder, "--generations", generations, *words)
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tune") / "three"
    return folder, tuned(folder, 3, *SOME).stdout


def test_the_policy_file_loads_and_only_tuned_weights_have_moved(done):
    folder, _ = done
    policy, start = read_policy(folder / "balanced_tuned.toml"), load_policy("balanced")
    moved = {name for name, value in policy.weights.items() if value != start.weights[name]}
    assert moved == {"hold", "deny", "attack"}
    assert all(policy.weights[name] == round(policy.weights[name], 3) for name in moved)
    text = (folder / "balanced_tuned.toml").read_text()
    assert "self-play of 3 players" in tomllib.loads(text)["description"]
    comments = " ".join(line.removeprefix("# ") for line in text.splitlines() if line.startswith("#"))
    assert "Made by: wallsim tune balanced --players 3 --games 12 --population 4 --seed 1 --step 0.3" in comments
    assert str(folder) not in comments
    assert "120 games in 40 blocks against each" in comments
    assert "against random" in comments


def test_screen_file_and_tune_json_tell_the_same(done):
    folder, shown = done
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


def test_curve_and_picture_are_there(done):
    folder, _ = done
    assert pl.read_parquet(folder / "curve.parquet").height == 4
    with Image.open(folder / "curve.png") as picture:
        assert picture.width > 600


def test_a_finished_one_is_only_shown(done, monkeypatch):
    folder, shown = done
    before = files(folder)
    monkeypatch.setattr(Games, "play", None)
    again = tuned(folder, 3, *SOME)
    assert again.stdout == shown
    assert "finished; nothing to play" in again.stderr
    assert files(folder) == before


@pytest.mark.slow
def test_more_generations_go_on_to_what_one_go_gives(done, tmp_path):
    whole, _ = done
    folder = tmp_path / "parts"
    tuned(folder, 1, *SOME)
    assert "generation" in (folder / "journal.jsonl").read_text()
    tuned(folder, 3, *SOME, "--workers", 1)
    ours, theirs = files(folder), files(whole)
    assert ours.keys() == theirs.keys()
    for name in ours.keys() - {"curve.png"}:
        assert ours[name] == theirs[name], name


@pytest.mark.slow
def test_an_interruption_loses_the_generation_in_play_at_most(tmp_path, monkeypatch, done):
    played = Games.play
    calls = []

    def interrupted(self, *given):
        calls.append(given)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return played(self, *given)

    monkeypatch.setattr(Games, "play", interrupted)
    folder = tmp_path / "cut"
    result = call("tune", "balanced", "--out", folder, "--generations", 3, *SOME)
    assert result.exit_code == 130
    assert re.search(rf"Stopped\. [0-9]+ finished generations? (is|are) stored in {folder}; the same", result.stderr)
    assert len((folder / "journal.jsonl").read_text().splitlines()) == 3
    assert not (folder / "tune.json").exists()
    monkeypatch.undo()
    tuned(folder, 3, *SOME)
    assert files(folder)["journal.jsonl"] == files(done[0])["journal.jsonl"]
    assert files(folder)["tune.json"] == files(done[0])["tune.json"]


def test_a_policy_file_can_be_the_start_and_balanced_is_then_a_reference(done, tmp_path):
    result = call(
        "tune", done[0] / "balanced_tuned.toml", "--out", tmp_path / "x", "--generations", 1, *SOME, "--name", "mine"
    )
    assert result.exit_code == 0, result.output
    assert (tmp_path / "x" / "mine.toml").exists()
    roles = {f["opponent"]: f["role"] for f in json.loads((tmp_path / "x" / "tune.json").read_text())["held_out"]}
    assert roles["balanced_tuned"] == "start"
    assert roles["balanced"] == "reference"


@pytest.mark.slow
def test_weights_by_phase_are_tuned_over_several_set_ups_and_towers(tmp_path):
    words = [*SMALL, "--weights", "hold,deny,draft_border", "--phases", "year two,last fall", "--phase-weights", "hold"]
    words += ["--setup", "lineup,draft", "--tower", "spielbyweb,mid", "--expansions", "court", "--held-out", 60]
    result = tuned(tmp_path / "x", 1, *words)
    assert "Fair share" in result.stdout
    policy, start = read_policy(tmp_path / "x" / "balanced_tuned.toml"), load_policy("balanced")
    assert {name for name, value in policy.weights.items() if value != start.weights[name]} == {
        "hold", "deny", "draft_border",
    }  # fmt: skip
    assert {phase: set(table) for phase, table in policy.phases.items()} == {"year two": {"hold"}, "fall 2": {"hold"}}
    text = (tmp_path / "x" / "balanced_tuned.toml").read_text()
    comments = " ".join(line.removeprefix("# ") for line in text.splitlines() if line.startswith("#"))
    assert "--setup lineup,draft --tower spielbyweb,mid" in comments
    assert "Tuned: deny, draft_border; by phase (all other rounds, year two, fall 2) hold." in comments
    result = json.loads((tmp_path / "x" / "tune.json").read_text())
    assert result["phases"] == policy.phases
    assert len(result["settings"]["further"]) == 3
    before = files(tmp_path / "x")
    tuned(tmp_path / "x", 1, *words)
    assert files(tmp_path / "x") == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nobody"], "POLICY: 'nobody' is not one of amateur"),
        (["random"], "random: a policy of kind random has no weights to tune"),
        (["no.toml"], "POLICY: no.toml: not a readable TOML file"),
        (["balanced", "--pool", "nobody"], "--pool: 'nobody' is not one of amateur"),
        (["balanced", "--weights", "luck"], "--weights: 'luck' is not one of hold"),
        (["balanced", "--weights", "favor"], "--weights: 'favor' matters only in the expansion court"),
        (["balanced", "--hold", "luck"], "--hold: 'luck' is not one of hold"),
        (["balanced", "--phases", "never"], "--phases: 'never' is not one of rounds, years, year one"),
        (["balanced", "--phase-weights", "hold"], "--phase-weights: has no effect without phases"),
        (["balanced", "--setup", "draft,draft"], "--setup: draft,draft has a duplicate; each may occur once"),
        (["balanced", "--tower", "mid,nowhere"], "nowhere"),
        (["balanced", "--players", 7], "--players: 7 is not one of 3, 4, 5"),
        (["balanced", "--generations", 0], '--generations: "0" is not a whole number from 1'),
        (["balanced", "--population", 1], '--population: "1" is not a whole number from 2'),
        (["balanced", "--step", "nan"], '--step: "nan" is not a number from 0.001 to 2'),
        (["balanced", "--step", "wide"], '--step: "wide" is not a number from 0.001 to 2'),
        (["balanced", "--lead-weight", -1], '--lead-weight: "-1" is not a number from 0 to 1'),
        (["balanced", "--name", "a/b"], '--name: "a/b" is not 1 to 80 letters'),
    ],
)
def test_what_will_not_do_is_refused_and_nothing_is_written(tmp_path, words, message):
    result = call("tune", *words, "--out", tmp_path / "x")
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert "Traceback" not in result.output
    assert not (tmp_path / "x").exists()


def test_a_file_with_the_name_of_another_policy_is_refused(done, tmp_path):
    (tmp_path / "builder.toml").write_bytes((done[0] / "balanced_tuned.toml").read_bytes())
    result = call("tune", tmp_path / "builder.toml", "--out", tmp_path / "x")
    assert result.exit_code == 2
    assert "builder.toml has the name of another policy, builder; rename the file" in result.stderr


def test_other_settings_and_fewer_generations_are_refused_in_the_same_folder(done):
    folder, _ = done
    before = files(folder)
    other = call("tune", "balanced", "--out", folder, "--generations", 3, *SOME, "--seed", 2)
    fewer = call("tune", "balanced", "--out", folder, "--generations", 2, *SOME)
    assert other.exit_code == fewer.exit_code == 2
    assert "contains another tuning: seed is 1 there, 2 here" in other.stderr
    assert f"--generations: 2 is less than the 3 that {folder} has" in fewer.stderr
    assert files(folder) == before


@pytest.mark.slow
def test_a_ridge_is_part_of_the_settings_and_pulls_towards_plain_by_default(tmp_path):
    tuned(tmp_path / "x", 1, *SOME, "--ridge", 5)
    settings = json.loads((tmp_path / "x" / "tune.json").read_text())["settings"]
    assert (settings["ridge"], settings["towards"]["name"]) == (5.0, "plain")
    result = call("tune", "balanced", "--out", tmp_path / "x", "--generations", 1, *SOME, "--ridge", 6)
    assert result.exit_code == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--ridge", 5, "--towards", "random"], "--towards: random has no weights; allowed are policies with weights"),
        (["--ridge", 5, "--towards", "nobody"], "nobody"),
        (["--towards", "plain"], "--towards: needs --ridge"),
        (["--ridge", -1], "--ridge"),
    ],
)
def test_a_ridge_towards_nothing_is_refused(tmp_path, words, message):
    result = call("tune", "balanced", "--out", tmp_path / "x", "--generations", 1, *SOME, *words)
    assert (result.exit_code, message in result.stderr) == (2, True), result.output
    assert not (tmp_path / "x").exists()
