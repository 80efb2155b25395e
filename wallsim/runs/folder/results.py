"""Reading a run: its manifest, its tables as lazy polars frames, and the check for damage."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from wallsim.errors import RunError
from wallsim.policies.policy_file import is_policy_file
from wallsim.rules.board_check import SCHEMAS
from wallsim.rules.tower import is_tower_file
from wallsim.runs.folder.checks import COMMON_SHAPE, is_open
from wallsim.runs.folder.layout import BOARD, CODEBOOK, EXPERIMENT, HEADLINE, MANIFEST, RUN_FORMATS_READ
from wallsim.runs.folder.result_folder import EARLIER_VERSION, ResultFolder, read_codebook, readable

if TYPE_CHECKING:
    from wallsim.runs.experiment import Experiment

_FACTS = {
    "players": int,
    "setup": str,
    "lineups": list,
    "edition": str,
    "expansions": list,
    "policies": list,
    "seed": int,
}


@dataclass(frozen=True)
class Run(ResultFolder):
    """A finished run: its folder, manifest and part files."""

    what, kind, formats = "run", None, RUN_FORMATS_READ
    shape: ClassVar[dict[str, Any]] = {
        **COMMON_SHAPE,
        "experiment": {"name": (str, type(None)), "hash": str, "identity": _FACTS, "text": str},
    }

    @property
    def expansions(self) -> tuple[str, ...]:
        """The expansions in play, which decide the columns of `seats` and `seasons`."""
        return tuple(self.identity["expansions"])

    def further_faults(self, journal_hash: str) -> Iterator[str]:
        """Faults of `experiment.toml` and of the manifest's copy of it."""
        text = self.manifest["experiment"]["text"]
        documents = self.manifest["papers"]
        yield from (f"{MANIFEST}: papers: lacks {name}" for name in expected_documents(text) if name not in documents)
        if not text.startswith(f"{HEADLINE}{journal_hash}\n"):
            yield f"{MANIFEST}: experiment.text: does not belong to this run"
        path = self.folder / EXPERIMENT
        if path.is_file() and path.read_bytes() != text.encode():
            yield f"{MANIFEST}: experiment.text: differs from {EXPERIMENT}"


def expected_documents(text: str) -> list[str]:
    """The names of the documents beside the tables of a run with this text of `experiment.toml`."""
    try:
        values = tomllib.loads(text)
    except ValueError:
        values = {}
    names = [EXPERIMENT, CODEBOOK]
    if isinstance(tower := values.get("tower"), str) and is_tower_file(tower):
        names.append(tower)
    policies = values.get("policies")
    if isinstance(policies, list):
        names += [name for name in dict.fromkeys(policies) if isinstance(name, str) and is_policy_file(name)]
    return names + [f"{BOARD}/{file}" for file in SCHEMAS if "board" in values]


def run_experiment(folder: str | Path) -> Experiment:
    """The experiment of a run folder, finished or not.

    InputError if there is no run, RunError if this version of wallsim would play different games.
    """
    from wallsim.runs.experiment_file import load_experiment  # loaded only when it is needed

    folder = Path(folder)
    with readable(folder):
        journal = Run.read_journal(folder)
    if journal.head is not None and "expansions" not in journal.identity:
        raise RunError(f"{folder}: {EARLIER_VERSION}")
    open_ended = is_open(journal.identity)
    experiment = load_experiment(folder / EXPERIMENT, {"games": max(1, journal.done)} if open_ended else None)
    if journal.head is None or experiment.hash(open_ended=open_ended) != journal.head["hash"]:
        raise RunError(f"{folder}: was played with an engine, policy, tower or board that differs from the current one")
    return experiment


def run_codebook(folder: str | Path) -> str:
    """The codebook of a run or tournament, finished or not; InputError if there is none or it cannot be read."""
    return read_codebook(folder)


def open_run(folder: str | Path) -> Run:
    """The finished run in a folder; InputError if there is none, RunError if it is unfinished or damaged."""
    return Run.open(folder)


def verify(folder: str | Path) -> list[str]:
    """All damage in a run folder, finished or not, one line per fault; an empty list if nothing has changed.

    InputError if there is no run or it cannot be read, RunError if journal or manifest cannot be interpreted.
    """
    return Run.verify(folder)
