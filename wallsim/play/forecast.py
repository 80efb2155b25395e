"""How long experiments would take on this machine and how much disk they would need, from games that are not stored."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from wallsim.experiment.experiment import Experiment, identity
from wallsim.experiment.identity import identity_hash
from wallsim.play.observer import Passing, RunObserver
from wallsim.play.play import play_run

# What does not change the speed and the rows of a game: experiments that differ in nothing else are timed once.
_IGNORED = ("games", "seed", "interventions")
_LONG_ENOUGH = 0.5  # seconds of a sample of games whose speed is believed
_ENOUGH_GAMES, _MAX_GAMES = 200, 30_000  # of a sample: few games take long where others keep the machine busy,
_TOO_LONG = 2.0  # seconds; but slow policies need not play so many


class Forecast(NamedTuple):
    """What one experiment would need: its games, wall seconds without compiling, and bytes of Parquet files."""

    games: int
    seconds: float
    bytes: int


class _Sample(NamedTuple):
    seconds: float  # of wall time per game with all workers busy
    game_bytes: float  # of each further game in a file
    chunk_bytes: float  # of the files of a chunk with one game


def forecast(
    experiments: Mapping[str, Experiment], workers: int, observer: RunObserver | None = None
) -> dict[str, Forecast]:
    """A forecast for each experiment, from a few hundred games of each kind in a temporary folder.

    `workers` is the number of threads to be used. Raises the errors of `play_run`.
    """
    observer = observer or RunObserver()
    samples: dict[str, _Sample] = {}
    result = {}
    for name, experiment in experiments.items():
        kind = _kind(experiment)
        if kind not in samples:
            samples[kind] = _sample(experiment, workers, observer)
        sample, games, chunks = samples[kind], experiment.games, experiment.layout().count
        result[name] = Forecast(
            games,
            games * sample.seconds * workers / min(workers, chunks),
            round(chunks * sample.chunk_bytes + (games - chunks) * sample.game_bytes),
        )
    return result


def _kind(experiment: Experiment) -> str:
    facts = identity(experiment, experiment.components())
    return identity_hash({key: value for key, value in facts.items() if key not in _IGNORED})


def _sample(experiment: Experiment, workers: int, observer: RunObserver) -> _Sample:
    quiet = Passing(observer, "compiling", "end")  # only compiling takes long enough to be shown
    single = _played(experiment, 1, 1, quiet)
    of_each = 2
    while True:
        manifest = _played(experiment, of_each * workers, of_each, quiet)
        games, seconds = manifest["games"], manifest["time"]["wall"]
        if (seconds >= _LONG_ENOUGH and games >= _ENOUGH_GAMES) or seconds >= _TOO_LONG or games >= _MAX_GAMES:
            break
        of_each *= 4
    game_bytes = (manifest["bytes"] - workers * single["bytes"]) / (games - workers)
    return _Sample(seconds / games, max(0.0, game_bytes), single["bytes"])


def _played(experiment: Experiment, games: int, chunk: int, observer: RunObserver) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        sample = experiment.changed(games=games, chunk=chunk)
        place, workers = Path(folder) / "run", -(-games // chunk)
        return play_run(sample, place, workers=workers, observer=observer, replays=False).manifest
