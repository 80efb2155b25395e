"""The study `draft`: the worth of counties dealt at random, neighbours, and what printed numbers say about both."""

import shutil
from itertools import product

import numpy as np
import pytest

from wallsim.analyses.draft import cells as draft_cells
from wallsim.analyses.draft import worth as draft_worth
from wallsim.analyses.draft.cells import DEAL
from wallsim.analyses.draft.claims import CLAIMS, GOOD, claim_outcomes
from wallsim.analyses.draft.deals import (
    NEIGHBOURS,
    NOBODY,
    SHOWN_PLACES,
    Deals,
    Ground,
    deals_of,
    played_points,
    regressors,
)  # fmt: skip
from wallsim.analyses.draft.worth import estimated
from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import MIDDLING
from wallsim.rules.files import data_folder
from wallsim.rules.terms import ARMY_GROUPS
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.hotelling import hotelling
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.stats.least_squares import Design
from wallsim.studies.cache import Cache
from wallsim.studies.catalogue import load_study
from wallsim.studies.running import digest_of
from wallsim.studies.study import Choices

HOME = Cell(MIDDLING, "spielbyweb", DEAL)
EXPERIMENT = draft_cells.in_cell(HOME)
GROUND = Ground(EXPERIMENT)
COUNT = len(GROUND.counties)


def dealt(games, seed, ground=GROUND):
    """Counties and groups dealt at random, as the game deals them."""
    rng = np.random.default_rng(seed)
    owner, armies = np.full((games, 45), NOBODY, np.int8), np.zeros((games, 45), np.int8)
    order = ground.counties[np.argsort(rng.random((games, len(ground.counties))), axis=1)]
    for seat, group in product(range(ground.players), range(ground.groups)):
        county = order[:, seat * ground.groups + group]
        owner[np.arange(games), county] = seat
        armies[np.arange(games), county] = ARMY_GROUPS[ground.players][group]
    return Deals(owner, armies)


def noise(rng, games, players=4):
    return rng.normal(0, 8, size=(games, players)) + rng.normal(0, 5, size=(games, 1))


def found_of(deals, points, ground=GROUND):
    result = estimated(ground, deals, {HOME: points})
    return result, result.fits[HOME]


@pytest.fixture(scope="module")
def played():
    """Dealt games of middling play with the rows of the table counties: deals, points and rows."""
    rows = []
    points = []
    arena = EXPERIMENT.components().arena(EXPERIMENT.seed)
    for first in range(0, 4000, 1000):
        tables = arena.play(first, 1000, counties=True)
        tables.counties[:, 0] += first
        rows.append(tables.counties)
        points.append(tables.seats[:, SHOWN_PLACES["seats"]["vp"]].reshape(-1, 4).astype(float))
    return deals_of(EXPERIMENT, 4000, Cache(None)), np.concatenate(points), np.concatenate(rows)


def test_deals_are_those_of_the_games_that_are_played(played):
    deals, points, rows = played
    place = SHOWN_PLACES["counties"]
    starts = rows[rows[:, place["pick"]] > 0]
    where = starts[:, place["game"]], starts[:, place["county"]]
    assert len(starts) == 4000 * 32 == (deals.owner != NOBODY).sum()
    assert (deals.owner[where] == starts[:, place["seat"]]).all()
    assert (deals.armies[where] == starts[:, place["armies_dealt"]]).all()
    assert (played_points(EXPERIMENT, 2000, Cache(None)) == points[:2000]).all()


@pytest.mark.parametrize("players", [3, 4, 5])
def test_regressors_count_as_one_would_by_hand(players):
    ground = Ground(draft_cells.in_cell(HOME, players))
    deals, count = dealt(3, 1, ground), len(ground.counties)
    known = regressors(deals, ground)
    borders = {frozenset((a, b)) for a, b in zip(*np.nonzero(ground.borders), strict=True)}
    region = ground.board.region[ground.counties]
    for game, seat in product(range(3), range(players)):
        own = [place for place, county in enumerate(ground.counties) if deals.owner[game, county] == seat]
        others = [
            place for place, county in enumerate(ground.counties) if deals.owner[game, county] not in (seat, NOBODY)
        ]
        assert np.flatnonzero(known[game, seat, :count]).tolist() == own
        more = known[game, seat, count : 2 * count]
        assert np.allclose(more[own], deals.armies[game, ground.counties[own]] - ground.mean_group)
        assert np.allclose(np.delete(more, own), 0)
        counts = (
            sum(frozenset(pair) in borders for pair in product(own, own)) / 2,
            sum(frozenset(pair) in borders for pair in product(own, others)),
            sum(region[one] == region[other] and one < other for one, other in product(own, own)),
        )
        expected = ground.expected[:, own].sum(axis=1)
        assert np.allclose(known[game, seat, 2 * count :], np.array(counts) - expected)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_what_counties_usually_bring_is_taken_out_of_the_counts_of_neighbours(players):
    ground = Ground(draft_cells.in_cell(HOME, players))
    known = regressors(dealt(4000, 2, ground), ground)
    count = len(ground.counties)
    design = Design(known[:, :, :count])
    scores = [
        [each.value / each.error for each in design.fit(known[:, :, 2 * count + number]).estimates]
        for number in range(len(NEIGHBOURS))
    ]
    assert np.abs(scores).max() < 4.5
    assert np.std(scores) < 1.4


