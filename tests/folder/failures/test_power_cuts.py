"""Whatever a power cut leaves, every receipt tells the truth, and the same command finishes the work.

Kills do not show what was synced: the system writes the rest after the process has died.
"""

import shutil
from contextlib import suppress
from typing import NamedTuple

import pytest

from tests.folder.failures.cases import CASES
from tests.folder.failures.deaths import contents
from tests.folder.failures.making import verified
from tests.folder.failures.power import PowerCuts, put
from tests.searches import work
from wallsim.errors import InputError
from wallsim.folder.local_files import FileStore
from wallsim.folder.verification import verify_results

BELOW = "a/b/x"  # in folders that do not exist either
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
    assert [sorted(files) for _, _, files, _ in recorded.images[-3:]] == [["a", "a/b", "a/b/x"]] * 3


# --------------------------------------------------------------------------------------------------- every kind


class Cut(NamedTuple):
    """What a power cut has left, how many receipts had been written by then, and whether the work had ended."""

    files: dict
    acknowledged: int
    ended: bool


def cuts_of(base, act, monkeypatch):
    """What power cuts at each step of some work may leave, each once."""
    recorded, append = PowerCuts(base), FileStore.append

    def appended(place, name, line):
        append(place, name, line)
        if name.startswith("journal"):
            recorded.acknowledge()

    with monkeypatch.context() as context:
        context.setattr(FileStore, "append", appended)
        with recorded:
            act(base / BELOW)
    last = recorded.images[-1][0]
    result = {(*files.items(),): Cut(files, count, step == last) for step, _, files, count in recorded.images}
    assert last > 8
    return list(result.values())


def receipts_in(folder):
    """The number of lines behind the headers of all journals."""
    return sum(
        path.read_bytes().count(b"\n") - (path.name == "journal.jsonl") for path in folder.rglob("journal*.jsonl")
    )


def damage_in(folder):
    """The damage of a folder but half a line of its log; none if nothing says of what kind it is."""
    with suppress(InputError):
        return [error for error in verify_results(folder) if "log.jsonl: " not in error]
    return []


def survive(quick, monkeypatch, name, stride=1):
    """Lay what each cut has left, look at it, and do the work again at one in so many."""
    case, disk, again = CASES[name], quick / "disk", quick / "again"
    (disk / BELOW).parent.mkdir(parents=True)
    case.before(disk / BELOW)
    sound = not (disk / BELOW).exists() or verified(disk / BELOW) != 1
    cuts = cuts_of(disk, case.act, monkeypatch)
    case.finish(disk / BELOW)
    whole = contents(disk / BELOW)
    for number, cut in enumerate(cuts):
        put(cut.files, again)
        folder = again / BELOW
        if sound:  # whatever a receipt names is whole
            assert damage_in(folder) == [], number
            assert receipts_in(again) >= cut.acknowledged, number
        if cut.ended or number % stride == 0:
            case.act(folder)
            case.finish(folder)
            assert contents(folder) == whole, number
            assert verified(folder) == 0, number
        shutil.rmtree(again)


EVERY = [pytest.param(name, 1, marks=[pytest.mark.slow, pytest.mark.one_in(6)]) for name in CASES]


@pytest.mark.parametrize(
    ("name", "stride"), [*((name, 20) for name in ("run", "slice", "scenarios", "tournament", *work.KINDS)), *EVERY]
)
def test_the_same_command_finishes_after_any_power_cut(quick, monkeypatch, name, stride):
    survive(quick, monkeypatch, name, stride)
