"""The folder of a run while it is played: the documents beside its tables, and its manifest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wallsim.engine.version import ENGINE_VERSION
from wallsim.policies.policy_file import is_policy_file
from wallsim.rules.board_names import board_copy
from wallsim.rules.files import read_input
from wallsim.rules.tower import is_tower_file
from wallsim.runs.components import Components
from wallsim.runs.experiment import Experiment, identity
from wallsim.runs.experiment_file import experiment_text
from wallsim.runs.folder.layout import AS_SHIPPED, BOARD, CODEBOOK, EXPERIMENT, HEADLINE, POLICIES
from wallsim.runs.folder.local_files import FileStore
from wallsim.runs.folder.manifest import common_facts
from wallsim.runs.folder.schema import TABLES, codebook_text, tables_of, vocabulary
from wallsim.runs.folder.store import ChunkStore, Slice


class Store(ChunkStore):
    """The folder of a run, locked for writing."""

    what, all_tables = "experiment", TABLES

    def __init__(
        self,
        place: FileStore,
        experiment: Experiment,
        parts: Components,
        *,
        slice_: Slice | None = None,
        grows: bool = False,
    ) -> None:
        """Lock a folder for an experiment; the arguments and errors are those of ChunkStore."""
        self._experiment, self._parts = experiment, parts
        facts, layout = identity(experiment, parts), experiment.layout()
        super().__init__(place, facts, tables_of(experiment), layout, experiment.name, slice_=slice_, grows=grows)

    def documents(self) -> dict[str, bytes]:
        """Experiment and codebook, and copies of a custom tower, of custom policies and of a custom board."""
        experiment, parts = self._experiment, self._parts
        tower = f"tower-{parts.tower.name.removeprefix('tower-')}.toml" if is_tower_file(experiment.tower) else None
        board = BOARD if experiment.board is not None else None
        copies = {name: f"{POLICIES}/{Path(name).name}" for name in experiment.policies if is_policy_file(name)}
        text = experiment_text(experiment, tower=tower, board=board, policies=copies)
        documents = {
            EXPERIMENT: f"{HEADLINE}{self.hash}\n{text}".encode(),
            CODEBOOK: codebook_text(vocabulary(parts, experiment.columns, self.form), self.tables).encode(),
        }
        if tower is not None:
            documents[tower] = read_input(Path(experiment.tower))
        for name, policy in zip(experiment.policies, parts.policies, strict=True):
            if name in copies:  # the bytes that are played, even if the file has changed since
                documents[copies[name]] = policy.source
        if experiment.board is not None:
            documents |= {f"{BOARD}/{file}": data for file, data in board_copy(experiment.board).items()}
        return documents

    def manifest(self, games: int) -> dict[str, Any]:
        """The manifest of the folder's first `games` games, whose chunks are all finished."""
        # What was written, not what lies there by now.
        text = self.header.papers.get(EXPERIMENT) or self.place.read(EXPERIMENT).decode("utf-8", "replace")
        return {
            "format": self.header.format,
            "experiment": {
                "name": self._experiment.name,
                "hash": self.header.hash,
                "identity": self.header.identity,
                "text": text,
            },
            "engine_version": ENGINE_VERSION,
            "seed": self._experiment.seed,
            "games": games,
            "looks": [*self.header.looks, games],
            "grows": self.header.grows,
            "policies": self.identity["policies"],
            **common_facts(self, self._parts, BOARD if self._experiment.board is not None else AS_SHIPPED, games),
            "papers": self.document_digests(),
        }
