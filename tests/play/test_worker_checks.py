"""Chunks of workers are played again by the client; a worker that differs is excluded, its chunks are discarded."""

import json
import threading
from collections import Counter
from functools import partial

import pytest

import wallsim
from tests.cli.commands import refusal
from tests.folder.mishaps import InterruptingObserver, journal_lines, log_lines
from tests.play.clusters import changed_chunk
from tests.play.watching import parts_of
from tests.refusals import assert_names, refused
from wallsim.errors import RunError
from wallsim.experiment.experiment import Experiment
from wallsim.folder.results import Run
from wallsim.play import parallel, worker_checks
from wallsim.play.observer import RunObserver
from wallsim.play.play import play_run, play_slice
from wallsim.play.sent_tasks import ClusterError, Named
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament
from wallsim.play.worker_checks import checking_workers

CHUNKS = 24
RUN = Experiment(policies="random", games=2 * CHUNKS, seed=9, chunk=2)


class StandIn:
    """A cluster in this process: its workers take turns, and some of them lie about some chunks."""

    def __init__(self, workers, lies=lambda worker, chunk: False, *, can_leave_out=True):
        self.workers, self.lies, self.can_leave_out = [*workers], lies, can_leave_out
        self.size, self.played = len(self.workers), Counter()

    def results(self, function, tasks, ordered):
        return (result.value for result in self.named_results(function, tasks))

    def named_results(self, function, tasks):
        for turn, (chunk, *span) in enumerate(tasks):
            worker = self.workers[turn % len(self.workers)]
            self.played[worker] += 1
            _, played = function(chunk, *span)
            yield Named(worker, (chunk, lied(played) if self.lies(worker, chunk) else played))

    def leave_out(self, worker):
        self.workers.remove(worker)
        if not self.workers:
            raise ClusterError("no worker of the cluster is left")


lied = partial(changed_chunk, change=lambda frame: frame.reverse())


class Watching(RunObserver):
    """Remembers what is said of workers."""

    def __init__(self):
        self.out, self.counts = [], []

    def left_out(self, worker, chunk, withdrawn):
        self.out.append((worker, chunk, withdrawn))

    def compared(self, chunks, workers):
        self.counts.append((chunks, workers))


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """The tables of the run as threads play it."""
    return parts_of(play_run(RUN, tmp_path_factory.mktemp("here") / "run", workers=1).folder)


@pytest.fixture
def on(monkeypatch):
    """The function that makes a stand-in the cluster in use."""

    def on(*arguments, **keywords):
        result = StandIn(*arguments, **keywords)
        monkeypatch.setattr(parallel, "_in_use", [result])
        return result

    return on


@pytest.fixture
def checked(tmp_path, here):
    """The function that plays the run in a folder: it is that of threads, whole, and has a receipt for each chunk."""

    def checked(one_in=None):
        watching = Watching()
        with checking_workers(one_in):
            play_run(RUN, tmp_path / "run", observer=watching)
        assert parts_of(tmp_path / "run") == here
        assert Run.verify(tmp_path / "run") == []
        assert len(journal_lines(tmp_path / "run")) == CHUNKS + 1
        return watching

    return checked


def logged(folder, event):
    """The lines of a folder's log of one kind."""
    return [line for line in log_lines(folder) if line["event"] == event]


@pytest.fixture
def drawn(monkeypatch):
    """The function that lets only some chunks be compared beside the first of each worker."""
    return lambda *chunks: monkeypatch.setattr(
        worker_checks.WorkerChecks, "_is_drawn", lambda self, chunk: chunk in chunks
    )


# ----------------------------------------------------------------------------------------------------- honest ones


def test_the_first_chunk_of_every_worker_is_compared(on, checked, tmp_path):
    on("abcd")
    watching = checked(10**6)
    assert (watching.counts, watching.out) == ([(4, 4)], [])
    (line,) = logged(tmp_path / "run", "compared")
    assert (line["chunks"], line["workers"], line["one_in"]) == (4, 4, 10**6)


