"""A run whose machine code is cached imports nothing of what Numba compiles with, which a function that is new does."""

import subprocess
import sys

import pytest

from tests.naive.rng import JIT

PLAYS_THEN_COMPILES = """
import sys
import numba
import numpy as np
import wallsim
wallsim.Experiment(policies="random").components().arena(1).play(0, 1)
print([name in sys.modules for name in ("numba.np.arraymath", "numba.typed.typeddict", "scipy.linalg")])
inverse = numba.njit(lambda matrix: np.linalg.inv(np.dot(matrix, matrix)))
print(np.allclose(inverse(2.0 * np.eye(2)), 0.25 * np.eye(2)))
"""


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="without the compiler nothing is compiled")
def test_cached_code_is_loaded_without_the_compiler_and_a_new_function_is_compiled():
    for _ in range(2):  # the first may have to compile
        done = subprocess.run([sys.executable, "-c", PLAYS_THEN_COMPILES], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n") == ["[False, False, False]", "True", ""]
