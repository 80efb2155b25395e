"""The record of interim analyses of the ladder of a growing tournament.

Its intervals are valid for a number of blocks fixed beforehand. Adding blocks until the ladder looks decided (optional
stopping) finds differences that do not exist more often than the intervals state. The folder of a tournament therefore
records the numbers of blocks at which its ladder was evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from wallsim.errors import InputError, RunError
from wallsim.folder.checksummed_json import document_in, sealed_document
from wallsim.folder.derived import CHECKSUMS, read_checksums
from wallsim.folder.file_stores import file_store
from wallsim.folder.local_files import FileStore
from wallsim.folder.lock import ReadOnlyError, is_read_only
from wallsim.folder.log import Log, events

LOOKS = "looks.json"
LOOKED, WITHDRAWN = "looked", "withdrawn"  # events in the log


def looks_of(folder: str | Path, hash_: str) -> tuple[int, ...]:
    """The numbers of blocks at which the ladder of the tournament with this hash was evaluated, in order.

    RunError if the file is damaged or belongs to another tournament. OSError is passed on.
    """

    def blocks_of(fields: dict[str, Any]) -> tuple[int, ...]:
        if fields.keys() != {"hash", "blocks"} or fields["hash"] != hash_:
            raise ValueError(fields)
        blocks = fields["blocks"]
        if not all(type(number) is int and number > 0 for number in blocks) or blocks != sorted(set(blocks)):
            raise ValueError(blocks)
        return tuple(blocks)

    remedy = "; delete it, and the next interim analysis begins a new record"
    return document_in(file_store(folder), LOOKS, blocks_of, remedy) or ()


def note_look(folder: str | Path, hash_: str, blocks: int) -> tuple[int, ...]:
    """Record that the ladder is evaluated at this number of blocks, each number once; returns all looks in order.

    RunError if the file is damaged, InputError if it cannot be read or written.
    """
    place = file_store(folder)
    try:
        logged = logged_looks(place, hash_)
        looks = _with(place, hash_, {*logged, blocks})
        if blocks not in logged:  # afterwards, since a look that the file lacks is damage
            Log(place).write(LOOKED, tournament=hash_, blocks=blocks)
    except OSError as error:
        kind = ReadOnlyError if is_read_only(error) else InputError
        raise kind(f"{place}/{LOOKS}: cannot be read or written: {error.strerror or error}") from None
    return looks


def logged_looks(place: FileStore, hash_: str) -> tuple[int, ...]:
    """The looks that the folder's log has, so that they are not lost with `looks.json`; OSError is passed on."""
    lines = [line for line in events(place, LOOKED) if line.get("tournament") == hash_]
    return tuple(sorted({line["blocks"] for line in lines if type(line.get("blocks")) is int}))


def restore_looks(place: FileStore, hash_: str) -> bool:
    """Add the looks of the log to `looks.json` if it lacks any; whether it was written. OSError is passed on."""
    before = looks_of(place.folder, hash_)
    return _with(place, hash_, {*logged_looks(place, hash_)}) != before


def looks_errors(place: FileStore, hash_: str) -> Iterator[str]:
    """The errors of `looks.json`: damaged, missing, or without looks that the log has. OSError is passed on."""
    try:
        looks = looks_of(place.folder, hash_)
    except RunError:
        yield f"{LOOKS}: is damaged; delete it"
        return
    missing = [f"{blocks:,}" for blocks in logged_looks(place, hash_) if blocks not in looks]
    if missing and not place.exists(LOOKS):
        yield f"{LOOKS}: is missing"
    elif missing:
        yield f"{LOOKS}: lacks the looks at {', '.join(missing)} blocks"


def _with(place: FileStore, hash_: str, more: set[int]) -> tuple[int, ...]:
    # All looks, after these have been added. The derived files, of which the looks are one, are then sealed again.
    before = looks_of(place.folder, hash_)
    looks = tuple(sorted({*before, *more}))
    if looks == before:
        return looks
    data, sealed = sealed_document({"hash": hash_, "blocks": looks}), None
    with suppress(RunError):
        sealed = (read_checksums(place) or {}).get(LOOKS)
    if sealed != sha256(data).hexdigest():
        withdraw(place)
    place.write(LOOKS, data)
    return looks


def withdraw(place: FileStore) -> None:
    """Delete the checksums of derived files that are to be written again; by the log nobody else has deleted them."""
    if place.exists(CHECKSUMS):
        Log(place).write(WITHDRAWN)
        place.delete(CHECKSUMS)


def looks_in_words(looks: tuple[int, ...]) -> str:
    """A sentence about the interim analyses so far and what they mean for the intervals of the ladder."""
    shown = [f"{number:,}" for number in looks]
    if len(looks) == 1:
        return f"The ladder of this folder has been analysed once, at {shown[0]} block{'' if looks[0] == 1 else 's'}."
    return (
        f"The ladder of this folder has been analysed {len(looks)} times, at {', '.join(shown[:-1])} and {shown[-1]} "
        "blocks; its intervals hold for the first analysis only."
    )


def growth_warning(before: int, blocks: int) -> str:
    """The warning when a tournament of `before` blocks is extended to `blocks`."""
    return (
        f"{blocks - before:,} blocks are added to {before:,}. Intervals hold for a number of blocks fixed beforehand; "
        "they are not valid if blocks are added until the ladder looks decided."
    )
