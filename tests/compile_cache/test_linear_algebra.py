"""SciPy's linear algebra is imported by functions that use it, not by every run."""

import subprocess
import sys

import pytest

from tests.naive.rng import JIT
from wallsim.compile_cache.linear_algebra import linear_algebra_imported_later

BLAS, ASKING = "scipy.linalg.cython_blas", "numba.np.arraymath"
PLAYS_THEN_USES_IT = """
import sys
import numba
import numpy as np
import wallsim
wallsim.Experiment(policies="random").components().arena(1).play(0, 1)
before = "scipy.linalg" in sys.modules
inverse = numba.njit(lambda matrix: np.linalg.inv(np.dot(matrix, matrix)))
print(before, np.allclose(inverse(2.0 * np.eye(2)), 0.25 * np.eye(2)))
"""


@pytest.fixture
def before_numba_has_asked(monkeypatch):
    for name in (BLAS, ASKING):
        monkeypatch.delitem(sys.modules, name, raising=False)


def test_an_empty_module_stands_for_it_only_in_the_block(before_numba_has_asked):
    with linear_algebra_imported_later():
        assert not hasattr(sys.modules[BLAS], "__pyx_capi__")
    assert BLAS not in sys.modules


def test_it_is_left_alone_once_it_is_imported(before_numba_has_asked, monkeypatch):
    monkeypatch.setitem(sys.modules, BLAS, real := object())
    with linear_algebra_imported_later():
        assert sys.modules[BLAS] is real
    assert sys.modules[BLAS] is real


def test_numba_finds_none_where_scipy_is_not_installed(before_numba_has_asked, monkeypatch):
    monkeypatch.setattr("wallsim.compile_cache.linear_algebra.find_spec", lambda name: None)
    with linear_algebra_imported_later():
        assert BLAS not in sys.modules


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="without the compiler nothing asks for it")
def test_a_run_does_not_import_it_and_a_function_that_uses_it_does():
    done = subprocess.run([sys.executable, "-c", PLAYS_THEN_USES_IT], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
