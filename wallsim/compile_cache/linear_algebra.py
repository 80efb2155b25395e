"""Loads Numba without SciPy's linear algebra, which our kernels do not use.

Numba imports it together with the first kernel, only to note that it is installed; that takes a tenth of a warm start.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from types import ModuleType

_LINEAR_ALGEBRA = "scipy.linalg.cython_blas"
_ASKS_FOR_IT = "numba.np.arraymath"


@contextmanager
def linear_algebra_imported_later() -> Iterator[None]:
    """In this block Numba finds an empty module in the place of SciPy's linear algebra, if SciPy is installed.

    A function that uses linear algebra, such as a custom policy, imports it when it is compiled or called.
    """
    if _ASKS_FOR_IT in sys.modules or _LINEAR_ALGEBRA in sys.modules or find_spec("scipy") is None:
        yield
        return
    sys.modules[_LINEAR_ALGEBRA] = ModuleType(_LINEAR_ALGEBRA)
    try:
        yield
    finally:
        del sys.modules[_LINEAR_ALGEBRA]
