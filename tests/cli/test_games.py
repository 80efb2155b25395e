"""Commands that play, check and show games: what they print and write, and with which exit status they end."""

import errno
import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path
from xml.etree import ElementTree

import polars as pl
import pytest

from tests.cli.commands import ROOT, document, done, printed, refusal, start, wallsim  # noqa: F401  for other rooms
from tests.refusals import assert_names
from wallsim.report.tables.catalogues import amount_rows, rule_rows
from wallsim.rules.files import data_folder
from wallsim.rules.ruleset import FIELD_NAMES, Ruleset
from wallsim.rules.terms import EXPANSIONS

RANDOM = ("--policies", "random")
PLAYED = ("run", "--games", 60, "--seed", 4, "--battles")


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a run, and what was printed; do not change it."""
    folder = tmp_path_factory.mktemp("cli") / "run"
    return folder, done(*PLAYED, "--out", folder).stdout


def test_a_run_ends_with_its_summary_and_how_to_open_it(finished):
    folder, shown = finished
    assert_names(shown, "60 games, 4 players", "seed 4", f'pl.read_parquet("{folder}/seats/*.parquet")')
    assert pl.read_parquet(folder / "seats" / "*.parquet").height == 240
    again = done(*PLAYED, "--out", folder)
    assert "nothing to play" in again.stderr
    assert again.stdout == done("summary", folder).stdout


@pytest.mark.parametrize("name", ["~/x", "file:x"])
def test_what_is_printed_opens_the_folder_whatever_its_name_means_elsewhere(name, here, monkeypatch):
    monkeypatch.setenv("HOME", str(here / "home"))
    shown = done("run", "--games", 20, *RANDOM, "--out", name).stdout
    (pattern,) = re.findall(r'pl\.read_parquet\("(.*)"\)', shown)
    assert pl.read_parquet(pattern).height == 80
    assert (here / name / "manifest.json").exists()


def test_a_file_may_go_with_games_seed_workers_and_out(here):
    Path("x.toml").write_text('name = "my run"\ngames = 40\nplayers = 3', "utf-8")
    shown = printed("run", "x.toml", "--games", 35, "--seed", 9, "--workers", 1, "--out", "run")
    assert_names(shown, "my run", "35 games, 3 players", "seed 9")


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ('name = "my run"\ngames = 5', "my_run-"),
        ('name = "my study"\npolicies = "random"\ngames = 3\n[scenario.a]', "my_study-"),
        ('policies = "random"\ngames = 3\n[scenario.a]', "scenarios-"),
    ],
)
def test_without_out_the_folder_is_named_after_the_experiment(here, text, begins):
    Path("x.toml").write_text(text, "utf-8")
    done("run", "x.toml")
    [folder] = Path("results").iterdir()
    assert folder.name.startswith(begins)


def test_flags_reach_the_experiment(here):
    shown = printed(
        "run", "--players", 3, "--setup", "draft", "--policies", "random,random,random", "--games", "1_0",
        "--seed", 8, "--tower", "rulebook", "--switch", "food_track=open", "--switch", "bank=150",
        "--edition", "1e", "--expansions", "leaders,court", "--seasons", "--board", data_folder("board"),
        "--out", "run",
    )  # fmt: skip
    manifest = json.loads(Path("run/manifest.json").read_text("utf-8"))
    facts = manifest["experiment"]["identity"]
    assert (facts["players"], facts["setup"], manifest["games"], facts["seed"]) == (3, "draft", 10, 8)
    assert (facts["food_track"], facts["bank"], facts["tower"]["p"]) == ("open", 150, 0.184)
    assert (facts["seasons"], facts["battles"]) == (True, False)
    assert (facts["edition"], facts["expansions"]) == ("1e", ["court", "leaders"])
    assert "favors taken" in shown


@pytest.mark.parametrize("said", ["all", "leaders, court,landsknechte"])
def test_a_trace_takes_edition_and_expansions(said):
    shown = done("trace", *RANDOM, "--edition", "1e", "--expansions", said).stdout
    opening = json.loads(shown.splitlines()[0])
    assert (opening["edition"], opening["expansions"]) == ("1e", ["court", "landsknechte", "leaders"])


def test_a_board_with_a_one_sided_border_is_refused_and_a_sound_one_is_not(here):
    shutil.copytree(data_folder("board"), "board")
    borders = Path("board/borders.csv")
    first = borders.read_text("utf-8").splitlines()[1].split(",")
    with borders.open("a", encoding="utf-8") as file:
        file.write(",".join([first[1], first[0], *first[2:]]) + "\n")
    assert "borders.csv, line" in refusal("run", "--board", "board")
    assert "borders.csv, line" in refusal("board", "check", "board")
    done("board", "check", data_folder("board"))


def test_a_trace_of_a_run_is_that_of_the_same_flags(finished, here):
    folder, _ = finished
    of_run = done("trace", folder, "--game", 7).stdout
    assert of_run == done("trace", "--seed", 4, "--game", 7).stdout
    lines = [json.loads(line) for line in of_run.splitlines()]
    assert (lines[0]["t"], lines[0]["game"], lines[-1]["t"]) == ("game", 7, "end")
    rows = pl.read_parquet(folder / "seats" / "*.parquet").filter(pl.col("game") == 7)
    assert lines[-1]["vp"] == rows["vp"].to_list()
    done("trace", folder, "--game", 7, "--out", "t.jsonl")
    assert Path("t.jsonl").read_text("utf-8") == of_run
    assert_names(done("trace", folder, "--game", 7, "--text").stdout, "game 7 of seed 4")


def test_verify_finds_damage_with_status_1(finished, tmp_path):
    folder = shutil.copytree(finished[0], tmp_path / "run")
    sound = {"folder": str(folder), "finished": True, "unchanged": True, "faults": []}
    assert document("verify", folder) == sound
    part = folder / "seats" / "part-000000.parquet"
    part.write_bytes(part.read_bytes()[:-1] + b"x")
    for command in ("verify", "summary"):
        assert "seats/part-000000.parquet" in done(command, folder, status=1).stderr
    (folder / "manifest.json").unlink()
    damaged = document("verify", folder, status=1)
    assert (damaged["finished"], damaged["unchanged"]) == (False, False)
    assert any("part-000000" in error for error in damaged["faults"])


def test_own_favors_are_checked_and_played(here):  # E6
    shutil.copytree(data_folder("board"), "mine")
    favors = Path("mine/favors.csv")
    text = favors.read_text("utf-8")
    favors.write_text(text.replace("13,victory_points,2", "13,victory_points,many"), "utf-8")
    assert "favors.csv, line 14, column value" in refusal("run", "--board", "mine", "--expansions", "court")
    favors.write_text(text.replace("kind: rulebook; value: assumed", "on the card"), "utf-8")
    shown = done("run", "--board", "mine", "--expansions", "court", *RANDOM, "--games", 20, "--out", "run").stdout
    assert "Assumed in" not in shown
    assert "on the card" in shown


def test_codebooks_are_of_a_run_or_of_the_expansions_named(finished):
    base, full, own = (
        done("codebook", *words).stdout for words in ((), ("--expansions", "court,leaders"), (finished[0],))
    )
    for column, there, lacking in (
        ("vp_year1", (base, full), ()), ("vp_favors", (full,), (base,)), ("statues_left", (full,), (base,)),
        ("vp_landsknechte", (), (base, full)),
    ):  # fmt: skip
        assert all(f"| `{column}` |" in text for text in there)
        assert not any(f"| `{column}` |" in text for text in lacking)
    assert "## battles" in own
    assert "## seasons" not in own
    tables = document("codebook")["tables"]
    assert {"games", "seats", "seasons", "battles"} <= set(tables)
    assert all({"column", "type", "unit", "meaning"} == set(row) for rows in tables.values() for row in rows)


def test_rules_and_numbers_are_tables_unbroken_at_100_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    lines = done("rules").stdout.splitlines()
    assert max(map(len, lines)) <= 100
    default = Ruleset()
    for mark, *cells, meaning in (*rule_rows(), *amount_rows()):
        cells = cells if mark == "N" else [mark, *cells]
        [line] = [line for line in lines if line.startswith(f"{cells[0]} ") and f" {cells[-3]} " in line]
        *shown, rest = re.split(r"\s{2,}", line.strip())
        assert shown == cells
        assert meaning.startswith(rest)
        if mark == "N":
            assert str(default.amount(cells[-3])) == cells[-2]
        elif cells[-3] not in EXPANSIONS:
            assert str(getattr(default, cells[-3])) == cells[-2]
    assert [words[2] for words in rule_rows()[:6]] == ["players", "setup", "edition", *EXPANSIONS]
    assert {words[2] for words in rule_rows()} | {"expansions", "lineups"} == {*FIELD_NAMES, *EXPANSIONS}


@pytest.mark.parametrize(
    ("command", "name", "keys"),
    [
        ("rules", "food_track", {"mark", "rules", "name", "default", "else", "meaning"}),
        ("policies", "random", {"policy", "kind", "weights", "description"}),
        ("towers", "spielbyweb", {"tower", "model", "through", "loose", "source"}),
    ],
)
def test_what_can_be_chosen_is_listed(command, name, keys):
    assert name in done(command).stdout
    rows = document(command)[command]
    assert name in str(rows)
    assert all(set(row) == keys for row in rows)


def test_run_and_summary_tell_each_seat_with_its_interval(here):
    words = ("run", *RANDOM, "--games", 200, "--expansions", "court", "--out", "run")
    estimate = document(*words)
    assert estimate == document(*words) == document("summary", "run")
    assert (estimate["games"], estimate["players"], estimate["fair_share"], estimate["level"]) == (200, 4, 0.25, 0.95)
    assert sum(seat["win_share"] for seat in estimate["seats"]) == pytest.approx(1)
    for seat in estimate["seats"]:
        low, high = seat["win_share_interval"]
        assert low <= seat["win_share"] <= high
        assert (seat["policy"], len(seat["vp_interval"])) == ("random", 2)
    assert {line["kind"] for line in estimate["breakdown"]} == {"victory points", "uses"}


def test_the_ending_of_a_picture_says_its_format(here):
    words = ("run", *RANDOM, "--games", 40, "--out", "run")
    assert "x.svg" in done(*words, "--plot", "x.svg").stderr
    first = Path("x.svg").read_bytes()
    tags = {node.tag.rpartition("}")[2] for node in ElementTree.fromstring(first).iter()}
    assert "svg" in tags
    assert "image" not in tags
    done("summary", "run", "--plot", "x.svg")
    assert Path("x.svg").read_bytes() == first
    for ending, begins in ((".png", b"\x89PNG"), (".PDF", b"%PDF")):
        done("summary", "run", "--plot", f"x{ending}")
        assert Path(f"x{ending}").read_bytes().startswith(begins)


@pytest.mark.slow
def test_an_interrupted_command_says_how_to_go_on(here):  # tests of endless policies send SIGINT, too
    process = start("run", "--games", "100000000", "--out", "run", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    journal, deadline = Path("run/journal.jsonl"), time.monotonic() + 120
    while time.monotonic() < deadline and not (journal.exists() and journal.read_bytes().count(b"\n") > 1):
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (143, ""), errors
    assert "Traceback" not in errors
    stored = re.search(r"Stopped\. ([0-9,]+) finished games .* in run;", errors)
    played = sum(json.loads(line)["games"] for line in journal.read_text("utf-8").splitlines()[1:])
    assert int(stored[1].replace(",", "")) == played > 0
    assert not list(here.rglob("*.writing"))


def test_a_trace_is_written_whole_or_not_at_all(here, monkeypatch):
    Path("t.jsonl").write_text("old", "utf-8")

    def full(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert_names(refusal("trace", *RANDOM, "--out", "t.jsonl"), "--out: t.jsonl", "No space left")
    assert Path("t.jsonl").read_text("utf-8") == "old"
    assert [path.name for path in here.iterdir()] == ["t.jsonl"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_trace_into_a_full_device_is_refused_and_the_device_stays(here):
    assert "No space left" in refusal("trace", *RANDOM, "--out", "/dev/full")
    assert Path("/dev/full").is_char_device()
