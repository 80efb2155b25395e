"""Logs of simulated games: the casts that a table would have written down."""

import pytest

from wallsim.analysis.tower.cast_file import read_casts, write_casts
from wallsim.analysis.tower.game_logs import game_log
from wallsim.engine.columns import columns_of
from wallsim.runs.experiment import Experiment


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
