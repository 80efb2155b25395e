"""A result that a worker of a cluster took with it."""

import pytest

from wallsim.play import dask_cluster as cluster_module
from wallsim.play.sent_tasks import ClusterError


class LostWithItsWorker:
    """A future that had finished, and whose result is gone."""

    key, status = "task", "pending"

    def result(self, timeout):
        raise TimeoutError

    def add_done_callback(self, _):
        pass


def test_for_a_result_that_was_lost_with_its_worker_nobody_waits_for_ever():
    def given_up(since):
        raise ClusterError("no workers")

    call = cluster_module._Call(None, None, set(), False)
    call.waiting["task"] = cluster_module._Task(LostWithItsWorker(), 0, b"", None)
    call._finished.put(call.waiting["task"].future)
    with pytest.raises(ClusterError, match="no workers"):
        call.next(given_up)
    assert "task" in call.waiting
