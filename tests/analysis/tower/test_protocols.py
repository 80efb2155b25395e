"""A bench session throws what tells most about a tower, and the log of a simulated tower balances."""

import io

import numpy as np
import pytest

from tests.refusals import refused
from wallsim.analysis.tower.cast_file import read_casts, write_casts
from wallsim.analysis.tower.protocols import Design, bench_design, fill_of, game_log, simulate_log
from wallsim.engine.columns import columns_of
from wallsim.experiment.experiment import Experiment
from wallsim.rules.tower import load_tower, tower_presets


def test_a_bench_session_fills_by_batches_throws_all_sizes_repeats_eight_and_ends_with_complete_fills():
    design = bench_design(200, 5, seed=3)
    size = design.thrown.sum(axis=1)
    throws = size > 0
    assert throws.sum() == 200
    assert (size[:8] == 6).all()
    drawn = size[8:165]
    assert drawn.min() == 1
    assert drawn.max() == 14
    assert abs(drawn.mean() - 7.5) < 4 * np.sqrt((14**2 - 1) / 12 / len(drawn))
    assert (size[165:195] == 8).all()
    assert design.events[195:] == ("empty", "fill") * 5 + ("empty",)
    assert (size[196::2] == 38).all()
    assert design.emptied.nonzero()[0].tolist() == [0, *range(196, 206, 2)]


@pytest.mark.parametrize("colours", [1, 2, 5, 6])
def test_one_colour_is_thrown_at_a_time_in_rotation(colours):
    thrown = bench_design(60, colours).thrown[:55]
    assert ((thrown > 0).sum(axis=1) == 1).all()
    assert thrown.argmax(axis=1).tolist() == [row % colours for row in range(55)]


@pytest.mark.parametrize(
    ("colours", "fill"),
    [(1, [38]), (2, [28, 10]), (4, [10, 9, 9, 10]), (5, [7, 7, 7, 7, 10]), (6, [6, 6, 6, 5, 5, 10])],
)
def test_a_complete_fill_is_that_of_four_players_however_many_colours_there_are(colours, fill):
    assert fill_of(colours).tolist() == fill


def flat(cubes, colours, rows=1):
    """A design that throws so many cubes of each colour."""
    emptied = np.arange(rows) == 0
    return Design(np.full((rows, colours), cubes, np.int64), emptied, ("bench",) * rows)


@pytest.mark.parametrize(
    ("make", "wrong"),
    [
        (lambda: bench_design(42, 5), "42 casts"),  # fewer than the fixed parts
        (lambda: bench_design(60, 0), "0 colours"),
        (lambda: bench_design(60, 7), "7 colours"),
        (lambda: simulate_log(load_tower(), flat(1, 3), ("red", "blue")), "2 names for 3 colours"),
        (lambda: simulate_log(load_tower(), flat(1, 7), "abcdefg"), "7 colours"),
        (lambda: simulate_log(load_tower(), flat(63, 2)), "over 62 cubes"),
    ],
)
def test_what_no_box_allows_is_refused(make, wrong):
    with refused(wrong, by=ValueError):
        make()


@pytest.mark.parametrize("name", tower_presets())
def test_the_log_of_a_simulated_tower_is_read_again_without_a_contradiction(name, tmp_path):
    design = bench_design(60, 4)
    log = simulate_log(load_tower(name), design, seed=5)
    text = io.StringIO()
    write_casts(log, text)
    path = tmp_path / "casts.csv"
    path.write_text(text.getvalue())
    again = read_casts(path)
    assert again.colours == log.colours == ("red", "blue", "yellow", "purple")
    assert (again.held == log.held).all()
    assert (log.thrown == design.thrown).all()
    assert log.event == design.events
    assert set(log.session) == {"1"}
    counted = np.array([event == "empty" for event in log.event])
    assert (log.fallen[counted] == log.held[counted]).all()
    assert log.fallen[counted].any()


def test_designs_and_logs_are_those_of_their_seed_and_number():
    tower, design = load_tower(), bench_design(50)
    assert (bench_design(80, seed=1).thrown == bench_design(80, seed=1).thrown).all()
    assert (bench_design(80, seed=1).thrown != bench_design(80, seed=2).thrown).any()
    one, same = simulate_log(tower, design, seed=2), simulate_log(tower, design, seed=2)
    assert (one.fallen == same.fallen).all()
    for other in (simulate_log(tower, design, seed=2, number=1), simulate_log(tower, design, seed=3)):
        assert (one.fallen != other.fallen).any()


def test_emptying_without_a_count_begins_a_session_and_a_bump_lets_nothing_out():
    thrown = np.array([[9, 9], [0, 0], [4, 1], [5, 5], [2, 2], [0, 0], [1, 1]])
    events = ("fill", "bump", "bench", "fill", "bench", "empty", "bench")
    design = Design(thrown, np.array([True, False, False, True, False, False, False]), events)
    log = simulate_log(load_tower("rulebook"), design, ("one", "other"))
    assert log.session == ("1", "1", "1", "2", "2", "2", "2")
    assert log.fallen[1].tolist() == [0, 0]
    assert log.fallen[5].tolist() == log.held[5].tolist()
    assert log.held[6].tolist() == [0, 0]
    assert (log.fallen[6] <= 1).all()
    assert log.held[2].tolist() == log.held[1].tolist()
    assert log.held[3].tolist() == [0, 0]


@pytest.fixture(scope="module", params=[(3, "spielbyweb"), (5, "mid-urn"), (4, "rulebook-layered")])
def played(request):
    players, tower = request.param
    experiment = Experiment(players=players, policies="random", tower=tower, games=3, seed=5)
    return experiment, game_log(experiment)


def test_a_game_begins_with_its_fill_and_ends_with_its_inventory(played):
    experiment, (log, _) = played
    assert list(dict.fromkeys(log.session)) == ["game 0", "game 1", "game 2"]
    firsts = [row for row in range(len(log.event)) if row == 0 or log.session[row] != log.session[row - 1]]
    assert [log.event[row] for row in firsts] == ["fill"] * 3
    assert [log.thrown[row].tolist() for row in firsts] == [[7] * experiment.players + [10]] * 3  # B1.6
    assert [log.event[row - 1] for row in [*firsts[1:], len(log.event)]] == ["empty"] * 3
    assert log.colours[-1] == "green"


def test_the_log_counts_what_the_tables_of_the_run_count(played):
    experiment, (log, _) = played
    tables = experiment.arena().play(0, 3, battles=True)
    thrown = [int(log.casts().thrown[[s == f"game {game}" for s in log.casts().session]].sum()) for game in range(3)]
    names = [column.name for column in columns_of("games")]
    assert thrown == tables.games[:, names.index("cubes_cast")].tolist()
    inside = [log.fallen[row].sum() for row in range(len(log.event)) if log.event[row] == "empty"]
    assert inside == tables.games[:, names.index("tower_end")].tolist()


def test_the_books_balance_to_the_last_inventory(played, tmp_path):  # B0.2
    _, (log, rethrown) = played
    write_casts(log, tmp_path / "log.csv", tray_rethrown=rethrown)
    assert read_casts(tmp_path / "log.csv").notes == ()
    assert max(rethrown) > 0
    assert {"battle", "revolt"} & set(log.event)


def test_games_are_those_of_their_numbers(played):
    experiment, (log, _) = played
    later, _ = game_log(experiment.model_copy(update={"games": 1}), first=2)
    rows = [row for row, session in enumerate(log.session) if session == "game 2"]
    assert later.session[0] == "game 2"
    assert (later.thrown == log.thrown[rows]).all()
    assert (later.fallen == log.fallen[rows]).all()
