"""Playing a study on a few games, and reading the Markdown of its page."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from wallsim.experiment.file import load_experiment
from wallsim.folder.results import Run
from wallsim.stats.blocks import block_mean
from wallsim.studies.cache import Cache
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import Figures
from wallsim.studies.quantities import figures_of
from wallsim.studies.register import read_register
from wallsim.studies.running import FIGURES, Result, play_study, run_study
from wallsim.studies.scenarios import scenarios_played
from wallsim.studies.study import Choices, Storage

LINES = {"strong": "builder", "second": "banker"}  # two lines of strong play that are quick
UNSTORED = Storage(Path(), Cache(None), 1)  # everything is played again


def look(name, folder, games=None, *, quick=True, workers=1, **options):
    """Play a study on a few games in a folder, with its own options as texts; the result, whose files were checked.

    The folder has the figures, the page, the picture and the record, and the page is the same from its figures.csv.
    """
    study = load_study(name)
    result = run_study(study, folder, Choices(games, quick, options), workers=workers)
    assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / f"{name}.md").read_text("utf-8") == result.text.strip() + "\n"
    assert (folder / "record.json").is_file()
    read = read_register(name, folder / FIGURES)
    assert Result(study, result.choices, result.design, result.digest, read).page == result.page
    return result


def figures_in(study, values):
    """The figures of a study that has these values."""
    return figures_of(study, load_study(study).quantities, values)


def published(study, changed):
    """The published figures of a study; `changed` returns new fields of a figure by its row, or {}."""
    return Figures(study, [replace(row, **changed(row)) for row in read_register(study).values()])


def played_by(policy, path, scenarios, blocks, count, *, players=4, seasons=True):
    """The counts of some scenarios of an experiment with one policy in all seats, by name."""
    experiment = load_experiment(path, {"players": players, "policies": policy})
    return dict(scenarios_played(experiment, scenarios, blocks, count, UNSTORED, seasons=seasons))


def estimate(value, blocks=100):
    """An estimate near a value, from some blocks."""
    return block_mean(value + np.random.default_rng(1).normal(0, 1, blocks))


def table_of(text, heading):
    """The rows of the first table whose headings begin so, as lists of cells."""
    lines = text.splitlines()
    begin = next(k for k, line in enumerate(lines) if line.startswith(f"| {heading} |"))
    rows = []
    for line in lines[begin + 2 :]:
        if not line.startswith("|"):
            break
        rows.append(line.strip("| ").split(" | "))
    return rows


def number(cell):
    """The estimate of a cell, without its interval."""
    return float(cell.split(" ")[0].replace("−", "-"))


def hashes_of(folder):
    """The hash of the experiment of each run below a folder, by the parts of its path."""
    paths = [path.parent for path in folder.rglob("manifest.json")]
    return {path.relative_to(folder).parts: Run.open(path).manifest["experiment"]["hash"] for path in paths}


def files_of(folder):
    """When each table below a folder was last written."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*.parquet")}


def assert_resumed(name, folder, result, choices):
    """Another play of a finished study plays nothing, but ends what was interrupted, and finds the same."""
    before = files_of(folder)
    next(folder.rglob("manifest.json")).unlink()
    again = play_study(load_study(name), folder, choices)
    assert files_of(folder) == before
    assert (again.page, again.figures) == (result.page, result.figures)
