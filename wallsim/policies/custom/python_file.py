"""Policies as Python files: each function that bears the name of a question answers it, compiled.

A file may define `BASE`, the name of a shipped policy whose weights answer all other questions (else `balanced`), and
`WEIGHTS`, those that differ; `WEIGHTS["year two"]` may be a dict of those that differ in this phase. Its docstring is
the description. Helpers are decorated with `wallsim.jit.kernel`. What a file imports from elsewhere than `wallsim` is
neither stored with a run nor part of its identity.

Policies whose compiled code would answer differently in another process are refused. Random numbers of NumPy and
Python, hashes of text, numbers of threads, calls of Python and of foreign functions leave their names in the linked
code, whichever helper makes the call. The line is then searched in the source. Addresses and memory that nothing was
written to are kept from compiled code (`wallsim/compile_cache/linking.py`).
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import inspect
import os
import random
import re
import sys
import textwrap
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from wallsim.compile_cache.folder import cache_folder
from wallsim.jit import checking_bounds, entry_point, is_foreign, source_digest
from wallsim.policies.policy_error import PolicyError
from wallsim.policies.questions import QUESTIONS, Question
from wallsim.policies.record import MIND
from wallsim.rules.files import read_input
from wallsim.rules.record import RULES
from wallsim.state.game import GAME

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


_TABLE = ("game", "rules", "mind", "seat")
_DEFAULT_BASE = "balanced"
_BY_NAME = {question.name: question for question in QUESTIONS}


@dataclass(frozen=True)
class Answer:
    """A function of a policy file that answers a question."""

    question: Question
    function: Any
    source: bytes = field(repr=False)  # of the whole file, whose name without .py is `stem`
    stem: str

    def __reduce__(self) -> tuple[Any, ...]:
        """For other processes: machine code stays here, and the source is compiled there."""
        return _sent_answer, (self.question.name, self.source, self.stem, self.file)

    @property
    def file(self) -> str:
        """The path of the file that the function comes from."""
        return str(getattr(self.function, "py_func", self.function).__code__.co_filename)

    @property
    def line(self) -> int:
        """The line of the file at which the function begins."""
        return int(getattr(self.function, "py_func", self.function).__code__.co_firstlineno)

    def address(self, bounded: bool = False) -> int:
        """The address of its machine code, which checks every index if it is `bounded`.

        It is compiled on the first call. Raises NotCompiledError, and PolicyError if the code would answer otherwise in
        another process.
        """
        return _address(self, bounded)


@cache
def _address(answer: Answer, bounded: bool) -> int:
    question = answer.question
    inspect_code = partial(refuse_unrepeatable, function=answer.function)
    function = _bounded_function(answer) if bounded else answer.function
    integers = 1 + len(question.details)
    return entry_point(function, (GAME, RULES, MIND), integers, question.returns, bounded=bounded, inspect=inspect_code)


def _bounded_function(answer: Answer) -> Any:
    """The function again, with helpers that check their indices; one that comes from no policy file as it is."""
    if not answer.source:
        return answer.function
    return getattr(_bounded_module(answer.file, answer.source), answer.question.name)


@cache
def _bounded_module(file: str, source: bytes) -> ModuleType:
    # All modules that the file imports are loaded by now, so that only its own kernels are declared here.
    path = Path(file)
    with checking_bounds():
        return _load(path, file, source, f"{_module_name(path, source)}_bounded")


class CodeFile(NamedTuple):
    """The contents of a Python file; the weights are not checked yet. `digest` is its sha256."""

    base: str
    weights: dict[str, Any]
    description: str
    answers: dict[str, Answer]
    digest: str
    source: bytes


def read_code(path: Path) -> CodeFile:
    """Run a policy file and gather its answers; PolicyError with all that is wrong with them."""
    try:
        source = read_input(path)
    except OSError as error:
        raise PolicyError(f"{path}: cannot be read: {error.strerror}") from None
    return _read(path.resolve(), str(path), source)


@cache
def _read(path: Path, shown: str, source: bytes) -> CodeFile:
    digest = hashlib.sha256(source).hexdigest()
    module = _load(path, shown, source, _module_name(path, source))
    base, weights = getattr(module, "BASE", _DEFAULT_BASE), getattr(module, "WEIGHTS", {})
    errors = []
    if not isinstance(base, str):
        errors.append(f"{shown}: BASE: {base!r} is not the name of a policy")
    if not isinstance(weights, dict):
        errors.append(f"{shown}: WEIGHTS: {weights!r} is not a dict of weights by name")
    answers = {}
    for name, function in vars(module).items():
        plain = getattr(function, "py_func", function)  # of a kernel, what it was made of
        if not inspect.isfunction(plain) or plain.__module__ != module.__name__:
            if name in _BY_NAME:
                errors.append(f"{shown}: {name}: {function!r} is not a function of this file that answers")
            continue
        if name in _BY_NAME:
            errors += _errors_of_arguments(shown, _BY_NAME[name], plain)
            answers[name] = Answer(_BY_NAME[name], function, source, path.stem)
        elif plain is function and not name.startswith("_"):
            errors.append(
                f"{shown}: {name}: answers no question; allowed are {', '.join(_BY_NAME)}, and helpers that are "
                "decorated with `kernel` from wallsim.jit"
            )
    if not answers and not errors:
        errors.append(f"{shown}: answers no question; allowed are functions named {', '.join(_BY_NAME)}")
    if errors:
        raise PolicyError(errors)
    return CodeFile(base, weights, inspect.cleandoc(module.__doc__ or ""), answers, digest, source)


def _module_name(path: Path, source: bytes) -> str:
    return f"wallsim_policy_{path.stem}_{hashlib.sha256(source).hexdigest()[:12]}"


def _load(path: Path, shown: str, source: bytes, name: str) -> ModuleType:
    # Not as a module is imported: the bytes that were digested are run, and no bytecode is written beside the file.
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    try:
        exec(compile(source, str(path), "exec"), vars(module))
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        line = next(
            (f.lineno for f in reversed(traceback.extract_tb(error.__traceback__)) if f.filename == str(path)), 0
        )
        line = getattr(error, "lineno", None) or line
        raise PolicyError(f"{shown}: line {line}: {type(error).__name__}: {error}") from None
    return module


def _errors_of_arguments(path: str, question: Question, function: Any) -> list[str]:
    allowed = (*_TABLE, *question.details)
    arguments = tuple(inspect.signature(function).parameters)
    if len(arguments) == len(allowed):
        return []
    return [f"{path}: {question.name}: takes ({', '.join(arguments)}); allowed is ({', '.join(allowed)})"]


def _sent_answer(question: str, source: bytes, stem: str, file: str) -> Answer:
    # Another process of the same machine reads the file itself. Elsewhere a copy lies among the compiled kernels, where
    # only this user can write, since compiled code is cached by its file.
    with suppress(OSError):
        if Path(file).stem == stem and Path(file).read_bytes() == source:
            return read_code(Path(file)).answers[question]
    folder = cache_folder(source_digest()) / "policies" / hashlib.sha256(source).hexdigest()[:16]
    path = folder / f"{stem}.py"
    if not path.is_file() or path.read_bytes() != source:
        folder.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
        part.write_bytes(source)
        os.replace(part, path)
    return read_code(path).answers[question]
