"""The command line: what it prints, what it refuses, and with which exit status."""

import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from wallsim.cli import app
from wallsim.report.tables.catalogues import amount_rows, rule_rows
from wallsim.rules.files import data_folder
from wallsim.rules.ruleset import FIELD_NAMES, Ruleset
from wallsim.rules.terms import EXPANSIONS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli") / "run"
    result = wallsim("run", "--games", "60", "--seed", "4", "--battles", "--out", str(folder))
    assert result.exit_code == 0, result.output
    return folder, result.output


def wallsim(*words):
    # The command takes over SIGTERM; the test's process wants its own back.
    handler = signal.getsignal(signal.SIGTERM)
    try:
        return CliRunner().invoke(app, list(words))
    finally:
        signal.signal(signal.SIGTERM, handler)


def refusal(*words):
    result = wallsim(*words)
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    assert result.stdout == ""
    return result.stderr


def start(*words, **options):
    command = [sys.executable, "-m", "wallsim", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, env=environment, text=True, **options)


def test_a_run_ends_with_its_summary_and_how_to_open_it(finished):
    folder, output = finished
    assert "60 games, 4 players, line-ups, seed 4" in output
    assert f'seats = pl.read_parquet("{folder}/seats/*.parquet")' in output
    assert pl.read_parquet(folder / "seats" / "*.parquet").height == 240


