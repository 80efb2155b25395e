"""Restoring the documents beside the tables of a folder from the copies in its journal's first line."""

from __future__ import annotations

from wallsim.runs.folder.checks import digests_of
from wallsim.runs.folder.local_files import FileStore
from wallsim.runs.folder.lock import locked


def restore_documents(place: FileStore, papers: dict[str, str]) -> list[str]:
    """Write missing and changed documents again, and return their names; `papers` are their texts by name.

    InputError if the folder cannot be written, LockedError while another process writes there.
    """
    wrong = [name for name, digest in digests_of(papers).items() if place.digest(name) != digest]
    if not wrong:
        return []
    with locked(place):
        for name in wrong:
            place.write_document(name, papers[name])
    return wrong
