"""Figures of the register, drawn at random, computed again from the files of runs by group-bys of their own."""

import random
from functools import cache

import polars as pl
import pytest

import wallsim
from wallsim.analyses.draft import deals
from wallsim.experiment.file import load_experiment
from wallsim.studies.catalogue import load_study
from wallsim.studies.register import read_register
from wallsim.studies.scope import plays_for
from wallsim.studies.study import Choices

DRAWN = {"play.measure": 20, "casual.points": 6, "draft.drafted": 4, "first_look.wins": 4}
COLUMNS = {
    "buildings": pl.col("done_palace") + pl.col("done_church") + pl.col("done_trading_post"),
    "attacks on players": pl.col("attacks_on_players"),
    "attacks on neutral land": pl.col("attacks") - pl.col("attacks_on_players"),
    "attacks on the leader": pl.col("attacks_on_leader"),
    "Thalers from taxes": pl.col("taxes"),
    "grain brought in": pl.col("grain"),
    "armies deployed": pl.col("armies_deployed"),
    "Thalers bid": pl.col("paid_bids"),
    "boxes without a county": pl.col("passes"),
    "Thalers held": pl.col("thalers"),
    "counties held": pl.col("counties"),
}


@pytest.fixture(scope="module")
def table_of(tmp_path_factory):
    """`table_of(name, study, **changes)`: a table of the games of a study's experiment with some keys changed."""
    folder = tmp_path_factory.mktemp("again")

    @cache
    def played(study, changes):
        experiment = load_experiment(load_study(study).experiment_file, dict(changes))
        place = folder / str(abs(hash((study, changes))))
        return wallsim.play(experiment, place, workers=2)

    def table(name, study, **changes):
        return played(study, tuple(sorted(changes.items()))).scan(name)

    return table


def policy(play, players):
    return next(each.policy for each in plays_for(players) if each.name == play)


def in_cell(cell, players):
    """The keys of an experiment in the cell of a figure or of a study."""
    return {"players": players, "policies": policy(cell.play, players), "tower": cell.tower, "setup": cell.setup}


def measure(table_of, figure):
    season, _, year = figure.moment.partition(" ")
    seasons = table_of("seasons", "play", **in_cell(figure, figure.players), games=figure.n, seed=figure.seed)
    rows = seasons.filter(pl.col("season") == season, pl.col("year") == int(year))
    name = figure.quantity.removesuffix(" of a seat in a round")
    return rows.select(COLUMNS[name].cast(pl.Float64).mean()).collect().item()


def points(table_of, figure):
    place = int(figure.quantity.partition("place ")[2][0])
    seats = table_of("seats", "casual", policies=figure.play, games=figure.n, seed=figure.seed)
    by_game = seats.group_by("game").agg(pl.col("vp").sort(descending=True).get(place - 1))
    return by_game.select(pl.col("vp").cast(pl.Float64).mean()).collect().item()


def drafted(table_of, figure):
    """The mean of all cells; the figure does not say which these are, nor how many drafts there are in each."""
    county, shares = figure.quantity.removeprefix("drafts in which anybody takes "), []
    scope = deals.scope_of(Choices())
    for cell in scope.cells(figure.setup):
        rows = table_of(
            "counties", "draft", **in_cell(cell, figure.players), games=scope.drafts, seed=deals.in_cell(cell).seed,
            counties=True,
        )  # fmt: skip
        taken = rows.filter(pl.col("county") == county, pl.col("pick") > 0).select(pl.col("game").n_unique())
        shares.append(100 * taken.collect().item() / scope.drafts)
    return sum(shares) / len(shares)


def wins(table_of, figure):
    letter, shares = figure.quantity.removeprefix("wins of line-up "), []
    for order in ("ABCD", "DCBA"):
        for shift in range(4):
            seats = table_of(
                "seats", "first_look", **in_cell(figure, 4), games=figure.n, seed=figure.seed,
                lineups=tuple(order[shift:] + order[:shift]),
            )  # fmt: skip
            mine = seats.filter(pl.col("lineup") == letter)
            shares.append(100 * mine.select(pl.col("win").cast(pl.Float64).mean()).collect().item())
    return sum(shares) / len(shares)


AGAIN = {"play.measure": measure, "casual.points": points, "draft.drafted": drafted, "first_look.wins": wins}


def drawn(quantity, count):
    """So many figures, which are drawn by the name of their quantity."""
    rows = [row for row in read_register(quantity.partition(".")[0]).values() if row.id.startswith(f"{quantity}.")]
    return random.Random(quantity).sample(rows, count)


@pytest.mark.slow
@pytest.mark.nightly  # each plays a study again, some for minutes
@pytest.mark.parametrize("quantity", list(DRAWN))
def test_figures_drawn_at_random_are_those_of_the_games(table_of, quantity):
    for figure in drawn(quantity, DRAWN[quantity]):
        assert AGAIN[quantity](table_of, figure) == pytest.approx(figure.value, rel=1e-6, abs=1e-6), figure.id
