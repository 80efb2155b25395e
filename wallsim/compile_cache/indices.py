"""Indices in kernels of the package are taken as they are; Python counts negative ones from the end.

Numba tests at every access whether an index is negative, which costs `random` players about a twelfth of their speed.
No kernel of the package uses one that is, but for constants, which are still counted from the end. Where bounds are
checked a negative index raises IndexError. Functions of custom policies and of Numba itself keep Python's indices.
"""

from __future__ import annotations

from functools import cache

from numba.core import cgutils, types

from wallsim.compile_cache.sources import PACKAGE

_OF_PACKAGE = f"_ZN{len(PACKAGE.name)}{PACKAGE.name}"  # how the names of its compiled functions begin, and no others


@cache
def take_as_they_are() -> None:
    """Let Numba compile the package's kernels like this from now on; it imports what Numba needs for arrays."""
    from numba.np import arrayobj

    numbas = getattr(arrayobj, "fix_integer_index", None)
    if numbas is None:  # a Numba that tests elsewhere: kernels are slower there, and no less right
        return

    def fixed(context, builder, kind, index, size):
        constant = isinstance(index, cgutils.ir.Constant)
        if constant or not kind.signed or not builder.function.name.startswith(_OF_PACKAGE):
            return numbas(context, builder, kind, index, size)
        return context.cast(builder, index, kind, types.intp)

    arrayobj.fix_integer_index = fixed
