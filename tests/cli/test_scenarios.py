"""Scenarios on the command line: played, shown, checked and refused by the commands for runs."""

import re
import shlex
import shutil
import signal
from pathlib import Path

import pytest
import typer

from tests.cli.commands import document, done, printed, refusal
from tests.refusals import assert_names
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


def write(folder, text):
    """An experiment file."""
    (folder / "x.toml").write_text(text, "utf-8")
    return folder / "x.toml"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of the scenarios, and how the command ended that played them; do not change it."""
    place = tmp_path_factory.mktemp("scenarios")
    return place / "out", done("run", write(place, TEXT), "--out", place / "out")


def test_a_file_with_scenarios_is_played_into_a_folder_for_each(finished):
    out, result = finished
    assert sorted(path.name for path in out.glob("scenario=*")) == sorted(f"scenario={name}" for name in NAMES)
    assert_names(result.stdout, out, "4 scenarios", f'Scenarios.open("{out}").scan')
    assert_names(result.stderr, "long+tower-mid", "3 of 4")
    again = done("run", out.parent / "x.toml", "--out", out)
    assert again.stdout == result.stdout == done("summary", out).stdout
    assert again.stderr.count("nothing to play") == 4
    estimate = document("summary", out)["scenarios"]
    assert [(each["scenario"], each["games"]) for each in estimate] == list(zip(NAMES, (30, 30, 70, 70), strict=True))
    assert {"seats", "hash", "level"} <= set(estimate[0])


def test_many_scenarios_are_compared_in_a_row_each_with_the_commands_for_the_rest(here):
    prices = "".join(f"[scenario.price-{price}]\namounts = {{ palace_price = {price} }}\n" for price in range(6))
    text = done("run", write(here, f'policies = "random"\ngames = 300\n{prices}'), "--out", "an out").stdout
    assert len(text.splitlines()) < 60
    rows = {line.split()[0]: line.split() for line in text.splitlines() if line.startswith("price-") and "±" in line}
    assert list(rows) == [f"price-{price}" for price in range(6)]
    contrasts = document("summary", "an out")["comparison"]["scenarios"]["price-5"]["contrasts"]
    changes = [100 * each["change"] for each in contrasts if each["column"] == "win" and each["who"] == "each seat"]
    shown = [float(cell.replace("−", "-")) for cell in rows["price-5"][2::3][:4]]
    assert shown == pytest.approx(changes, abs=0.051)
    for command in ("wallsim compare 'an out'", "wallsim summary 'an out/scenario=price-0'"):
        assert command in text
        done(*shlex.split(command)[1:])


@pytest.mark.parametrize(
    "text",
    [
        'scenario_seeds = "own"\n[scenario.a]\n[scenario.b]',
        "[scenario.a]\n[scenario.b]\n[scenario.five]\nplayers = 5",
        "[scenario.a]",
    ],
    ids=["seeds", "players", "one"],
)
def test_scenarios_that_cannot_be_compared_are_shown_by_themselves(here, text):
    shown = done("run", write(here, f'policies = "random"\ngames = 40\n{text}'), "--out", "out").stdout
    assert "wallsim compare" not in shown
    assert "summary out/scenario=a" in shown
    assert document("summary", "out")["comparison"] is None


def test_a_changed_file_is_refused_in_the_same_folder(finished, tmp_path):
    file = write(tmp_path, TEXT.replace("games = 70", "games = 70\nseed = 8"))
    said = refusal("run", file, "--out", finished[0])
    assert_names(said, "long+tower-mid:", "another experiment", "seed is 1", "8 here")


def test_a_file_with_more_games_adds_them_and_says_so(finished, tmp_path):
    out = shutil.copytree(finished[0], tmp_path / "out")
    result = done("run", write(tmp_path, TEXT.replace("70", "80")), "--out", out)
    assert "damaged" not in result.stderr
    assert_names(result.stdout, f"{NAMES[2]}, {NAMES[3]}: Games were added", "with 70;")
    assert [each["games"] for each in document("summary", out)["scenarios"]] == [30, 30, 80, 80]
    done("verify", out)


def test_verify_names_the_damaged_scenario(finished, tmp_path):
    out = shutil.copytree(finished[0], tmp_path / "out")
    done("verify", out)
    (out / "scenario=plain+tower-mid" / "codebook.md").unlink()
    assert_names(done("verify", out, status=1).stderr, f"{NAMES[0]}/codebook.md", f"repair {out}`")


def test_a_dry_run_shows_scenarios_games_minutes_and_disk_and_writes_nothing(here):
    shown = done("run", write(here, TEXT), "--dry-run", "--out", "out", "--workers", 1).stdout
    lines = [line.split() for line in shown.splitlines()]
    head = lines.index(["scenario", "games", "minutes", "disk", "in", "MB"])
    games = (*zip(NAMES, ("30", "30", "70", "70"), strict=True), ("all", "200"))
    assert [tuple(line[:2]) for line in lines[head + 1 : head + 6]] == list(games)
    assert "1 worker" in shown
    assert [path.name for path in here.iterdir()] == ["x.toml"]


def test_a_dry_run_of_one_experiment_has_one_line(here):
    words = ("run", "--policies", "random", "--games", 1_000_000, "--dry-run", "--workers", 1)
    assert "1,000,000" in printed(*words)
    estimate = document(*words)
    assert (estimate["workers"], estimate["games"], estimate["scenarios"][0]["scenario"]) == (1, 1_000_000, None)
    assert 1e6 < estimate["bytes"] < 1e9
    assert list(here.iterdir()) == []


def test_a_line_up_of_another_size_is_reported_on_stderr(here):
    file = write(here, 'policies = "random"\ngames = 3\n[scenario.printed]\n[scenario.small.lineup.A]\nBurgund = 5\n')
    result = done("run", file, "--out", "out", "--quiet")
    assert re.findall(r"^warning: (.*?): \w+ 1 county", result.stderr, re.MULTILINE) == ["scenario small: lineup.A"]
    assert_names(result.stdout, "Line-up A", "1 county", "5 armies")
    again = done("trace", "out/scenario=small", "--out", "game.jsonl")
    assert again.stderr.startswith("warning: lineup.A:")
    assert Path("game.jsonl").exists()


def test_a_stopped_command_counts_the_games_of_all_scenarios(finished, capsys):
    handler = signal.getsignal(signal.SIGTERM)
    try:
        with pytest.raises(typer.Exit) as caught, stoppable(finished[0], "games"):
            raise KeyboardInterrupt
    finally:
        signal.signal(signal.SIGTERM, handler)
    assert caught.value.exit_code == 130
    assert "200 finished games" in capsys.readouterr().err
