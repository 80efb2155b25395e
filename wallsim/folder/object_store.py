"""The files of a folder of results in an object store, such as s3://BUCKET/FOLDER: one object per file.

Objects cannot be appended to. A line of a journal NAME is therefore an object of its own, NAME.d/TIME-RANDOM, and
reading the journal reads the object NAME and then these lines. Writing the journal puts all lines into the object NAME
and deletes exactly those that were read, on condition that the object has not changed since.

There are no locks, and none are needed, because two writers cannot harm each other: the bytes of a part file depend
only on what is played, every receipt is an object of its own, and the header of a journal is created on condition that
there is none, so that the first of two writers decides. At worst the same chunk is played twice.
"""

from __future__ import annotations

import atexit
import errno
import os
import shutil
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

from wallsim.errors import RunError
from wallsim.folder.address import Url
from wallsim.folder.local_files import LOCK, MOST_BYTES, FileFacts, FileStore, Item, Lock, NoAnswerError, Result
from wallsim.folder.object_responses import is_without_bucket, opened, package_for, reason, settings_here
from wallsim.folder.parquet_footer import digest_and_footer

_JOURNAL = ".jsonl"  # the ending of files to which lines are appended
_LINES = ".d"  # added to the name of such a file, for the folder of its lines
_BLOCK = 1 << 20
_TOGETHER = 16  # requests at the same time
_ATTEMPTS = 5  # to read a journal while another process rewrites it


