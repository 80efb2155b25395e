"""Compiled code sees no chance in memory: a new array is all zeros, also that of `np.empty`, and hides its address.

Both would otherwise differ between two processes that play the same games with a custom policy.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from numba.core import cgutils, errors
from numba.core.compiler_lock import global_compiler_lock


@contextmanager
def repeatable_memory() -> Iterator[None]:
    """Compile in this block functions that cannot read what they did not write.

    Whichever function of NumPy they call to make an array, Numba translates it with the help of the one changed here.
    """
    from numba.core.typing.arraydecl import ArrayAttribute
    from numba.np import arrayobj  # imports what Numba needs for arrays

    with global_compiler_lock:
        allocate, resolve = arrayobj._empty_nd_impl, ArrayAttribute.resolve_ctypes

        def allocate_zeros(context, builder, kind, shape):
            array = allocate(context, builder, kind, shape)
            cgutils.memset(builder, array.data, builder.mul(array.itemsize, array.nitems), 0)
            return array

        arrayobj._empty_nd_impl, ArrayAttribute.resolve_ctypes = allocate_zeros, _refuse_address
        try:
            yield
        finally:
            arrayobj._empty_nd_impl, ArrayAttribute.resolve_ctypes = allocate, resolve


def _refuse_address(self, array):
    raise errors.TypingError("ctypes: the address of an array differs in every process; allowed are its elements")
