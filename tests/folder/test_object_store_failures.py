"""Damage, outages and kills of runs in an object store: all is found, nothing is lost, and the bytes are the same."""

import itertools
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.folder.mishaps import named
from tests.folder.object_stores import (
    STORED,
    Interrupting,
    bytes_on_disk,
    flip_a_bit,
    names,
    remove,
    same_as,
    tables_and_documents,
)
from tests.refusals import refused
from wallsim.errors import RunError
from wallsim.experiment.experiment import Experiment
from wallsim.folder import object_responses
from wallsim.folder.file_stores import file_store
from wallsim.folder.journal import Journal
from wallsim.folder.local_files import NoAnswerError
from wallsim.folder.results import Run
from wallsim.play.observer import RunObserver
from wallsim.play.play import play_run
from wallsim.play.repair import repair

ROOT = Path(__file__).resolve().parents[2]
JOURNAL = "journal.jsonl"


class Idle(RunObserver):
    """Fails if anything is played."""

    def played(self, games):
        raise AssertionError("games were played again")


@pytest.fixture
def impatient(monkeypatch):
    """Requests that fail are hardly repeated."""
    monkeypatch.setattr(object_responses, "_FIRST", {"max_retries": 1})
    monkeypatch.setattr(object_responses, "_LATER", {"max_retries": 1})


DAMAGED = ("games/part-000003.parquet", "codebook.md", "manifest.json", JOURNAL)
MISSING = ("battles/part-000003.parquet", "experiment.toml", "manifest.json")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("damage", "name"), [*((flip_a_bit, name) for name in DAMAGED), *((remove, name) for name in MISSING)]
)
def test_damage_is_found_and_repaired(stored, on_disk, damage, name):
    damage(stored, name)
    found = any(name in error for error in Run.verify(stored))
    assert found == ((damage, name) != (remove, "manifest.json"))  # without it the run is unfinished
    if name.endswith(".parquet"):
        with refused(stored, name, f"`wallsim repair {stored}`", by=RunError):
            Run.open(stored).scan(name.partition("/")[0])
    repair(stored)
    assert same_as(stored, on_disk)


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
    part = run.files[0]
    import obstore

    def fail(*_):
        raise obstore.exceptions.GenericError("Generic S3 error: the network is gone")

    monkeypatch.setattr(obstore, "get", fail)
    with pytest.raises(NoAnswerError):
        part.is_whole(place)
    with refused(stored, "the network is gone"):
        run.scan("seats")


def test_a_bucket_that_is_missing_is_named(bucket):
    for go in (play_stored, Run.open, Run.verify, repair):
        with refused(f"{bucket}-x/run", "no such bucket"):
            go(f"{bucket}-x/run")


@pytest.mark.one_in(4)
@pytest.mark.slow
def test_a_run_that_is_killed_again_and_again_has_the_same_bytes(bucket, tmp_path):
    long = Experiment(policies="random", games=20_000, seed=3, chunk=100)
    run = play_run(long, tmp_path / "run")
    folder, chance, kills = f"{bucket}/run", random.Random(7), 0
    (tmp_path / "long.toml").write_bytes((run.folder / "experiment.toml").read_bytes())
    command = [sys.executable, "-m", "wallsim", "run", str(tmp_path / "long.toml"), "--out", folder, "--quiet"]
    for number in itertools.count():
        before = len(Journal(file_store(folder)).records)
        one = [*command, "--slice", f"{number % 2}/2"] if number % 3 else command
        process = subprocess.Popen(
            one, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while process.poll() is None and len(Journal(file_store(folder)).records) <= before + 1:
            time.sleep(0.05)
        time.sleep(chance.random() * 0.1)
        process.send_signal(signal.SIGKILL)
        killed = process.wait() == -signal.SIGKILL
        assert killed or "--slice" in one  # a slice may be at its end, the run is not
        assert Run.verify(folder) == []
        kills += killed
        if kills == 4:
            break
    play_run(long, folder)
    assert tables_and_documents(folder) == bytes_on_disk(run)
    assert Run.verify(folder) == []
