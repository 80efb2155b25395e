"""The study `casual` plays tables of five equal policies and sets them beside what people report."""

from collections import Counter
from functools import partial

import numpy as np
import polars as pl
import pytest

from tests.analyses.studies import assert_resumed, look
from wallsim.analyses.casual import study as casual
from wallsim.analyses.casual.study import AIMS, PEOPLE, STUDY, USUAL, cell_of, measured
from wallsim.analysis.behaviour.doubtful_moves import HUNGER, count_doubtful_moves
from wallsim.analysis.behaviour.tables import kinds_of, opening_plans
from wallsim.analysis.claims.cells import CASUAL_POLICY
from wallsim.engine.columns import columns_of
from wallsim.folder.results import Run
from wallsim.policies.catalogue import load_policy
from wallsim.rules.terms import ACTIONS, COUNTIES
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.studies.study import Choices

NAMES, GAMES = ("random", "builder"), 120
CHOSEN = {"policies": ",".join(NAMES)}
SHORTAGES = [column.name for column in columns_of("seats")].index("shortages")
MONEY = {str(bid): bid for bid in range(5)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("casual")


@pytest.fixture(scope="module")
def result(folder):
    """The study on a few games."""
    return look("casual", folder, GAMES, quick=False, **CHOSEN)


@pytest.fixture(scope="module")
def run(folder, result):
    """Its run of random players, who bid anything."""
    return Run.open(folder / "random")


def test_each_policy_has_all_five_seats_and_every_line_up(folder, result):
    for name in NAMES:
        identity = Run.open(folder / name).manifest["experiment"]["identity"]
        assert [policy["name"] for policy in identity["policies"]] == [name] * casual.SEATS
        assert sorted(identity["lineups"]) == list("ABCDE")
    experiment = STUDY.experiment()
    assert (experiment.tower, experiment.players, experiment.setup) == (casual.TOWER, casual.SEATS, "lineup")


def test_figures_are_those_of_the_runs(folder, result):
    of = partial(result.figures.of, players=casual.SEATS, cell=cell_of("builder"))
    best = Run.open(folder / "builder").scan("seats").collect().group_by("game").agg(best=pl.col("vp").max())["best"]
    assert of("points", "place 1").value == pytest.approx(best.mean())
    gaps = [of("points", f"place {at}").value - points for at, points in enumerate(PEOPLE["points"], start=1)]
    assert of("distance").value == pytest.approx((sum(gap * gap for gap in gaps) / len(gaps)) ** 0.5)


def test_a_study_that_is_there_is_not_played_again(folder, result):
    assert_resumed("casual", folder, result, Choices(GAMES, options=CHOSEN))


def test_what_people_report_has_no_interval_and_says_whose_it_is(result):
    people = [each for key, each in result.figures.items() if "reported-" in key]
    assert [each.value for each in people] == [45, 37, 34, 29, 26, 4, 2, 1, 0, 0, 2]
    for each in people:
        assert "as people report" in each.quantity
        assert each.ends is None
        assert (each.n, each.seed, each.play, each.tower, each.setup) == (0, 0, "", "", "")


def test_points_are_those_of_the_first_the_second_and_so_on(run):
    seats = run.scan("seats").collect().to_dicts()
    games = [sorted((row["vp"] for row in seats if row["game"] == game), reverse=True) for game in range(GAMES)]
    result = measured(run)
    points = [result["points", place] for place in casual.PLACES]
    for place, estimate in enumerate(points):
        assert estimate.value == pytest.approx(sum(game[place] for game in games) / GAMES)
        assert estimate.blocks == GAMES


def test_bids_are_those_of_the_first_to_choose_the_second_and_so_on(run):
    rounds = [row for row in run.scan("seasons").collect().to_dicts() if row["season"] != "winter"]
    result = measured(run)
    for turn, estimate in enumerate((result["bid", turn] for turn in casual.TURNS), start=1):
        paid = [MONEY.get(row["bid"], 0) for row in rounds if row["choosing_place"] == turn]
        assert len(paid) == 6 * GAMES
        assert estimate.value == pytest.approx(sum(paid) / len(paid))
    bids = [row["bid"] for row in rounds]
    assert result["county-bids", ""].value == pytest.approx(100 * bids.count("county") / len(bids))


def test_buildings_are_counted_a_round_and_attacks_by_whom_they_meet(run):
    seats, result = run.scan("seats").collect(), measured(run)
    built = sum(seats[f"done_{kind}"].sum() for kind in ("palace", "church", "trading_post"))
    assert result["built", ""].value == pytest.approx(built / 6 / 5 / GAMES)
    on_neutrals = seats["attacks"].sum() - seats["attacks_on_players"].sum()
    assert result["attacks-on-neutrals", ""].value == pytest.approx(100 * on_neutrals / seats["attacks"].sum())


def test_first_plans_are_of_one_kind_if_the_same_actions_get_county_cards(result):
    experiment = STUDY.experiment().changed(games=GAMES, policies="builder")
    plans = opening_plans(experiment.arena(), GAMES // casual.FEWER).tolist()
    kinds = Counter(tuple(0 <= card < COUNTIES for card in plan[: len(ACTIONS)]) for game in plans for plan in game)
    seats = sum(kinds.values())
    of = partial(result.figures.of, players=casual.SEATS, cell=cell_of("builder"))
    for at, (_, times) in enumerate(kinds.most_common(4), start=1):
        assert of("first-kinds", str(at)).value == pytest.approx(100 * times / seats)
    assert of("usual-plans").value == sum(times >= 0.05 * seats for times in kinds.values())
    taxed = sum(times for kind, times in kinds.items() if kind[ACTIONS.index("taxes")])
    assert of("first-plans", "taxes").value == pytest.approx(100 * taxed / seats)


def test_hunger_is_that_of_the_seats_and_part_of_it_foreseen(run, result):
    of = partial(result.figures.of, players=casual.SEATS, cell=cell_of("random"))
    assert of("shortages").value == pytest.approx(run.scan("seats").collect()["shortages"].mean())
    assert 0 < of("hunger-foreseen").value <= 100 * of("shortages").value / 2 + 10


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 5])
def test_casual_bots_keep_the_bounds_set_by_hand(players):
    """On a seed of no search: none of shortages, foreseen hunger and kinds of plan is known to be beyond its bound."""
    lineups = list("ABCDE")[:players]
    experiment = STUDY.experiment().changed(
        games=600, seed=517, players=players, lineups=lineups, policies=CASUAL_POLICY
    )
    arena, kinds = experiment.arena(), kinds_of(opening_plans(experiment.arena(), 600))
    shortages = arena.play(0, 600).seats[:, SHORTAGES].reshape(600, players)
    hunger = count_doubtful_moves(load_policy(CASUAL_POLICY), experiment, 300)[HUNGER]
    shares = [block_mean((kinds == kind).mean(axis=1) * 100) for kind in np.unique(kinds)]
    assert block_mean(shortages.mean(axis=1)).interval(Confidence())[0] <= AIMS["shortages"]
    assert hunger.interval(Confidence())[0] <= AIMS["hunger-foreseen"]
    assert sum(share.interval(Confidence())[1] >= USUAL for share in shares) >= AIMS["usual-plans"]
