"""Reading a run: its manifest, its tables as lazy polars frames, and the check that no byte has changed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from wallsim.runs.commit import file_digest
from wallsim.runs.errors import InputError, RunError
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.parts import identity_hash
from wallsim.runs.store import EXPERIMENT, JOURNAL, MANIFEST, Journal, PartFile, is_whole


@dataclass(frozen=True)
class Run:
    """A finished run: its folder, manifest and part files."""

    folder: Path
    manifest: dict[str, Any]
    files: tuple[PartFile, ...]

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
        return pl.scan_parquet([self.folder / part.file for part in parts])


def run_experiment(folder: str | Path) -> Experiment:
    """The experiment that a run folder holds, finished or not.

    InputError if there is no run, RunError if this version of wallsim would play other games.
    """
    folder = Path(folder)
    journal = _journal(folder)
    experiment = load_experiment(folder / EXPERIMENT)
    if journal.head is None or experiment.hash() != journal.head["hash"]:
        raise RunError(f"{folder}: was played with another engine, policy, tower or board than is here now")
    return experiment


def open_run(folder: str | Path) -> Run:
    """The finished run in a folder; InputError if there is none, RunError if it is unfinished or damaged."""
    folder = Path(folder)
    path = folder / MANIFEST
    if not path.exists():
        raise RunError(f"{folder}: {_progress(_journal(folder))}; the command that began it resumes it")
    try:
        manifest = json.loads(path.read_bytes())
        files = tuple(PartFile(**entry) for entry in manifest["files"])
        claimed, facts = manifest["experiment"]["hash"], manifest["experiment"]["identity"]
    except (ValueError, KeyError, TypeError):
        raise RunError(f"{path}: is damaged; delete it and play the run again to write it anew") from None
    if identity_hash(facts) != claimed:
        raise RunError(f"{path}: is damaged; delete it and play the run again to write it anew")
    return Run(folder, manifest, files)


def verify(folder: str | Path) -> list[str]:
    """Every damage of a run folder, finished or not, one line each; an empty list if all is as written."""
    folder = Path(folder)
    journal = _journal(folder)
    found = [f"{JOURNAL}: has unreadable lines"] if journal.torn else []
    written = {part.file: part for receipt in journal.receipts.values() for part in receipt.files}
    found += [f"{part.file}: {_harm(folder, part)}" for part in written.values() if not is_whole(folder, part)]
    if (folder / MANIFEST).exists():
        run = open_run(folder)
        found += [f"{MANIFEST}: {p.file}: differs from the journal" for p in run.files if written.get(p.file) != p]
        for name, digest in run.manifest["papers"].items():
            if not (folder / name).exists():
                found.append(f"{name}: is missing")
            elif file_digest(folder / name) != digest:
                found.append(f"{name}: its bytes have changed")
    return found


def _journal(folder: Path) -> Journal:
    if not (folder / JOURNAL).is_file():
        raise InputError(f"{folder}: no run lies there (a run folder has a {JOURNAL})")
    return Journal(folder)


def _progress(journal: Journal) -> str:
    done = sum(receipt.games for receipt in journal.receipts.values())
    games = journal.head["identity"]["games"] if journal.head else 0
    return f"the run is not finished: {done:,} of {games:,} games are there"


def _harm(folder: Path, part: PartFile) -> str:
    path = folder / part.file
    if not path.exists():
        return "is missing"
    size = path.stat().st_size
    return "its bytes have changed" if size == part.bytes else f"has {size} bytes instead of {part.bytes}"
