"""Bounds checks that name the line: Numba's own report that an index is out of bounds, but not where."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import cgutils
from numba.core.compiler_lock import global_compiler_lock
from numba.core.lowering import Lower


@contextmanager
def bounds_checks_name_lines(file: str) -> Iterator[None]:
    """Let the IndexErrors of functions that are compiled in this block name the line of `file`.

    Numba lowers a function instruction by instruction; the last line of the file that was lowered is the one.
    """
    line = 0
    with global_compiler_lock:
        lower, check = Lower.lower_inst, cgutils.do_boundscheck

        def lower_and_note(self: Any, instruction: Any) -> Any:
            nonlocal line
            if instruction.loc.filename == file:
                line = instruction.loc.line
            return lower(self, instruction)

        def checked(context: Any, builder: Any, index: Any, length: Any, axis: Any = None) -> None:
            words = f"line {line}: index out of bounds" if line else "index out of bounds"
            above = builder.icmp_signed(">=", index, length)
            below = builder.icmp_signed("<", index, index.type(0))
            with cgutils.if_unlikely(builder, builder.or_(above, below)):
                context.call_conv.return_user_exc(builder, IndexError, (words,))

        Lower.lower_inst = lower_and_note  # type: ignore[method-assign]
        cgutils.do_boundscheck = checked
        try:
            yield
        finally:
            Lower.lower_inst = lower  # type: ignore[method-assign]
            cgutils.do_boundscheck = check
