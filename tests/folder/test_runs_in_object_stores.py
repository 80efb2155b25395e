"""Runs in an object store are played, resumed, shared, read and repaired like those on a disk, with the same bytes."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from polars.testing import assert_frame_equal
from typer.testing import CliRunner

from tests.folder.mishaps import named
from tests.folder.object_stores import (
    STORED,
    Interrupting,
    bytes_on_disk,
    flip_a_bit,
    names,
    objects,
    put,
    remove,
    same_as,
    tables_and_documents,
)
from tests.refusals import assert_names, refused
from wallsim.cli import app
from wallsim.errors import RunError
from wallsim.experiment.experiment import Experiment
from wallsim.folder import object_responses
from wallsim.folder.file_stores import file_store
from wallsim.folder.journal import Journal
from wallsim.folder.local_files import NoAnswerError
from wallsim.folder.merge import merge
from wallsim.folder.results import Run
from wallsim.folder.run_store import Store
from wallsim.folder.scenarios import Scenarios
from wallsim.folder.tournament import TournamentRun
from wallsim.play.observer import RunObserver
from wallsim.play.play import play_run, play_slice
from wallsim.play.repair import repair
from wallsim.play.scenarios.file import ScenarioSet
from wallsim.play.scenarios.play import play_scenario_slices, play_scenarios
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament

ROOT = Path(__file__).resolve().parents[2]
JOURNAL = "journal.jsonl"


@pytest.fixture
def impatient(monkeypatch):
    """Requests that fail are hardly repeated."""
    for name in ("_FIRST", "_LATER"):
        monkeypatch.setattr(object_responses, name, {"max_retries": 1})


@pytest.mark.parametrize("below", ["/a/run", pytest.param("", marks=pytest.mark.slow)])
def test_a_run_has_the_bytes_of_one_on_a_disk_and_an_object_for_each_receipt(bucket, on_disk, below):
    folder = bucket + below
    run = play_run(STORED, folder, workers=2)
    assert same_as(folder, on_disk)
    assert str(run.folder) == folder
    assert [name for name in names(bucket) if not name.startswith(below[1:])] == []
    for table in run.tables:
        assert_frame_equal(run.scan(table).collect(), on_disk.scan(table).collect())
    assert len([name for name in names(folder) if name.startswith(f"{JOURNAL}.d/")]) == 4
    assert file_store(folder).read(JOURNAL).count(b"\n") == 5


@pytest.mark.slow
def test_an_interrupted_run_is_resumed_with_the_same_bytes(bucket, on_disk):
    folder = f"{bucket}/run"
    with pytest.raises(KeyboardInterrupt):
        play_run(STORED, folder, workers=2, observer=Interrupting(folder, 1))
    assert 1 < len(Journal(file_store(folder)).records) < 4
    assert Run.verify(folder) == []
    with refused(folder, "not finished", f"`wallsim repair {folder}`", by=RunError):
        Run.open(folder)
    play_run(STORED, folder, workers=2)
    assert same_as(folder, on_disk)
    assert len(Journal(file_store(folder)).all) == 4


def play_half(folder, number):
    assert play_slice(STORED, folder, (number, 2), workers=1)[0] == 100


def play_all(folder, number):
    play_run(STORED, folder, workers=1)


@pytest.mark.slow
@pytest.mark.parametrize("play", [play_half, play_all])
def test_several_processes_may_play_there_at_once(bucket, on_disk, play):
    folder, begun, failed = f"{bucket}/run", threading.Barrier(2), []

    def enter(number):
        try:
            with Store(file_store(folder), STORED, STORED.components()):
                begun.wait(60)  # both have the folder open
            play(folder, number)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=enter, args=(number,)) for number in range(2)]
    for call in (threading.Thread.start, threading.Thread.join):
        for each in threads:
            call(each)
    assert failed == []
    play_run(STORED, folder)
    assert same_as(folder, on_disk)


def test_who_comes_second_takes_the_header_of_the_first(bucket, monkeypatch):
    place, late = file_store(f"{bucket}/run"), file_store(f"{bucket}/run")
    other = STORED.model_copy(update={"chunk": 40})

    def first(name, data):
        if name == JOURNAL:
            Store(place, STORED, STORED.components()).close()
        return type(place).create(late, name, data)

    monkeypatch.setattr(late, "create", first)
    with Store(late, other, other.components(), slice_=(0, 2)) as store:
        assert store.layout.chunk == 50


def test_another_experiment_and_other_files_are_refused(stored, bucket):
    before = objects(stored)
    with refused(stored, "seed is 8 there, 9 here"):
        play_run(STORED.model_copy(update={"seed": 9}), stored)
    assert objects(stored) == before
    put(f"{bucket}/other", "holiday.jpg", b"x")
    with refused(f"{bucket}/other", "holiday.jpg"):
        play_run(STORED, f"{bucket}/other")
    assert names(f"{bucket}/other") == ["holiday.jpg"]


@pytest.mark.slow
def test_chunks_are_copied_both_ways(bucket, on_disk, tmp_path):
    folder = f"{bucket}/run"
    play_slice(STORED, folder, (1, 2))
    assert merge(tmp_path / "here", [folder]).copied == 100
    repair(tmp_path / "here")
    assert merge(folder, [tmp_path / "here", folder])[:3] == (100, 200, 200)
    repair(folder)
    assert same_as(folder, on_disk)


@pytest.mark.slow
def test_scenarios_are_played_in_slices_and_gathered(bucket):
    folder = f"{bucket}/s"
    two = ScenarioSet({"a": STORED, "b": STORED.model_copy(update={"seed": 9, "games": 80})})
    for number in range(2):
        play_scenario_slices(two, folder, (number, 2))
    with refused(folder, "2 of 2", "a, b", by=RunError):
        Scenarios.open(folder)
    assert Scenarios.verify(folder) == []
    repair(folder)
    estimate = play_scenarios(two, folder)
    assert estimate.scan("games").collect()["scenario"].value_counts(sort=True)["count"].to_list() == [200, 80]
    remove(folder, "scenario=b/manifest.json")
    put(folder, "scenario=c/x", b"")
    assert {*named(Scenarios.verify(folder))} == {"scenario=b/manifest.json", "scenario=c"}


@pytest.mark.slow
def test_a_tournament_and_its_looks_are_kept(bucket):
    tournament = Tournament(("random", "heedless"), Experiment(players=3, seed=5), 20)
    run = play_tournament(tournament, f"{bucket}/t")
    assert run.note_look() == TournamentRun.open(f"{bucket}/t").note_look() == (20,)
    assert TournamentRun.verify(f"{bucket}/t") == []
    flip_a_bit(f"{bucket}/t", "looks.json")
    assert named(TournamentRun.verify(f"{bucket}/t")) == ["looks.json"]


# ---------------------------------------------------------------------------------------------- damage and outages

DAMAGES = [
    (flip_a_bit, "games/part-000003.parquet"), (flip_a_bit, "codebook.md"), (flip_a_bit, JOURNAL),
    (remove, "battles/part-000003.parquet"), (remove, "manifest.json"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("damage", "name"), DAMAGES)
def test_damage_is_found_and_repaired(stored, on_disk, damage, name):
    damage(stored, name)
    found = any(name in error for error in Run.verify(stored))
    assert found == (name != "manifest.json")  # without it the run is unfinished
    if name.endswith(".parquet"):
        with refused(stored, name, f"`wallsim repair {stored}`", by=RunError):
            Run.open(stored).scan(name.partition("/")[0])
    repair(stored)
    assert same_as(stored, on_disk)


class Idle(RunObserver):
    """Fails if anything is played."""

    def played(self, games):
        raise AssertionError("games were played again")


@pytest.mark.slow
@pytest.mark.parametrize("lost", ["receipt", "header"])
def test_a_damaged_receipt_is_played_again_and_a_lost_header_rebuilt_from_the_receipts(bucket, on_disk, lost):
    folder = f"{bucket}/run"
    play_run(STORED, folder)
    receipt = next(name for name in names(folder) if name.startswith(f"{JOURNAL}.d/"))
    flip_a_bit(folder, receipt) if lost == "receipt" else remove(folder, JOURNAL)
    assert f"{JOURNAL}: line {2 if lost == 'receipt' else 1}" in named(Run.verify(folder))
    repair(folder, observer=None if lost == "receipt" else Idle())
    assert same_as(folder, on_disk)
    assert receipt not in names(folder)


def play_stored(folder):
    return play_run(STORED, folder)


@pytest.mark.slow
def test_a_store_that_goes_away_ends_the_run_and_keeps_what_is_finished(bucket, on_disk, monkeypatch, impatient):
    from moto.server import ThreadedMotoServer

    folder, lasting = f"{bucket}/run", os.environ["AWS_ENDPOINT_URL"]
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)  # with the same objects
    server.start()
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://{}:{}".format(*server.get_host_and_port()))
    with refused(folder, "no answer", "the same command", by=RunError):
        play_run(STORED, folder, workers=2, observer=Interrupting(folder, 1, action=server.stop))
    for read in (Run.open, Run.verify, play_stored):
        with refused(folder, "no answer"):
            read(folder)
    monkeypatch.setenv("AWS_ENDPOINT_URL", lasting)
    assert 1 < len(Journal(file_store(folder)).records) < 4
    play_run(STORED, folder)
    assert same_as(folder, on_disk)


def test_what_cannot_be_asked_for_is_not_called_damaged(stored, monkeypatch, impatient):
    run, place = Run.open(stored), file_store(stored)
    import obstore

    def fail(*_):
        raise obstore.exceptions.GenericError("Generic S3 error: the network is gone")

    monkeypatch.setattr(obstore, "get", fail)
    with pytest.raises(NoAnswerError):
        run.files[0].is_whole(place)
    with refused(stored, "the network is gone"):
        run.scan("seats")


def test_a_bucket_that_is_missing_is_named(bucket):
    for go in (play_stored, Run.open, Run.verify, repair):
        with refused(f"{bucket}-x/run", "no such bucket"):
            go(f"{bucket}-x/run")


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("slices", [False, True])
def test_a_run_that_is_killed_has_the_same_bytes(bucket, tmp_path, slices):
    long = Experiment(policies="random", games=20_000, seed=3, chunk=100)
    run = play_run(long, tmp_path / "run")
    folder, chance = f"{bucket}/run", random.Random(7)
    command = [sys.executable, "-m", "wallsim", "run", str(run.folder / "experiment.toml"), "--out", folder, "--quiet"]
    for part in range(2):
        before = len(Journal(file_store(folder)).records)
        process = subprocess.Popen(
            [*command, *(["--slice", f"{part}/2"] if slices else [])], cwd=ROOT, stderr=subprocess.DEVNULL
        )
        while process.poll() is None and len(Journal(file_store(folder)).records) <= before + 1:
            time.sleep(0.05)
        time.sleep(chance.random() * 0.1)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        assert Run.verify(folder) == []
    play_run(long, folder)
    assert tables_and_documents(folder) == bytes_on_disk(run)
    assert Run.verify(folder) == []


# --------------------------------------------------------------------------------------------------- the commands


def wallsim(*words):
    # A command takes over SIGTERM; the test's process wants its own back.
    handler = signal.getsignal(signal.SIGTERM)
    try:
        result = CliRunner().invoke(app, list(words))
    finally:
        signal.signal(signal.SIGTERM, handler)
    assert "Traceback" not in result.output
    return result


@pytest.mark.slow
def test_the_commands_take_addresses(bucket, on_disk, tmp_path):
    folder, file = f"{bucket}/cli/run", str(on_disk.folder / "experiment.toml")
    for number in range(2):
        done = wallsim("run", file, "--out", folder, "--slice", f"{number}/2", "--quiet")
        assert_names(done.output, f"`wallsim repair {folder}`")
    assert wallsim("verify", folder).exit_code == 3
    assert_names(wallsim("repair", folder, "--quiet").output, folder)
    assert same_as(folder, on_disk)
    document = json.loads(wallsim("summary", folder, "--json").output)
    assert (document["folder"], document["games"]) == (folder, 200)
    listed = json.loads(wallsim("runs", bucket, "--json").output)["runs"]
    assert [(one["folder"], one["state"], one["finished"]) for one in listed] == [(folder, "finished", 200)]
    assert wallsim("codebook", folder).output.strip() == (on_disk.folder / "codebook.md").read_text("utf-8").strip()
    assert wallsim("trace", folder, "--game", "7").output == wallsim("trace", file, "--game", "7").output
    assert "Changed: nothing." in wallsim("compare", folder, str(on_disk.folder)).output


def test_commands_that_need_a_disk_refuse_addresses(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for words in (["tune", "balanced"], ["exploit", "balanced"], ["learn", "random"], ["study", "first_look"]):
        result = wallsim(*words, "--out", "s3://bucket/x")
        assert result.exit_code == 2
        assert_names(result.output, "s3://bucket/x")
    assert not list(tmp_path.iterdir())