@pytest.mark.parametrize(("one_in", "least", "most"), [(1, CHUNKS, CHUNKS), (2, 4, CHUNKS - 2), (0, 0, 0)])
def test_one_chunk_in_so_many_is_compared(on, checked, monkeypatch, one_in, least, most):
    on("a")
    monkeypatch.setattr(worker_checks.secrets, "token_hex", lambda count: "5eed")
    assert least <= sum(chunks for chunks, _ in checked(one_in).counts) <= most


def test_which_chunks_are_compared_changes_from_session_to_session(on, tmp_path):
    on("a")
    for name in "xy":
        wallsim.play(RUN, tmp_path / name, check_workers=1)
    one, other = (logged(tmp_path / name, "compared") for name in "xy")
    assert one[0]["seed"] != other[0]["seed"]
    assert one[0]["chunks"] == CHUNKS


def test_threads_are_not_checked(tmp_path):
    wallsim.play(RUN, tmp_path / "run", check_workers=1)
    assert logged(tmp_path / "run", "compared") == []


# ------------------------------------------------------------------------------------------------------------ liars


@pytest.mark.parametrize("held", [worker_checks._MOST_HELD, 0])
def test_a_worker_that_always_lies_is_found_by_its_first_chunk(on, checked, monkeypatch, held):
    # With `held` 0 its chunks are written before they are compared.
    monkeypatch.setattr(worker_checks, "_MOST_HELD", held)
    cluster = on("abc", lambda worker, chunk: worker == "b")
    ((worker, chunk, withdrawn),) = checked(10**6).out
    assert (worker, chunk, withdrawn > 0) == ("b", 1, held == 0)
    assert cluster.workers == ["a", "c"]


def test_nothing_of_a_worker_is_written_before_its_first_chunk_is_compared(on, checked, tmp_path, monkeypatch):
    compared, real = threading.Event(), worker_checks.WorkerChecks._play_again

    def late(self, chunk):
        assert compared.wait(20)
        return real(self, chunk)

    monkeypatch.setattr(worker_checks.WorkerChecks, "_play_again", late)
    written = []

    def lies(worker, chunk):
        if chunk == CHUNKS - 1:
            written.append(len(parts_of(tmp_path / "run")))
            compared.set()
        return worker == "b"

    on("ab", lies)
    checked(10**6)
    assert written[0] == 0


def test_what_a_worker_played_before_it_was_found_is_played_again(on, checked, tmp_path, drawn):
    drawn(17)
    on("ab", lambda worker, chunk: worker == "b" and chunk > 8)
    ((worker, chunk, withdrawn),) = checked().out
    assert (worker, chunk, withdrawn >= 7) == ("b", 17, True)  # 3, 5, ... 15; that of the first chunk was compared
    (line,) = logged(tmp_path / "run", "left out")
    assert (line["worker"], line["withdrawn"]) == ("b", withdrawn)


def test_a_chunk_that_was_compared_is_not_played_again(on, checked, drawn, monkeypatch):
    drawn(3, 5, 17)
    monkeypatch.setattr(worker_checks, "own_cores", lambda: 1)
    cluster = on("ab", lambda worker, chunk: worker == "b" and chunk == 17)
    checked()
    assert sum(cluster.played.values()) <= CHUNKS + 9  # not 1, 3 and 5 of the twelve


def test_a_liar_in_one_slice_costs_the_other_slices_nothing(on, tmp_path, here, drawn, monkeypatch):
    folder = tmp_path / "run"
    drawn(18)
    play_slice(RUN, folder, (1, 2))
    others = (folder / "journal-1-of-2.jsonl").read_bytes()
    on("ab", lambda worker, chunk: worker == "b" and chunk > 5)
    watching = Watching()
    play_slice(RUN, folder, (0, 2), observer=watching)
    assert watching.out[0][:2] == ("b", 18)
    assert (folder / "journal-1-of-2.jsonl").read_bytes() == others
    assert Run.verify(folder) == []
    monkeypatch.setattr(parallel, "_in_use", [])
    play_run(RUN, folder)
    assert parts_of(folder) == here


