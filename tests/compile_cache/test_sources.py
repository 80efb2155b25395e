"""Where code is cached, which no path of an installation decides but every setting does, and what loads it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from tests.naive.rng import JIT
from wallsim.compile_cache.kernel_cache import PACKAGE, compiler_settings, folder_in_cache
from wallsim.experiment.experiment import Experiment
from wallsim.jit import source_digest
from wallsim.state.random import mix

_ANOTHER_INSTALLATION = """
import numpy as np
import wallsim
from wallsim.state.random import mix

mix(np.uint64(1))
print(mix._cache.cache_path, sum(mix.stats.cache_hits.values()), wallsim.__file__)
"""


@pytest.mark.skipif(not JIT, reason="there is machine code only with the compiler")
def test_another_installation_of_the_same_sources_loads_the_same_code(tmp_path):
    """In another folder, with files of another time; files beside the package have no such folder."""
    assert folder_in_cache(PACKAGE / "policies" / "value" / "model.py") == "wallsim.policies.value"
    assert folder_in_cache(Path(f"{PACKAGE}-other") / "jit.py") is None
    mix(np.uint64(1))
    copy = shutil.copytree(PACKAGE, tmp_path / "wallsim", ignore=shutil.ignore_patterns("__pycache__"))
    for file in tmp_path.rglob("*.py"):
        os.utime(file, (1e9, 1e9))
    parent = Path(os.environ["NUMBA_CACHE_DIR"]).parent  # set by `wallsim.jit`
    variables = {**os.environ, "WALLSIM_CACHE_DIR": str(parent), "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-P", "-c", _ANOTHER_INSTALLATION]
    done = subprocess.run(command, env=variables, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [mix._cache.cache_path, "1", str(copy / "__init__.py")]


@pytest.mark.parametrize("name", compiler_settings())
def test_every_setting_in_force_that_changes_code_has_a_folder_of_its_own(name, monkeypatch):
    """Wherever it comes from: a variable, a file or a program that has imported Numba."""
    before = source_digest()
    assert Path(os.environ["NUMBA_CACHE_DIR"]).name == before
    monkeypatch.setattr(numba.config, name, "other")
    assert source_digest() != before


_SETTINGS = """
print(int(numba.config.OPT), numba.config.CACHE_DIR)
numba.config.reload_config()
print(int(numba.config.OPT), numba.config.CACHE_DIR)
"""


@pytest.mark.slow
@pytest.mark.parametrize("first", [False, True])
def test_a_file_of_settings_in_the_current_folder_counts_only_for_a_program_that_has_read_it(first, tmp_path):
    pytest.importorskip("yaml")
    (tmp_path / ".numba_config.yaml").write_text("opt: '1'\n", "utf-8")
    program = ("import numba, wallsim.jit" if first else "import wallsim.jit, numba") + _SETTINGS
    variables = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], env=variables, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    (level, folder), again = (line.split() for line in done.stdout.splitlines())
    assert again == [level, folder]
    assert (level == "1") == first
    assert (Path(folder).name == source_digest()) == (not first)


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
    Experiment(policies="random").components().arena(1).play(0, 1)  # may have to compile
    done = subprocess.run([sys.executable, "-c", PLAYS_THEN_COMPILES], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n") == ["[False, False, False]", "True", ""]
