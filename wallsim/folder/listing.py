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
from wallsim.folder.journal import Journal
from wallsim.folder.kind import FolderKind
from wallsim.folder.layout import JOURNAL, MANIFEST, SCENARIOS, scenario_folder
from wallsim.folder.local_files import FileStore
from wallsim.folder.lost_journal import sealed_manifest
from wallsim.folder.result_folder import readable
from wallsim.folder.results import Run, waits
from wallsim.folder.scenarios import not_begun, read_document
from wallsim.folder.verification import KINDS, BenchmarkKind, ChunkFolderKind, ScenariosKind

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
        place = file_store(folder)
        with readable(place):
            for one in _below(place, _DEEPEST):
                result.setdefault(str(one.folder), one)
    return [result[name] for name in sorted(result)]


def _below(place: FileStore, deepest: int) -> Iterator[Listed]:
    kind = _kind(place)
    if kind is not None and not isinstance(kind, ScenariosKind):
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
            yield from _scenarios(place)


def _kind(place: FileStore) -> FolderKind | None:
    # Without a journal only a sealed document counts: other programs have files of the name of a manifest.
    for kind in KINDS:
        with suppress(WallsimError):
            if isinstance(kind, ChunkFolderKind):
                others = place.size(JOURNAL) is None and not Journal(place).slices and not sealed_manifest(place)
                if others:
                    continue
            if kind.recognises(place):
                return kind
    return KINDS[-1] if place.size(JOURNAL) is not None else None


def _scenarios(place: FileStore) -> Iterator[Listed]:
    # Each scenario is listed as a run; here only what of them is not there.
    try:
        names = not_begun(place, read_document(place.folder).hashes)
    except WallsimError as error:
        what = ScenariosKind.what
        yield Listed(place.folder, what, "damaged", 0, None, 0, _verify(place), unit=what, reason=_first_of(error))
        return
    for name in names:
        folder = scenario_folder(place.folder, name)
        yield Listed(folder, "run", "missing", 0, None, 0, "the command that started the scenarios")


def _first_of(error: WallsimError) -> str:
    return str(error).partition("\n")[0]


def _verify(place: FileStore) -> str:
    return f"wallsim verify {in_shell(place)}"


def _listed(place: FileStore, kind: FolderKind) -> Listed:
    folder = place.folder
    try:
        done, wanted, unit = kind.progress(folder)
        size = kind.size(folder)
        state = "playing" if place.is_locked() else _state(place, kind)
    except WallsimError as error:
        return Listed(folder, kind.what, "damaged", 0, None, 0, _verify(place), reason=_first_of(error))
    command = _command(place, kind) if state in ("unfinished", "damaged") else ""
    return Listed(folder, kind.what, state, done, wanted if unit == "games" else None, size, command, wanted, unit)


def _state(place: FileStore, kind: FolderKind) -> str:
    if isinstance(kind, ChunkFolderKind):
        journal = Journal(place)
        if journal.header is None or journal.errors:
            return "damaged"
        if place.size(MANIFEST) is not None:
            kind.reader.open(place.folder)  # refuses a damaged one
    return "finished" if kind.state(place.folder).finished else "unfinished"


def _command(place: FileStore, kind: FolderKind) -> str:
    if isinstance(kind, ChunkFolderKind) and kind.reader is Run:
        if waits(place):
            return "the command that started it"
        above = file_store(place.folder.parent).size(SCENARIOS) is not None
        return f"wallsim repair {in_shell(place.folder.parent if above else place.folder)}"
    if isinstance(kind, BenchmarkKind):
        return f"rm -r {in_shell(place)}"
    return "the command that started it"
