"""Reading a run: its manifest, its tables as lazy polars frames, and the check that no byte has changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from wallsim.errors import InputError, RunError
from wallsim.runs.components import identity_hash
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.folder.checks import chunk_faults, differences, manifest_misfits, paper_faults, strays
from wallsim.runs.folder.store import CODEBOOK, EXPERIMENT, FORMAT, JOURNAL, MANIFEST, Journal, PartFile, is_whole

_EARLIER = "was written by an earlier version of wallsim, which this one cannot read; play it again in a new folder"
_LATER = "was written by a later version of wallsim, which this one cannot read"


@dataclass(frozen=True)
class Run:
    """A finished run: its folder, manifest and part files."""

    folder: Path
    manifest: dict[str, Any]
    files: tuple[PartFile, ...]

    @property
    def expansions(self) -> tuple[str, ...]:
        """The expansions in play, which decide the columns of `seats` and `seasons`."""
        return tuple(self.manifest["experiment"]["identity"]["expansions"])

    def scan(self, table: str, *, check: bool = True) -> pl.LazyFrame:
        """A table as a lazy frame, its files checked against their digests first unless told not to.

        InputError if the run did not write the table, RunError if a file is missing or damaged.
        """
        parts = [part for part in self.files if part.table == table]
        if not parts:
            held = ", ".join(self.manifest["rows"])
            raise InputError(f"{self.folder}: has no table {table!r}; it has {held}")
        damaged = [part.file for part in parts if check and not is_whole(self.folder, part)]
        if damaged:
            raise RunError(f"{self.folder}: missing or damaged: {', '.join(damaged)}; play the run again to mend it")
        return pl.scan_parquet([self.folder / part.file for part in parts], glob=False)


def run_experiment(folder: str | Path) -> Experiment:
    """The experiment that a run folder holds, finished or not.

    InputError if there is no run, RunError if this version of wallsim would play other games.
    """
    folder = Path(folder)
    with readable(folder):
        journal = _journal(folder)
    if journal.head is not None and "expansions" not in journal.head["identity"]:
        raise RunError(f"{folder}: {_EARLIER}")
    experiment = load_experiment(folder / EXPERIMENT)
    if journal.head is None or experiment.hash() != journal.head["hash"]:
        raise RunError(f"{folder}: was played with another engine, policy, tower or board than is here now")
    return experiment


def run_codebook(folder: str | Path) -> str:
    """The codebook of a run or tournament, finished or not; InputError if there is none or it cannot be read."""
    folder = Path(folder)
    with readable(folder):
        _any_journal(folder)
        return (folder / CODEBOOK).read_bytes().decode("utf-8", "replace")


def open_run(folder: str | Path) -> Run:
    """The finished run in a folder; InputError if there is none, RunError if it is unfinished or damaged."""
    folder = Path(folder)
    path = folder / MANIFEST
    with readable(folder):
        if not path.exists():
            raise RunError(f"{folder}: {_progress(_journal(folder))}; the command that began it resumes it")
        data = path.read_bytes()
    try:
        manifest = json.loads(data)
        misfits = manifest_misfits(manifest)
        files = tuple(PartFile.read(entry) for entry in manifest["files"]) if not misfits else ()
    except (ValueError, KeyError, TypeError, RecursionError):
        misfits, files, manifest = ["its JSON"], (), {}
    if not misfits and identity_hash(manifest["experiment"]["identity"]) != manifest["experiment"]["hash"]:
        misfits = ["experiment.hash"]
    if misfits and (folder / JOURNAL).exists():
        _journal(folder)
    if misfits and isinstance(manifest, dict) and type(form := manifest.get("format")) is int and form != FORMAT:
        raise RunError(f"{path}: {_EARLIER if form < FORMAT else _LATER}")
    if misfits:
        shown = ", ".join(misfits[:5])
        raise RunError(f"{path}: is damaged ({shown}); delete it and play the run again to write it anew")
    return Run(folder, manifest, files)


def verify(folder: str | Path) -> list[str]:
    """Every damage of a run folder, finished or not, one line each; an empty list if all is as written.

    InputError if there is no run or it cannot be read, RunError if journal or manifest make no sense at all.
    """
    folder = Path(folder)
    with readable(folder):
        journal = _journal(folder)
        finished = (folder / MANIFEST).exists()
        found = [f"{JOURNAL}: has unreadable lines"] if journal.torn else []
        if journal.head is None:
            found.append(f"{JOURNAL}: has no first line")
        found += [f"{JOURNAL}: {fault}" for fault in chunk_faults(journal, finished=finished)]
        written = {part.file: part for receipt in journal.receipts.values() for part in receipt.files}
        found += [f"{part.file}: {part_harm(folder, part)}" for part in written.values() if not is_whole(folder, part)]
        if finished:
            run = open_run(folder)
            found += [f"{MANIFEST}: {fault}" for fault in differences(run.manifest, run.files, journal)]
            claimed = journal.head["hash"] if journal.head else run.manifest["experiment"]["hash"]
            found += paper_faults(folder, run.manifest, claimed)
            found += [
                f"{name}: is none of this run's files" for name in strays(folder, [*run.manifest["rows"]], run.files)
            ]
    return found


@contextmanager
def readable(folder: Path) -> Iterator[None]:
    """Turn what keeps a folder from being read into an InputError: no permission, a name that no file can have."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{error.filename or folder}: cannot be read: {error.strerror or error}") from None


def _journal(folder: Path) -> Journal:
    journal = _any_journal(folder)
    if journal.head and (kind := journal.head["identity"].get("kind")):  # a run has none
        raise InputError(f"{folder}: holds a {kind}, not a run; `wallsim {kind} {folder}` shows it")
    return journal


def _any_journal(folder: Path) -> Journal:
    if not (folder / JOURNAL).is_file():
        raise InputError(f"{folder}: no run lies there (a run folder has a {JOURNAL})")
    return Journal(folder)


def _progress(journal: Journal) -> str:
    done = sum(receipt.games for receipt in journal.receipts.values())
    games = journal.head["identity"]["games"] if journal.head else 0
    return f"the run is not finished: {done:,} of {games:,} games are there"


def part_harm(folder: Path, part: PartFile) -> str:
    """What is wrong with a part file that is not whole, in words."""
    path = folder / part.file
    if not path.exists():
        return "is missing"
    size = path.stat().st_size
    return "its bytes have changed" if size == part.bytes else f"has {size} bytes instead of {part.bytes}"
