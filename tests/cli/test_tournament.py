"""`wallsim tournament`: what it plays, prints and writes, what it shows again, and what it refuses."""

import json
import re
import shutil
import signal
import subprocess
import time
from math import inf, nan
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tests.cli.commands import done, refusal, start
from tests.refusals import assert_names
from wallsim.folder.tournament import TournamentRun
from wallsim.report.pages.tournament_files import LADDER_PICTURE, PAYOFF_PICTURE, RATINGS_JSON, RATINGS_PARQUET, plain

WORDS = ("tournament", "random,balanced,heedless", "--players", 3, "--blocks", 36, "--seed", 3)
FILES = (LADDER_PICTURE, PAYOFF_PICTURE, RATINGS_JSON, RATINGS_PARQUET)
TWO = ("tournament", "random,balanced", "--blocks", 1)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a tournament, and what was printed; do not change it."""
    folder = tmp_path_factory.mktemp("cli") / "cup"
    return folder, done(*WORDS, "--out", folder).stdout


@pytest.fixture
def cup(finished, tmp_path):
    """A copy of its folder that a test may damage."""
    return shutil.copytree(finished[0], tmp_path / "cup")


def test_it_prints_what_was_played_the_ladder_and_its_assumptions(finished):
    folder, shown = finished
    assert_names(shown, "3 policies", "108 games", "36 blocks of 3", "3 players", "seed 3", "Tower: spielbyweb", *FILES)
    ladder = [line.split()[:2] for line in shown.splitlines() if re.match(r"[123]  \w", line)]
    assert ladder[:3] == ladder[3:6]  # the pay-offs stand in the order of the ladder
    assert ladder[2] == ["3", "random"]
    assert "`margin`" in done("codebook", folder).stdout


def test_it_writes_pictures_and_ratings_beside_the_games(finished):
    folder, _ = finished
    for name in (LADDER_PICTURE, PAYOFF_PICTURE):
        assert (folder / name).read_bytes().startswith(b"\x89PNG")
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


def test_the_same_command_shows_it_again_and_so_does_the_folder(finished, cup):
    _, shown = finished
    again = done(*WORDS, "--out", cup)
    assert "nothing to play" in again.stderr
    assert again.stdout.replace(str(cup), str(finished[0])) == shown
    (cup / LADDER_PICTURE).unlink()
    assert done("tournament", cup).stdout == again.stdout
    assert (cup / LADDER_PICTURE).exists()
    done("verify", cup)


def test_a_picture_that_fails_loses_no_number(finished, cup, monkeypatch):
    folder, shown = finished
    for name in FILES:
        (cup / name).unlink()
    with monkeypatch.context() as context:
        context.setattr("wallsim.report.pages.tournament_files.payoff_heatmap", lambda *_: 1 / 0)
        result = done("tournament", cup, status=3)
    assert_names(result.stderr, f"cup/{PAYOFF_PICTURE}:", "ZeroDivisionError")
    assert result.stdout.splitlines()[:9] == shown.splitlines()[:9]
    for name in (RATINGS_JSON, RATINGS_PARQUET, LADDER_PICTURE):
        assert (cup / name).read_bytes() == (folder / name).read_bytes()
    assert not (cup / PAYOFF_PICTURE).exists()
    assert not (cup / "checksums.json").exists()
    done("tournament", cup)
    assert (cup / PAYOFF_PICTURE).read_bytes() == (folder / PAYOFF_PICTURE).read_bytes()


@pytest.mark.slow
def test_a_growing_tournament_is_warned_of_and_counts_the_looks_at_its_ladder(tmp_path):
    folder = tmp_path / "cup"

    def grown(blocks):
        return done(*WORDS[:4], "--blocks", blocks, "--out", folder)

    first, again, more = grown(24), grown(24), grown(48)
    assert ["added to 24" in result.stderr for result in (first, again, more)] == [False, False, True]
    for result in (first, again):  # the same number of blocks again is no other look
        assert_names(result.stdout, "analysed once", "24 blocks")
    shown = more.stdout
    assert_names(shown, "analysed 2 times", "24 and 48 blocks")
    assert done("tournament", folder).stdout == shown


def test_changed_ratings_are_found_and_written_again(cup):
    before = (cup / RATINGS_JSON).read_bytes()
    (cup / RATINGS_JSON).write_bytes(before.replace(b"1", b"2", 1))
    assert "ratings.json:" in done("verify", cup, status=1).stderr
    assert "ratings.json:" in done("tournament", cup).stderr
    assert (cup / RATINGS_JSON).read_bytes() == before
    done("verify", cup)


def test_damaged_looks_are_named_and_change_nothing(cup):
    own = json.dumps(TournamentRun.open(cup).manifest["experiment"]["hash"]).encode()
    for damaged in (
        b"[]", b"\xff", b'{"hash": "another", "blocks": [36]}', b'{"hash": HASH, "blocks": [36, 12]}',
        b'{"hash": HASH, "blocks": ["36"]}', b'{"hash": HASH, "blocks": 36}', b"",
    ):  # fmt: skip
        (cup / "looks.json").write_bytes(damaged.replace(b"HASH", own))
        assert_names(done("verify", cup, status=1).stderr, "looks.json:", "delete it")
    for words in (("tournament", cup), (*WORDS, "--out", cup)):
        assert_names(done(*words, status=1).stderr, "looks.json:", "delete it")
    assert TournamentRun.open(cup).manifest["blocks"] == 36
    (cup / "looks.json").unlink()
    assert_names(done("tournament", cup).stdout, "analysed once", "36 blocks")


def test_looks_that_cannot_be_written_are_an_error(cup):
    (cup / "looks.json").unlink()
    (cup / "looks.json").mkdir()
    assert_names(done("tournament", cup, status=1).stderr, "looks.json:", "regular file")


def test_it_is_distinguished_from_a_run_and_from_another_tournament(finished):
    folder, _ = finished
    assert_names(refusal("summary", folder), "a tournament", f"`wallsim tournament {folder}`")
    assert_names(refusal(*WORDS[:-1], 4, "--out", folder), "another tournament", "seed is 3", "4 here")
    assert_names(refusal(*WORDS, "--blocks", 35, "--out", folder), "--blocks: 35", "the 36")


def test_flags_reach_the_table(here):
    shown = done(
        "tournament", "random, heedless", "--blocks", 2, "--players", 5, "--setup", "draft", "--edition", "1e",
        "--expansions", "leaders", "--tower", "mid", "--switch", "bank=150", "--workers", 1,
    ).stdout  # fmt: skip
    [folder] = Path("results").iterdir()
    facts = TournamentRun.open(folder).manifest["experiment"]["identity"]
    assert folder.name.startswith("tournament-")
    assert (facts["players"], facts["setup"], facts["edition"], facts["expansions"]) == (5, "draft", "1e", ["leaders"])
    assert (facts["bank"], facts["tower"]["p"]) == (150, 0.72)
    assert_names(shown, "5 players, draft", "tower mid", "seed 1")


def test_an_unfinished_one_is_an_error_that_names_the_way_on(finished, tmp_path):
    (tmp_path / "journal.jsonl").write_bytes((finished[0] / "journal.jsonl").read_bytes())
    assert_names(done("tournament", tmp_path, status=1).stderr, "not finished", "108 of 108 games", "resumes")


@pytest.mark.slow
@pytest.mark.nightly
def test_an_interrupted_one_says_that_it_can_go_on(tmp_path):
    folder = tmp_path / "cup"
    words = ("tournament", "random,balanced", "--blocks", "40000", "--out", str(folder))
    process = start(*words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    journal, deadline = folder / "journal.jsonl", time.monotonic() + 120
    while time.monotonic() < deadline and not (journal.exists() and journal.read_bytes().count(b"\n") > 1):
        time.sleep(0.01)  # until a chunk is finished, so that all is compiled and loaded
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert re.search(rf"Stopped\. [0-9,]+ finished games .* in {folder};", errors)
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


def test_it_takes_amounts_line_ups_and_interventions_from_a_scenario(here):
    Path("x.toml").write_text(SCENARIOS, "utf-8")
    words = (*TWO, "--experiment", "x.toml", "--scenario", "fix", "--out")
    assert_names(done(*words, "cup").stdout, "palace_price = 4", "starting Thalers A 11", "edited line-up A")
    facts = TournamentRun.open("cup").identity
    assert (facts["amounts"], facts["thalers"], facts["seed"]) == ({"palace_price": 4}, {"A": 11}, 9)
    assert ["Breisgau", 2] in facts["lineup"]["A"]
    assert facts["interventions"][0]["seat"] == "B"
    done("verify", "cup", "--replay", "all")
    done(*words, "other", "--seed", 3)
    assert TournamentRun.open("other").identity["seed"] == 3


def test_folders_of_runs_and_scenarios_stand_for_their_files(here):
    Path("x.toml").write_text(SCENARIOS.replace("nothing_that_exists", "random"), "utf-8")
    done("run", "x.toml", "--out", "out")
    experiments = (("x.toml", "--scenario", "fix"), ("out", "--scenario", "fix"), ("out/scenario=fix",))
    for number, words in enumerate(experiments):
        done(*TWO, "--experiment", *words, "--out", f"cup{number}")
    assert len({TournamentRun.open(f"cup{number}").hash for number in range(3)}) == 1


def test_python_policies_of_the_experiment_are_not_run(here):
    Path("loud.py").write_text("raise SystemExit('was run')", "utf-8")
    Path("x.toml").write_text('policies = "loud.py"\nplayers = 3\n', "utf-8")
    done(*TWO, "--experiment", "x.toml", "--out", "cup")
    assert TournamentRun.open("cup").identity["players"] == 3
