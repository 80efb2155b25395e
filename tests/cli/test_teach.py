"""`wallsim teach`: a small teaching from the command to its files, resumed, played, taught on, and refused."""

import json
import shutil

import pytest

from tests.cli.searches import call
from wallsim.policies.catalogue import read_policy
from wallsim.policies.correction.features import INPUT_NAMES, MOMENTS
from wallsim.searches.teaching.lessons import LessonGames

SMALL = [
    "balanced", "--value", "season-ends", "--players", "3", "--setup", "lineup", "--games", 400, "--plans", 6,
    "--tables", 1, "--units", 2, "--passes", 1,
]  # fmt: skip


def taught(folder, *words):
    result = call("teach", *SMALL, "--out", folder, *words)
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = tmp_path_factory.mktemp("teach") / "small"
    return folder, taught(folder, "--workers", 2).stdout


@pytest.mark.slow
def test_the_policy_and_its_correction_say_how_they_were_made(done):
    folder, shown = done
    policy = read_policy(folder / "balanced_taught.toml")
    contents = policy.correction.contents
    assert contents["inputs"] == list(INPUT_NAMES)
    assert contents["command"].startswith("wallsim teach balanced --value season-ends --players 3 --games 400")
    assert str(folder) not in json.dumps(contents)
    assert contents["games"] == {"fitted": 360, "held_out": 40, "block": 20}
    assert [line["round"] for line in contents["held_out"]] == list(MOMENTS)
    assert [line["lessons"] for line in contents["held_out"]] == [40] * len(MOMENTS)
    assert list(contents["models"]) == ["3"]
    assert "wallsim teach balanced" in policy.source.decode()
    assert str(folder) not in policy.source.decode()
    assert "40 games" in shown


@pytest.mark.slow
def test_the_taught_policy_plays_wherever_its_folder_lies(done, tmp_path):
    shutil.copytree(done[0], tmp_path / "moved")
    result = call("run", "--policies", tmp_path / "moved" / "balanced_taught.toml", "--games", 20, "--players", 3)
    assert result.exit_code == 0, result.output
    assert "balanced_taught" in result.stdout


@pytest.mark.slow
def test_the_same_command_plays_nothing_again_and_other_fits_have_the_same_lessons(done, monkeypatch):
    folder, _ = done
    before = (folder / "balanced_taught.json").read_bytes()
    monkeypatch.setattr(LessonGames, "play", None)
    taught(folder, "--workers", 1)
    assert (folder / "balanced_taught.json").read_bytes() == before
    result = json.loads(taught(folder, "--units", 0, "--shrink", 0.5, "--name", "linear", "--json").stdout)
    assert result["policy_file"] == str(folder / "linear.toml")
    assert (folder / "balanced_taught.json").read_bytes() == before
    assert call("verify", folder).exit_code == 0


@pytest.mark.slow
def test_a_taught_policy_is_taught_on_with_the_lessons_of_the_earlier_teaching(done, tmp_path):
    pupil = done[0] / "balanced_taught.toml"
    words = ["teach", pupil, *SMALL[1:], "--rivals", "balanced,banker", "--name", "second", "--json"]
    result = call(*words, "--out", tmp_path / "second", "--earlier", done[0])
    assert result.exit_code == 0, result.output
    both = json.loads(result.stdout)
    assert both["earlier_games"] == 400
    assert [line["lessons"] for line in both["held_out"]] == [80] * len(MOMENTS)
    assert both["rivals"] == ["balanced", "banker"]
    (done[0] / "lessons" / "3p-00000.npz").rename(tmp_path / "3p-00000.npz")
    refused = call(*words, "--out", tmp_path / "third", "--earlier", done[0])
    shutil.move(tmp_path / "3p-00000.npz", done[0] / "lessons" / "3p-00000.npz")
    assert (refused.exit_code, "lessons/3p-00000.npz: is missing or changed" in refused.output) == (2, True)


@pytest.mark.slow
def test_an_interruption_keeps_the_games_played(tmp_path, monkeypatch):
    played = LessonGames.play

    def stop(self, players, chunk):
        if chunk == 1:
            raise KeyboardInterrupt
        return played(self, players, chunk)

    monkeypatch.setattr(LessonGames, "play", stop)
    result = call("teach", *SMALL, "--out", tmp_path / "some", "--games", 800, "--workers", 1)
    assert result.exit_code == 130
    assert "400 finished games are stored" in result.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rivals", "nobody"], "--rivals: 'nobody' is not one of"),
        (["--rivals", "random"], "--rivals: random is of kind 'random'; only policies of kind 'balanced'"),
        (["--value", "nothing"], "--value: 'nothing' is not one of"),
        (["--players", "3,6"], "--players"),
        (["--players", ""], "--players"),
        (["--players", "3,3"], "--players: 3,3 has a duplicate; each may occur once"),
        (["--setup", "lineup,none"], "--setup"),
        (["--tower", "leaning"], "--tower"),
        (["--units", "33"], "--units"),
        (["--plans", "3"], "--plans"),
        (["--tables", "0"], "--tables"),
        (["--shrink", "1.5"], "shrink"),
        (["--games", "0"], "--games"),
        (["--name", "a/b"], '--name: "a/b" is not'),
        (["--name", "checksums"], "--name: checksums is the name of the file of checksums"),
        (["--workers", "0"], "--workers"),
        (["--earlier", "nowhere"], "--earlier: nowhere: journal.jsonl: No such file"),
    ],
)
def test_wrong_words_are_refused_before_anything_is_played(tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    result = call("teach", *SMALL, "--out", tmp_path / "none", *words)
    assert result.exit_code == 2
    assert message in result.output
    assert not (tmp_path / "none").exists()


def test_a_pupil_that_does_not_plan_by_weights_alone_is_refused(tmp_path):
    for name in ("random", "rollout"):
        result = call("teach", name, *SMALL[1:], "--out", tmp_path / "none")
        assert (result.exit_code, f"POLICY: {name} is of kind" in result.output) == (2, True)


@pytest.mark.slow
def test_a_folder_of_other_lessons_is_refused(done):
    result = call("teach", *SMALL, "--out", done[0], "--seed", 2)
    assert result.exit_code == 2
    assert "contains another teaching" in result.output


@pytest.mark.slow
def test_earlier_lessons_of_other_rules_or_numbers_of_players_are_refused(done, tmp_path):
    for words, message in (
        (["--players", "4"], "has no lessons of games of 4 players"),
        (["--edition", "1e"], "its rules are not those of this teaching"),
    ):
        result = call("teach", *SMALL, "--out", tmp_path / "none", "--earlier", done[0], *words)
        assert (result.exit_code, message in result.output) == (2, True), result.output
