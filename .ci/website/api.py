"""Checks the page of the Python API: each of its names is a documented function or class, or the module of errors."""

import re
from pathlib import Path

import griffe

from website.pages import API_SOURCE

ENTRY = re.compile(r"^::: ([\w.]+)$", re.MULTILINE)
MODULES = ("wallsim.errors",)  # shown whole, with their classes


def api_entries(root: Path) -> list[str]:
    """The dotted names on the page of the API, in its order."""
    return ENTRY.findall((root / API_SOURCE).read_text("utf-8"))


def api_errors(root: Path) -> list[str]:
    """What the page of the API could not show, read from the sources without importing them."""
    package = griffe.load("wallsim", search_paths=[str(root)], try_relative_path=False, resolve_aliases=True)
    errors = []
    for name in api_entries(root):
        try:
            entry = package[name.removeprefix("wallsim.")]
            kind, documented = entry.kind.value, entry.has_docstring
        except (KeyError, griffe.AliasResolutionError, griffe.CyclicAliasError):
            errors.append(f"{API_SOURCE}: the package has no {name}")
            continue
        if kind not in (("module",) if name in MODULES else ("function", "class")):
            errors.append(f"{API_SOURCE}: {name} is a {kind}; name the function or class itself")
        elif not documented:
            errors.append(f"{API_SOURCE}: {name} has no docstring")
    return errors
