"""The log of a folder of results: what was done there, when, where and by which version, one sealed line each.

It decides nothing. A line that cannot be written is left out, so that a log never ends a run.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from wallsim.errors import RunError
from wallsim.folder.checksummed_json import read_lines, sealed_line
from wallsim.folder.local_files import FileStore

LOG = "log.jsonl"
_BEGIN = b'{"time": "'  # of every line
GROWS = "grows"  # the event of games that are added, with the digest of the new document about them


class Log:
    """Writes lines into the log of a folder."""

    def __init__(self, place: FileStore) -> None:
        """A log in this folder; its file is created with the first line."""
        self._place = place

    def write(self, event: str, **facts: Any) -> None:
        """Add a line: a word for what happened, and numbers or texts about it."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        line = sealed_line({"time": now, "host": socket.gethostname(), "process": os.getpid(), "event": event, **facts})
        with suppress(OSError):
            if self._place.size(LOG) is None:
                self._place.create(LOG, b"")
            self._place.append(LOG, line)

    def repair(self) -> None:
        """Leave out damaged lines, and one that was being written when a process was killed; nobody else may write."""
        with suppress(FileNotFoundError):
            try:
                data = self._place.read(LOG)
            except RunError:  # no plain file
                data = None
            whole = b"".join(line + b"\n" for line, _ in read_lines(data or b"", _BEGIN).whole.values())
            if whole != data:
                self._place.write(LOG, whole)


def log_errors(place: FileStore, *, ended: bool) -> Iterator[str]:
    """The damaged lines of a folder's log; OSError is passed on.

    `ended`: nobody may be writing, so that a line without an end is damaged, too.
    """
    try:
        lines = read_lines(place.read(LOG), _BEGIN, ended=ended)
    except FileNotFoundError:
        return
    except RunError:
        yield f"{LOG}: is not a regular file"
        return
    yield from (f"{LOG}: line {number} is damaged" for number in lines.damaged)


def log_record(place: FileStore) -> dict[str, Any] | None:
    """How many lines the log has, and their sha256, for the manifest; None without a log. OSError is passed on."""
    try:
        data = place.read(LOG)
    except (FileNotFoundError, RunError):
        return None
    whole = data[: data.rfind(b"\n") + 1]
    return {"lines": whole.count(b"\n"), "sha256": sha256(whole).hexdigest()}


def record_errors(place: FileStore, record: Any) -> Iterator[str]:
    """How the log differs from its record in a manifest, which is of its first lines; nothing without a record."""
    if not isinstance(record, dict) or type(record.get("lines")) is not int:
        return
    try:
        lines = place.read(LOG).split(b"\n")[:-1]
    except FileNotFoundError:
        yield f"{LOG}: is missing"
        return
    except RunError:
        return  # reported by `log_errors`
    count = record["lines"]
    if len(lines) < count:
        yield f"{LOG}: has {len(lines)} lines instead of {count} or more"
    elif sha256(b"".join(line + b"\n" for line in lines[:count])).hexdigest() != record.get("sha256"):
        yield f"{LOG}: its first {count} lines have changed"


def entries(place: FileStore) -> list[dict[str, Any]]:
    """The undamaged lines of the log, in order; none without a log. OSError is passed on."""
    try:
        return read_lines(place.read(LOG), _BEGIN).fields
    except (FileNotFoundError, RunError):
        return []


def events(place: FileStore, *names: str) -> list[dict[str, Any]]:
    """The undamaged lines of these events in the log, in order. OSError is passed on."""
    return [line for line in entries(place) if line.get("event") in names]


def grown_documents(place: FileStore) -> set[str]:
    """The digests of documents that were written when games were added, before the journal had them; see `events`."""
    return {digest for line in events(place, GROWS) if isinstance(digest := line.get("sha256"), str)}
