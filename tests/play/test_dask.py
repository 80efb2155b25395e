"""Games on a cluster of several processes are the games of threads, byte by byte, whatever happens to the processes."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time

import distributed
import joblib
import numpy as np
import pytest

from tests.cli.commands import refusal
from tests.docs.pages import ROOT
from tests.folder.mishaps import log_lines
from tests.play import clusters
from tests.play.watching import parts_of
from tests.refusals import assert_names, refused
from tests.searches.teaching.planted_lessons import lesson_settings
from wallsim.analyses.lineups.games import play
from wallsim.errors import InputError, RunError
from wallsim.experiment.experiment import Experiment
from wallsim.folder.results import Run
from wallsim.folder.verification import verify_results
from wallsim.play import dask_cluster as cluster_module
from wallsim.play.observer import RunObserver
from wallsim.play.parallel import cluster_size, dask_cluster, in_parallel, on_cluster
from wallsim.play.play import play_run
from wallsim.play.sent_tasks import ClusterError
from wallsim.play.setting import Setting
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament
from wallsim.policies.catalogue import load_policy
from wallsim.searches.teaching.lessons import LessonGames
from wallsim.searches.tuning.evaluation import Games
from wallsim.searches.tuning.samples import Table
from wallsim.studies.random_tables import seated_at_random

RUN = Experiment(policies="random", games=1000, seed=3, seasons=True, battles=True, counties=True, chunk=100)
LONG = Experiment(policies="balanced", games=6000, seed=4, chunk=200)


@pytest.fixture(scope="module")
def cluster():
    """A cluster that no test harms."""
    with clusters.local_cluster() as cluster:
        yield cluster


@pytest.fixture
def address(cluster):
    """The address of its scheduler."""
    return cluster.scheduler_address


@pytest.fixture
def away(address):
    """Everything is played on the cluster."""
    with dask_cluster(address):
        yield


# ------------------------------------------------------------------------------------------------ the same results


SEARCH = Experiment(policies=("rollout", "balanced", "random", "random"), games=12, chunk=3)  # it remembers positions
CUP = Tournament(("random", "heedless"), Experiment(players=3, seed=5), 1700)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("play", "what", "files"),
    [(play_run, RUN, 50), (play_run, SEARCH, 8), (play_tournament, CUP, 1)],
    ids=["run", "search", "tournament"],
)
def test_folders_have_the_bytes_of_those_of_threads(address, tmp_path, play, what, files):
    here = play(what, tmp_path / "here", workers=2)
    with dask_cluster(address):
        there = play(what, tmp_path / "there")
    assert len(parts_of(there.folder)) == files
    assert parts_of(there.folder) == parts_of(here.folder)
    assert verify_results(there.folder) == []
    assert there.manifest["time"]["workers"] == here.manifest["time"]["workers"]


def tuned():
    """What a step of tuning counts."""
    balanced, builder = load_policy("balanced"), load_policy("builder")
    tables = [Table((builder, balanced), 1, 7, 200), Table((balanced, balanced), 2, 40, 5)]
    samples = Games(Setting(Experiment(players=3)), 2).play([balanced, builder], tables, 9)
    return [array for sample in samples for array in (sample.wins, sample.leads)]


def taught():
    """Lessons of a pupil who was taught before."""
    seats = {"pupil": load_policy("master-3p"), "cells": (Experiment(players=3, seed=1),), "plans": 4}
    (lessons,) = in_parallel(LessonGames(lesson_settings(**seats)).play, [(3, 0)], 1)
    return lessons


def studied():
    """What studies count, of one experiment and of tables drawn at random."""
    table = Experiment(players=3, policies="random", setup="lineup")
    tables = seated_at_random(table, (("random",) * 3, ("heedless", "turtle", "random")), 18)
    results = [play(parts, 7, 2) for parts in (table.components(), tables.components())]
    return [array for result in results for array in (result.vp, result.thalers)]


@pytest.mark.slow
@pytest.mark.parametrize("counted", [tuned, taught, studied])
def test_what_is_counted_there_is_what_is_counted_here(address, counted):
    here = counted()
    with dask_cluster(address):
        there = counted()
    for one, other in zip(here, there, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.slow
def test_the_file_of_a_policy_need_not_be_where_games_are_played(address, tmp_path):
    file = tmp_path / "hothead.py"
    shutil.copy(ROOT / "docs" / "examples" / "hothead.py", file)
    experiment = Experiment(policies=(str(file), "random", "random", "random"), games=24, chunk=8)
    here, watch = play_run(experiment, tmp_path / "here"), RunObserver()
    watch.begin = lambda *_: file.unlink()
    with dask_cluster(address):
        there = play_run(experiment, tmp_path / "there", observer=watch)
    assert not file.exists()
    assert parts_of(there.folder) == parts_of(here.folder)


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["dask", "loky"])
def test_contexts_of_joblib_play_the_same(cluster, tmp_path, backend):
    here = play_run(RUN, tmp_path / "here", workers=2)
    with distributed.Client(cluster), joblib.parallel_config(backend=backend, n_jobs=2):
        assert (on_cluster(), cluster_size()) == (True, 2)
        there = play_run(RUN, tmp_path / "there")
    assert parts_of(there.folder) == parts_of(here.folder)
    assert not on_cluster()


# ----------------------------------------------------------------------------------------------------- the tasks


@pytest.mark.slow
def test_results_of_other_processes_come_in_the_order_of_the_tasks_or_as_they_finish(away):
    assert cluster_size() == clusters.WORKERS
    assert os.getpid() not in set(in_parallel(clusters.process_of, [(number,) for number in range(20)], 1))
    tasks = [(number,) for number in range(30)]
    assert list(in_parallel(clusters.slow_at_first, tasks, 1)) == list(range(30))
    hurried = list(in_parallel(clusters.slow_at_first, tasks, 1, ordered=False))
    assert sorted(hurried) == list(range(30))
    assert hurried[0] != 0
    base = 40
    assert list(in_parallel(lambda number: base + number, [(2,), (3,)], 1)) == [42, 43]


@pytest.mark.slow
@pytest.mark.parametrize("ordered", [True, False])
def test_few_tasks_are_ahead_of_a_slow_reader(away, ordered):
    taken = []

    def tasks():
        for number in range(200):
            taken.append(number)
            yield (number,)

    for read, _ in enumerate(in_parallel(clusters.squared, tasks(), 1, ordered=ordered), start=1):
        time.sleep(0.02)
        assert len(taken) - read <= 6 * clusters.WORKERS
        if read == 30:
            break


@pytest.mark.slow
def test_errors_of_tasks_are_passed_on(away):
    with pytest.raises(InputError) as refused:
        list(in_parallel(clusters.refusing, [(4,)], 1))
    assert refused.value.errors == ["one", "number 4"]
    with pytest.raises(ZeroDivisionError) as failed:
        list(in_parallel(clusters.dividing, [(2,), (0,)], 1))
    assert "in dividing" in failed.value.__notes__[0]


# ---------------------------------------------------------------------------------------------- workers that lie


@pytest.mark.slow
def test_a_worker_that_plays_other_rows_is_left_out_and_named(cluster, address, tmp_path):
    run = RUN.model_copy(update={"seed": 31})  # a function that no worker keeps from before
    here = play_run(run, tmp_path / "here", workers=2)
    with distributed.Client(cluster, set_as_default=False) as client:
        liar = sorted(client.ncores())[0]
        client.run(clusters.lie, workers=[liar])
        try:
            with dask_cluster(address), pytest.warns(UserWarning, match=f"{liar} returned other bytes"):
                there = play_run(run, tmp_path / "there")
        finally:
            client.run(clusters.tell_the_truth, workers=[liar])
    assert parts_of(there.folder) == parts_of(here.folder)
    assert Run.verify(there.folder) == []
    (line,) = [line for line in log_lines(there.folder) if line["event"] == "left out"]
    assert line["worker"] == liar


# ------------------------------------------------------------------------------------------------- no such cluster


def dask_refusal(address, tmp_path):
    """What the command says that cannot play there; it writes nothing."""
    text = refusal("run", "--games", "10", "--dask", address, "--out", str(tmp_path / "run"))
    assert not (tmp_path / "run").exists()
    return text


def test_without_the_package_the_command_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert_names(dask_refusal("tcp://x:1", tmp_path), "dask: ", "package distributed", 'pip install ".[dask]"')


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:{port}", "nowhere at all"])
def test_an_address_where_nobody_answers_is_named(address, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_module, "_SECONDS_TO_CONNECT", 0.5)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = address.format(port=free.getsockname()[1])
    assert_names(dask_refusal(address, tmp_path), f"dask: {address}: ", "no Dask scheduler")


@pytest.mark.parametrize("address", ["", "tcp://127.0.0.1:port", "tcp://127.0.0.1", "other://127.0.0.1:1"])
def test_no_client_is_begun_for_what_is_no_address(address, monkeypatch):
    # Dask would wait for it when it is deleted.
    monkeypatch.setattr(distributed, "Client", lambda *_, **__: pytest.fail("a client was begun"))
    with refused(f"dask: {address}: ", "no Dask scheduler"), dask_cluster(address):
        pass


# ------------------------------------------------------------------------------------------- clusters that are harmed


@pytest.fixture
def frail():
    """A cluster of this test alone."""
    with clusters.local_cluster() as cluster:
        yield cluster


@pytest.mark.slow
def test_a_killed_worker_costs_no_byte(frail, tmp_path):
    here = play_run(LONG, tmp_path / "here", workers=2)
    with dask_cluster(frail.scheduler_address):
        (victim, *_) = set(in_parallel(clusters.process_of, [(number,) for number in range(20)], 1))
        there = play_run(
            LONG, tmp_path / "there", observer=clusters.AfterChunks(3, lambda: os.kill(victim, signal.SIGKILL))
        )
        assert victim not in set(in_parallel(clusters.process_of, [(number,) for number in range(20)], 1))
    assert parts_of(there.folder) == parts_of(here.folder)
    assert Run.verify(there.folder) == []


@pytest.mark.slow
def test_a_task_that_kills_every_worker_ends_in_an_error(frail):
    with dask_cluster(frail.scheduler_address), refused("KilledWorker", "same command resumes", by=ClusterError):
        list(in_parallel(clusters.dying, [(1,)], 1))


@pytest.mark.slow
def test_what_was_finished_is_kept_when_the_scheduler_is_lost(tmp_path, capfd):
    with (
        clusters.Started() as (address, scheduler),
        dask_cluster(address),
        refused("same command resumes", by=RunError),
    ):
        play_run(LONG, tmp_path / "there", observer=clusters.AfterChunks(4, scheduler.kill))
    assert "Traceback" not in capfd.readouterr().err
    stored = len(parts_of(tmp_path / "there"))
    assert 0 < stored < len(parts_of(play_run(LONG, tmp_path / "here").folder))
    again = play_run(LONG, tmp_path / "there")
    assert parts_of(again.folder) == parts_of(tmp_path / "here")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stop", "status"), [(signal.SIGTERM, 143), pytest.param(signal.SIGINT, 130, marks=pytest.mark.nightly)]
)
def test_a_stopped_command_keeps_what_has_come_back(address, tmp_path, stop, status):
    folder = tmp_path / "there"
    words = ["--policies", "balanced", "--games", "20000", "--out", str(folder), "--dask", address]
    command = subprocess.Popen(
        [sys.executable, "-m", "wallsim", "run", *words], cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    wait_for(lambda: len(parts_of(folder)) > 4)
    command.send_signal(stop)
    _, said = command.communicate(timeout=60)
    assert (command.returncode, "Stopped." in said) == (status, True), said
    assert "Traceback" not in said
    experiment = Experiment(policies="balanced", games=20000)
    resumed = play_run(experiment, folder)
    assert parts_of(resumed.folder) == parts_of(play_run(experiment, tmp_path / "here").folder)


def wait_for(condition, seconds=120):
    """Wait until a condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)