def test_a_planted_county_is_found_at_the_top_with_its_worth_covered():
    hits, sure = 0, Confidence(LEVEL, COUNT)
    deals = dealt(3000, 3)
    design, known = Design(regressors(deals, GROUND)), regressors(deals, GROUND)[:, :, :COUNT]
    for seed in range(40):
        rng = np.random.default_rng(seed)
        planted = seed % COUNT
        points = 2.0 * known[:, :, planted] + noise(rng, 3000)
        estimates = design.fit(points).estimates[:COUNT]
        best = max(range(COUNT), key=lambda place: estimates[place].value)
        low, high = estimates[planted].interval(sure)
        assert best == planted
        assert low > 0
        hits += low <= 2 - 2 / COUNT <= high
    assert hits >= 38


def test_on_a_board_of_equal_counties_none_stands_out():
    """The family error is 5 %: in about one of twenty studies some interval excludes 0."""
    deals, sure, plain = dealt(400, 4), Confidence(LEVEL, COUNT), Confidence(LEVEL, 1)
    design, wrong, careless, runs = Design(regressors(deals, GROUND)), 0, 0, 300
    for seed in range(runs):
        estimates = design.fit(noise(np.random.default_rng(seed), 400)).estimates[:COUNT]
        farthest = max(abs(each.value) / each.error for each in estimates)
        wrong, careless = wrong + (farthest > sure.t(400)), careless + (farthest > plain.t(400))
    assert 3 <= wrong <= 28  # 15, give or take three errors
    assert careless > 200  # so it is the simultaneous intervals that keep quiet


def test_worths_of_counties_and_of_armies_add_up_to_nothing(played):
    deals, points, _ = played
    result, fit = found_of(deals, points)
    assert abs(sum(result.county(fit, name).value for name in GROUND.names)) < 1e-9
    assert abs(sum(result.army(fit, name).value for name in GROUND.names)) < 1e-9
    assert abs(result.shrunk(fit).values.sum()) < 1e-9
    assert abs(sum(result.region(fit, number).value for number in range(5))) < 1e-9  # nine counties each


def test_neighbours_and_armies_that_were_planted_are_found():
    deals = dealt(6000, 5)
    known = regressors(deals, GROUND)
    army = COUNT + GROUND.names.index("Tirol")
    points = known[:, :, 2 * COUNT :] @ [1.0, -0.5, 0.3] + 1.5 * known[:, :, army]
    result, fit = found_of(deals, points + noise(np.random.default_rng(6), 6000))
    for name, truth in zip(NEIGHBOURS, (1.0, -0.5, 0.3), strict=True):
        low, high = result.neighbour(fit, name).interval(Confidence(LEVEL, 4))
        assert low < truth < high
        assert not low < 0 < high
    low, high = result.army(fit, "Tirol").interval(Confidence(LEVEL, 4))
    assert low < 1.5 - 1.5 / COUNT < high
    assert low > 0


def test_a_point_a_winter_for_the_owner_of_a_county_is_found_in_played_games(played):
    """The owner of Holstein gets 1 VP at the end of a winter, which no policy knows: it becomes the best pick."""
    deals, points, rows = played
    place, planted = SHOWN_PLACES["counties"], GROUND.board.counties.index("Holstein")
    owners = rows[rows[:, place["county"]] == planted]
    gifts = np.zeros_like(points)
    gifts[owners[:, place["game"]], owners[:, place["seat"]]] = (
        owners[:, place["held_year1"]] + owners[:, place["held_year2"]]
    )
    result, before = found_of(deals, points)
    _, after = found_of(deals, points + gifts)
    best = [max(GROUND.names, key=lambda name: result.county(fit, name).value) for fit in (before, after)]
    assert best[0] != "Holstein" == best[1]
    # What was planted is the gift: who was dealt the county holds it so much longer than the others at the table.
    brought = found_of(deals, gifts)[0].county(found_of(deals, gifts)[1], "Holstein")
    change = result.county(after, "Holstein").value - result.county(before, "Holstein").value
    assert np.isclose(change, brought.value)
    there = np.flatnonzero(deals.owner[:, planted] != NOBODY)
    held = gifts[there, deals.owner[there, planted]]
    longer = (held - (gifts[there].sum(axis=1) - held) / 3).mean()
    low, high = brought.interval(Confidence())
    assert low < longer * (1 - 1 / COUNT) < high
    assert low > 0.5


