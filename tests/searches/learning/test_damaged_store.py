"""A learning with damaged lines or files plays only these again, and ends with the bytes of an undisturbed one."""

import shutil

import pytest

from tests.folder.damaged_lines import damaged_journals, deleted
from tests.folder.mishaps import flip_a_bit
from tests.searches.learning.test_learning import settings, some_positions
from wallsim.errors import RunError
from wallsim.folder.layout import JOURNAL
from wallsim.folder.learning_journal import POSITIONS, ChunkLines
from wallsim.searches.learning.learning import Store

COPY = f"{JOURNAL}.damaged-1"
WANTED = [(players, chunk) for chunk in range(3) for players in (3, 4)]


def positions(key):
    """Positions that depend on nothing but their chunk, as those of games do."""
    return some_positions(10 * key[1] + key[0])


def fill(folder, wanted=WANTED):
    """Play what a folder lacks; returns the chunks that were played."""
    with Store(folder, settings().identity()) as store:
        missing = store.missing(wanted)
        for key in missing:
            store.write(*key, positions(key))
    return missing


def contents(folder):
    """The bytes of all files but the lock and copies of damaged journals."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.name: path.read_bytes() for path in paths if path.name not in (".lock", COPY)}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """An undisturbed learning of three chunks for each of two numbers of players."""
    folder = tmp_path_factory.mktemp("whole") / "learning"
    assert fill(folder) == WANTED
    return folder


@pytest.mark.slow
def test_each_line_damaged_in_turn_is_played_again_alone_and_whole_files_stay(tmp_path, whole):
    data = (whole / JOURNAL).read_bytes()
    for number, (way, place, spoilt) in enumerate(damaged_journals(data, per_line=2)):
        folder = tmp_path / str(number)
        shutil.copytree(whole, folder)
        (folder / JOURNAL).write_bytes(spoilt)
        stored = {path.name: path.stat().st_mtime_ns for path in (folder / POSITIONS).iterdir()}
        played = fill(folder)
        lost = [line for line in data.split(b"\n") if line not in spoilt.split(b"\n")]
        assert len(played) == sum(b'"chunk"' in line for line in lost), (way, place)
        assert contents(folder) == contents(whole), (way, place)
        assert {path.name: path.stat().st_mtime_ns for path in (folder / POSITIONS).iterdir()} == stored
        if (folder / COPY).exists():
            assert (folder / COPY).read_bytes() == spoilt
        else:
            assert not spoilt.endswith(b"\n")
        shutil.rmtree(folder)


def test_a_damaged_file_is_named_and_played_again_alone(tmp_path, whole):
    folder = tmp_path / "x"
    shutil.copytree(whole, folder)
    flip_a_bit(folder / ChunkLines.file(4, 1))
    (folder / ChunkLines.file(3, 2)).unlink()
    with Store(folder, settings().identity()) as store:
        assert store.damaged(WANTED) == [
            f"{ChunkLines.file(4, 1)}: its bytes have changed",
            f"{ChunkLines.file(3, 2)}: is missing",
        ]
        assert store.repairs == []
    assert fill(folder) == [(4, 1), (3, 2)]
    assert contents(folder) == contents(whole)


def test_a_file_that_is_damaged_as_well_as_its_line_is_played_again(tmp_path, whole):
    folder = tmp_path / "x"
    shutil.copytree(whole, folder)
    lines = (folder / JOURNAL).read_bytes().splitlines(keepends=True)
    (folder / JOURNAL).write_bytes(b"".join(deleted(lines, 2, None)))
    flip_a_bit(folder / ChunkLines.file(4, 0))
    assert fill(folder) == [(4, 0)]
    assert contents(folder) == contents(whole)


def test_a_repair_needs_its_chunks_even_if_fewer_games_are_asked_for(tmp_path, whole):
    folder = tmp_path / "x"
    shutil.copytree(whole, folder)
    lines = (folder / JOURNAL).read_bytes().splitlines(keepends=True)
    (folder / JOURNAL).write_bytes(b"".join(deleted(lines, 4, None)))
    assert fill(folder, WANTED[:2]) == [(4, 1)]
    assert contents(folder) == contents(whole)


def test_a_chunk_that_differs_from_its_line_is_refused_and_nothing_is_written(tmp_path, whole):
    folder = tmp_path / "x"
    shutil.copytree(whole, folder)
    flip_a_bit(folder / ChunkLines.file(3, 1))
    before = contents(folder)
    with Store(folder, settings().identity()) as store, pytest.raises(RunError, match=r"line 4 of journal\.jsonl"):
        store.write(3, 1, positions((3, 2)))
    assert contents(folder) == before


def test_a_missing_journal_beside_positions_is_named(tmp_path, whole):
    folder = tmp_path / "x"
    shutil.copytree(whole, folder)
    (folder / JOURNAL).unlink()
    before = contents(folder)
    with pytest.raises(RunError, match=r"journal\.jsonl is missing beside positions"):
        fill(folder)
    assert contents(folder) == before
