"""The files of a cached kernel with digests: what is not as it was written is thrown away and compiled again.

A release carries machine code, so that a new installation plays at once; no folder of it is ever written to. It is
compiled for a common denominator of processors, the baseline, and is used where a kernel has no code for this machine
in the private cache. It is as trusted as the sources beside it: who could change it could change these, too.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import platform
import shutil
import stat
import sys
import uuid
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from wallsim.errors import RunError

_DIGEST_BYTES = 32  # of a sha256
_NAME_DIGITS = 16  # of a digest in the name of a data file


class CacheError(RunError):
    """Compiled kernels cannot be written to the cache, because the disk is full for example."""


class CheckedRecords:
    """The index of a kernel, which names the record of each signature, and those records, wherever they are stored.

    It takes the place of Numba's `IndexDataCacheFile`, which believes whatever it reads. The index begins with the
    digest of the rest and has the digest of every record.
    """

    def __init__(self, base: str, stamp: Any, version: str) -> None:
        """`base` is the beginning of all names.

        `stamp` stands for the kernel's source and `version` for Numba's: records with others are thrown away.
        """
        self._base, self._index = base, f"{base}.nbi"
        self._stamp, self._version = stamp, version.encode()

    def load(self, key: Any) -> Any:
        """What was saved for a key; None if nothing was, or if it is damaged, which deletes all files of the kernel."""
        try:
            name, digest = self._entries().get(key, ("", ""))
            if not name:
                return None
            data = self._content(name)
            if hashlib.sha256(data).hexdigest() != digest:
                raise ValueError(f"{name} is damaged")
            return pickle.loads(data)
        except FileNotFoundError:
            return None
        except Exception:  # whatever a damaged file can lead to: it is compiled again
            self.flush()
            return None

    def flush(self) -> None:
        """Delete all files of the kernel, if they can be replaced."""

    def _content(self, name: str) -> bytes:
        """The bytes of the index or of a record; FileNotFoundError if there is none of this name."""
        raise NotImplementedError

    def _entries(self) -> dict[Any, tuple[str, str]]:
        """The name and the digest of the record of each key; raises whatever reading a damaged index raises."""
        content = self._content(self._index)
        digest, index = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
        if digest != self._digest_of(index):
            raise ValueError(f"{self._index} is damaged")
        stamp, entries = pickle.loads(index)
        if stamp != self._stamp:
            raise ValueError(f"{self._index} is of an older source")
        return dict(entries)

    def _digest_of(self, index: bytes) -> bytes:
        return hashlib.sha256(self._version + b"\0" + index).digest()


class CheckedFiles(CheckedRecords):
    """The index and the records of a kernel as files of a folder.

    A record's file is named by its digest, so that processes which compile the same kernel at the same time do not
    overwrite each other's.
    """

    def __init__(self, folder: Path, base: str, stamp: Any, version: str, dumps: Callable[[Any], bytes]) -> None:
        """`folder` has the files, and `dumps` pickles; the others are as for all records."""
        super().__init__(base, stamp, version)
        self._folder, self._dumps = folder, dumps

    def save(self, key: Any, value: Any) -> None:
        """Keep a value for a key. Raises CacheError if it cannot be written."""
        data = self._dumps(value)
        digest = hashlib.sha256(data).hexdigest()
        name = f"{self._base}.{digest[:_NAME_DIGITS]}.nbc"
        try:
            entries = self._entries()
        except FileNotFoundError:
            entries = {}
        except Exception:
            self.flush()
            entries = {}
        index = self._dumps((self._stamp, {**entries, key: (name, digest)}))
        try:
            self._make_folder()
            _write(self._folder / name, data)
            _write(self._folder / self._index, self._digest_of(index) + index)
        except OSError as error:
            raise CacheError(
                f"{self._folder.parent}: compiled kernels cannot be stored there: {error.strerror or error}; "
                "make room, or name another folder in WALLSIM_CACHE_DIR"
            ) from error

    def flush(self) -> None:
        """Delete all files of the kernel."""
        with suppress(OSError):
            data = [place for place in self._folder.iterdir() if place.name.startswith(f"{self._base}.")]
            for place in [self._folder / self._index, *(place for place in data if place.suffix == ".nbc")]:
                _delete(place)

    def _content(self, name: str) -> bytes:
        return read_plain(self._folder / name)

    def _make_folder(self) -> None:
        try:
            self._folder.mkdir(exist_ok=True)
        except FileExistsError:
            self._folder.unlink()
            self._folder.mkdir()


def read_plain(path: Path) -> bytes:
    """The bytes of a regular file; OSError for a link, a device, a pipe or a folder."""
    with open(path, "rb", opener=_open_plain) as file:
        return file.read()


def _open_plain(path: str, flags: int) -> int:
    # Neither through a link nor from a device or a pipe, which might never end.
    handle = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(f"{path} is not a file")
    return handle


def _write(path: Path, content: bytes) -> None:
    temporary = Path(f"{path}.tmp.{uuid.uuid4().hex[:16]}")
    try:
        temporary.write_bytes(content)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _delete(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place, ignore_errors=True)
    else:
        place.unlink(missing_ok=True)


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
