"""The counts of a study are cached under its design, and nothing else is ever taken for it."""

import numpy as np
import pytest

from tests.analyses.studies import look
from wallsim.experiment.experiment import Experiment
from wallsim.folder.study_folder import INDEX, PARTS
from wallsim.studies import cache, scenarios
from wallsim.studies.cache import Cache, as_data, packed

DESIGN = {"experiment": Experiment(games=24), "blocks": 2}
ARRAYS = {"attacks on players": np.arange(6.0).reshape(2, 3), "vp": np.full((2, 3), 1 / 3)}


def never(design):
    raise AssertionError("this was cached and need not be played")


def arrays(design):
    return ARRAYS


def same(result):
    return result.keys() == ARRAYS.keys() and all((result[name] == values).all() for name, values in ARRAYS.items())


def test_what_was_played_is_read_again(tmp_path):
    assert same(Cache(tmp_path).get("points", DESIGN, arrays))
    assert same(Cache(tmp_path).get("points", DESIGN, never))


def test_who_plays_is_given_the_design(tmp_path):
    asked = []
    Cache(tmp_path).get("points", DESIGN, lambda design: asked.append(design) or ARRAYS)
    assert asked == [DESIGN]


@pytest.mark.parametrize(
    ("counted", "design"),
    [
        ("wins", DESIGN),
        ("points", {**DESIGN, "blocks": 3}),
        ("points", {**DESIGN, "interventions": [{"do": "tile", "to": "none", "seat": 0, "round": "every"}]}),
        ("points", {**DESIGN, "experiment": Experiment(games=48)}),
        ("points", {**DESIGN, "experiment": Experiment(games=24, seed=2)}),
        ("points", {**DESIGN, "experiment": Experiment(games=24, rules={"combat": "may"})}),
        ("points", {**DESIGN, "experiment": Experiment(games=24, amounts={"county_points": 2})}),
    ],
)
def test_another_count_or_design_is_played(tmp_path, counted, design):
    Cache(tmp_path).get("points", DESIGN, arrays)
    with pytest.raises(AssertionError):
        Cache(tmp_path).get(counted, design, never)


def test_another_study_count_version_or_engine_is_played(tmp_path, monkeypatch):
    Cache(tmp_path, "price", 1).get("points", DESIGN, arrays)
    for study, version in (("tiles", 1), ("price", 2)):
        with pytest.raises(AssertionError):
            Cache(tmp_path, study, version).get("points", DESIGN, never)
    monkeypatch.setattr(cache, "ENGINE_VERSION", 99)
    with pytest.raises(AssertionError):
        Cache(tmp_path, "price", 1).get("points", DESIGN, never)


def test_a_title_is_no_part_of_the_key():
    one, other = (Cache(None, "price").key("points", {"experiment": Experiment(name=name)}) for name in ("a", "b"))
    assert one == other


def test_a_design_is_data_alone():
    assert as_data({"a": (1, 2.5, "x", None, True), "b": {"c": [1]}}) == {
        "a": [1, 2.5, "x", None, True],
        "b": {"c": [1]},
    }
    assert as_data(Experiment()) == Experiment().hash(with_games=True)
    with pytest.raises(TypeError, match="ndarray"):
        as_data({"a": np.zeros(3)})
    with pytest.raises(TypeError, match="function"):
        as_data({"a": as_data})


@pytest.mark.parametrize("damage", ["cut", "empty", "flipped"])
def test_a_damaged_file_is_played_and_written_again(tmp_path, damage):
    Cache(tmp_path).get("points", DESIGN, arrays)
    (path,) = (tmp_path / PARTS).glob("*.npz")
    whole = path.read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 3] ^= 16
    path.write_bytes({"cut": whole[:-40], "empty": b"", "flipped": bytes(flipped)}[damage])
    assert same(Cache(tmp_path).get("points", DESIGN, arrays))
    assert same(Cache(tmp_path).get("points", DESIGN, never))


def test_arrays_that_were_replaced_by_others_are_played_and_written_again(tmp_path):
    Cache(tmp_path).get("points", DESIGN, arrays)
    (path,) = (tmp_path / PARTS).glob("*.npz")
    path.write_bytes(packed({**ARRAYS, "vp": np.zeros((2, 3))}))  # a whole archive, but not the one in the index
    assert same(Cache(tmp_path).get("points", DESIGN, arrays))
    assert same(Cache(tmp_path).get("points", DESIGN, never))


@pytest.mark.parametrize("index", ["missing", "empty", "damaged"])
def test_a_part_without_a_line_of_the_index_is_listed_again_if_it_is_whole(tmp_path, index):
    Cache(tmp_path).get("points", DESIGN, arrays)
    path = tmp_path / INDEX
    whole = path.read_bytes()
    if index == "missing":
        path.unlink()
    else:
        path.write_bytes({"empty": b"", "damaged": whole[:20] + b"x" + whole[21:]}[index])
    assert same(Cache(tmp_path).get("points", DESIGN, never))
    assert path.read_bytes() == whole


def test_a_part_without_a_line_that_its_writer_did_not_end_is_played_and_written_again(tmp_path):
    Cache(tmp_path).get("points", DESIGN, arrays)
    (tmp_path / INDEX).write_bytes(b"")
    (path,) = (tmp_path / PARTS).glob("*.npz")
    with path.open("wb") as file:
        np.savez(file, **{**ARRAYS, "vp": np.zeros((2, 3))})  # can be read, but was not written by a study
    assert same(Cache(tmp_path).get("points", DESIGN, arrays))
    assert same(Cache(tmp_path).get("points", DESIGN, never))


def test_without_a_folder_nothing_is_kept():
    assert same(Cache(None).get("points", DESIGN, arrays))
    with pytest.raises(AssertionError):
        Cache(None).get("points", DESIGN, never)


@pytest.mark.slow
def test_an_interrupted_study_resumes(tmp_path, monkeypatch):
    whole = look("price", tmp_path / "whole", 24)
    played, calls = scenarios.play_arena, []

    def interrupted(*arguments):
        calls.append(arguments)
        if len(calls) == 10:
            raise KeyboardInterrupt
        return played(*arguments)

    monkeypatch.setattr(scenarios, "play_arena", interrupted)
    with pytest.raises(KeyboardInterrupt):
        look("price", tmp_path / "again", 24)
    assert look("price", tmp_path / "again", 24).figures == whole.figures
    assert len(calls) == len(list((tmp_path / "again" / PARTS).glob("*.npz"))) + 1
