"""Scenarios on the command line: played, shown, checked and refused by the commands for runs."""

import json
import re
import shlex
import shutil
import signal
from pathlib import Path

import pytest
import typer

from tests.cli.test_games import refusal, wallsim
from tests.cli.test_json import document
from wallsim.cli.signals import stoppable

TEXT = """
policies = "random"
games = 30
[scenario.plain]
[scenario.long]
games = 70
[factor]
tower = ["mid", "rulebook"]
"""
NAMES = ["plain+tower-mid", "plain+tower-rulebook", "long+tower-mid", "long+tower-rulebook"]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    place = tmp_path_factory.mktemp("scenarios")
    (place / "x.toml").write_text(TEXT, "utf-8")
    result = wallsim("run", str(place / "x.toml"), "--out", str(place / "out"))
    assert result.exit_code == 0, result.output
    return place, result


def test_a_file_with_scenarios_is_played_into_a_folder_for_each(finished):
    place, result = finished
    out = place / "out"
    assert sorted(path.name for path in out.glob("scenario=*")) == sorted(f"scenario={name}" for name in NAMES)
    assert f"{out} holds 4 scenarios." in result.stdout
    assert "Scenario long+tower-mid (3 of 4)" in result.stderr
    assert f'wallsim.Scenarios.open("{out}").scan("seats")' in result.stdout


def test_the_same_command_plays_nothing_again_and_summary_prints_the_same(finished):
    place, result = finished
    again = wallsim("run", str(place / "x.toml"), "--out", str(place / "out"))
    assert again.stdout == result.stdout == wallsim("summary", str(place / "out")).stdout
    assert again.stderr.count("nothing to play") == 4


def test_many_scenarios_are_compared_in_a_row_each_with_the_commands_for_the_rest(here):
    prices = "".join(f"[scenario.price-{price}]\namounts = {{ palace_price = {price} }}\n" for price in range(6))
    (here / "x.toml").write_text(f'policies = "random"\ngames = 300\n{prices}', "utf-8")
    text = wallsim("run", "x.toml", "--out", "an out").stdout
    assert len(text.splitlines()) < 60
    rows = {line.split()[0]: line.split() for line in text.splitlines() if line.startswith("price-") and "±" in line}
    assert list(rows) == [f"price-{price}" for price in range(6)]
    [comparison] = [document("summary", "an out")["comparison"]]
    contrasts = comparison["scenarios"]["price-5"]["contrasts"]
    changes = [100 * each["change"] for each in contrasts if each["column"] == "win" and each["who"] == "each seat"]
    shown = [float(cell.replace("−", "-")) for cell in rows["price-5"][2::3][:4]]
    assert shown == pytest.approx(changes, abs=0.051)
    for command in ("wallsim compare 'an out'", "wallsim summary 'an out/scenario=price-0'"):
        assert command in text
        assert wallsim(*shlex.split(command)[1:]).exit_code == 0


@pytest.mark.parametrize("more", ['scenario_seeds = "own"', "[scenario.five]\nplayers = 5", ""], ids=str.split)
def test_scenarios_that_cannot_be_compared_are_shown_by_themselves(here, more):
    """Of other seeds or sizes of table, and a single one."""
    others = "[scenario.b]\n" if more else ""
    head, last = (more, "") if more.startswith("scenario_seeds") else ("", more)
    (here / "x.toml").write_text(f'policies = "random"\ngames = 40\n{head}\n[scenario.a]\n{others}{last}', "utf-8")
    text = wallsim("run", "x.toml", "--out", "out").stdout
    assert "wallsim compare" not in text
    assert "wallsim summary out/scenario=a" in text
    assert document("summary", "out")["comparison"] is None


def test_a_changed_file_is_refused_in_the_same_folder(finished, tmp_path):
    place, _ = finished
    (tmp_path / "x.toml").write_text(TEXT.replace("games = 70", "games = 70\nseed = 8"), "utf-8")
    message = refusal("run", str(tmp_path / "x.toml"), "--out", str(place / "out"))
    assert "scenario=long+tower-mid: contains another experiment: seed is 1 there, 8 here" in message


def test_a_file_with_more_games_adds_them_and_says_so(finished, tmp_path):
    place, out = finished[0], tmp_path / "out"
    shutil.copytree(place / "out", out)
    (tmp_path / "x.toml").write_text(TEXT.replace("70", "80"), "utf-8")
    result = wallsim("run", str(tmp_path / "x.toml"), "--out", str(out))
    assert result.exit_code == 0, result.output
    assert "Missing or damaged" not in result.stderr
    added = "long+tower-mid, long+tower-rulebook: Games were added after the run had been finished with 70;"
    assert added in " ".join(result.stdout.split())
    assert [each["games"] for each in document("summary", str(out))["scenarios"]] == [30, 30, 80, 80]
    assert wallsim("verify", str(out)).exit_code == 0


def test_json_has_the_keys_of_a_run_for_each_scenario(finished):
    estimate = document("summary", str(finished[0] / "out"))
    assert [each["scenario"] for each in estimate["scenarios"]] == NAMES
    assert [each["games"] for each in estimate["scenarios"]] == [30, 30, 70, 70]
    assert {"seats", "hash", "level"} <= set(estimate["scenarios"][0])


