"""How many examples hypothesis tries: `WALLSIM_HYPOTHESIS_PROFILE` names default, nojit or thorough."""

import os

import numba
import numpy as np
import pytest
from hypothesis import settings

# Compiling makes a first example slow, so no deadlines; the same examples on every machine, so derandomised.
settings.register_profile("default", deadline=None, derandomize=True, max_examples=60)
settings.register_profile("nojit", deadline=None, derandomize=True, max_examples=5)
settings.register_profile("thorough", deadline=None, derandomize=False, max_examples=2000)
settings.load_profile(os.environ.get("WALLSIM_HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(autouse=True)
def _try_policies_here(request, monkeypatch):
    """A process of their own for custom policies takes two seconds: only tests with this mark, `tried_apart`, do so."""
    if "tried_apart" not in request.keywords:
        monkeypatch.setattr("wallsim.runs.trial.switch.in_own_process", False)


@pytest.fixture(scope="session", autouse=True)
def _words_wrap_around():
    """Random words are meant to overflow; without the compiler NumPy would warn of each."""
    with np.errstate(over="ignore" if numba.config.DISABLE_JIT else "warn"):
        yield
