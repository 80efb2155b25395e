"""Whatever a power cut leaves, every receipt tells the truth, and the same command finishes the work.

Kills do not show what was synced: the system writes the rest after the process has died.
"""

import shutil
from typing import NamedTuple

import pytest

from tests.folder.failures.conftest import contents
from tests.folder.failures.power import PowerCuts, put
from tests.searches.work import part
from wallsim.experiment.experiment import Experiment
from wallsim.folder.journal import Journal
from wallsim.folder.local_files import FileStore
from wallsim.folder.merge import merge
from wallsim.folder.search_kinds import LEARNINGS, TUNINGS
from wallsim.folder.verification import verify_results
from wallsim.folder.work_folder import WorkFolder
from wallsim.play.observer import RunObserver
from wallsim.play.play import play_run, play_slice
from wallsim.play.scenarios.file import ScenarioSet
from wallsim.play.scenarios.play import play_scenarios
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament
from wallsim.rules.files import data_folder

RUN = Experiment(policies="random", games=6, chunk=2, seed=3)
FEWER = RUN.model_copy(update={"games": 3})
OTHER = RUN.model_copy(update={"seed": 4, "games": 3})
BELOW = "a/b/run"  # in folders that do not exist either


DAMAGED = ("seats/part-000001.parquet", "manifest.json", "codebook.md")


def fresh(base):
    """Nothing lies there yet."""


def grown(base):
    """A finished run with fewer games."""
    play_run(FEWER, base / BELOW, workers=1)


def sliced(base):
    """Two slices of a run, and another folder with the third."""
    play_slice(RUN, base / BELOW, (0, 3), workers=1)
    play_slice(RUN, base / BELOW, (1, 3), workers=1)
    play_slice(RUN, base / "other", (2, 3), workers=1)


def damaged(base):
    """A finished run with a damaged file of every kind."""
    folder = play_run(RUN.model_copy(update={"tower": tower(base)}), base / BELOW, workers=1).folder
    for name in DAMAGED:
        (folder / name).write_bytes(b"x" * (folder / name).stat().st_size)
    with (folder / "journal.jsonl").open("ab") as file:
        file.write(b'{"run": "1')


def tower(base):
    """The path of a tower of its own, outside the folders that lose power."""
    path = base.parent / "leaning.toml"
    if not path.exists():
        shutil.copy(data_folder("tower") / "mid.toml", path)
    return str(path)


def run(base):
    """Play the run."""
    play_run(RUN, base / BELOW, workers=1, observer=RunObserver())


def own_tower(base):
    """Play the run with a tower of its own."""
    play_run(RUN.model_copy(update={"tower": tower(base)}), base / BELOW, workers=1)


def gathered(base):
    """Copy the slice of another folder, and play what is missing."""
    merge(base / BELOW, [base / "other"])
    run(base)


def scenarios(base):
    """Play two scenarios."""
    play_scenarios(ScenarioSet({"one": FEWER, "two": OTHER}), base / BELOW, workers=1)


def tournament(base):
    """Play a tournament of two chunks."""
    table = Experiment(players=3, seed=5)
    play_tournament(Tournament(("random", "heedless"), table, 700), base / BELOW, workers=1)


# What lies there before, the work, and the files that are damaged before.
ACTIONS = {
    "run": (fresh, run, ()),
    "grow": (grown, run, ()),
    "gather": (sliced, gathered, ()),
    "repair": (damaged, own_tower, DAMAGED),
    "scenarios": (fresh, scenarios, ()),
    "tournament": (fresh, tournament, ()),
}


# --------------------------------------------------------------------------------------------------- one operation


