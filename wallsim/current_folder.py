"""The folder in which a command is started takes no part in it: its modules are not imported, its settings not read.

Python looks for modules there in every process that is started with `-m` or `-c`, as joblib starts its workers; Numba
and matplotlib look there for files of settings. `wallsim/__init__.py` does the same for `python -m wallsim`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

SAFE_PATH = {"PYTHONSAFEPATH": "1"}  # in the environment of every process of Python that is started from here
_OF_MATPLOTLIB = {"MATPLOTLIBRC": os.devnull, "MPLBACKEND": "agg"}


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


class _Finder:
    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != "matplotlib":
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


class _Loader(SourceFileLoader):
    def exec_module(self, module: ModuleType) -> None:
        with hidden_here("matplotlibrc"), changed_environment(_OF_MATPLOTLIB):
            super().exec_module(module)
        vars(module)["get_configdir"] = lambda: os.devnull  # where pyplot looks for styles of the user


def import_plain_matplotlib() -> None:
    """Let this process import matplotlib, if it does, with matplotlib's own settings and without a window.

    What users have set for their own pictures must not end commands or change their pictures. matplotlib reads its
    settings when it is imported, from a file in the current folder or in the user's home and from variables, and a
    broken file ends the import. Commands import it late, so what they import is prepared here.
    """
    sys.meta_path.insert(0, _Finder)
