"""Which examples are tried: a share of those of marked laws (`tests/shares.py`), and as many as a profile says.

`WALLSIM_HYPOTHESIS_PROFILE` names default, whole, nojit or thorough.
"""

import contextlib
import gc
import importlib
import os
from importlib import import_module
from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import settings

from tests.finished_runs import bucket, full_run, on_disk, small_run, spoilt, store_server, stored, write  # noqa: F401
from tests.naive.making import USUAL, packed
from tests.naive.rng import JIT
from tests.shares import ALL, ONE_OF_SLOW, VARIABLE, changed_tests, in_words, is_taken, share_of_this_run, shared_name
from wallsim.engine.arena import Arena
from wallsim.policies.catalogue import load_policy, pack_players
from wallsim.rules.ruleset import Ruleset

ONE_OF_DRAWN = 4  # of as many tests with `many_draws` a run takes one
MANY_TESTS = 1000  # from here on games are surely both played and recorded

# Compiling makes a first example slow, so no deadlines; the same examples on every machine, so no database of them.
settings.register_profile("default", deadline=None, derandomize=True, max_examples=15)
settings.register_profile("whole", deadline=None, derandomize=True, max_examples=60)
settings.register_profile("nojit", deadline=None, derandomize=True, max_examples=5)
settings.register_profile("thorough", deadline=None, derandomize=False, max_examples=2000)
PROFILE = os.environ.get("WALLSIM_HYPOTHESIS_PROFILE", "default")
settings.load_profile(PROFILE)


def pytest_configure(config):
    """Choose the share, also for the workers of pytest-xdist, which take that of the process that starts them."""
    config.share = share_of_this_run()
    os.environ[VARIABLE] = ALL if config.share is None else str(config.share)


def pytest_sessionstart(session):
    """Let the second worker import the tests from the last to the first: each rewrites half of their assertions."""
    everything = session.config.args_source is not pytest.Config.ArgsSource.ARGS
    if os.environ.get("PYTEST_XDIST_WORKER") == "gw1" and everything:
        root = Path(__file__).parent
        for path in sorted(root.rglob("test_*.py"), reverse=True):
            with contextlib.suppress(Exception, pytest.skip.Exception):  # collecting it will report what is wrong
                importlib.import_module(".".join(path.relative_to(root.parent).with_suffix("").parts))


def pytest_collection_finish(session):
    """Search for garbage seldom, and never among what is imported: it took up to half of the time of tests."""
    if JIT and len(session.items) >= MANY_TESTS:
        _compile_in_shares(os.environ.get("PYTEST_XDIST_WORKER"))
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)


def _compile_in_shares(worker):
    """Compile games in one worker and recorded games in another, which load each other's; else each compiles both."""
    rules = Ruleset(players=3)
    table = np.atleast_1d(np.asarray(packed(rules, USUAL)))
    arena = Arena(table, pack_players([load_policy("random")] * rules.players), seed=0)
    if worker == "gw0":
        arena.play(0, 1)
    elif worker == "gw1":
        arena.trace(0)


def pytest_report_header():
    """How to run the same examples again."""
    return in_words()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Leave out the examples that are not in the share of this run, and mark the tests of hypothesis."""
    left_out = []
    for item in items:
        if hasattr(getattr(item, "function", None), "hypothesis"):
            item.add_marker("given")
        if item.get_closest_marker("own_code") and not numba.config.BOUNDSCHECK:
            item.add_marker("slow")
        drawn = item.get_closest_marker("many_draws")
        name, of = _share(item, drawn)
        file = item.nodeid.partition("::")[0]
        # Which tests changed is looked up only where that decides, since it takes seconds.
        if (drawn and not JIT) or not (is_taken(name, of, config.share) or file in changed_tests()):
            left_out.append(item)
    if left_out:
        gone = set(left_out)
        items[:] = [item for item in items if item not in gone]
        config.hook.pytest_deselected(items=left_out)


def _share(item, drawn):
    """The name by which a test is taken or left out, and of how many one is taken; None for those of nights alone."""
    if item.get_closest_marker("nightly"):
        return item.nodeid, None
    mark = item.get_closest_marker("one_in")
    # Of hypothesis the stage `slow` tries the same examples in every run, so their files take turns, too.
    rotates = item.get_closest_marker("slow") or (PROFILE == "whole" and item.get_closest_marker("given"))
    if mark is None and rotates:
        return shared_name(item.nodeid, "file"), ONE_OF_SLOW
    of = mark.args[0] if mark else ONE_OF_DRAWN if drawn else 1
    return shared_name(item.nodeid, *(mark.args[1:] if mark else ())), of


@pytest.fixture(autouse=True)
def _try_policies_here(request, monkeypatch):
    """A process of their own for custom policies takes two seconds: only tests with this mark, `tried_apart`, do so."""
    if "tried_apart" not in request.keywords:
        monkeypatch.setattr(import_module("wallsim.play.trial_process"), "in_own_process", False)


@pytest.fixture(scope="session", autouse=True)
def _words_wrap_around():
    """Random words are meant to overflow; without the compiler NumPy would warn of each."""
    with np.errstate(over="ignore" if numba.config.DISABLE_JIT else "warn"):
        yield


@pytest.fixture(scope="session", autouse=True)
def _files_need_not_reach_the_disk():
    """No test cuts the power; those of what a power cut leaves note the calls (`folder/failures/power.py`)."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        yield
