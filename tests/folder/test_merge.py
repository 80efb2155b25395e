"""Merging: chunks of the same run are gathered from several folders, and nothing is written for those of others."""

import pytest

from tests.folder.mishaps import flip_a_bit
from tests.play.watching import parts_of
from tests.refusals import refused
from wallsim.experiment.experiment import Experiment
from wallsim.folder.merge import Merged, merge
from wallsim.play.play import play_run, play_slice
from wallsim.play.repair import repair

WHOLE = Experiment(policies="random", players=3, games=90, chunk=20, seed=2)


def test_slices_of_several_folders_become_the_run(tmp_path):
    for number in range(2):
        play_slice(WHOLE, tmp_path / str(number), (number, 2))
    sources = [tmp_path / "0", tmp_path / "1"]
    assert merge(tmp_path / "merged", sources) == Merged(90, 90, 90, ())
    assert merge(tmp_path / "merged", sources) == Merged(0, 90, 90, ())
    assert parts_of(repair(tmp_path / "merged").folder) == parts_of(play_run(WHOLE, tmp_path / "once").folder)


@pytest.mark.parametrize("into", ["few", "many", "new"])
def test_the_games_are_those_of_the_folder_with_the_most(tmp_path, into):
    play_run(WHOLE.model_copy(update={"games": 30}), tmp_path / "few")
    play_slice(WHOLE, tmp_path / "many", (1, 2))
    merged = merge(tmp_path / into, [tmp_path / "many", tmp_path / "few"])
    # The second chunk of the shorter run is a part of that of the longer one.
    assert (merged.finished, merged.games) == (60, 90)
    assert parts_of(repair(tmp_path / into).folder) == parts_of(play_run(WHOLE, tmp_path / "once").folder)


@pytest.mark.parametrize(
    ("change", "names"), [({"seed": 3}, ("seed is 3", "2 in")), ({"chunk": 30}, ("sizes", "`chunk`"))]
)
@pytest.mark.parametrize("into", ["one", "new"])
def test_of_different_runs_nothing_is_copied(tmp_path, change, names, into):
    one, two = tmp_path / "one", tmp_path / "two"
    play_slice(WHOLE, one, (1, 2))
    play_slice(WHOLE.model_copy(update=change), two, (0, 2))
    before = parts_of(one)
    with refused(one, two, *names):
        merge(tmp_path / into, [one, two])
    assert not (tmp_path / "new").exists()
    assert parts_of(one) == before


def test_a_damaged_chunk_is_not_copied(tmp_path):
    play_run(WHOLE, tmp_path / "spoilt")
    flip_a_bit(tmp_path / "spoilt/games/part-000001.parquet")
    merged = merge(tmp_path / "new", [tmp_path / "spoilt"])
    assert (merged.copied, merged.damaged) == (70, (f"{tmp_path}/spoilt/games/part-000001.parquet",))
