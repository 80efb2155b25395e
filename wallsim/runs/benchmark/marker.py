"""The document that marks the folder of a benchmark, so that one left by a killed process is recognised."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from wallsim.errors import RunError
from wallsim.runs.folder.checksummed_json import read_sealed_document, sealed_document
from wallsim.runs.folder.commit import write_whole
from wallsim.runs.folder.local_files import FileStore

BENCHMARK = "benchmark.json"
_FORMAT = 1


def write_marker(folder: Path, command: str) -> None:
    """Mark a folder as that of a benchmark that runs; the whole folder is deleted when it ends."""
    facts = {"format": _FORMAT, "command": command, "host": socket.gethostname(), "process": os.getpid()}
    write_whole(folder / BENCHMARK, sealed_document(facts))


def marker_errors(place: FileStore) -> list[str]:
    """The error of the marker if it is damaged; OSError is passed on."""
    try:
        read_sealed_document(place.read(BENCHMARK))
    except FileNotFoundError:
        return [f"{BENCHMARK}: is missing"]
    except RunError:
        return [f"{BENCHMARK}: its bytes have changed"]
    return []
