"""`wallsim tournament`: what it plays, prints and writes, what it shows again, and what it refuses."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from math import inf, nan
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tests.cli.test_games import refusal, wallsim
from wallsim.folder.tournament import TournamentRun
from wallsim.report.pages.tournament_files import LADDER_PICTURE, PAYOFF_PICTURE, RATINGS_JSON, RATINGS_PARQUET, plain

ROOT = Path(__file__).resolve().parents[2]
WORDS = ("tournament", "random,balanced,heedless", "--players", "3", "--blocks", "36", "--seed", "3")
FILES = (LADDER_PICTURE, PAYOFF_PICTURE, RATINGS_JSON, RATINGS_PARQUET)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli") / "cup"
    result = wallsim(*WORDS, "--out", str(folder))
    assert result.exit_code == 0, result.output
    return folder, result.stdout


def test_it_prints_what_was_played_the_ladder_and_its_assumptions(finished):
    _, output = finished
    title = "Tournament of 3 policies: 108 games in 36 blocks of 3, 3 players, line-ups, tower spielbyweb, seed 3, "
    assert title + "engine version " in output
    ladder = [line.split()[:2] for line in output.splitlines() if re.match(r"[123]  \w", line)]
    assert ladder[:3] == ladder[3:6]  # the pay-offs stand in the order of the ladder
    assert ladder[2] == ["3", "random"]
    for words in ("108 games of 3 players in 36 blocks", "Assumptions:", "Tower: spielbyweb", "policy × line-up"):
        assert words in output


def test_it_writes_pictures_and_ratings_beside_the_games(finished):
    folder, output = finished
    for name in FILES:
        assert name in output
        assert (folder / name).stat().st_size > 500
    assert (folder / LADDER_PICTURE).read_bytes().startswith(b"\x89PNG")
    estimate = json.loads((folder / RATINGS_JSON).read_text("utf-8"))
    ladder = pl.read_parquet(folder / RATINGS_PARQUET)
    assert ladder["policy"].to_list() == [rating["policy"] for rating in estimate["ratings"]["ladder"]]
    assert ladder["strength"].to_list() == [rating["strength"] for rating in estimate["ratings"]["ladder"]]
    assert ladder["place"].to_list() == [1, 2, 3]
    assert ladder["games"].to_list() == [108] * 3
    assert (estimate["games"], estimate["blocks"], estimate["tower"]) == (108, 36, "spielbyweb")
    assert estimate["tournament"]["hash"] == TournamentRun.open(folder).manifest["experiment"]["hash"]
    shares = TournamentRun.open(folder).rows().group_by(pl.col("policy").cast(pl.String)).agg(pl.col("win").mean())
    assert dict(ladder.select("policy", "win_share").iter_rows()) == pytest.approx(dict(shares.iter_rows()), abs=1e-6)


def test_the_same_command_shows_it_again_and_so_does_the_folder(finished):
    folder, output = finished
    again = wallsim(*WORDS, "--out", str(folder))
    assert "nothing to play" in again.stderr
    assert again.stdout == output
    (folder / LADDER_PICTURE).unlink()
    assert wallsim("tournament", str(folder)).stdout == output
    assert (folder / LADDER_PICTURE).exists()


def test_a_picture_that_fails_loses_no_number(finished, tmp_path, monkeypatch):
    folder, output = finished
    shutil.copytree(folder, tmp_path / "cup")
    for name in FILES:
        (tmp_path / "cup" / name).unlink()
    with monkeypatch.context() as context:
        context.setattr("wallsim.report.pages.tournament_files.payoff_heatmap", lambda *_: 1 / 0)
        result = wallsim("tournament", str(tmp_path / "cup"))
    assert result.exit_code == 3
    assert f"cup/{PAYOFF_PICTURE}: cannot be drawn (ZeroDivisionError" in result.stderr
    assert result.stdout.splitlines()[:9] == output.splitlines()[:9]
    for name in (RATINGS_JSON, RATINGS_PARQUET, LADDER_PICTURE):
        assert (tmp_path / "cup" / name).read_bytes() == (folder / name).read_bytes()
    assert not (tmp_path / "cup" / PAYOFF_PICTURE).exists()
    assert not (tmp_path / "cup" / "checksums.json").exists()
    assert wallsim("tournament", str(tmp_path / "cup")).exit_code == 0
    assert (tmp_path / "cup" / PAYOFF_PICTURE).read_bytes() == (folder / PAYOFF_PICTURE).read_bytes()


def test_what_has_been_written_is_the_same_whoever_plays(finished, tmp_path):
    folder, _ = finished
    assert wallsim(*WORDS, "--out", str(tmp_path / "cup"), "--workers", "1").exit_code == 0
    for name in (RATINGS_JSON, RATINGS_PARQUET, PAYOFF_PICTURE, "results/part-000000.parquet"):
        assert (tmp_path / "cup" / name).read_bytes() == (folder / name).read_bytes()


@pytest.mark.slow
def test_a_growing_tournament_is_warned_of_and_counts_the_looks_at_its_ladder(tmp_path):
    folder = tmp_path / "cup"

    def grown(blocks):
        result = wallsim(*WORDS[:4], "--blocks", str(blocks), "--out", str(folder))
        assert result.exit_code == 0, result.output
        return result

    first, again, more = grown(24), grown(24), grown(48)
    warning = "24 blocks are added to 24. Intervals hold for a number of blocks fixed beforehand; they are not valid"
    assert [warning in result.stderr for result in (first, again, more)] == [False, False, True]
    once = "The ladder of this folder has been analysed once, at 24 blocks."
    assert once in first.stdout
    assert once in again.stdout  # the same number of blocks again is no other look
    assert "analysed 2 times, at 24 and 48 blocks; its intervals hold for the first analysis only." in " ".join(
        more.stdout.split()
    )
    text = grown(96).stdout
    assert "analysed 3 times, at 24, 48 and 96 blocks; its intervals hold for the first analysis only." in " ".join(
        text.split()
    )
    assert wallsim("tournament", str(folder)).stdout == text
    assert "no file is missing or changed" in wallsim("verify", str(folder)).stdout
    before = (folder / "ratings.json").read_bytes()
    (folder / "ratings.json").write_bytes(before.replace(b"1", b"2", 1))
    reported = wallsim("verify", str(folder))
    assert (reported.exit_code, "ratings.json: its bytes have changed" in reported.stderr) == (1, True)
    assert "ratings.json: its bytes have changed; written again" in wallsim("tournament", str(folder)).stderr
    assert (folder / "ratings.json").read_bytes() == before
    assert wallsim("verify", str(folder)).exit_code == 0
    refused = wallsim("summary", str(folder))
    assert (refused.exit_code, f"`wallsim tournament {folder}` shows it" in refused.stderr) == (2, True)


@pytest.mark.slow
@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "bytes_",
    [b"", b"{", b"[]", b"\xff", b'{"hash": "another", "blocks": [36]}', b'{"hash": HASH, "blocks": [36, 12]}',
     b'{"hash": HASH, "blocks": ["36"]}', b'{"hash": HASH, "blocks": 36}'],
)  # fmt: skip
def test_damaged_looks_are_named_and_change_nothing(finished, tmp_path, bytes_):
    cup = tmp_path / "cup"
    shutil.copytree(finished[0], cup)
    own = json.dumps(TournamentRun.open(cup).manifest["experiment"]["hash"]).encode()
    (cup / "looks.json").write_bytes(bytes_.replace(b"HASH", own))
    for words in (("tournament", str(cup)), (*WORDS, "--out", str(cup))):
        result = wallsim(*words)
        assert result.exit_code == 1
        assert f"{cup / 'looks.json'}: is damaged; delete it, and the" in result.stderr
    reported = wallsim("verify", str(cup))
    assert reported.exit_code == 1
    assert "looks.json: is damaged; delete it" in reported.output
    assert TournamentRun.open(cup).manifest["blocks"] == 36
    (cup / "looks.json").unlink()
    assert "analysed once, at 36 blocks" in wallsim("tournament", str(cup)).stdout


def test_looks_that_cannot_be_written_are_an_error(finished, tmp_path):
    cup = tmp_path / "cup"
    shutil.copytree(finished[0], cup)
    (cup / "looks.json").unlink()
    (cup / "looks.json").mkdir()
    result = wallsim("tournament", str(cup))
    assert result.exit_code != 0
    assert "looks.json: is not a regular file, so it is not read" in result.stderr


def test_it_is_verified_and_distinguished_from_a_run(finished):
    folder, _ = finished
    assert "no file is missing or changed" in wallsim("verify", str(folder)).stdout
    codebook = wallsim("codebook", str(folder)).stdout
    assert "| `margin` | Int64 | victory points | victory points above the best other seat" in codebook
    assert f"contains a tournament, not a run; `wallsim tournament {folder}` shows it" in refusal(
        "summary", str(folder)
    )
    assert "contains another tournament: seed is 3 there, 4 here" in refusal(*WORDS[:-1], "4", "--out", str(folder))
    assert "--blocks: 35 are fewer than the 36" in refusal(*WORDS, "--blocks", "35", "--out", str(folder))


def test_flags_reach_the_table(here):
    result = wallsim(
        "tournament", "random, heedless", "--blocks", "2", "--players", "5", "--setup", "draft", "--edition", "1e",
        "--expansions", "leaders", "--tower", "mid", "--switch", "bank=150", "--workers", "1",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    [folder] = Path("results").iterdir()
    facts = TournamentRun.open(folder).manifest["experiment"]["identity"]
    assert folder.name.startswith("tournament-")
    assert (facts["players"], facts["setup"], facts["edition"], facts["expansions"]) == (5, "draft", "1e", ["leaders"])
    assert (facts["bank"], facts["tower"]["p"]) == (150, 0.72)
    assert "5 players, draft, tower mid, seed 1" in result.stdout
    assert "Not the default: tower mid; first edition; expansion leaders; draft; bank = 150." in result.stdout


@pytest.mark.parametrize(
    ("words", "piece"),
    [
        (("random,nobody",), "POLICIES: 'nobody' is not one of amateur, "),
        (("random",), "POLICIES: 1 is too few for a tournament; at least two are needed"),
        (("random,",), "POLICIES: '' is not one of "),
        (("random,builder,random",), "POLICIES: 'random' is the name of more than one"),
        (("random,builder", "--players", "6"), "--players: 6 is not one of 3, 4, 5"),
        (("random,builder", "--blocks", "0"), '--blocks: "0" is not a whole number from 1 to '),
        (("random,builder", "--blocks", "many"), '--blocks: "many" is not a whole number from 1 to '),
        (("random,builder", "--blocks", "999999999"), "--blocks: 999999999 is not a whole number from 1 to 250000000"),
        (("random,builder", "--workers", "0"), '--workers: "0" is not a whole number from 1 to '),
        (("random,builder", "--tower", "leaning"), "leaning"),
        (("random,builder", "--switch", "bank=1"), "--switch bank: 1 is not "),
        (("random,builder", "--out", "/dev/null/cup"), "/dev/null/cup: cannot be written: Not a directory"),
        ((".",), ".: contains no tournament"),
        ((".", "--blocks", "3", "--switch", "bank=150"), "--switch, --blocks: cannot be combined with the folder ."),
        ((".", "--check-policies"), "--check-policies: cannot be combined with the folder ."),
        (("",), "POLICIES: is empty; give two or more policies, separated by commas, or the folder of a tournament"),
        ((" ",), "POLICIES: is empty"),
        ((",",), "POLICIES: '' is not one of "),
        (("nobody,nobody",), "POLICIES: 'nobody' is not one of "),
    ],
)
def test_bad_input_is_refused_with_status_2(here, words, piece):
    reported = refusal("tournament", *words)
    assert piece in reported
    assert len(set(reported.splitlines())) == len(reported.splitlines())
    assert list(here.iterdir()) == []


def test_an_unfinished_one_is_an_error_that_names_the_way_on(finished, tmp_path):
    folder, _ = finished
    cup = tmp_path / "cup"
    cup.mkdir()
    (cup / "journal.jsonl").write_bytes((folder / "journal.jsonl").read_bytes())
    result = wallsim("tournament", str(cup))
    assert result.exit_code == 1
    assert (
        "the tournament is not finished: 108 of 108 games are finished; the command that started it resumes it"
        in result.stderr
    )


@pytest.mark.slow
@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_one_says_that_it_can_go_on(tmp_path, sent, status):
    folder = tmp_path / "cup"
    words = ["tournament", "random,balanced", "--blocks", "40000", "--out", str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, "-m", "wallsim", *words], env=environment, text=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    deadline = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < deadline:
        if (folder / "journal.jsonl").exists() and len((folder / "journal.jsonl").read_bytes().splitlines()) > 1:
            break  # a chunk is finished, so all is compiled and loaded
        time.sleep(0.01)
    process.send_signal(sent)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == status, errors
    stored = rf"Stopped\. [0-9,]+ finished games are stored in {folder}; the same command resumes"
    assert re.search(stored, errors)
    assert "Traceback" not in errors


def test_numbers_that_do_not_exist_are_null_in_json():
    assert plain({"a": np.array([[1.0, nan]]), "b": (inf, np.int64(3), None, "x")}) == {
        "a": [[1.0, None]],
        "b": [None, 3, None, "x"],
    }


SCENARIOS = """
policies = "nothing_that_exists"
games = 7
seed = 9
[scenario.printed]
[scenario.fix]
amounts.palace_price = 4
thalers = { A = 11 }
lineup.A.exchange = { Baden = "Breisgau" }
interventions = [{ do = "hand", vp = 2, seat = "B", round = "start" }]
"""


@pytest.fixture
def scenarios(tmp_path):
    (tmp_path / "x.toml").write_text(SCENARIOS, "utf-8")
    return tmp_path / "x.toml"


def test_it_takes_amounts_line_ups_and_interventions_from_a_scenario(scenarios, tmp_path):
    words = ("tournament", "random,balanced", "--blocks", "1", "--experiment", str(scenarios), "--scenario", "fix")
    result = wallsim(*words, "--out", str(tmp_path / "cup"))
    assert result.exit_code == 0, result.output
    assert "Not the default: palace_price = 4 (printed 3); starting Thalers A 11; edited line-up A; " in result.stdout
    facts = TournamentRun.open(tmp_path / "cup").identity
    assert (facts["amounts"], facts["thalers"], facts["seed"]) == ({"palace_price": 4}, {"A": 11}, 9)
    assert ["Breisgau", 2] in facts["lineup"]["A"]
    assert facts["interventions"][0]["seat"] == "B"
    assert wallsim("verify", str(tmp_path / "cup")).exit_code == 0
    assert wallsim("verify", str(tmp_path / "cup"), "--replay", "all").exit_code == 0
    other = wallsim(*words, "--seed", "3", "--out", str(tmp_path / "other"))
    assert other.exit_code == 0, other.output
    assert TournamentRun.open(tmp_path / "other").identity["seed"] == 3


def test_folders_of_runs_and_scenarios_stand_for_their_files(scenarios, tmp_path):
    scenarios.write_text(SCENARIOS.replace("nothing_that_exists", "random"), "utf-8")
    assert wallsim("run", str(scenarios), "--out", str(tmp_path / "out")).exit_code == 0
    hashes = set()
    for number, words in enumerate([
        (str(scenarios), "--scenario", "fix"), (str(tmp_path / "out"), "--scenario", "fix"),
        (str(tmp_path / "out" / "scenario=fix"),),
    ]):  # fmt: skip
        cup = tmp_path / f"cup{number}"
        result = wallsim("tournament", "random,balanced", "--blocks", "1", "--experiment", *words, "--out", str(cup))
        assert result.exit_code == 0, result.output
        hashes.add(TournamentRun.open(cup).hash)
    assert len(hashes) == 1


def test_python_policies_of_the_experiment_are_not_run(tmp_path):
    (tmp_path / "loud.py").write_text("raise SystemExit('was run')", "utf-8")
    (tmp_path / "x.toml").write_text('policies = "loud.py"\nplayers = 3\n', "utf-8")
    words = ("--blocks", "1", "--experiment", str(tmp_path / "x.toml"), "--out", str(tmp_path / "cup"))
    assert wallsim("tournament", "random,balanced", *words).exit_code == 0
    assert TournamentRun.open(tmp_path / "cup").identity["players"] == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--experiment", "x.toml"], "--scenario: x.toml has the scenarios printed, fix; choose one"),
        (["--experiment", "x.toml", "--scenario", "fxi"], "--scenario: 'fxi' is not one of printed, fix"),
        (
            ["--experiment", "x.toml", "--scenario", "fix", "--players", "3"],
            "--players: cannot be combined with x.toml",
        ),
        (["--experiment", "one.toml", "--scenario", "fix"], "--scenario: one.toml has no scenarios; leave it out"),
        (["--scenario", "fix"], "--scenario: is for an experiment with scenarios"),
        (["--experiment", "none.toml"], "none.toml: cannot be read"),
        (["--experiment", "bad.toml"], "bad.toml: amounts.palace_prise"),
        (["--experiment", "."], "contains no run"),
    ],
)
def test_an_experiment_that_is_none_or_one_of_several_is_refused(words, message, scenarios, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.toml").write_text("players = 3\n", "utf-8")
    (tmp_path / "bad.toml").write_text("amounts.palace_prise = 3\n", "utf-8")
    assert message in refusal("tournament", "random,balanced", *words)
    assert not (tmp_path / "results").exists()
