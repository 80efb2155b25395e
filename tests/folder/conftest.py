"""A tiny run with every kind of file beside its tables, played once and copied for tests that damage it."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.folder.mishaps import journal_lines
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run
from wallsim.rules.files import data_folder


@dataclass(frozen=True)
class Tiny:
    """A finished run with copies of a tower, a board and a policy; `experiment` plays it."""

    experiment: Experiment
    folder: Path

    def copied(self, folder):
        """A copy of the folder that a test may damage."""
        return shutil.copytree(self.folder, folder)

    def cut(self, folder):
        """A copy as a run leaves it that is killed before its last chunk is finished."""
        self.copied(folder)
        (folder / "manifest.json").unlink()
        lines = journal_lines(folder)
        (folder / "journal.jsonl").write_text("\n".join([*lines[:-1], ""]), "utf-8")
        for part in folder.rglob("part-000001.parquet"):
            part.unlink()
        return folder


@pytest.fixture(scope="session")
def tiny(tmp_path_factory):
    """The finished run; do not change it."""
    place = tmp_path_factory.mktemp("tiny")
    shutil.copytree(data_folder("board"), place / "mine")
    shutil.copy(data_folder("tower") / "mid.toml", place / "leaning.toml")
    shutil.copy(data_folder("policies") / "heedless.toml", place / "me.toml")
    experiment = Experiment(
        name="tiny", policies=(str(place / "me.toml"), "random", "random"), players=3, games=4, chunk=2, seed=8,
        seasons=True, battles=True, counties=True, plans=True,
        tower=str(place / "leaning.toml"), board=str(place / "mine"),
    )  # fmt: skip
    # By one worker, so that the last chunk has the last receipt.
    return Tiny(experiment, play_run(experiment, place / "run", workers=1).folder)
