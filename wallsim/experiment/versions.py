"""The versions that decide the bytes of results: this package's sources, other packages, the compiler, the machine.

Processes that play for one folder compare them, and each receipt in a journal names their digest.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from wallsim.engine.version import ENGINE_VERSION

Versions = Mapping[str, str]  # by name; plain texts, so that any other version of wallsim can compare them

DIGEST_LENGTH = 12
# Other packages that make rows or bytes. Those that only carry tasks (cloudpickle, joblib, distributed) do not.
_PACKAGES = ("numpy", "numba", "llvmlite", "polars")
_PACKAGE = Path(__file__).resolve().parents[1]


def package_version(name: str) -> str:
    """The version of an installed package, or "not installed", as for wallsim in a source tree without installation."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


@cache
def versions() -> Versions:
    """The versions of this process; do not change them."""
    from wallsim.jit import compiler_settings  # a process that plays has imported it

    return {
        "wallsim": package_version("wallsim"),
        "engine": str(ENGINE_VERSION),
        "sources": sources_digest(_PACKAGE),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        **{name: package_version(name) for name in _PACKAGES},
        "compiler": " ".join(f"{name}={value}" for name, value in compiler_settings().items()),
        "libc": " ".join(platform.libc_ver()).strip() or platform.system(),
        "processor": processor(),
    }


def sources_digest(package: Path) -> str:
    """Sixteen hexadecimal digits of the paths and bytes of all Python files below a folder.

    Boards, towers, policies and values are no part of it: tasks carry them.
    """
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        data = path.read_bytes()
        digest.update(f"{path.relative_to(package).as_posix()}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()[:16]


def processor() -> str:
    """The instruction set, as far as it can change a result.

    Compiled games round all operations equally on all processors. A Python policy may also call functions of the C
    library, which uses fused multiplication and addition where there is one, and then may round the last bit otherwise.
    """
    from llvmlite.binding import get_host_cpu_features

    machine = platform.machine()
    fused = get_host_cpu_features().get("fma", False) or machine in ("aarch64", "arm64")
    return f"{machine} {'with' if fused else 'without'} fma"


def versions_digest(result: Versions) -> str:
    """The digest by which a receipt names versions."""
    text = json.dumps(dict(result), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]


def differing(theirs: Versions, ours: Versions, there: str = "there", here: str = "here") -> str:
    """The versions that differ, each with both values; empty if none does."""
    names = [*ours, *(name for name in theirs if name not in ours)]
    return "; ".join(
        f"{name} {theirs.get(name, 'unknown')} {there}, {ours.get(name, 'unknown')} {here}"
        for name in names
        if theirs.get(name) != ours.get(name)
    )
