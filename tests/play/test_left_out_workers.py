"""A scheduler's workers that are left out get no tasks, and tasks whose workers have gone are sent to others."""

import pytest

from tests.play.clusters import squared
from tests.refusals import refused
from wallsim.play import dask_cluster
from wallsim.play.dask_cluster import DaskCluster
from wallsim.play.sent_tasks import ClusterError, do_task


class Future:
    """A task that was sent; it is done when `done_by` is called."""

    def __init__(self, client, key, task, workers):
        self.client, self.key, self.task, self.workers = client, key, task, workers
        self.holders, self.cancelled, self.status = (), False, "finished"

    def add_done_callback(self, call):
        self.call = call
        next(self.client.steps)(self)

    def done_by(self, *holders):
        self.holders = holders
        self.call(self)

    def cancel(self):
        self.cancelled = True

    def result(self, timeout):
        if self.status == "pending":
            raise TimeoutError
        return do_task(*self.task)


class Client:
    """What is used of a client of Dask; each task that is sent is given to the next of some steps."""

    status = "running"

    def __init__(self, workers, *steps):
        self.workers, self.steps, self.sent = set(workers), iter(steps), []

    def ncores(self):
        return dict.fromkeys(self.workers, 1)

    def submit(self, function, *task, pure, workers):
        assert function is do_task
        self.sent.append(Future(self, f"task-{len(self.sent)}", task, workers))
        return self.sent[-1]

    def who_has(self, futures):
        return {future.key: future.holders for future in futures}


def by(*workers):
    """The step that lets a worker do the task; its result is then with these."""
    return lambda future: future.done_by(*workers)


@pytest.fixture(autouse=True)
def _soon(monkeypatch):
    """The cluster is looked at all the time."""
    monkeypatch.setattr(dask_cluster, "_SECONDS_TO_WAIT", 0.01)
    monkeypatch.setattr(dask_cluster, "_SECONDS_OF_SIZE", 0.0)


def test_the_task_of_a_worker_that_was_left_out_is_sent_to_others():
    client = Client("ab", by("a"), by("b"))
    cluster = DaskCluster(client)
    cluster.leave_out("a")
    assert list(cluster.named_results(squared, [(3,)])) == [("b", 9)]
    assert [future.workers for future in client.sent] == [["b"], ["b"]]


def test_what_was_on_its_way_to_a_worker_before_it_was_left_out_is_refused_too():
    def late(future):
        cluster.leave_out("a")
        future.done_by("a")

    client = Client("ab", late, by("b"))
    cluster = DaskCluster(client)
    assert list(cluster.named_results(squared, [(3,)])) == [("b", 9)]
    assert [future.workers for future in client.sent] == [None, ["b"]]


def test_a_task_whose_named_workers_have_gone_is_sent_to_new_ones():
    def gone(future):
        client.workers = {"a", "c"}

    client = Client("ab", gone, by("c"))
    cluster = DaskCluster(client)
    cluster.leave_out("a")
    assert list(cluster.named_results(squared, [(4,)])) == [("c", 16)]
    assert [(future.workers, future.cancelled) for future in client.sent] == [(["b"], True), (["c"], False)]


def test_a_result_whose_worker_is_not_known_is_played_again():
    client = Client("a", by(), by("a"))
    assert list(DaskCluster(client).named_results(squared, [(5,)])) == [("a", 25)]


def test_without_any_other_worker_the_command_ends_and_names_those_that_were_left_out():
    cluster = DaskCluster(Client("ab"))
    cluster.leave_out("b")
    cluster.leave_out("a")
    with refused("no worker", "a, b returned other bytes", by=ClusterError):
        list(cluster.named_results(squared, [(1,)]))


def test_for_a_result_that_was_lost_with_its_worker_nobody_waits_for_ever(monkeypatch):
    monkeypatch.setattr(dask_cluster, "_SECONDS_WITHOUT_WORKERS", 0.0)

    def lost(future):
        client.workers, future.status = set(), "pending"
        future.done_by("a")

    client = Client("a", *[lost] * 20)
    with refused("no workers", by=ClusterError):
        list(DaskCluster(client).named_results(squared, [(5,)]))


def test_a_worker_is_left_out_for_a_client_and_for_no_other():
    client = Client("ab")
    DaskCluster(client).leave_out("a")
    assert DaskCluster(client).size == 1
    assert DaskCluster(Client("ab")).size == 2