class ObjectFileStore(FileStore):
    """A folder in an object store.

    Its settings and credentials are those of the environment, such as AWS_ENDPOINT_URL and AWS_ACCESS_KEY_ID. Every
    OSError is a NoAnswerError, except for files that are missing.
    """

    # Polars takes the same environment variables. Without a provider of its own it also takes credentials from the same
    # places, and does not import the cloud's packages.
    polars_options: ClassVar[Mapping[str, Any]] = {"credential_provider": None}

    def __init__(self, folder: Url) -> None:
        """Ask the store for the folder, which need not exist.

        InputError without the package obstore, without such a bucket, and if the store does not answer or refuses.
        """
        self.folder = self._url = folder
        self._obstore = package_for(folder)
        self._store = opened(folder, settings_here())
        # Of each journal: the version of its object, None without one, and the objects of its lines when it was read.
        self._seen: dict[str, tuple[Any, list[str]]] = {}

    def __str__(self) -> str:
        """The folder's address, for messages."""
        return self._url

    def make(self) -> None:
        """Nothing: folders are only names."""

    def url(self, name: str) -> str:
        """What polars opens a file by."""
        return self._url / name

    # ------------------------------------------------------------------------------------------------- documents

    def read(self, name: str) -> bytes:
        """The bytes of a document or a journal; FileNotFoundError without it."""
        if not name.endswith(_JOURNAL):
            return self._get(name)[0]
        for _ in range(_ATTEMPTS):
            with suppress(FileNotFoundError):  # of a line that has just been moved into the journal's own object
                if (data := self._read_journal(name)) is None:
                    break
                return data
        else:
            raise NoAnswerError(errno.EBUSY, "other processes rewrite it all the time", self.url(name))
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.url(name))

    def write(self, name: str, data: bytes | memoryview) -> None:
        """Write a file whole, in place of what was there.

        Of a journal, the lines that were read are replaced, and not those that other processes added since;
        NoAnswerError if another process rewrote it.
        """
        if name.endswith(_JOURNAL):
            self._write_journal(name, bytes(data))
        else:
            with self._asked(name):
                self._obstore.put(self._store, name, data)

    def create(self, name: str, data: bytes) -> bool:
        """Write a file whole unless there is one; whether it was written.

        NoAnswerError without conditional writes, since two processes might both believe to be the first.
        """
        if not self._put_new(name, data):
            return False
        if self._put_new(name, data):
            raise NoAnswerError(
                errno.ENOTSUP, "the store does not support conditional writes (If-None-Match)",
                self.url(name),
            )  # fmt: skip
        return True

    def append(self, name: str, line: bytes) -> None:
        """Add a line to a journal."""
        # The name is taken only if an earlier attempt at this very request succeeded and its answer was lost.
        self._put_new(f"{name}{_LINES}/{time.time_ns():020d}-{uuid.uuid4().hex[:12]}", line + b"\n")

    def delete(self, name: str) -> None:
        """Delete a file if it is there."""
        with self._asked(name), suppress(FileNotFoundError):
            self._obstore.delete(self._store, name)

    # ------------------------------------------------------------------------------------------------ what is there

    def size(self, name: str) -> int | None:
        """The bytes of a file, without lines that were appended; None without one."""
        try:
            with self._asked(name):
                return int(self._obstore.head(self._store, name)["size"])
        except FileNotFoundError:
            # A journal whose first object is lost is damaged, and not missing.
            return 0 if name.endswith(_JOURNAL) and self._lines(name) else None

    def exists(self, name: str) -> bool:
        """Whether there is a file or a folder of this name."""
        if self.size(name) is not None:
            return True
        result = self._listed(name)
        return bool(result["objects"] or result["common_prefixes"])

    def facts(self, folder: str = "") -> dict[str, FileFacts]:
        """The files in a folder below this one ("" for itself) by name; none if it does not exist."""
        result = {entry["path"]: _facts(entry) for entry in self._listed(folder)["objects"]}
        for name in result:
            if name.endswith(_JOURNAL):
                of_lines = self._lines(name).values()
                latest = max([result[name].time, *(line.time for line in of_lines)])
                result[name] = FileFacts(result[name].bytes, latest)
        return result

    def digest(self, name: str) -> str | None:
        """The sha256 of a file in hexadecimal; None without one."""
        return self._read_through(name, None)[0]

    def footer(self, name: str, size: int, sha256: str) -> bytes | None:
        """The footer of a Parquet file that has this size and digest, from the same request; see FileStore."""
        digest, footer = self._read_through(name, size)
        return footer if digest == sha256 else None

    def several(self, function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
        """The results of a function that asks for files, in order; several at once."""
        with ThreadPoolExecutor(_TOGETHER) as pool:
            return list(pool.map(function, items))

    def names(self, folder: str, ending: str) -> list[str]:
        """The names of files in a folder below this one ("" for itself) that end so, in order; hidden ones are not."""
        result = self._listed(folder)
        there = {entry["path"] for entry in result["objects"]}
        there |= {name.removesuffix(_LINES) for name in result["common_prefixes"] if name.endswith(_JOURNAL + _LINES)}
        return sorted(name for name in there if name.endswith(ending) and not name.rpartition("/")[2].startswith("."))

    def entries(self) -> list[str]:
        """The names of all files and folders in this folder, in order."""
        result = self._listed("")
        return sorted({*(entry["path"] for entry in result["objects"]), *result["common_prefixes"]})

    def folders(self) -> list[str]:
        """The names of the folders in this one, in order; without hidden ones and those of lines."""
        there = sorted(self._listed("")["common_prefixes"])
        return [name for name in there if not name.startswith(".") and not name.endswith(_JOURNAL + _LINES)]

    def is_link(self, name: str) -> bool:
        """No: there are none."""
        return False

    def make_folder(self, name: str) -> None:
        """Nothing: folders are only names."""

    def remove_leftovers(self, folders: Iterator[str] | tuple[str, ...]) -> None:
        """Nothing: objects appear whole or not at all."""

    def on_disk(self, names: Iterable[str]) -> Path:
        """A temporary folder with these documents, which is deleted when the process ends."""
        folder = Path(tempfile.mkdtemp(prefix="wallsim-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        for name in names:
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(self.read(name))
        return folder

    def lock(self, name: str = LOCK, *, shared: bool = False) -> Lock:
        """Nothing that locks, since two writers cannot harm each other; see above."""
        return _NoLock()

    def is_locked(self) -> bool:
        """No: there are no locks."""
        return False

    # --------------------------------------------------------------------------------------------------- requests

    def _get(self, name: str) -> tuple[bytes, Any]:
        # The bytes of an object, and its version.
        with self._asked(name):
            result = self._obstore.get(self._store, name)
            if result.meta["size"] > MOST_BYTES:
                raise RunError(f"{self.url(name)}: has more than {MOST_BYTES:,} bytes, so it is not read")
            return bytes(result.bytes()), _version(result.meta)

    def _read_through(self, name: str, size: int | None) -> tuple[str | None, bytes]:
        with suppress(FileNotFoundError), self._asked(name):
            result = self._obstore.get(self._store, name)
            if size is None or result.meta["size"] == size:
                return digest_and_footer(map(bytes, result.stream(_BLOCK)))
        return None, b""

    def _put_new(self, name: str, data: bytes) -> bool:
        with self._asked(name):
            try:
                self._obstore.put(self._store, name, data, mode="create")
            except self._obstore.exceptions.AlreadyExistsError:
                return False
            return True

    def _listed(self, folder: str) -> Any:
        with self._asked(folder):
            return self._obstore.list_with_delimiter(self._store, folder or None)

    def _lines(self, name: str) -> dict[str, FileFacts]:
        # The objects of the lines of a journal, in order.
        with self._asked(name):
            pages = self._obstore.list(self._store, f"{name}{_LINES}")
            return dict(sorted((entry["path"], _facts(entry)) for page in pages for entry in page))

    def _read_journal(self, name: str) -> bytes | None:
        # Lines are listed first: what another process moves into the object meanwhile is found there.
        lines = self._lines(name)
        if (total := sum(facts.bytes for facts in lines.values())) > MOST_BYTES:
            raise RunError(f"{self.url(name)}: has {total:,} bytes, so it is not read")
        try:
            base, version = self._get(name)
        except FileNotFoundError:
            if not lines:
                return None
            base, version = b"\n", None  # an empty line, which is a damaged one
        result = self.several(lambda path: self._get(path)[0], lines)
        self._seen[name] = version, [*lines]
        # Lines that are in both were moved by a process that was then killed.
        there = {*base.split(b"\n")}
        added = [line for line in (data.rstrip(b"\n") for data in result) if line not in there]
        if added and base and not base.endswith(b"\n"):
            base += b"\n"
        return base + b"".join(line + b"\n" for line in added)

    def _write_journal(self, name: str, data: bytes) -> None:
        if name not in self._seen:
            with suppress(FileNotFoundError):
                self.read(name)
        version, lines = self._seen.pop(name, (None, []))
        errors = self._obstore.exceptions
        with self._asked(name):
            try:
                put = self._obstore.put(self._store, name, data, mode="create" if version is None else version)
                version = _version(put)
            except (errors.PreconditionError, errors.AlreadyExistsError):
                there, version = self._get(name)
                if there != data:  # otherwise an earlier attempt succeeded, and its answer was lost
                    raise NoAnswerError(
                        errno.EBUSY, "another process changed it at the same time; repeat the command", self.url(name)
                    ) from None
            if lines:
                self._obstore.delete(self._store, lines)
        self._seen[name] = version, []

    @contextmanager
    def _asked(self, name: str) -> Iterator[None]:
        """Turn the errors of requests about a file into FileNotFoundError and NoAnswerError."""
        try:
            yield
        except FileNotFoundError as error:
            if is_without_bucket(error):
                raise NoAnswerError(errno.ENXIO, reason(error), self.url(name)) from None
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.url(name)) from None
        except self._obstore.exceptions.BaseError as error:
            raise NoAnswerError(errno.EIO, reason(error), self.url(name)) from None


class _NoLock:
    def close(self) -> None:
        """Nothing is locked."""


def _version(answer: Any) -> dict[str, str]:
    return {key: answer[key] for key in ("e_tag", "version") if answer[key] is not None}


def _facts(entry: Any) -> FileFacts:
    return FileFacts(entry["size"], int(entry["last_modified"].timestamp() * 1e9))
