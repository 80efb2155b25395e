"""Where compiled kernels are cached: machine code is run as it lies there, so nobody else may write to the folder."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from wallsim.errors import InputError
from wallsim.escaping import in_shell

VARIABLE = "WALLSIM_CACHE_DIR"
_PRIVATE = 0o700
_OF_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_WRITTEN_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_ROOT = 0
_NOBODY = 65534  # whom the system's folders seem to belong to in a container that knows no root


class _Trouble(NamedTuple):
    """Why a folder cannot hold machine code, and what repairs it; `unsafe` if another user could write there."""

    place: Path
    why: str
    remedy: str = ""
    unsafe: bool = True

    def __str__(self) -> str:
        return f"{self.place}: {self.why}"


def cache_folder(digest: str) -> Path:
    """The folder of this name in the first parent folder where nobody else can write; it and its parents are created.

    The parents are `WALLSIM_CACHE_DIR`, else `wallsim` in the user's folder for caches, and then one in the system's
    folder for temporary files. Raises InputError if none of them will do, and if `WALLSIM_CACHE_DIR` names one where
    others can write.
    """
    named = os.environ.get(VARIABLE)
    troubles = []
    for parent in filter(None, (named or _default_parent(), _temporary_parent())):
        result = _prepare(Path(os.path.realpath(parent)), digest, own=parent != named)
        if isinstance(result, Path):
            return result
        if result.unsafe and parent == named:
            raise InputError(
                f"{VARIABLE}: {named}: {result}; allowed is a folder that only you can write to, because compiled "
                f"cached kernels are executed: {result.remedy or 'name another folder'}"
            )
        troubles.append(str(result))
    raise InputError([
        "compiled kernels need a folder that only you can write to, and none was found:", *troubles,
        f"name another folder in {VARIABLE}",
    ])  # fmt: skip


def _default_parent() -> str | None:
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(caches, "wallsim") if os.path.isabs(caches) else None  # a user may have no home


def _temporary_parent() -> str:
    return os.path.join(_temporary(), f"wallsim-{os.geteuid()}")


def _temporary() -> str:
    try:
        return tempfile.gettempdir()
    except FileNotFoundError:  # it has tried to write to each that it knows
        return "/tmp"


def _prepare(parent: Path, digest: str, *, own: bool) -> Path | _Trouble:
    """The folder for a digest in a parent folder, or why there is none; `own`: the user has not named the parent."""
    folder = parent / digest
    try:
        _make(parent)
        if not parent.is_dir():
            return _Trouble(parent, "is not a folder", unsafe=False)
        if own:
            _tighten(parent)
        trouble = next(filter(None, map(_exposure, _exposed(parent))), None) or _make_private(folder)
        if trouble is None:
            tempfile.TemporaryFile(dir=folder).close()
        return trouble or folder
    except OSError as error:
        return _Trouble(parent, f"cannot be written to: {error.strerror}", unsafe=False)


def _make(folder: Path) -> None:
    """Make a folder and those around it that are missing, all of them private."""
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    for place in reversed(missing):
        with suppress(FileExistsError):  # another process was faster
            place.mkdir(_PRIVATE)


def _tighten(folder: Path) -> None:
    """Let nobody else write to a folder of this user, as earlier versions made it where users share a group."""
    status = folder.stat()
    if status.st_uid == os.geteuid() and status.st_mode & _WRITTEN_BY_OTHERS and not status.st_mode & stat.S_ISVTX:
        folder.chmod(stat.S_IMODE(status.st_mode) & ~_WRITTEN_BY_OTHERS)


def _exposed(folder: Path) -> list[Path]:
    """The folder, and those around it up to the outermost to which everybody may write: there others can change names.

    What lies further out is taken as it is.
    """
    around = [folder, *folder.parents]
    public = [number for number, place in enumerate(around) if place.stat().st_mode & stat.S_IWOTH]
    return around[: max(public, default=0) + 1]


def _exposure(folder: Path) -> _Trouble | None:
    """Other users who could change a folder's files: its owner, and users who may write to it without a sticky bit."""
    status = folder.stat()
    sticky = bool(status.st_mode & stat.S_ISVTX)
    if status.st_uid not in (os.geteuid(), _ROOT) and not (sticky and status.st_uid == _NOBODY):
        return _Trouble(folder, f"belongs to another user, number {status.st_uid}")
    if status.st_mode & _WRITTEN_BY_OTHERS and not sticky:
        mode = stat.S_IMODE(status.st_mode)
        return _Trouble(folder, f"others can write to it (mode {mode:o})", f"`chmod go-w {in_shell(folder)}`")
    return None


def _make_private(folder: Path) -> _Trouble | None:
    """Make the innermost folder, of mode 0700, or find out why it must not be trusted as it is."""
    with suppress(FileExistsError):
        folder.mkdir(_PRIVATE)
    status = folder.lstat()
    delete = f"delete it, `rm -r {in_shell(folder)}`"
    if not stat.S_ISDIR(status.st_mode):
        return _Trouble(folder, "is a link or a file, not a folder", delete)
    if status.st_uid != os.geteuid():
        return _Trouble(folder, f"belongs to another user, number {status.st_uid}")
    if status.st_mode & _WRITTEN_BY_OTHERS:
        return _Trouble(folder, f"others could write to it (mode {stat.S_IMODE(status.st_mode):o})", delete)
    if status.st_mode & _OF_OTHERS:
        folder.chmod(_PRIVATE)
    return None
