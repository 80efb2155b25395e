"""Kinds of folders as data: what makes one whole, and what else may be done there before; and ways to damage files."""

import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path

import numpy as np

from tests.folder.failures.deaths import contents
from tests.searches import work
from tests.studies.asking import asked
from wallsim.errors import WallsimError
from wallsim.experiment.experiment import Experiment
from wallsim.folder.merge import merge
from wallsim.folder.tournament import DERIVED
from wallsim.folder.verification import state_of, verify_results
from wallsim.play.play import play_run, play_slice
from wallsim.play.repair import repair
from wallsim.play.scenarios.file import ScenarioSet
from wallsim.play.scenarios.play import play_scenario_slices, play_scenarios
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament
from wallsim.studies import running
from wallsim.studies.quantities import Key, Number
from wallsim.studies.running import run_study

PLAIN = Experiment(policies="random", players=3, games=5, chunk=2, seed=4)
SET = ScenarioSet({"plain": PLAIN, "other": PLAIN.model_copy(update={"seed": 2})})
CUP = Tournament(("random", "heedless"), PLAIN, 6)


def small_and_plain(monkeypatch):
    """Tournaments have small chunks, and pictures are not drawn."""
    monkeypatch.setattr(import_module("wallsim.play.tournament.play"), "_CHUNK", 72)
    monkeypatch.setattr(import_module("wallsim.play.tournament.play"), "_MIN_CYCLES", 1)
    monkeypatch.setattr(import_module("wallsim.play.extending"), "FIRST_LOOK", 72)
    monkeypatch.setattr(running, "picture_bytes", lambda result: b"picture")


def published(run):
    """The files that are computed from the rows, as the command writes them."""
    run.note_look()
    run.publish({name: f"{name} of {run.manifest['blocks']}".encode() for name in DERIVED[:-1]})


def cup(folder, blocks=6):
    """A tournament with its ratings."""
    published(play_tournament(Tournament(CUP.policies, CUP.table, blocks), folder, workers=1))


def study(folder):
    """A study with parts, and with a run in a folder of its own."""

    def play(design, storage):
        run = play_run(PLAIN, storage.folder / "run", workers=1)
        for number in range(3):
            storage.cache.get("numbers", {"number": number}, lambda design: {"n": np.arange(design["number"])})
        return {Key("games"): Number(run.manifest["games"]), Key("wins", "A"): Number(25.5)}

    run_study(asked(folder.parent, play), folder)


def of_games(games):
    """The first games of the run."""
    return lambda folder: play_run(PLAIN.model_copy(update={"games": games}), folder, workers=1)


def slice_of(number, count, games=5):
    """A slice of the run."""
    return lambda folder: play_slice(
        PLAIN.model_copy(update={"games": games}), folder, (number, count), workers=1
    )  # fmt: skip


def merged(folder):
    """The games of a slice that was played in another folder."""
    slice_of(1, 2)(folder.parent / "other")
    merge(folder, [folder.parent / "other"])


def repaired(folder):
    """Whatever is there, restored and played."""
    if folder.exists() and any(folder.iterdir()):
        repair(folder, workers=1)


def restored(folder):
    """Whatever is there, restored, unless only the command that began it can say what is missing."""
    with suppress(WallsimError):
        repaired(folder)


@dataclass(frozen=True)
class Kind:
    """What makes a folder whole, from whatever was left there, and `others` that may be done before.

    If nothing proves any more whose it is, work that goes on `elsewhere` begins again in another folder.
    """

    finish: Callable
    others: tuple[Callable, ...] = ()
    elsewhere: bool = False


KINDS = {
    "run": Kind(
        lambda folder: play_run(PLAIN, folder, workers=1),
        (of_games(2), of_games(3), slice_of(0, 2), slice_of(1, 3), slice_of(0, 1, 3), merged, repaired),
    ),
    "scenarios": Kind(
        lambda folder: play_scenarios(SET, folder, workers=1),
        (lambda folder: play_scenario_slices(SET, folder, (1, 2), workers=1), restored),
    ),
    "tournament": Kind(cup, (lambda folder: play_tournament(CUP, folder, workers=1),)),
    "study": Kind(study),
    **{
        what: Kind(partial(work.do, kind=kind), (partial(work.do, kind=kind, steps=2), restored), elsewhere=True)
        for what, kind in work.KINDS.items()
    },
}


def verified(folder):
    """The exit status of `verify`, which would read its options again for every folder."""
    try:
        return 1 if verify_results(folder) else 0 if state_of(folder).finished else 3
    except WallsimError as error:
        return error.exit_status if str(error) else None


def files_of(folder):
    """The files of a folder but locks, and copies of damaged journals, which belong to nobody."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return sorted(path for path in files if ".damaged-" not in path.name)


def lasting(folder):
    """The bytes of what does not depend on the time and on how the games were divided."""
    return {name: data for name, data in contents(folder).items() if data is not None}


def mended(folder, kind):
    """Do what makes a folder whole, and what its messages ask for before."""
    try:
        kind.finish(folder)
    except WallsimError as error:
        if asked := re.match(r"(.*/looks\.json): is damaged; delete it", str(error)):
            Path(asked[1]).unlink()
        elif kind.elsewhere and re.search(r"(another|a new) folder", str(error)):
            shutil.rmtree(folder)
        else:
            raise
        kind.finish(folder)


# ---- damage

RESTS = (b"\n", b"{", b"x", b"\0" * 40, b'{"run": "0123')  # that come behind the last byte


def flipped(data, chance):
    """One bit has changed; of a file of lines each line is as likely, its end included."""
    lines = data.splitlines(keepends=True) if data.startswith(b"{") and b"}\n{" in data else [data]
    number = chance.randrange(len(lines))
    line = bytearray(lines[number])
    line[chance.randrange(len(line))] ^= 1 << chance.randrange(8)
    return b"".join([*lines[:number], line, *lines[number + 1 :]])


def cut(data, chance):
    """The end is missing."""
    return data[: chance.randrange(len(data))]


def extended(data, chance):
    """Bytes follow the last one."""
    return data + chance.choice(RESTS)


def without_a_line(data, chance):
    """A line is missing."""
    lines = data.splitlines(keepends=True)
    number = chance.randrange(len(lines))
    return b"".join([*lines[:number], *lines[number + 1 :]])


def deleted(data, chance):
    """The file is gone."""
    return None


WAYS = (flipped, cut, extended, without_a_line, deleted)


def put(path, data):
    """Write a file, or delete it."""
    path.unlink(missing_ok=True) if data is None else path.write_bytes(data)
