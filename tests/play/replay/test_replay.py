"""A folder that was forged consistently passes every digest, and is found by playing its chunks again."""

import json
import shutil
from itertools import product
from math import comb

import pytest

from tests.cli.commands import refusal, wallsim
from tests.folder.failures.forks import ROOT
from tests.folder.mishaps import InterruptingObserver, journal_lines, manifest_of, put_line, put_manifest
from tests.play.replay.forging import LIES, forge
from tests.refusals import assert_names, refused
from wallsim.api.verification import verify
from wallsim.errors import InputError, RunError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.identity import identity_hash
from wallsim.folder.verification import verify_results
from wallsim.play.play import play_run
from wallsim.play.replay.audit import (
    chunks_of,
    detection,
    drawn,
    forged_of,
    largest_undetected,
    replay,
    sources_of,
)
from wallsim.play.scenarios.file import ScenarioSet
from wallsim.play.scenarios.play import play_scenarios
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament

CHUNKS = 20
GAMES = Experiment(players=3, policies="random", games=2 * CHUNKS, chunk=2, seasons=True)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A run of twenty chunks, scenarios, and a tournament."""
    place = tmp_path_factory.mktemp("honest")
    play_run(GAMES, place / "run", workers=1)
    few = GAMES.model_copy(update={"games": 4, "seasons": False})
    both = {"plain": few, "other": few.model_copy(update={"seed": 2})}
    play_scenarios(ScenarioSet(both), place / "scenarios", workers=1)
    play_tournament(Tournament(["random", "builder"], Experiment(players=3), 6), place / "cup", workers=1)
    return place


@pytest.fixture
def folders(played, tmp_path):
    """A copy of them."""
    shutil.copytree(played, tmp_path / "copy")
    return tmp_path / "copy"


KINDS = {"run": ("run", "seats"), "scenarios": ("scenarios/scenario=other", "seats"), "cup": ("cup", "results")}


@pytest.mark.parametrize("kind", KINDS)
def test_honest_folders_are_equal(played, kind):
    result = replay(played / kind, None, workers=1)
    assert (result.errors, result.by_rows, result.replayed) == ((), 0, result.chunks)
    assert result.chunks == {"run": CHUNKS, "scenarios": 4, "cup": 1}[kind]


@pytest.mark.parametrize(("kind", "lie"), [*(("run", lie) for lie in LIES), ("scenarios", "rows"), ("cup", "order")])
def test_consistent_lies_are_found_and_named(folders, kind, lie):
    below, table = KINDS[kind]
    forge(folders / below, table, 0, LIES[lie])
    assert verify_results(folders / kind) == [] or lie in ("schema", "columns")
    [error] = replay(folders / kind, None, workers=1).errors
    place = (folders / below).relative_to(folders / kind) / table / "part-000000.parquet"
    assert error.startswith(f"{place}: ")


def test_changed_metadata_is_found(folders):
    forge(folders / "run", "games", 3, lambda frame: frame, {"wallsim.name": "another"})
    [error] = replay(folders / "run", None, workers=1).errors
    assert_names(error, "games/part-000003.parquet: ", "metadata")


def test_a_draw_finds_the_forged_chunks_that_are_drawn_and_no_others(folders):
    for chunk in (3, 10):
        forge(folders / "run", "seats", chunk)
    assert verify_results(folders / "run") == []
    every = chunks_of(sources_of(folders / "run"))
    found = set()
    for seed in range(8):
        chosen = {chunk for _, chunk in drawn(every, 5, seed)}
        errors = {error.partition(":")[0] for error in replay(folders / "run", 5, seed=seed, workers=1).errors}
        assert errors == {f"seats/part-{chunk:06d}.parquet" for chunk in chosen & {3, 10}}
        found |= errors
    assert len(found) == 2


def test_rows_are_compared_where_another_version_of_polars_wrote_the_files(folders):
    forge(folders / "run", "seats", 1, lambda frame: frame.rechunk(), {"other.key": "as another version might add"})
    [error] = replay(folders / "run", None, workers=1).errors
    assert_names(error, "its bytes", "not its rows")
    manifest = manifest_of(folders / "run")
    put_manifest(folders / "run", {**manifest, "packages": {**manifest["packages"], "polars": "0.1"}})
    result = replay(folders / "run", None, workers=1)
    assert (result.equal, result.by_rows) == (True, 1)
    assert "instead of bytes" in " ".join(result.words())
    forge(folders / "run", "seats", 2)
    assert not replay(folders / "run", None, workers=1).equal


def test_an_unfinished_run_is_replayed_as_far_as_it_is(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        play_run(GAMES, tmp_path / "run", workers=1, observer=InterruptingObserver(tmp_path / "run", 4))
    result = replay(tmp_path / "run", None, workers=1)
    assert result.equal
    assert 0 < result.chunks == len(journal_lines(tmp_path / "run")) - 1 < CHUNKS


def test_another_engine_version_is_refused_and_a_forged_identity_is_found(folders):
    header = json.loads(journal_lines(folders / "run")[0])
    for change, error, name in (({"engine_version": 3}, InputError, "version 3"), ({"seed": 7}, RunError, "differs")):
        identity = {**header["identity"], **change}
        put_line(folders / "run", 0, {**header, "identity": identity, "hash": identity_hash(identity)})
        with refused(name, by=error):
            replay(folders / "run", 1, workers=1)


@pytest.mark.slow  # compiles a policy
def test_code_in_a_folder_waits_for_trust(tmp_path):
    policy = tmp_path / "own.py"
    policy.write_text((ROOT / "docs" / "examples" / "hothead.py").read_text("utf-8"), "utf-8")
    one = Experiment(players=3, policies=("random", "random", str(policy)), games=2, chunk=1)
    play_run(one, tmp_path / "run", workers=1)
    with pytest.raises(InputError, match="--trust-code"):
        replay(tmp_path / "run", 1, workers=1)
    assert replay(tmp_path / "run", 1, workers=1, trust_code=True).equal


def test_a_tournament_has_copies_of_custom_files_and_is_played_again_from_them(tmp_path):
    (tmp_path / "own.toml").write_text('base = "balanced"\n[weights]\narmy = 0.5\n', "utf-8")
    play_tournament(Tournament(["random", str(tmp_path / "own.toml")], Experiment(players=3), 1), tmp_path / "cup")
    (tmp_path / "own.toml").unlink()
    assert (tmp_path / "cup" / "policies" / "own.toml").is_file()
    assert replay(tmp_path / "cup", None, workers=1).equal
    (tmp_path / "cup" / "policies" / "own.toml").write_text('base = "balanced"\n', "utf-8")
    with pytest.raises(RunError, match=r"own\.toml"):
        replay(tmp_path / "cup", None, workers=1)


def test_the_command_prints_the_seed_and_what_the_draw_says_but_nothing_of_what_is_forged(folders):
    words = ("verify", str(folders / "run"), "--workers", "1", "--quiet", "--replay")
    honest = wallsim(*words, "4", "--seed", "9")
    assert honest.exit_code == 0, honest.output
    assert_names(honest.stdout, "4 of 20", "--seed 9", "20.0%")  # of finding one of twenty chunks, four drawn
    lines = honest.stdout.splitlines()
    assert ("Replayed" in lines[0], "missing or changed" in lines[-1]) == (True, True)
    forge(folders / "run", "games", 0, lambda frame: frame.reverse())
    result = wallsim(*words, "all")
    assert result.stdout == ""
    assert_way_out(result)
    document = json.loads(wallsim(*words, "all", "--json").stdout)
    actual = document["replay"]
    assert (actual["equal"], document["unchanged"], actual["replayed"]) == (False, False, CHUNKS)
    assert "games/part-000000.parquet" in actual["errors"][0]


def assert_way_out(result):
    """A command ends with what is left to do, and sends nobody to another command that cannot do more."""
    assert result.exit_code == 1
    assert_names(result.stderr, "delete the folder", "play it again")
    assert "wallsim verify" not in result.stderr
    assert "wallsim repair" not in result.stderr


@pytest.mark.parametrize("kind", KINDS)
def test_verify_and_repair_do_not_send_each_other_round_over_a_forged_folder(folders, kind):
    below, table = KINDS[kind]
    forge(folders / below, table, 0, LIES["schema"])
    for command in ("verify", "repair", "verify"):
        assert_way_out(wallsim(command, str(folders / kind)))


def test_what_a_repair_cannot_mend_is_named_with_what_is_left_to_do(folders):
    run = folders / "run"
    header, receipt = (json.loads(journal_lines(run)[number]) for number in (0, 2))
    put_line(run, 2, {**receipt, "files": receipt["files"][:1]})
    assert "`wallsim repair" in wallsim("verify", str(run)).stderr
    assert_way_out(wallsim("repair", str(run), "--quiet"))
    put_line(run, 2, receipt)
    text = header["papers"]["experiment.toml"].replace("seed = 1", "seed = 2")
    put_line(run, 0, {**header, "papers": {**header["papers"], "experiment.toml": text}})
    result = wallsim("repair", str(run), "--quiet")
    assert (result.exit_code, "in a new folder" in result.stderr) == (1, True)


@pytest.mark.parametrize("words", [("--seed", "4"), ("--replay", "some"), ("--replay", "-1"), ("--workers", "1")])
def test_options_that_mean_nothing_are_refused(played, words):
    assert words[0] in refusal("verify", str(played / "run"), *words)


def test_python_verifies_and_replays(folders):
    result = verify(folders / "run", replay=2, seed=3, workers=1)
    assert (result.unchanged, result.replayed.replayed, result.replayed.seed) == (True, 2, 3)
    forge(folders / "cup", "results", 0)
    assert verify(folders / "cup").unchanged
    assert not verify(folders / "cup", replay="all", workers=1).unchanged
    with pytest.raises(InputError, match="replay"):
        verify(folders / "run", replay=-1)


def test_the_probability_of_detection_is_hypergeometric():
    for chunks, count, forged in product((1, 2, 7), range(8), range(8)):
        if max(count, forged) <= chunks:
            exact = 1 - comb(chunks - forged, count) / comb(chunks, count)
            assert detection(chunks, count, forged) == pytest.approx(exact)
    # Of many chunks it is that of independent draws.
    assert detection(10**6, 50, 50_000) == pytest.approx(1 - 0.95**50, abs=1e-4)
    assert largest_undetected(10**6, 59) / 10**6 == pytest.approx(1 - 0.05 ** (1 / 59), abs=1e-4)


@pytest.mark.parametrize(("chunks", "count"), [(20, 5), (20, 19), (20, 20), (1, 1), (3, 1), (1000, 60)])
def test_the_largest_undetected_number_is_the_last_one_that_a_draw_misses_too_often(chunks, count):
    most = largest_undetected(chunks, count)
    assert most == 0 or detection(chunks, count, most) < 0.95
    assert most == chunks - count or detection(chunks, count, most + 1) >= 0.95


def test_a_share_is_at_least_one_chunk():
    assert [forged_of(chunks) for chunks in (1, 20, 21, 1000)] == [1, 1, 2, 50]


def test_a_draw_can_be_repeated_has_every_chunk_equally_often_and_no_chunk_twice():
    every = [("", chunk) for chunk in range(10)]
    counts = dict.fromkeys(range(10), 0)
    for seed in range(2000):
        chosen = drawn(every, 3, seed)
        assert chosen == drawn(every, 3, seed)
        assert len(set(chosen)) == 3
        for _, chunk in chosen:
            counts[chunk] += 1
    assert all(abs(count - 600) < 5 * (2000 * 0.3 * 0.7) ** 0.5 for count in counts.values())
    assert drawn(every, None, 0) == drawn(every, 99, 0) == every