OPERATIONS = {
    "write": lambda place: place.write("one", b"new"),
    "create": lambda place: place.create("two", b"new"),
    "append": lambda place: place.append("one", b"new"),
    "make_folder": lambda place: (place.make_folder("inner"), place.write("inner/two", b"new")),
    "write_document": lambda place: place.write_document("board/two", "new"),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_when_an_operation_returns_nothing_of_it_can_be_lost(quick, name):
    base = quick / "disk"
    FileStore(base).make()
    FileStore(base).write("one", b"old\n")
    recorded = PowerCuts(base)
    with recorded:
        OPERATIONS[name](FileStore(base))
    *before, synced, names, mixed = [files for _, _, files, _ in recorded.images]
    there = {path.relative_to(base).as_posix(): path.read_bytes() for path in base.rglob("*") if path.is_file()}
    for left in (synced, names, mixed):
        assert {path: data for path, data in left.items() if data is not None} == there
    assert all(files.get("one") in (b"old\n", b"new") or files["one"].startswith(b"old\n") for files in before)


@pytest.mark.parametrize("there", ["", "a", "a/b"])
def test_when_a_folder_is_made_its_name_and_those_above_are_on_the_disk(quick, there):
    (quick / "disk" / there).mkdir(parents=True)
    recorded = PowerCuts(quick / "disk")
    with recorded:
        FileStore(quick / "disk" / BELOW).make()
    assert [sorted(files) for _, _, files, _ in recorded.images[-3:]] == [["a", "a/b", "a/b/run"]] * 3


# ------------------------------------------------------------------------------------------------------ whole runs


class Cut(NamedTuple):
    """What a power cut has left, how many receipts had been written by then, and whether the work had ended."""

    files: dict
    acknowledged: int
    ended: bool


def cuts_of(base, prepare, work, monkeypatch):
    """What power cuts at each step of some work may leave, each once."""
    base.mkdir()
    prepare(base)
    recorded, append = PowerCuts(base), FileStore.append

    def appended(place, name, line):
        append(place, name, line)
        if name.startswith("journal"):
            recorded.acknowledge()

    with monkeypatch.context() as context:
        context.setattr(FileStore, "append", appended)
        with recorded:
            work(base)
    last = recorded.images[-1][0]
    result = {(*files.items(),): Cut(files, count, step == last) for step, _, files, count in recorded.images}
    assert last > 8
    return list(result.values())


def assert_honest(folder, cut, damaged=()):
    """Every file that a receipt names is whole, but for those `damaged` before; and every receipt is there."""
    receipts = 0
    for path in folder.rglob("journal*.jsonl"):
        place = FileStore(path.parent)
        journal = Journal(place)
        assert journal.errors == []
        assert [
            name for name, part in journal.parts().items() if not part.is_whole(place) and name not in damaged
        ] == []
        receipts += len(journal.lines[path.name])
    assert receipts >= cut.acknowledged


def survive(quick, action, cut, whole, *, repeat=True):
    """Lay what a cut has left, look at it, and do the work again; `whole` is what it makes undisturbed."""
    prepare, work, already = ACTIONS[action]
    base = quick / "again"
    put(cut.files, base)
    assert_honest(base / BELOW, cut, already)
    if prepare is fresh and action != "scenarios" and (base / BELOW / "manifest.json").exists():
        assert verify_results(base / BELOW) == []
    if cut.ended:
        assert contents(base / BELOW) == whole
        assert verify_results(base / BELOW) == []
    if repeat:
        work(base)
        assert contents(base / BELOW) == whole
        assert verify_results(base / BELOW) == []
    shutil.rmtree(base)


def test_what_a_receipt_names_survives_a_power_cut(quick, monkeypatch):
    cuts = cuts_of(quick / "disk", *ACTIONS["run"][:2], monkeypatch)
    whole = contents(quick / "disk" / BELOW)
    for number, cut in enumerate(cuts):
        survive(quick, "run", cut, whole, repeat=number % 12 == 0)


@pytest.mark.one_in(6)
@pytest.mark.slow
@pytest.mark.parametrize("action", ACTIONS)
def test_the_same_command_finishes_after_any_power_cut(quick, monkeypatch, action):
    cuts = cuts_of(quick / "disk", *ACTIONS[action][:2], monkeypatch)
    whole = contents(quick / "disk" / BELOW)
    for cut in cuts:
        survive(quick, action, cut, whole)


# ------------------------------------------------------------------------------------------- searches and learnings


def searched(folder, entries, kind):
    """Do what a search lacks of so many steps; each part is acknowledged."""
    identity = {"seed": 1, "check_every": 1000, "cells": [{"players": 3}]}
    with WorkFolder(folder, kind, identity) as store:
        for key in kind.keys(identity, entries):
            if not store.has(key):
                store.record(key, *part(kind, key))
                yield
        assert all(map(store.has, kind.keys(identity, entries)))


@pytest.mark.parametrize("kind", [TUNINGS, LEARNINGS], ids=lambda kind: kind.what)
def test_what_a_search_has_written_survives_a_power_cut(quick, kind):
    base = quick / "disk"
    base.mkdir()
    recorded = PowerCuts(base)
    with recorded:
        for _ in searched(base / BELOW, 4, kind):
            recorded.acknowledge()
    assert len(recorded.images) > 50
    for _, _, files, acknowledged in recorded.images:
        put(files, quick / "again")
        lost = sum(1 for _ in searched(quick / "again" / BELOW, 4, kind))
        assert lost <= 4 - acknowledged
        shutil.rmtree(quick / "again")
