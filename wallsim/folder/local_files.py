"""The files of a folder of results on a disk: read within bounds, written whole, never outside the folder.

`FileStore` is all that the journal, the store and the readers know of where files are; `object_store.py` has the same
operations for a folder in an object store. Names are relative to the folder, with slashes.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

from wallsim.errors import InputError, RunError
from wallsim.experiment.chunks import MAX_CHUNKS
from wallsim.folder.address import Folder
from wallsim.folder.commit import TEMPORARY, append_line, create_whole, make_folders, write_whole
from wallsim.folder.parquet_footer import digest_and_footer
from wallsim.rules.files import read_rest

LOCK = ".lock"
MOST_BYTES_PER_CHUNK = 2048  # of a receipt, or of the entries of a manifest, with every table
_MOST_BYTES_OF_DOCUMENTS = 1 << 30  # in the header of a journal
# Of a journal or a manifest; nothing longer is read into memory.
MOST_BYTES = MAX_CHUNKS * MOST_BYTES_PER_CHUNK + _MOST_BYTES_OF_DOCUMENTS
_BLOCK = 1 << 20
_NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)

Item = TypeVar("Item")
Result = TypeVar("Result")


class NoAnswerError(OSError):
    """A store of files could not be asked, so nothing is known of the file."""


class FileFacts(NamedTuple):
    """The size of a file in bytes, and when it was last changed, in nanoseconds; times are only compared."""

    bytes: int
    time: int


class Lock(Protocol):
    """Something that is locked until it is closed."""

    def close(self) -> None:
        """Unlock it; calling it twice is safe."""


class FileLock:
    """A locked file; the lock ends with the process at the latest."""

    def __init__(self, handle: int) -> None:
        """Take over the handle of a file that is locked."""
        self._handle: int | None = handle

    def close(self) -> None:
        """Unlock it; calling it twice is safe."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def read_bounded(path: Path, most: int = MOST_BYTES) -> bytes:
    """The bytes of a plain file of at most `most` bytes.

    RunError for a symbolic link, a device, a pipe, a folder, and a longer file; FileNotFoundError and other OSError are
    passed on.
    """
    try:
        # Without waiting for the other end of a pipe.
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO):
            raise RunError(f"{path}: is a symbolic link or not a regular file, so it is not read") from None
        raise
    facts = os.fstat(handle)
    if not stat.S_ISREG(facts.st_mode):
        os.close(handle)
        raise RunError(f"{path}: is not a regular file, so it is not read")
    with open(handle, "rb") as file:
        data = read_rest(file, most + 1) if facts.st_size <= most else b""
        if facts.st_size > most or len(data) > most:
            raise RunError(f"{path}: has more than {most:,} bytes, so it is not read")
        return data


