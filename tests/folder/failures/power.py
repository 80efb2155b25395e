"""A disk that loses power: it keeps the contents of files, and the names in folders, only as far as they were synced.

Between two syncs nothing is certain: a file may have its old bytes, none, or a part of the new ones, and a folder any
of its changes. Links to folders and renamed folders are not modelled.
"""

import os
import random
import threading
from dataclasses import dataclass, field
from pathlib import Path

CHANGES = ("fsync", "replace", "link", "unlink", "mkdir", "write", "ftruncate")
KINDS = ("synced", "names", "mixed")


@dataclass(eq=False)
class Stored:
    """A file: its bytes when it was last synced, None if it never was."""

    synced: bytes | None = None


@dataclass
class PowerCuts:
    """Records what may be left of a folder, were the power cut before any change of it; a context manager.

    `images` are (step, kind, files, acknowledged): `files` are bytes by path, None for a folder. Kinds: `synced`, only
    what was synced; `names`, all names, but not the bytes that were not synced; `mixed`, any of both. `acknowledged` is
    the number of calls of `acknowledge` before.
    """

    base: Path
    images: list = field(default_factory=list)

    def __post_init__(self):
        # What lies there already is synced. Files by the number that the system gives them, folders by path.
        folders = [self.base, *(path for path in self.base.rglob("*") if path.is_dir())]
        self._files = {path.stat().st_ino: Stored(path.read_bytes()) for path in self.base.rglob("*") if path.is_file()}
        self._folders = {folder: self._names(folder) for folder in folders}
        self._real = {name: getattr(os, name) for name in CHANGES}
        self._guard = threading.RLock()
        self._acknowledged = self._steps = 0
        self._random = random.Random(7)

    def acknowledge(self):
        """Something is reported as done."""
        self._acknowledged += 1

    def __enter__(self):
        for name, real in self._real.items():
            setattr(os, name, self._recorded(name, real))
        return self

    def __exit__(self, *_):
        for name, real in self._real.items():
            setattr(os, name, real)
        self.cut()

    def _recorded(self, name, real):
        def call(*arguments, **keywords):
            with self._guard:
                self.cut()
                result = real(*arguments, **keywords)
                if name == "fsync":
                    self._sync(arguments[0])
                self._forget()
                return result

        return call

    # ------------------------------------------------------------------------------------------- what is on the disk

    def _sync(self, handle):
        path = Path(os.readlink(f"/proc/self/fd/{handle}"))
        if not path.is_relative_to(self.base):
            return
        if path.is_dir():
            self._folders[path] = self._names(path)
        else:
            self._file(path).synced = path.read_bytes()

    def _names(self, folder):
        return {entry.name: folder / entry.name if entry.is_dir() else self._file(Path(entry.path))
                for entry in os.scandir(folder)}  # fmt: skip

    def _file(self, path):
        return self._files.setdefault(path.stat().st_ino, Stored())

    def _forget(self):
        # The system gives the numbers of deleted files again.
        there = {path.stat().st_ino for path in self.base.rglob("*") if path.is_file()}
        self._files = {number: file for number, file in self._files.items() if number in there}

    # --------------------------------------------------------------------------------------------------- what is left

    def cut(self):
        """Record what may be left if the power is cut now."""
        for kind in KINDS:
            files = {}
            self._leave(self.base, kind, files)
            self.images.append((self._steps, kind, files, self._acknowledged))
        self._steps += 1

    def _leave(self, folder, kind, files):
        synced, now = self._folders.get(folder, {}), self._names(folder) if folder.is_dir() else {}
        bytes_now = {file: (folder / name).read_bytes() for name, file in now.items() if isinstance(file, Stored)}
        for name in sorted({*synced, *now}):
            there = now.get(name) if self._is_new(kind) else synced.get(name)
            if there is None:
                continue
            path = (folder / name).relative_to(self.base).as_posix()
            if isinstance(there, Stored):
                files[path] = self._bytes(there, bytes_now.get(there, b""), kind)
            else:
                files[path] = None
                self._leave(there, kind, files)

    def _is_new(self, kind):
        return kind == "names" or (kind == "mixed" and self._random.random() < 0.5)

    def _bytes(self, file, now, kind):
        synced = file.synced or b""
        if kind != "mixed" or not now.startswith(synced):
            return synced
        return now[: self._random.randint(len(synced), len(now))]


def put(files, base):
    """Lay what a power cut has left into an empty folder."""
    base.mkdir()
    for path, data in files.items():
        if data is None:
            (base / path).mkdir(exist_ok=True)
        else:
            (base / path).write_bytes(data)
