"""Machine code that a release carries, so that a new installation plays at once; no folder of it is ever written to.

It is compiled for a common denominator of processors, the baseline, and is used where a kernel has no code for this
machine in the private cache. It is as trusted as the sources beside it: who could change it could change these, too.
"""

from __future__ import annotations

import io
import os
import platform
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from wallsim.compile_cache.files import CheckedRecords, read_plain

VARIABLE = "WALLSIM_SHIPPED_CODE"  # 0: compile for this machine instead
FOLDER = Path("_data") / "compiled"  # in the package


class Baseline(NamedTuple):
    """A processor as LLVM calls it, and the features that code for it may use, in LLVM's form `+a,+b`."""

    processor: str
    features: str

    def runs_with(self, features: str) -> bool:
        """Whether a machine with these features, in the same form, has all of the baseline's."""
        return set(self.features.split(",")) <= set(features.split(","))


_X86_64_V3 = Baseline(
    "x86-64-v3",
    "+64bit,+avx,+avx2,+bmi,+bmi2,+cmov,+crc32,+cx16,+cx8,+f16c,+fma,+fxsr,+lzcnt,+mmx,+movbe,+popcnt,+sahf,+sse,+sse2,"
    "+sse3,+sse4.1,+sse4.2,+ssse3,+xsave",
)
_ARM64 = Baseline("generic", "+fp-armv8,+neon")
BASELINES = {"x86_64": _X86_64_V3, "aarch64": _ARM64, "arm64": _ARM64}  # by Python's name of the machine


class ShippedCode:
    """The archive of machine code of an installation, for a baseline that this machine has."""

    def __init__(self, archive: Path, baseline: Baseline) -> None:
        """`archive` is a zip file with the files of a private cache."""
        self._archive, self._baseline = archive, baseline
        self.ignored = False

    @contextmanager
    def left_alone(self) -> Iterator[None]:
        """Compile in this block what the private cache lacks."""
        self.ignored = True
        try:
            yield
        finally:
            self.ignored = False

    def records(self, folder: str, base: str, stamp: Any, version: str) -> CheckedRecords:
        """The records of a kernel, in a folder of the archive; the other arguments are as for all records."""
        return _ArchivedRecords(self._archive, folder, base, stamp, version)

    def key(self, key: Any) -> Any:
        """Numba's key of a kernel on this machine as it is for the baseline: target, processor and features differ."""
        signature, (target, _, _), digests = key
        return signature, (target, *self._baseline), digests


class _ArchivedRecords(CheckedRecords):
    """The records of a kernel in a zip file. The file is read as a whole, and again for each kernel that it may have.

    What is damaged stays, and is compiled.
    """

    def __init__(self, archive: Path, folder: str, base: str, stamp: Any, version: str) -> None:
        super().__init__(base, stamp, version)
        self._archive, self._folder = archive, folder

    def _content(self, name: str) -> bytes:
        with zipfile.ZipFile(io.BytesIO(read_plain(self._archive))) as archive:
            return archive.read(f"{self._folder}/{name}")


def baseline_here() -> Baseline | None:
    """The baseline of this kind of processor, which not every one of them has."""
    return BASELINES.get(platform.machine())


def archive_name(baseline: Baseline, versions: dict[str, str], digest: str) -> str:
    """The file's name for code of a baseline, by this Python, some other versions and the digest of all that it is of.

    An installation finds the file by its name, so code of other sources or versions is never loaded.
    """
    others = "-".join(f"{name}-{version}" for name, version in versions.items())
    return f"{sys.implementation.cache_tag}-{sys.platform}-{others}-{baseline.processor}-{digest}.zip"


def shipped_code(archive: Path, baseline: Baseline) -> ShippedCode | None:
    """The code in a file that an installation may have; None if it has not, or if the user does not want it."""
    if os.environ.get(VARIABLE) == "0" or not archive.is_file():
        return None
    return ShippedCode(archive.resolve(), baseline)  # some installers make links