def test_a_worker_is_left_out_of_a_tournament(on, tmp_path):
    tournament = Tournament(("random", "heedless"), Experiment(players=3, seed=5), 40)
    here = play_tournament(tournament, tmp_path / "here", workers=2)
    on("ab", lambda worker, chunk: worker == "a")
    watching = Watching()
    there = play_tournament(tournament, tmp_path / "there", observer=watching)
    assert [worker for worker, *_ in watching.out] == ["a"]
    assert parts_of(there.folder) == parts_of(here.folder)


def test_without_an_observer_a_warning_names_the_worker(on, tmp_path):
    on(["here", "tcp://10.0.0.7:4000"], lambda worker, chunk: worker != "here")
    with pytest.warns(UserWarning, match=r"tcp://10\.0\.0\.7:4000 .*chunk 1 "):
        play_run(RUN, tmp_path / "run")


def test_if_every_worker_differs_the_run_ends_and_keeps_nothing_of_them(on, tmp_path):
    on("ab", lambda worker, chunk: True)
    with refused("no worker", by=ClusterError):
        play_run(RUN, tmp_path / "run", observer=Watching())
    assert len(journal_lines(tmp_path / "run")) == 1


def test_where_workers_cannot_be_left_out_the_run_ends(on, checked, tmp_path, drawn, monkeypatch):
    drawn(17)
    on("ab", lambda worker, chunk: worker == "b" and chunk > 8, can_leave_out=False)
    with refused("worker b", "chunk 17", "cannot leave", by=ClusterError):
        play_run(RUN, tmp_path / "run")
    stored = {json.loads(line)["chunk"] for line in journal_lines(tmp_path / "run")[1:]}
    assert stored <= {0, 1}  # the first of each was compared
    monkeypatch.setattr(parallel, "_in_use", [])
    checked()


def test_a_client_that_plays_in_two_ways_accuses_nobody(on, tmp_path, monkeypatch):
    on("ab")
    answers = iter(range(1000))
    monkeypatch.setattr(worker_checks.WorkerChecks, "_play_again", lambda self, chunk: str(next(answers)))
    with refused("this machine", "in two ways", by=RunError):
        play_run(RUN, tmp_path / "run", observer=Watching())
    assert len(journal_lines(tmp_path / "run")) == 1


def test_an_interrupted_check_keeps_what_was_written(on, checked, tmp_path):
    on("ab")
    with checking_workers(2), pytest.raises(KeyboardInterrupt):
        play_run(RUN, tmp_path / "run", observer=InterruptingObserver(tmp_path / "run", 5))
    assert Run.verify(tmp_path / "run") == []
    checked()


# ---------------------------------------------------------------------------------------------------- the settings


def test_one_in_fifty_is_the_default_and_settings_end_with_their_block():
    assert worker_checks.checks_one_in() == 50
    with checking_workers(7):
        assert worker_checks.checks_one_in() == 7
        with checking_workers(None):
            assert worker_checks.checks_one_in() == 7
    assert worker_checks.checks_one_in() == 50


def test_what_is_no_number_of_chunks_is_refused_before_anything_is_written(tmp_path):
    for one_in in (-1, 10**7, 2.5, True):
        with refused("check_workers: ", "from 0 to 1000000"):
            wallsim.play(RUN, tmp_path / "run", check_workers=one_in)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("command", [("run", "--games", "10"), ("tournament", "random,heedless")])
def test_the_option_needs_a_cluster_and_is_checked_before_that_is_asked(tmp_path, command):
    to = ["--out", str(tmp_path / "run")]
    for text in ("-1", "ten"):
        said = refusal(*command, "--dask", "tcp://localhost:1", "--check-workers", text, *to)
        assert_names(said, f'--check-workers: "{text}"', "from 0 to 1000000")
    assert_names(refusal(*command, "--check-workers", "5", *to), "--check-workers: ", "--dask")
    assert_names(refusal("repair", "folder", "--check-workers", "5"), "--check-workers: ", "--dask")
    assert not (tmp_path / "run").exists()