def test_verify_names_the_damaged_scenario(finished, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(finished[0] / "out", out)
    assert wallsim("verify", str(out)).stdout == f"{out}: no file of its scenarios is missing or changed.\n"
    (out / "scenario=plain+tower-mid" / "codebook.md").unlink()
    result = wallsim("verify", str(out))
    assert result.exit_code == 1
    assert result.stderr == (
        f"{out}: scenario=plain+tower-mid/codebook.md: is missing\n"
        f"{out}: is damaged; `wallsim repair {out}` repairs it\n"
    )


@pytest.mark.parametrize("words", [("trace",), ("codebook",), ("run",)])
def test_commands_for_one_run_ask_for_the_folder_of_one(finished, words):
    folder = str(finished[0] / "out")
    assert f"{folder}: contains scenarios, not one run; name the folder of one" in refusal(*words, folder)


def test_the_folder_of_a_scenario_is_a_run(finished):
    folder = str(finished[0] / "out" / "scenario=plain+tower-mid")
    for command in ("summary", "verify", "codebook", "trace"):
        assert wallsim(command, folder).exit_code == 0


def test_pictures_and_traces_are_of_one_experiment(finished, tmp_path):
    place, picture = finished[0], str(tmp_path / "p.png")
    assert "--plot: cannot be combined with the scenarios of" in refusal(
        "run", str(place / "x.toml"), "--plot", picture
    )
    assert "contains scenarios; name the folder of one" in refusal("summary", str(place / "out"), "--plot", picture)
    assert "--plot: cannot be combined with --dry-run" in refusal("run", "--dry-run", "--plot", picture)
    assert "contains scenarios, not one experiment" in refusal("trace", str(place / "x.toml"))


def test_errors_end_with_status_2_and_nothing_written(here):
    Path("x.toml").write_text(TEXT.replace("games = 30", "games = 0").replace('"mid"', '"none"'), "utf-8")
    message = refusal("run", "x.toml")
    assert "x.toml: scenario plain+tower-none, plain+tower-rulebook: games: 0 is not a whole number" in message
    assert "x.toml: scenario plain+tower-none, long+tower-none: tower: 'none' is neither a preset" in message
    assert [path.name for path in here.iterdir()] == ["x.toml"]


def test_without_out_the_folder_is_named_after_the_title(here):
    Path("x.toml").write_text('name = "my study"\npolicies = "random"\ngames = 3\n[scenario.a]', "utf-8")
    assert wallsim("run", "x.toml").exit_code == 0
    [folder] = Path("results").iterdir()
    assert folder.name.startswith("my_study-")
    Path("x.toml").write_text('policies = "random"\ngames = 3\n[scenario.a]', "utf-8")
    assert wallsim("run", "x.toml").exit_code == 0
    assert len(list(Path("results").glob("scenarios-*"))) == 1


def test_a_dry_run_shows_scenarios_games_minutes_and_disk_and_writes_nothing(here):
    Path("x.toml").write_text(TEXT, "utf-8")
    result = wallsim("run", "x.toml", "--dry-run", "--out", "out", "--workers", "1")
    assert result.exit_code == 0, result.output
    first, _, *rows = result.stdout.splitlines()
    assert first == "Not the default: tower mid (in some games); tower rulebook (in some games)."
    lines = [line.split() for line in rows]
    assert lines[0] == ["scenario", "games", "minutes", "disk", "in", "MB"]
    assert [line[:2] for line in lines[1:6]] == [[NAMES[0], "30"], [NAMES[1], "30"], [NAMES[2], "70"], [NAMES[3], "70"],
                                                 ["all", "200"]]  # fmt: skip
    assert "Estimates for 1 worker from games played here now" in result.stdout
    assert [path.name for path in here.iterdir()] == ["x.toml"]


def test_a_line_up_of_another_size_is_reported_on_stderr(here):
    text = 'policies = "random"\ngames = 3\n[scenario.printed]\n[scenario.small.lineup.A]\nBurgund = 5\n'
    (here / "x.toml").write_text(text, "utf-8")
    result = wallsim("run", "x.toml", "--out", "out", "--quiet")
    assert re.findall("^warning: (.*?): has 1 county", result.stderr, re.MULTILINE) == ["scenario small: lineup.A"]
    assert "Line-up A has 1 county with 5 armies" in " ".join(result.stdout.split())
    again = wallsim("trace", "out/scenario=small", "--out", "game.jsonl")
    assert again.stderr.startswith("warning: lineup.A: has 1 county")


def test_a_dry_run_of_one_experiment_has_one_line(here):
    words = ("run", "--policies", "random", "--games", "1000000", "--dry-run")
    result = wallsim(*words)
    assert result.stdout.splitlines()[1].split()[0] == "1,000,000"
    estimate = json.loads(wallsim(*words, "--json", "--workers", "1").stdout)
    assert (estimate["workers"], estimate["games"], estimate["scenarios"][0]["scenario"]) == (1, 1_000_000, None)
    assert 1e6 < estimate["bytes"] < 1e9
    assert list(here.iterdir()) == []


def test_a_stopped_command_counts_the_games_of_all_scenarios(finished, capsys):
    handler = signal.getsignal(signal.SIGTERM)
    try:
        with pytest.raises(typer.Exit) as caught, stoppable(finished[0] / "out", "games"):
            raise KeyboardInterrupt
    finally:
        signal.signal(signal.SIGTERM, handler)
    assert caught.value.exit_code == 130
    assert "Stopped. 200 finished games are stored in" in capsys.readouterr().err
