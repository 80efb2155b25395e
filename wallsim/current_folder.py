"""The folder in which a command is started takes no part in it: its modules are not imported, its settings not read.

Python looks for modules there in every process that is started with `-m` or `-c`, as joblib starts its workers; Numba
and matplotlib look there for files of settings. `wallsim/__init__.py` does the same for `python -m wallsim`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

SAFE_PATH = {"PYTHONSAFEPATH": "1"}  # in the environment of every process of Python that is started from here


@contextmanager
def changed_environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Set variables of the environment in this block."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def hidden_here(name: str) -> Iterator[None]:
    """Let a library that is imported in this block find no file of this name in the current folder."""
    exists = os.path.exists
    os.path.exists = lambda path: path != name and exists(path)
    try:
        yield
    finally:
        os.path.exists = exists
