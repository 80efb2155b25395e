"""Where the code of a file is cached: no path of an installation decides it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.naive.rng import JIT
from wallsim.compile_cache.sources import PACKAGE, folder_in_cache
from wallsim.state.random import mix

_ANOTHER_INSTALLATION = """
import numpy as np
import wallsim
from wallsim.state.random import mix

mix(np.uint64(1))
print(mix._cache.cache_path, sum(mix.stats.cache_hits.values()), wallsim.__file__)
"""


def test_files_of_the_package_have_a_folder_by_their_place_in_it():
    assert folder_in_cache(PACKAGE / "jit.py") == "wallsim"
    assert folder_in_cache(PACKAGE / "policies" / "value" / "model.py") == "wallsim.policies.value"
    assert folder_in_cache(PACKAGE.parent / "analyses" / "price" / "study.py") is None
    assert folder_in_cache(Path(f"{PACKAGE}-other") / "jit.py") is None


@pytest.mark.skipif(not JIT, reason="there is machine code only with the compiler")
def test_another_installation_of_the_same_sources_loads_the_same_code(tmp_path):
    """In another folder, with files of another time."""
    mix(np.uint64(1))
    copy = shutil.copytree(PACKAGE, tmp_path / "wallsim", ignore=shutil.ignore_patterns("__pycache__"))
    for file in tmp_path.rglob("*.py"):
        os.utime(file, (1e9, 1e9))
    parent = Path(os.environ["NUMBA_CACHE_DIR"]).parent  # set by `wallsim.jit`
    variables = {**os.environ, "WALLSIM_CACHE_DIR": str(parent), "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-P", "-c", _ANOTHER_INSTALLATION]
    done = subprocess.run(command, env=variables, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [mix._cache.cache_path, "1", str(copy / "__init__.py")]
