"""Commands draw without the user's matplotlib: what he has set for his own pictures must not end them or change theirs.

matplotlib reads its settings when it is imported, from a file in the current folder or in his home and from variables,
and a broken file ends the import. Commands import it late, so what they import is prepared here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

from wallsim.current_folder import changed_environment, hidden_here

_VARIABLES = {"MATPLOTLIBRC": os.devnull, "MPLBACKEND": "agg"}


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
        with hidden_here("matplotlibrc"), changed_environment(_VARIABLES):
            super().exec_module(module)
        vars(module)["get_configdir"] = lambda: os.devnull  # where pyplot looks for styles of the user


def import_plain_matplotlib() -> None:
    """Let this process import matplotlib, if it does, with matplotlib's own settings and without a window."""
    sys.meta_path.insert(0, _Finder)
