"""Any damage of any file of a finished folder is found."""

import random

import pytest

from tests.folder.failures.making import (
    KINDS,
    PLAIN,
    WAYS,
    deleted,
    files_of,
    flipped,
    put,
    verified,
    without_a_line,
)
from wallsim.folder.verification import verify_results, write_marker
from wallsim.play.play import play_slice


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
