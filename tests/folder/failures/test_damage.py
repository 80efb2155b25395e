"""Any damage of any file of a finished folder is found, and the command that made the folder makes it whole again."""

import random
import shutil

import pytest

from tests.folder.failures.deaths import leftovers
from tests.folder.failures.making import (
    KINDS,
    PLAIN,
    WAYS,
    Kind,
    deleted,
    files_of,
    flipped,
    lasting,
    mended,
    put,
    verified,
    without_a_line,
)
from wallsim.folder.verification import verify_results, write_marker
from wallsim.play.play import play_run, play_slice


@pytest.fixture
def whole(made, tiny, name):
    """A folder of each kind, and a run with every kind of document; do not change it."""
    return tiny.folder if name == "everything" else made(name)


def unfound(folder, way, times):
    """The files whose damage is not found, each damaged so many times; afterwards they are as before.

    A file that made the folder finished is missed if it is not finished any more.
    """
    result, as_whole = [], verified(folder)
    for path in files_of(folder):
        whole = path.read_bytes()
        for number in range(times if whole else 0):
            data = way(whole, random.Random(f"{path.relative_to(folder)} {way.__name__} {number}"))
            put(path, data)
            if verified(folder) == as_whole:
                result.append(path.relative_to(folder).as_posix())
            path.write_bytes(whole)
    assert verified(folder) == as_whole
    return result


NAMES = (*KINDS, "everything")
# The record of a study has the digests of all parts, too, and a manifest that of the log's lines before it.
UNSEEN = {
    ("study", deleted): ["parts/checksums.jsonl"],
    ("study", without_a_line): ["parts/checksums.jsonl"],
    ("tournament", without_a_line): ["log.jsonl"],
}


OFTEN = pytest.param(30, marks=[pytest.mark.slow, pytest.mark.one_in(10)])


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("times", [2, OFTEN])
def test_any_damage_of_any_file_is_found(whole, name, way, times):
    assert {*unfound(whole, way, times)} <= {*UNSEEN.get((name, way), [])}


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("way", WAYS)
def test_the_command_that_made_it_makes_it_whole_again(whole, tiny, quick, name, way):
    kind = KINDS.get(name, Kind(lambda folder: play_run(tiny.experiment, folder, workers=1)))
    files = files_of(whole)
    for path in random.Random(f"{name} {way.__name__}").sample(files, min(5, len(files))):
        folder = shutil.copytree(whole, quick / "at" / "x")
        file = path.relative_to(whole)
        put(folder / file, way(path.read_bytes(), random.Random(file.name)))
        mended(folder, kind)
        assert lasting(folder) == lasting(whole), file
        assert (verified(folder), leftovers(folder)) == (0, []), file
        shutil.rmtree(quick / "at")


@pytest.fixture(scope="module")
def unfinished(tiny, tmp_path_factory):
    """Folders that nothing finished."""
    place = tmp_path_factory.mktemp("unfinished")
    tiny.cut(place / "cut")
    play_slice(PLAIN, place / "slice", (0, 2))
    (place / "bench").mkdir()
    write_marker(place / "bench", "wallsim bench scale")
    return place


@pytest.mark.parametrize("name", ["cut", "slice", "bench"])
@pytest.mark.parametrize("times", [3, OFTEN])
def test_flipped_bits_of_unfinished_folders_are_found(unfinished, name, times):
    assert unfound(unfinished / name, flipped, times) == []


@pytest.mark.parametrize("name", ["journal.jsonl", "log.jsonl"])
def test_a_flipped_bit_in_the_end_of_the_last_line_is_not_taken_for_a_line_that_was_being_written(unfinished, name):
    path = unfinished / "cut" / name
    whole = path.read_bytes()
    for bit in range(8):
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1 << bit]))
        assert verify_results(unfinished / "cut")
    path.write_bytes(whole)
