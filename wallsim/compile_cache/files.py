"""The files of a cached kernel with digests: what is not as it was written is thrown away and compiled again."""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import stat
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

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
