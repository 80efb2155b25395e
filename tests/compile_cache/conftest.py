"""Small kernels that are compiled once and put back before each test."""

import shutil

import pytest

from tests.compile_cache.kernels import SmallKernels
from tests.naive.rng import JIT


@pytest.fixture(scope="package")
def compiled_once(tmp_path_factory):
    if not JIT:
        pytest.skip("there is machine code only with the compiler")
    kernels = SmallKernels(tmp_path_factory.mktemp("small"))
    yield kernels
    shutil.rmtree(kernels.cache)


@pytest.fixture
def small(compiled_once):
    """Kernels whose files are whole and belong to this test."""
    compiled_once.restore()
    return compiled_once
