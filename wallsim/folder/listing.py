"""Listing the folders of results below some folders: state, size, and the command that continues each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from wallsim.errors import WallsimError, short
from wallsim.escaping import in_shell
from wallsim.folder.address import Folder
from wallsim.folder.file_stores import file_store
from wallsim.folder.kind import Kind
from wallsim.folder.layout import JOURNAL
from wallsim.folder.local_files import FileStore
from wallsim.folder.result_folder import readable
from wallsim.folder.verification import KINDS, RUNS

_DEEPEST = 3  # folders below the one that was named


class Listed(NamedTuple):
    """A folder: its kind, its state, how much of it is done and wanted, the bytes of its results, and a command.

    `state` is "finished", "unfinished", "playing", "damaged", "missing" or "unreadable"; `command` goes on with it,
    or is empty. `finished` and `wanted` count in `unit`; `games` is what is wanted if that is "games". `reason` says
    why it is damaged or unreadable.
    """

    folder: Folder
    kind: str
    state: str
    finished: int
    games: int | None
    bytes: int
    command: str
    wanted: int | None = None
    unit: str = "games"
    reason: str = ""


def list_results(folders: Sequence[str | Path]) -> list[Listed]:
    """The folders of results at or below the given ones, in alphabetical order.

    InputError if one of the given folders cannot be read; those in them are listed as such. Files are not compared with
    their digests, which `verify` does.
    """
    result: dict[str, Listed] = {}
    for folder in folders:
        with readable(folder) as place:
            for one in _below(place, _DEEPEST):
                result.setdefault(str(one.folder), one)
    return [result[name] for name in sorted(result)]


def _below(place: FileStore, deepest: int) -> Iterator[Listed]:
    kind = _kind(place)
    if kind is not None and kind.absent is None:
        yield _listed(place, kind)  # what lies in it is part of it
    elif deepest:
        for name in place.folders():
            inner = place.folder / name
            try:
                yield from list(_below(file_store(inner), deepest - 1))
            except Exception as error:  # a stranger's folder must not hide its neighbours, whatever it has
                reason = short(getattr(error, "strerror", None) or str(error) or type(error).__name__)
                yield Listed(inner, "folder", "unreadable", 0, None, 0, "", reason=reason)
        if kind is not None:
            yield from _absent(place, kind)


def _kind(place: FileStore) -> Kind | None:
    for kind in KINDS:
        with suppress(WallsimError):
            if kind.listed(place) and kind.recognises(place):
                return kind
    return RUNS if place.size(JOURNAL) is not None else None


def _absent(place: FileStore, kind: Kind) -> Iterator[Listed]:
    # The folders in it are listed by themselves; here only those that are not there.
    assert kind.absent is not None
    try:
        absent = kind.absent(place)
    except WallsimError as error:
        yield _damaged(place, kind, error)
        return
    for inner in absent:
        yield Listed(inner.folder, RUNS.what, "missing", 0, None, 0, f"the command that started the {kind.what}")


def _damaged(place: FileStore, kind: Kind, error: WallsimError) -> Listed:
    reason, unit = str(error).partition("\n")[0], "games" if kind.absent is None else kind.what
    verify = f"wallsim verify {in_shell(place)}"
    return Listed(place.folder, kind.what, "damaged", 0, None, 0, verify, unit=unit, reason=reason)


def _listed(place: FileStore, kind: Kind) -> Listed:
    try:
        with readable(place):
            done, wanted, unit = kind.progress(place)
            size = kind.size(place)
            state = "playing" if place.is_locked() else _state(place, kind)
            command = kind.command(place) if state in ("unfinished", "damaged") else ""
    except WallsimError as error:
        return _damaged(place, kind, error)
    games = wanted if unit == "games" else None
    return Listed(place.folder, kind.what, state, done, games, size, command, wanted, unit)


def _state(place: FileStore, kind: Kind) -> str:
    if kind.broken(place):
        return "damaged"
    return "finished" if kind.state(place).finished else "unfinished"
