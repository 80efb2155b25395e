"""Listing the folders of results below some folders: state, size, and the command that goes on with each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from wallsim.errors import InputError, RunError, WallsimError
from wallsim.runs.folder.address import Folder
from wallsim.runs.folder.journal import Journal
from wallsim.runs.folder.layout import JOURNAL, MANIFEST, SCENARIOS, scenario_folder
from wallsim.runs.folder.line_journal import entry_of
from wallsim.runs.folder.lost_journal import sealed_manifest
from wallsim.runs.folder.place import Place, place_of
from wallsim.runs.folder.result_folder import readable
from wallsim.runs.results import reader_of
from wallsim.runs.scenarios.folder import not_begun, read_document

_DEEPEST = 3  # folders below the one that was named


class Listed(NamedTuple):
    """A folder of results: its kind, its state, games finished and wanted, bytes of its tables, and a command.

    `state` is "finished", "unfinished", "playing", "damaged", "missing" or "unreadable"; `command` goes on with it,
    or is empty.
    """

    folder: Folder
    kind: str
    state: str
    finished: int
    games: int | None
    bytes: int
    command: str


def list_results(folders: Sequence[str | Path]) -> list[Listed]:
    """The folders of results at or below the given ones, in alphabetical order.

    InputError if one of the given folders cannot be read; those in them are listed as such. Files are not compared with
    their digests, which `verify` does.
    """
    found: dict[str, Listed] = {}
    for folder in folders:
        place = place_of(folder)
        with readable(place):
            for one in _below(place, _DEEPEST):
                found.setdefault(str(one.folder), one)
    return [found[name] for name in sorted(found)]


def _below(place: Place, deepest: int) -> Iterator[Listed]:
    if place.size(JOURNAL) is not None:
        if not _is_search(place):
            yield _listed(place)
    elif sealed_manifest(place):  # its journal is missing
        yield _listed(place)
    elif deepest:
        for name in place.folders():
            inner = place.folder / name
            try:
                yield from _below(place_of(inner), deepest - 1)
            except (OSError, InputError):  # no permission, or a name that is no text
                yield Listed(inner, "folder", "unreadable", 0, None, 0, "")
        yield from _missing_scenarios(place)


def _missing_scenarios(place: Place) -> Iterator[Listed]:
    with suppress(WallsimError):
        for name in not_begun(place, read_document(place.folder).hashes):
            folder = scenario_folder(place.folder, name)
            yield Listed(folder, "run", "missing", 0, None, 0, "the command that started the scenarios")


def _is_search(place: Place) -> bool:
    # The journals of tuning and learning have heads of their own, with the kind of search as their only key.
    with suppress(OSError, RunError):
        head = entry_of(place.read(JOURNAL).partition(b"\n")[0])
        return head is not None and len(head.keys() - {"seal"}) == 1
    return False


def _listed(place: Place) -> Listed:
    folder = place.folder
    try:
        journal = Journal(place)
        reader = reader_of(folder)
        head = journal.head
        if head is not None and place.is_locked():
            state = "playing"
        elif head is None or journal.faults:
            state = "damaged"
        elif place.size(MANIFEST) is not None:
            reader.open(folder)
            state = "finished"
        else:
            state = "unfinished"
    except WallsimError:
        return Listed(folder, "results", "damaged", 0, None, 0, f"wallsim verify {quote(str(folder))}")
    bytes_ = sum(part.bytes for part in journal.parts().values())
    games = head.games if head else None
    command = ""
    if state in ("unfinished", "damaged"):
        above = place_of(folder.parent).size(SCENARIOS) is not None
        again = quote(str(folder.parent if above else folder))
        command = f"wallsim repair {again}" if reader.kind is None else "the command that started it"
    return Listed(folder, reader.what, state, journal.done, games, bytes_, command)
