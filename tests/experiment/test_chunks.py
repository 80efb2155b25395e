"""How a run is cut into chunks: every game once and in order, small chunks first, older folders as they were."""

import json

from hypothesis import given
from hypothesis import strategies as st

from tests.play.watching import parts_of
from wallsim.experiment.chunks import FIRST_CHUNK, MAX_CHUNKS, ChunkLayout
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.keys import MAX_GAMES
from wallsim.folder.layout import JOURNAL
from wallsim.folder.results import Run
from wallsim.play.play import play_run


@given(st.integers(1, 5000), st.integers(1, 700), st.none() | st.integers(1, 60))
def test_every_game_is_in_one_chunk_and_in_order(games, chunk, first):
    layout = ChunkLayout(games, chunk, first)
    spans = [layout.span(number) for number in range(layout.count)]
    following = 0
    for start, size in spans:
        assert start == following
        assert 1 <= size <= max(chunk, first or 0)
        following = start + size
    assert following == games


def test_small_chunks_come_first_where_none_is_given():
    def sizes_of(layout):
        return [layout.span(number)[1] for number in range(layout.count)]

    assert sizes_of(ChunkLayout(2300, 500)) == [500, 500, 500, 500, 300]
    sizes = sizes_of(Experiment(games=300_000).layout())
    assert sizes[:6] == [FIRST_CHUNK, FIRST_CHUNK, 100, 100, 200, 200]
    assert sizes[:-1] == sorted(sizes[:-1])
    assert max(sizes) == Experiment(games=300_000).chunk_games() == 50_000
    assert Experiment(games=100_000, chunk=1000).layout() == ChunkLayout(100_000, 1000)
    assert Experiment(games=MAX_GAMES).layout().count <= MAX_CHUNKS + 50


@given(st.integers(1, 500_000), st.integers(1, 500_000), st.none() | st.integers(1, 10_000))
def test_chunks_stay_where_they_are_when_games_are_added(games, more, chunk):
    before, after = (Experiment(games=number, chunk=chunk).layout() for number in (games, games + more))
    numbers = [*range(min(before.count - 1, 60)), before.count - 2]
    assert [before.span(number) for number in numbers if number >= 0] == [
        after.span(number) for number in numbers if number >= 0
    ]
    first, size = before.span(before.count - 1)
    assert after.span(before.count - 1)[0] == first
    assert after.span(before.count - 1)[1] >= size
    end = after.end_of(games)
    assert end - after.span(before.count - 1)[1] == first <= games - 1 < end


def test_an_interrupted_run_of_equal_chunks_is_finished_with_equal_chunks(tmp_path):
    # Its journal's header knows of no first chunk.
    experiment = Experiment(policies="random", games=900)
    whole = play_run(experiment.model_copy(update={"chunk": 300}), tmp_path / "whole")
    folder = tmp_path / "part"
    play_run(experiment.model_copy(update={"chunk": 300}), folder)
    (folder / "manifest.json").unlink()
    lines = (folder / JOURNAL).read_text("utf-8").splitlines(keepends=True)
    (folder / JOURNAL).write_text("".join(lines[:2]), "utf-8")
    assert json.loads(lines[0])["first_chunk"] is None
    resumed = play_run(experiment, folder)
    assert parts_of(resumed.folder) == parts_of(whole.folder)
    assert Run.verify(folder) == []