@pytest.mark.parametrize("name", ["~", "~/x", "file:x"])
def test_what_is_printed_opens_the_folder_whatever_its_name_means_elsewhere(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    output = wallsim("run", "--games", "20", "--policies", "random", "--out", name).output
    (pattern,) = re.findall(r'pl\.read_parquet\("(.*)"\)', output)
    assert pl.read_parquet(pattern).height == 80
    assert (tmp_path / name / "manifest.json").exists()


def test_a_finished_run_only_prints_its_summary(finished):
    folder, _ = finished
    result = wallsim("run", "--games", "60", "--seed", "4", "--battles", "--out", str(folder))
    assert result.exit_code == 0
    assert "nothing to play" in result.stderr
    assert result.stdout == wallsim("summary", str(folder)).stdout


def test_a_file_may_go_with_games_seed_workers_and_out_only(here):
    Path("x.toml").write_text('name = "my run"\ngames = 40\nplayers = 3', "utf-8")
    result = wallsim("run", "x.toml", "--games", "35", "--seed", "9", "--workers", "1", "--out", "run")
    assert result.exit_code == 0, result.output
    assert "my run: 35 games, 3 players, line-ups, seed 9" in result.stdout
    assert "--players, --tower: cannot be combined with x.toml" in refusal(
        "run", "x.toml", "--players", "3", "--tower", "mid"
    )


def test_without_out_the_folder_is_named_after_the_experiment(here):
    Path("x.toml").write_text('name = "my run"\ngames = 5', "utf-8")
    assert wallsim("run", "x.toml").exit_code == 0
    [folder] = Path("results").iterdir()
    assert folder.name.startswith("my_run-")


def test_flags_reach_the_experiment(here):
    result = wallsim(
        "run", "--players", "3", "--setup", "draft", "--policies", "random,random,random", "--games", "1_0",
        "--seed", "8", "--tower", "rulebook", "--switch", "food_track=open", "--switch", "bank=150",
        "--seasons", "--board", str(data_folder("board")), "--out", "run",
        "--edition", "1e", "--expansions", "leaders,court",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    manifest = json.loads(Path("run/manifest.json").read_text("utf-8"))
    facts = manifest["experiment"]["identity"]
    assert (facts["players"], facts["setup"], manifest["games"], facts["seed"]) == (3, "draft", 10, 8)
    assert (facts["food_track"], facts["bank"], facts["tower"]["p"]) == ("open", 150, 0.184)
    assert (facts["seasons"], facts["battles"]) == (True, False)
    assert (facts["edition"], facts["expansions"]) == ("1e", ["court", "leaders"])
    said = " ".join(result.stdout.split())
    assert "first edition; expansions court, leaders; draft; food_track = open; bank = 150." in said
    assert "favors taken" in result.stdout


@pytest.mark.parametrize("said", ["all", "leaders, court,landsknechte"])
def test_a_trace_takes_edition_and_expansions(said):
    result = wallsim("trace", "--policies", "random", "--edition", "1e", "--expansions", said)
    assert result.exit_code == 0, result.output
    opening = json.loads(result.stdout.splitlines()[0])
    assert (opening["edition"], opening["expansions"]) == ("1e", ["court", "landsknechte", "leaders"])


@pytest.mark.parametrize(
    ("words", "piece"),
    [
        (("--policies", "nobody"), '--policies: "nobody" is not one of '),
        (("--players", "7"), "--players: 7 is not one of 3, 4, 5"),
        (("--players", "many"), '--players: "many" is not one of 3, 4, 5'),
        (("--games", "-5"), "--games: -5 is not a whole number from 1 to 10000000000"),
        (("--games", "x"), '--games: "x" is not a whole number from 1 to 10000000000'),
        (("--workers", "0"), '--workers: "0" is not a whole number from 1 to '),
        (("--lineups", "A,B,C"), '--lineups: ["A", "B", "C"] is not each of A, B, C, D once'),
        (("--switch", "food_track"), "--switch: 'food_track' is not NAME=VALUE"),
        (("--switch", "combat=can"), '--switch combat: "can" is not one of must, may'),
        (("--switch", "edition=1e"), "--switch edition: unknown switch; edition is a separate key or option"),
        (("--edition", "2"), '--edition: "2" is not one of 2e, 1e'),
        (
            ("--expansions", "sea"),
            '--expansions: "sea" is not one of court, landsknechte, leaders; all must be used alone',
        ),
        (("--expansions", "court,court"), '--expansions: "court" is named more than once'),
        (("--expansions", ""), '--expansions: "" is not one of court, landsknechte, leaders'),
        (("--out", "/dev/null/run"), "/dev/null/run: cannot be written: Not a directory"),
        (("none.toml",), "none.toml: cannot be read: No such file or directory"),
        (("--gamse", "3"), "No such option"),
    ],
)
def test_bad_input_is_refused_with_status_2(here, words, piece):
    assert piece in refusal("run", *words)
    assert list(here.iterdir()) == []


def test_a_broken_toml_and_many_errors_are_refused_with_status_2(here):
    Path("x.toml").write_text("games = = 3", "utf-8")
    assert "x.toml: not a TOML file" in refusal("run", "x.toml")
    Path("x.toml").write_text("games = 0\nplayers = 7", "utf-8")
    assert len(refusal("run", "x.toml").splitlines()) == 2


def test_a_folder_with_another_experiment_is_refused_with_status_2(finished):
    folder, _ = finished
    message = refusal("run", "--games", "60", "--seed", "5", "--battles", "--out", str(folder))
    assert "contains another experiment: seed is 4 there, 5 here" in message


def test_a_board_with_a_one_sided_border_is_refused_with_status_2(here):
    shutil.copytree(data_folder("board"), "board")
    borders = Path("board/borders.csv")
    first = borders.read_text("utf-8").splitlines()[1].split(",")
    with borders.open("a", encoding="utf-8") as file:
        file.write(",".join([first[1], first[0], *first[2:]]) + "\n")
    assert "borders.csv, line" in refusal("run", "--board", "board")
    assert "borders.csv, line" in refusal("board", "check", "board")


def test_a_sound_board_is_said_to_be_sound():
    result = wallsim("board", "check", str(data_folder("board")))
    assert result.exit_code == 0
    assert "no errors" in result.stdout


def test_a_trace_of_a_run_is_that_of_the_same_flags(finished, here):
    folder, _ = finished
    of_run = wallsim("trace", str(folder), "--game", "7")
    assert of_run.exit_code == 0, of_run.output
    assert of_run.stdout == wallsim("trace", "--seed", "4", "--game", "7").stdout
    lines = [json.loads(line) for line in of_run.stdout.splitlines()]
    assert (lines[0]["t"], lines[0]["game"], lines[-1]["t"]) == ("game", 7, "end")
    rows = pl.read_parquet(folder / "seats" / "*.parquet").filter(pl.col("game") == 7)
    assert lines[-1]["vp"] == rows["vp"].to_list()
    assert wallsim("trace", str(folder), "--game", "7", "--out", "t.jsonl").exit_code == 0
    assert Path("t.jsonl").read_text("utf-8") == of_run.stdout


def test_a_trace_can_be_reported_as_a_story(finished):
    result = wallsim("trace", str(finished[0]), "--game", "7", "--text")
    assert result.exit_code == 0
    assert "game 7 of seed 4" in result.stdout


def test_a_trace_must_be_of_a_game_of_the_run(finished):
    folder = str(finished[0])
    assert "--game: 60 is not a whole number from 0 to 59" in refusal("trace", folder, "--game", "60")
    assert "--seed: cannot be combined with" in refusal("trace", folder, "--seed", "1")
    assert "--out: /dev/null/x cannot be written" in refusal("trace", folder, "--out", "/dev/null/x")


def test_verify_finds_damage_with_status_1(finished, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(finished[0], folder)
    assert wallsim("verify", str(folder)).exit_code == 0
    part = folder / "seats" / "part-000000.parquet"
    part.write_bytes(part.read_bytes()[:-1] + b"x")
    for command in ("verify", "summary"):
        result = wallsim(command, str(folder))
        assert result.exit_code == 1
        assert "seats/part-000000.parquet" in result.stderr
    assert "contains no run" in refusal("verify", str(tmp_path))
    assert "contains no run" in refusal("summary", str(tmp_path))


def test_edition_and_expansions_do_not_go_with_a_file_or_folder(finished, here):
    Path("x.toml").write_text('edition = "1e"\nexpansions = "court"', "utf-8")
    words = ("--edition", "2e", "--expansions", "all")
    assert "--edition, --expansions: cannot be combined with x.toml" in refusal("run", "x.toml", *words)
    assert "--expansions: cannot be combined with" in refusal("trace", str(finished[0]), "--expansions", "all")
    assert "--expansions: cannot be combined with" in refusal("codebook", str(finished[0]), "--expansions", "all")


def test_own_favors_are_checked_and_played(here):  # E6
    shutil.copytree(data_folder("board"), "mine")
    favors = Path("mine/favors.csv")
    text = favors.read_text("utf-8")
    favors.write_text(text.replace("13,victory_points,2", "13,victory_points,many"), "utf-8")
    for words in (("board", "check", "mine"), ("run", "--board", "mine", "--expansions", "court")):
        assert "favors.csv, line 14, column value" in refusal(*words)
    favors.write_text(text.replace("kind: rulebook; value: assumed", "printed on the card"), "utf-8")
    assert "no errors" in wallsim("board", "check", "mine").stdout
    flags = ("--board", "mine", "--expansions", "court", "--policies", "random", "--games", "20", "--out", "run")
    result = wallsim("run", *flags)
    assert result.exit_code == 0, result.output
    assert "Assumed in" not in result.stdout
    assert "printed on the card" in result.stdout


def test_codebooks_are_of_a_run_or_of_the_expansions_named(finished):
    base = wallsim("codebook").stdout
    full = wallsim("codebook", "--expansions", "court,leaders").stdout
    for column, here in (("vp_year1", base), ("vp_year1", full), ("vp_favors", full), ("statues_left", full)):
        assert f"| `{column}` |" in here
    for column, here in (("vp_favors", base), ("statues_left", base), ("vp_landsknechte", full)):
        assert f"| `{column}` |" not in here
    own = wallsim("codebook", str(finished[0]))
    assert own.exit_code == 0
    assert "## battles" in own.stdout
    assert "## seasons" not in own.stdout
    assert '--expansions: "sea" is not one of' in refusal("codebook", "--expansions", "sea")
    assert "contains no run" in refusal("codebook", str(data_folder("board")))


def test_rules_and_numbers_are_tables_unbroken_at_100_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    text = wallsim("rules").stdout
    lines = text.splitlines()
    assert max(map(len, lines)) <= 100
    default = Ruleset()
    for mark, *cells, meaning in (*rule_rows(), *amount_rows()):
        cells = cells if mark == "N" else [mark, *cells]
        [start] = [line for line in lines if line.startswith(f"{cells[0]} ") and f" {cells[-3]} " in line]
        *shown, rest = re.split(r"\s{2,}", start.strip())
        assert shown == cells
        assert meaning.startswith(rest)
        if mark == "N":
            assert str(default.amount(cells[-3])) == cells[-2]
        elif cells[-3] not in EXPANSIONS:
            assert str(getattr(default, cells[-3])) == cells[-2]
    assert [words[2] for words in rule_rows()[:6]] == ["players", "setup", "edition", *EXPANSIONS]
    assert {words[2] for words in rule_rows()} | {"expansions", "lineups"} == {*FIELD_NAMES, *EXPANSIONS}


@pytest.mark.parametrize(
    ("command", "piece"),
    [
        ("rules", "food_track"),
        ("policies", "random"),
        ("towers", "spielbyweb"),
        ("codebook", "| `vp_year1` |"),
    ],
)
def test_what_can_be_chosen_is_listed(command, piece):
    result = wallsim(command)
    assert result.exit_code == 0
    assert piece in result.stdout


def test_the_version_names_the_engine():
    assert "engine version" in wallsim("--version").stdout


def test_help_imports_nothing_heavy():
    code = """
import sys
from typer.testing import CliRunner
from wallsim.cli import app
for words in (["--help"], ["run", "--help"], ["trace", "--help"]):
    assert CliRunner().invoke(app, words).exit_code == 0
print(sorted({"numba", "numpy", "polars", "joblib", "scipy", "pandas"} & sys.modules.keys()))
"""
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.slow
@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_command_says_how_to_go_on(here, sent, status):
    words = ("run", "--games", "100000000", "--out", "run", "--workers", "2")
    process = start(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < deadline and not list(here.glob("run/seats")):
        time.sleep(0.05)
    time.sleep(1.0)
    process.send_signal(sent)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == status, errors
    assert output == ""
    assert "Traceback" not in errors
    stored = re.search(r"Stopped\. ([0-9,]+) finished games are stored in run; the same command resumes", errors)
    lines = Path("run/journal.jsonl").read_text("utf-8").splitlines()[1:]
    played = sum(json.loads(line)["games"] for line in lines)
    assert stored is not None or ("No games were finished" in errors and played == 0)
    assert stored is None or int(stored[1].replace(",", "")) == played
    assert not list(here.rglob("*.writing"))


def test_a_closed_pipe_is_no_error_message():
    process = start("codebook", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    errors = process.stderr.read()
    process.wait(timeout=60)
    process.stderr.close()
    assert "Traceback" not in errors
    assert "Exception ignored" not in errors


@pytest.mark.parametrize(
    ("words", "piece"),
    [
        (("trace", "--game", "99999999999999999999"), "--game: 99999999999999999999 is not a whole number from 0 to"),
        (("trace", "--game", "9" * 5000), "is not a whole number from 0 to 9999999999"),
        (("trace", "--game", "-1"), "--game: -1 is not a whole number from 0 to 9999999999"),
        (("trace", "--seed", "9" * 5000), "--seed: "),
        (("run", "--games", "9" * 5000), "--games: "),
        (("run", "--workers", "9" * 5000), "--workers: "),
        (("run", "--switch", "bank=" + "9" * 5000), "--switch bank: "),
        (("run", "--switch", f"bank={10**23}"), f"--switch bank: {10**23} is not 0 (never runs out) or "),
        (("run", "--switch", "bank=100", "--switch", "bank=200"), "--switch: bank given more than once"),
        (("summary", "x" * 300), "cannot be read: File name too long"),
        (("verify", "x" * 300), "cannot be read: File name too long"),
        (("trace", "x" * 300), "cannot be read: File name too long"),
    ],
)
def test_numbers_names_and_switches_beyond_reason_are_refused(here, words, piece):
    message = refusal(*words)
    assert piece in message
    assert len(message) < 700
    assert list(here.iterdir()) == []


def test_a_trace_is_written_whole_or_not_at_all(here, monkeypatch):
    Path("t.jsonl").write_text("old", "utf-8")

    def full(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        message = refusal("trace", "--policies", "random", "--out", "t.jsonl")
    assert message == "--out: t.jsonl cannot be written: No space left on device\n"
    assert Path("t.jsonl").read_text("utf-8") == "old"
    assert [path.name for path in here.iterdir()] == ["t.jsonl"]
    assert "cannot be written: Is a directory" in refusal("trace", "--policies", "random", "--out", str(here))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_trace_to_a_full_device_is_refused(here):
    wanted = "cannot be written: No space left on device"
    assert wanted in refusal("trace", "--policies", "random", "--out", "/dev/full")
    assert Path("/dev/full").is_char_device()
    with open("/dev/full", "w") as device:
        process = start("trace", "--policies", "random", stdout=device, stderr=subprocess.PIPE)
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 2
    assert errors.splitlines()[-1] == "standard output: No space left on device"  # a slow start is announced before
