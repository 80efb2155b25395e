"""Custom policies whose compiled code would answer differently in another process are refused.

Random numbers of NumPy and Python, hashes of text, numbers of threads, calls of Python and of foreign functions leave
their names in the linked code, whichever helper makes the call. The line is then searched in the source. Addresses and
memory that nothing was written to are kept from compiled code (`wallsim/compile_cache/linking.py`).
"""

from __future__ import annotations

import ast
import builtins
import inspect
import random
import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.jit import is_foreign
from wallsim.policies.policy_error import PolicyError

_STREAM = "are `below`, `coin`, `shuffle` and `draw` from wallsim.state.random with the stream SEAT + seat"
_SYMBOL = re.compile(r"^(?:declare\b[^@\n]*|)@\"?([\w.$]+)\"?(?:\(| = external)", re.MULTILINE)
_FROM_ADDRESS = re.compile(r"(%[\w.]+) = load ptr, ptr @numba\.dynamic\.globals")
_LIBC = (
    "rand random rand_r drand48 lrand48 mrand48 erand48 arc4random getrandom getentropy time clock clock_gettime "
    "gettimeofday getpid gettid getenv getcpu sched_getcpu pthread_self"
)


class _Source(NamedTuple):
    """A source of answers that differ: what it does, what is allowed, its symbols, and whether an object is one."""

    does: str
    allowed: str
    symbols: re.Pattern[str]
    is_one: Callable[[Any, str], bool]


def _is_random(thing: Any, name: str) -> bool:
    owner, home = getattr(thing, "__self__", None), str(getattr(thing, "__module__", ""))
    return isinstance(owner, random.Random | np.random.RandomState) or home == "random" or "numpy.random" in home


_SOURCES = (
    _Source(
        "draws random numbers that differ from process to process", _STREAM,
        re.compile(r"numba_(?:get_\w*random_state|rnd_\w+)"), _is_random,
    ),
    _Source(
        "hashes text, which gives other numbers in every process", "is to use numbers in place of text",
        re.compile(r"_numba_hashsecret\w*"), lambda thing, name: thing is hash,
    ),
    _Source(
        "asks about threads, which differ from process to process", "is code that does not depend on them",
        re.compile(r"[gs]et_(?:thread_id|num_threads|parallel_chunksize)"),
        lambda thing, name: getattr(thing, "__module__", "") == "numba.np.ufunc.parallel",
    ),
    _Source(
        "runs Python code outside of the compiler", "is code that Numba compiles",
        re.compile(r"PyObject_Call\w*"), lambda thing, name: name.endswith("objmode"),
    ),
    _Source(
        "calls a foreign function, which may depend on anything", "are functions that Numba compiles",
        re.compile("|".join(_LIBC.split())), lambda thing, name: is_foreign(thing),
    ),
)  # fmt: skip
_FOREIGN = _SOURCES[-1]


def refuse_unrepeatable(code: str, function: Any) -> None:
    """PolicyError if the linked code of an answer, a text in LLVM's language, uses what differs between processes."""
    symbols = set(_SYMBOL.findall(code))
    for source in _SOURCES:
        if any(map(source.symbols.fullmatch, symbols)) or (source is _FOREIGN and _calls_an_address(code)):
            raise PolicyError(_message(function, source))


def _calls_an_address(code: str) -> bool:
    # Arrays too large to be copied into the code are reached by address as well, but not called.
    return any(re.search(rf"\bcall\b[^\n]* {re.escape(name)}\(", code) for name in set(_FROM_ADDRESS.findall(code)))


def _message(function: Any, source: _Source) -> str:
    plain = getattr(function, "py_func", function)
    result = next(_uses(plain, source, set()), None)
    file = Path(plain.__code__.co_filename).name
    if result is None:
        return f"{file}: {plain.__name__}: {source.does}; allowed {source.allowed}"
    file, line, owner, name = result
    asked = "" if owner == plain.__name__ else f", called by {plain.__name__}"
    return f"{file}: line {line}: {owner}{asked}: {name} {source.does}; allowed {source.allowed}"


def _uses(function: Any, source: _Source, seen: set[Any]) -> Iterator[tuple[str, int, str, str]]:
    """File, line, function and name of each use, in a function and the kernels that it calls."""
    if function in seen:
        return
    seen.add(function)
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, SyntaxError):
        return
    names = {**vars(builtins), **function.__globals__, **inspect.getclosurevars(function).nonlocals}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name):
            thing = _resolved(node, names)
            if source.is_one(thing, ast.unparse(node)):
                file = Path(function.__code__.co_filename).name
                yield file, first + node.lineno - 1, function.__name__, ast.unparse(node)
            inner = getattr(thing, "py_func", None)
            if inspect.isfunction(inner):
                yield from _uses(inner, source, seen)


def _resolved(node: ast.expr, names: dict[str, Any]) -> Any:
    """What a name or a dotted name stands for; None if that is not known."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        return getattr(_resolved(node.value, names), node.attr, None)
    return None
