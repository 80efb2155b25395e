"""What a study of effects has played is kept, and nothing else is ever taken for it."""

import numpy as np
import pytest

from analyses import effects, kept, price
from analyses.kept import Kept
from tests.analyses.studies import run_study

FACTS = {"experiment": "abc", "blocks": 2}
ARRAYS = {"attacks on players": np.arange(6.0).reshape(2, 3), "vp": np.full((2, 3), 1 / 3)}


def never():
    raise AssertionError("this was kept and need not be played")


def same(found):
    return found.keys() == ARRAYS.keys() and all((found[name] == values).all() for name, values in ARRAYS.items())


def test_what_was_played_is_read_again(tmp_path):
    assert same(Kept(tmp_path).get(FACTS, never, lambda: ARRAYS))
    assert same(Kept(tmp_path).get(FACTS, never, never))


@pytest.mark.parametrize(("facts", "source"), [({**FACTS, "blocks": 3}, never), (FACTS, price.count)])
def test_other_facts_and_another_source_are_played(tmp_path, facts, source):
    Kept(tmp_path).get(FACTS, never, lambda: ARRAYS)
    with pytest.raises(AssertionError):
        Kept(tmp_path).get(facts, source, never)


@pytest.mark.parametrize("damage", ["cut", "empty", "flipped"])
def test_a_damaged_file_is_played_and_written_again(tmp_path, damage):
    Kept(tmp_path).get(FACTS, never, lambda: ARRAYS)
    (path,) = (tmp_path / kept.PARTS).glob("*.npz")
    whole = path.read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 3] ^= 16
    path.write_bytes({"cut": whole[:-40], "empty": b"", "flipped": bytes(flipped)}[damage])
    assert same(Kept(tmp_path).get(FACTS, never, lambda: ARRAYS))
    assert same(Kept(tmp_path).get(FACTS, never, never))


def test_arrays_that_were_replaced_by_others_are_played_and_written_again(tmp_path):
    Kept(tmp_path).get(FACTS, never, lambda: ARRAYS)
    (path,) = (tmp_path / kept.PARTS).glob("*.npz")
    path.write_bytes(kept.packed({**ARRAYS, "vp": np.zeros((2, 3))}))  # a whole archive, but not the one in the index
    assert same(Kept(tmp_path).get(FACTS, never, lambda: ARRAYS))
    assert same(Kept(tmp_path).get(FACTS, never, never))


@pytest.mark.parametrize("index", ["missing", "empty", "damaged"])
def test_a_part_without_a_line_of_the_index_is_listed_again_if_it_is_whole(tmp_path, index):
    Kept(tmp_path).get(FACTS, never, lambda: ARRAYS)
    path = tmp_path / kept.INDEX
    whole = path.read_bytes()
    if index == "missing":
        path.unlink()
    else:
        path.write_bytes({"empty": b"", "damaged": whole[:20] + b"x" + whole[21:]}[index])
    assert same(Kept(tmp_path).get(FACTS, never, never))
    assert path.read_bytes() == whole


def test_without_a_folder_nothing_is_kept():
    assert same(Kept(None).get(FACTS, never, lambda: ARRAYS))
    with pytest.raises(AssertionError):
        Kept(None).get(FACTS, never, never)


def test_an_interrupted_study_goes_on_where_it_stopped(tmp_path, monkeypatch):
    words = ("--quick", "--games", "24", "--workers", "1")
    whole = run_study(price, tmp_path, *words)
    (tmp_path / "again").mkdir()
    played, calls = effects._played, []

    def interrupted(*arguments):
        calls.append(arguments)
        if len(calls) == 10:
            raise KeyboardInterrupt
        return played(*arguments)

    monkeypatch.setattr(effects, "_played", interrupted)
    status, _, errors = run_study(price, tmp_path / "again", *words)
    assert (status, errors) == (
        130,
        f"Interrupted: finished parts are kept in {tmp_path / 'again' / 'runs'}, and the same command resumes.\n",
    )
    assert run_study(price, tmp_path / "again", *words) == whole
    parts = list((tmp_path / "again" / "runs" / kept.PARTS).glob("*.npz"))
    assert len(calls) == len(parts) + 1