def test_where_all_counties_are_alike_no_county_stands_out_in_played_games(tmp_path):
    """A board whose counties are printed and placed equally: five regions as the rows of a ring of rows."""
    board = tmp_path / "alike"
    shutil.copytree(data_folder("board"), board)
    (board / "map.json").unlink()
    lines = (board / "counties.csv").read_text("utf-8").splitlines()
    names = [line.split(",")[0] for line in lines[1:]]
    plain = [",".join((*line.split(",")[:2], "5", "3", "2", line.split(",")[5])) for line in lines[1:]]
    (board / "counties.csv").write_text("\n".join([lines[0], *plain]) + "\n", "utf-8")
    pairs = {
        tuple(sorted((9 * row + column, 9 * ((row + down) % 5) + (column + right) % 9)))
        for row, column, (down, right) in product(range(5), range(9), ((0, 1), (1, 0)))
    }
    borders = [f"{names[one]},{names[other]}" for one, other in sorted(pairs)]
    (board / "borders.csv").write_text("\n".join(["county_a,county_b", *borders]) + "\n", "utf-8")
    experiment = EXPERIMENT.changed(board=str(board))
    ground = Ground(experiment)
    assert set(ground.borders.sum(axis=1)) == {4.0}
    deals = deals_of(experiment, 3000, Cache(None))
    result, fit = found_of(deals, played_points(experiment, 3000, Cache(None)), ground)
    sure = Confidence(LEVEL, COUNT)
    intervals = [result.county(fit, name).interval(sure) for name in ground.names]
    assert all(low < 0 < high for low, high in intervals)
    printed = found_of(deals_of(EXPERIMENT, 3000, Cache(None)), played_points(EXPERIMENT, 3000, Cache(None)))
    assert any(
        not low < 0 < high for low, high in (printed[0].county(printed[1], n).interval(sure) for n in GROUND.names)
    )


def test_seats_come_out_equal_when_counties_are_dealt(played):
    _, points, _ = played
    assert hotelling((points - points.mean(axis=1, keepdims=True))[:, 1:]).p_value > 0.01


def test_printed_numbers_that_make_the_worth_are_found():
    deals = dealt(6000, 8)
    board = GROUND.board
    worth = 0.8 * board.tax + 0.5 * board.sites
    points = regressors(deals, GROUND)[:, :, :COUNT] @ worth + noise(np.random.default_rng(9), 6000)
    result, fit = found_of(deals, points)
    whole, without = result.shrunk(fit), result.shrunk(fit, ("grain", "region"))
    assert whole.explained > 0.9
    assert without.explained < 0.5
    known = dict(zip(list(draft_worth.printed(GROUND))[:4], whole.weights, strict=False))
    assert abs(known["tax"] - 0.8) < 0.15
    assert abs(known["sites"] - 0.5) < 0.25
    truth = worth - worth.mean()
    assert ((whole.values - truth) ** 2).mean() < ((fit.values[:COUNT] - truth) ** 2).mean()


def test_every_step_of_the_regression_explains_more():
    deals = dealt(1000, 10)
    points = noise(np.random.default_rng(11), 1000)
    result, _ = found_of(deals, points)
    explained = [fits["it"].explained for fits in draft_worth.steps(result, {"it": points}).values()]
    assert explained == sorted(explained)
    assert len(set(explained)) == 4


def test_cells_differ_in_play_and_tower_and_drafts_have_other_seeds_than_deals():
    scope = draft_cells.scope_of(Choices())
    assert len(scope.cells(DEAL)) == 15
    seeds = {setup: {draft_cells.in_cell(cell).seed for cell in scope.cells(setup)} for setup in ("deal", "draft")}
    assert len(seeds["deal"]) == len(seeds["draft"]) == 1
    assert seeds["deal"] != seeds["draft"]
    study = load_study("draft")
    assert digest_of(study, scope) != digest_of(study, draft_cells.scope_of(Choices(600)))


@pytest.mark.parametrize("setup", ["lineup", "deal", "draft"])
def test_claims_have_outcomes_where_counties_are_dealt_or_drafted(setup):
    mixed = ["balanced", "casual", "balanced", "strong-4p"]
    experiment = load_experiment(
        draft_cells.EXPERIMENT, {"setup": setup, "policies": mixed, "tower": "mid", "seed": 99, "lineups": []}
    )
    result = claim_outcomes(experiment, 20, workers=1)
    names = {claim.outcome for claim in CLAIMS}
    assert set(result) <= names
    assert {each.blocks for each in result.values()} <= {480}
    if setup == "draft":
        assert set(result) == names
        assert result["VP of the table less random picks"].value > 0
    elif setup == "deal":
        assert {f"worth of {name}, VP" for name in GOOD} <= set(result)
        assert "VP of the table" not in result
    else:
        assert result == {}
