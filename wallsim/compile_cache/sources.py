"""Digests of the sources that kernels come from: machine code is cached in a folder named by one."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
DIGITS = 16  # of a digest in a name
_COMPILED = ("jit.py", "compile_cache", "rules", "state", "mechanics", "policies", "engine")


@cache
def _sources() -> str:
    digest = hashlib.sha256()
    places = [PACKAGE / name for name in _COMPILED]
    for path in sorted(file for place in places for file in ([place] if place.is_file() else place.rglob("*.py"))):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def digest_with(*others: str) -> str:
    """Sixteen hexadecimal digits naming the kernels' sources and some other texts; no path is part of it."""
    return hashlib.sha256("\0".join((_sources(), *others)).encode()).hexdigest()[:DIGITS]


def folder_in_cache(file: Path) -> str | None:
    """The name of the folder for the kernels of a file of the package, such as `wallsim.policies.value`.

    It is the same in every installation; None for a file outside of the package.
    """
    if not file.is_relative_to(PACKAGE):
        return None
    return ".".join((PACKAGE.name, *file.relative_to(PACKAGE).parent.parts))
