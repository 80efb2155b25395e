"""How the lead changed hands, against a count game by game in plain Python."""

import pytest

from tests.refusals import refused
from wallsim.analysis.games.course import courses
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run


def counted(rows, winner):
    """Lead changes, the winner's largest deficit and the season since which it was never behind."""
    standings = {}
    for row in rows:
        end = 4 * (row["year"] - 1) + ["spring", "summer", "fall", "winter"].index(row["season"]) + 1
        points = row["vp"] if row["season"] == "winter" else row["vp_with_board"]
        standings.setdefault(end, {})[row["seat"]] = points
    leader, changes, deficit, since = None, 0, 0, 1
    for end in range(1, 9):
        best = max(standings[end].values())
        alone = [seat for seat, points in standings[end].items() if points == best]
        if len(alone) == 1:
            changes += leader is not None and leader != alone[0]
            leader = alone[0]
        if winner is not None and standings[end][winner] < best:
            deficit, since = max(deficit, best - standings[end][winner]), end + 1
    return changes, *((deficit, min(since, 8)) if winner is not None else (None, None))


@pytest.mark.parametrize("keys", [{"policies": "balanced"}, {"players": 3, "expansions": "all", "edition": "1e"}])
def test_courses_are_those_counted_game_by_game(keys, tmp_path):
    run = play_run(Experiment(**{"policies": "random", "games": 60, "seasons": True, **keys}), tmp_path / "run")
    winners = dict(run.scan("games").select("game", "winner").collect().iter_rows())
    by_game = run.scan("seasons").collect().partition_by("game", as_dict=True)
    expected = [(game, *counted(rows.rows(named=True), winners[game])) for (game,), rows in sorted(by_game.items())]
    result = courses(run)
    assert result.rows() == expected
    assert result["lead_changes"].max() > 1
    assert result["largest_deficit"].max() > 0


def test_a_run_without_seasons_is_refused(tmp_path):
    run = play_run(Experiment(policies="random", games=1), tmp_path / "run")
    with refused("--seasons"):
        courses(run)