class FileStore:
    """A folder on a disk."""

    polars_options: ClassVar[Mapping[str, Any]] = {}  # with which polars opens its files

    def __init__(self, folder: Path) -> None:
        """The folder may not exist yet."""
        self.folder: Folder = folder
        self._path = folder

    def __str__(self) -> str:
        """The folder's path, for messages."""
        return str(self.folder)

    def make(self) -> None:
        """Create the folder if it is missing."""
        make_folders(self._path)

    def url(self, name: str) -> str:
        """What polars opens a file by: an absolute path, since it replaces `~` and `file:` at the start of others."""
        return os.path.abspath(self._at(name))

    def read(self, name: str) -> bytes:
        """The bytes of a document; FileNotFoundError without it, RunError for what is not a regular file."""
        return read_bounded(self._at(name))

    def write(self, name: str, data: bytes | memoryview) -> None:
        """Write a file whole, in place of what was there; OSError leaves the old one."""
        write_whole(self._at(name), data)

    def write_document(self, name: str, text: str) -> None:
        """Write a document whole, and the folder that it is in."""
        folder, slash, _ = name.rpartition("/")
        if slash:
            self.make_folder(folder)
        self.write(name, text.encode("utf-8", "surrogateescape"))

    def create(self, name: str, data: bytes) -> bool:
        """Write a file whole unless there is one; whether it was written."""
        return create_whole(self._at(name), data)

    def append(self, name: str, line: bytes) -> None:
        """Append a line to a journal."""
        append_line(self._at(name), line)

    def size(self, name: str) -> int | None:
        """The bytes of a plain file; None without one."""
        try:
            facts = self._at(name).lstat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        return facts.st_size if stat.S_ISREG(facts.st_mode) else None

    def exists(self, name: str) -> bool:
        """Whether there is a file or a folder of this name; a link counts as what it leads to."""
        return self._at(name).exists()

    def facts(self, folder: str = "") -> dict[str, FileFacts]:
        """The plain files in a folder below this one ("" for itself) by name; none if it does not exist."""
        result = {}
        with suppress(FileNotFoundError, NotADirectoryError), os.scandir(self._at(folder)) as entries:
            for entry in entries:
                facts = entry.stat(follow_symlinks=False)
                if stat.S_ISREG(facts.st_mode):
                    name = f"{folder}/{entry.name}" if folder else entry.name
                    result[name] = FileFacts(facts.st_size, facts.st_mtime_ns)
        return result

    def digest(self, name: str) -> str | None:
        """The sha256 of a file in hexadecimal; None without one."""
        if self.size(name) is None:
            return None
        with self._at(name).open("rb") as file:
            return digest_and_footer(iter(partial(file.read, _BLOCK), b""))[0]

    def footer(self, name: str, size: int, sha256: str) -> bytes | None:
        """The footer of a Parquet file that has this size and digest, from the same read; any bytes of another file.

        None if it has another size, with which it is not read, or another digest.
        """
        if self.size(name) != size:
            return None
        with self._at(name).open("rb") as file:
            digest, footer = digest_and_footer(iter(partial(file.read, _BLOCK), b""))
        return footer if digest == sha256 else None

    def several(self, function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
        """The results of a function that asks for files, in order; several at once where that is faster."""
        return list(map(function, items))

    def delete(self, name: str) -> None:
        """Delete a file if it is there."""
        self._at(name).unlink(missing_ok=True)

    def names(self, folder: str, ending: str) -> list[str]:
        """The names of files in a folder below this one ("" for itself) that end so, in order; hidden ones are not."""
        try:
            result = sorted(path.name for path in self._at(folder).iterdir() if path.name.endswith(ending))
        except (FileNotFoundError, NotADirectoryError):
            return []
        return [f"{folder}/{name}" if folder else name for name in result if not name.startswith(".")]

    def entries(self) -> list[str]:
        """The names of all files and folders in this folder, in order; none if it does not exist."""
        with suppress(FileNotFoundError):
            return sorted(os.listdir(self._path))
        return []

    def folders(self) -> list[str]:
        """The names of the folders in this one, in order; neither hidden ones nor links. OSError is passed on."""
        paths = sorted(path for path in self._path.iterdir() if not path.name.startswith("."))
        return [path.name for path in paths if path.is_dir() and not path.is_symlink()]

    def is_link(self, name: str) -> bool:
        """Whether a file or folder is a symbolic link."""
        return self._at(name).is_symlink()

    def make_folder(self, name: str) -> None:
        """Create a folder below this one. InputError if it is a link, by which files would land elsewhere."""
        place = self._at(name)
        if place.is_symlink():
            raise InputError(
                f"{place}: is a symbolic link, and nothing is written outside the run's folder; remove it, or choose "
                "another folder"
            )
        make_folders(place)

    def remove_leftovers(self, folders: Iterator[str] | tuple[str, ...]) -> None:
        """Delete the files that interrupted writers left in these folders; no other process may be writing."""
        for name in folders:
            if name and self.is_link(name):
                continue  # what lies elsewhere is not ours
            for leftover in self._at(name).glob(f".*{TEMPORARY}"):
                leftover.unlink(missing_ok=True)

    def on_disk(self, names: Iterable[str]) -> Path:
        """A folder on a disk that has these documents; InputError for what is no document."""
        return self._path

    def lock(self, name: str = LOCK, *, shared: bool = False) -> Lock | None:
        """A lock on a file; closing it unlocks. None if another process holds it, or not shared.

        InputError if the file system has no locks.
        """
        handle = os.open(self._at(name), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return None
        except OSError as error:
            os.close(handle)
            if error.errno not in _NO_LOCKS:
                raise
            raise InputError(
                f"{self.folder}: cannot be locked ({error.strerror}): its file system has no locks, and two processes "
                "might write there at once; choose a folder on another one"
            ) from None
        return FileLock(handle)

    def is_locked(self) -> bool:
        """Whether another process writes here, as far as can be seen; nothing is created."""
        if self.size(LOCK) is None or not os.access(self._at(LOCK), os.W_OK):
            return False
        try:
            lock = self.lock()
        except (InputError, OSError):  # the file system has no locks
            return False
        if lock is not None:
            lock.close()
        return lock is None

    def _at(self, name: str) -> Path:
        return self._path / name
