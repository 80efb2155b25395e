"""The counts of a study are cached under its design, and nothing else is ever taken for it."""

import io

import numpy as np
import pytest

from tests.refusals import refused
from wallsim.experiment.experiment import Experiment
from wallsim.folder.study_folder import INDEX, PARTS
from wallsim.studies import cache
from wallsim.studies.cache import Cache, as_data, packed

DESIGN = {"experiment": Experiment(games=24), "blocks": 2}
ARRAYS = {"attacks on players": np.arange(6.0).reshape(2, 3), "vp": np.full((2, 3), 1 / 3)}


def never(design):
    raise AssertionError("this was cached and need not be played")


def arrays(design):
    return ARRAYS


def same(result):
    return result.keys() == ARRAYS.keys() and all((result[name] == values).all() for name, values in ARRAYS.items())


def test_what_was_played_is_read_again_and_without_a_folder_nothing_is_kept(tmp_path):
    assert same(Cache(tmp_path).get("points", DESIGN, lambda design: ARRAYS if design is DESIGN else {}))
    assert same(Cache(tmp_path).get("points", DESIGN, never))
    assert same(Cache(None).get("points", DESIGN, arrays))
    with pytest.raises(AssertionError):
        Cache(None).get("points", DESIGN, never)


@pytest.mark.parametrize(
    ("counted", "changes"),
    [("wins", {}), ("points", {"blocks": 3}), ("points", {"experiment": Experiment(games=24, seed=2)}),
     ("points", {"experiment": Experiment(games=48)}),
     ("points", {"experiment": Experiment(games=24, rules={"combat": "may"})}),
     ("points", {"experiment": Experiment(games=24, amounts={"county_points": 2})}),
     ("points", {"interventions": [{"do": "tile", "to": "none", "seat": 0, "round": "every"}]})],
)  # fmt: skip
def test_another_count_or_design_is_played(tmp_path, counted, changes):
    Cache(tmp_path).get("points", DESIGN, arrays)
    with pytest.raises(AssertionError):
        Cache(tmp_path).get(counted, {**DESIGN, **changes}, never)


def test_another_study_count_version_or_engine_is_played_and_a_title_is_no_part_of_the_key(monkeypatch):
    keys = {Cache(None, *each).key("points", DESIGN) for each in (("price", 1), ("tiles", 1), ("price", 2))}
    one, other = (Cache(None, "price").key("points", {"experiment": Experiment(name=name)}) for name in ("a", "b"))
    assert one == other
    monkeypatch.setattr(cache, "ENGINE_VERSION", 99)
    assert len({*keys, Cache(None, "price", 1).key("points", DESIGN)}) == 4


def test_a_design_is_data_alone():
    design = {"a": (1, 2.5, "x", None, True), "b": {"c": [1]}}
    assert as_data(design) == {"a": [1, 2.5, "x", None, True], "b": {"c": [1]}}
    assert as_data(Experiment()) == Experiment().hash(with_games=True)
    for other in (np.zeros(3), as_data):
        with refused(type(other).__name__, by=TypeError):
            as_data({"a": other})


def saved(values):
    """Arrays as NumPy saves them, which no study writes."""
    file = io.BytesIO()
    np.savez(file, **values)
    return file.getvalue()


WRONG = {**ARRAYS, "vp": np.zeros((2, 3))}
DAMAGES = {
    "cut": lambda whole: whole[:-40],
    "empty": lambda _: b"",
    "flipped": lambda whole: bytes(byte ^ 16 * (at == len(whole) // 3) for at, byte in enumerate(whole)),
    "replaced": lambda _: packed(WRONG),  # a whole archive, but not the one in the index
    "unlisted": lambda _: saved(WRONG),  # its writer did not end it
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_played_and_written_again(tmp_path, damage):
    Cache(tmp_path).get("points", DESIGN, arrays)
    (path,) = (tmp_path / PARTS).glob("*.npz")
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    if damage == "unlisted":
        (tmp_path / INDEX).write_bytes(b"")
    assert same(Cache(tmp_path).get("points", DESIGN, arrays))
    assert same(Cache(tmp_path).get("points", DESIGN, never))


@pytest.mark.parametrize("index", [None, lambda _: b"", lambda whole: whole[:20] + b"x" + whole[21:]])
def test_a_part_without_a_line_of_the_index_is_listed_again_if_it_is_whole(tmp_path, index):
    Cache(tmp_path).get("points", DESIGN, arrays)
    path = tmp_path / INDEX
    whole = path.read_bytes()
    path.unlink() if index is None else path.write_bytes(index(whole))
    assert same(Cache(tmp_path).get("points", DESIGN, never))
    assert path.read_bytes() == whole
