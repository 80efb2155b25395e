"""The study `draft`: worths of dealt counties, neighbours, what printed numbers say, pairs, and its first page."""

from collections import defaultdict
from itertools import combinations, product

import numpy as np
import pytest

from tests.analyses.studies import UNSTORED, figures_in, table_of
from tests.studies.first_screens import finding_errors
from wallsim.analyses.draft import deals as worths
from wallsim.analyses.draft import pairs
from wallsim.analyses.draft.deals import DEAL, LINES, NEIGHBOURS, NOBODY, ROW, Deals, Ground, in_cell, regressors
from wallsim.analyses.draft.estimates import BAD, BY_PLAY, CLAIMS, GOOD, claim_outcomes
from wallsim.analyses.draft.pairs import BORDER, CHOSEN, TOGETHER, PairsDealt
from wallsim.analyses.draft.study import best_of, best_picks, candidates, finding_of
from wallsim.analysis.claims.cells import MIDDLING, Cell
from wallsim.experiment.file import load_experiment
from wallsim.report.figures.pick_sheet import A4, pick_sheet
from wallsim.rules.board import load_board
from wallsim.rules.terms import ARMY_GROUPS
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.stats.least_squares import Design
from wallsim.stats.screening import hotelling
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import NOWHERE, quantity_of
from wallsim.studies.publishing import as_published
from wallsim.studies.quantities import Key
from wallsim.studies.study import Choices

HOME = Cell(MIDDLING, "spielbyweb", DEAL)
RANDOM = "VP of the table less random picks"  # an outcome of drafts alone
HERE = in_cell(HOME)
GROUND = Ground(HERE)
NAMES, COUNT = GROUND.names, len(GROUND.names)
SURE = Confidence(LEVEL, COUNT)
PAIRS = {TOGETHER: [(NAMES[0], NAMES[7]), (NAMES[3], NAMES[30])], BORDER: pairs.candidates(BORDER, GROUND)[:2]}
SCOPE = worths.scope_of(Choices())
CASUAL, STRONG, SECOND = PLAYS = "casual", *LINES
NOT_APART = "not distinguishable from"
RULES = [("for each neighbouring county that you hold", 0.25), ("for each that another player holds", -0.2)]


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
    result = worths.estimated(ground, deals, {HOME: points})
    return result, result.fits[HOME]


def apart(values):
    return values - values.mean(axis=1, keepdims=True)


def test_deals_are_those_of_the_games_that_are_played():
    arena, rows, points = HERE.components().arena(HERE.seed), [], []
    for first in range(0, 2000, 1000):
        tables = arena.play(first, 1000, counties=True)
        tables.counties[:, 0] += first
        rows.append(tables.counties)
        points.append(worths.points_of(tables, 4))
    deals, points, rows = worths.deals_of(HERE, 2000, UNSTORED), np.concatenate(points), np.concatenate(rows)
    starts = rows[rows[:, ROW["pick"]] > 0]
    where = starts[:, ROW["game"]], starts[:, ROW["county"]]
    assert len(starts) == 2000 * 32 == (deals.owner != NOBODY).sum()
    assert (deals.owner[where] == starts[:, ROW["seat"]]).all()
    assert (deals.armies[where] == starts[:, ROW["armies_dealt"]]).all()
    assert (worths.played_points(HERE, 2000, UNSTORED) == points).all()
    assert hotelling(apart(points)[:, 1:]).p_value > 0.01, "seats come out equal when counties are dealt"


@pytest.mark.parametrize("players", [3, 4, 5])
def test_regressors_count_as_one_would_by_hand(players):
    ground = Ground(in_cell(HOME, players))
    deals, count = dealt(3, 1, ground), len(ground.counties)
    known, region = regressors(deals, ground), ground.board.region[ground.counties]
    borders = {frozenset((a, b)) for a, b in zip(*np.nonzero(ground.borders), strict=True)}
    for game, seat in product(range(3), range(players)):
        owner = deals.owner[game, ground.counties].tolist()
        own = [place for place, holder in enumerate(owner) if holder == seat]
        others = [place for place, holder in enumerate(owner) if holder not in (seat, NOBODY)]
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
    # What counties usually bring is taken out of the counts of neighbours.
    known = regressors(dealt(4000, 2, ground), ground)
    design = Design(known[:, :, :count])
    scores = [[each.value / each.error for each in design.fit(known[:, :, 2 * count + number]).estimates]
              for number in range(len(NEIGHBOURS))]  # fmt: skip
    assert np.abs(scores).max() < 4.5
    assert np.std(scores) < 1.4


def test_a_planted_county_is_found_at_the_top_with_its_worth_covered():
    hits, deals = 0, dealt(3000, 3)
    known = regressors(deals, GROUND)
    design = Design(known)
    for seed in range(40):
        planted = seed % COUNT
        estimates = design.fit(2.0 * known[:, :, planted] + noise(np.random.default_rng(seed), 3000)).estimates[:COUNT]
        low, high = estimates[planted].interval(SURE)
        assert planted == max(range(COUNT), key=lambda place: estimates[place].value)
        assert low > 0
        hits += low <= 2 - 2 / COUNT <= high
    assert hits >= 38


def test_worths_of_counties_and_of_armies_add_up_to_nothing():
    result, fit = found_of(dealt(3000, 4), noise(np.random.default_rng(4), 3000))
    for what in ("", worths.ARMY_IN):
        assert abs(sum(result.named(fit)[f"{what}{name}"].value for name in NAMES)) < 1e-9
    assert abs(result.shrunk(fit).values.sum()) < 1e-9
    assert abs(sum(result.region(fit, number).value for number in range(5))) < 1e-9  # nine counties each


def test_neighbours_and_armies_that_were_planted_are_found():
    deals = dealt(6000, 5)
    known, army = regressors(deals, GROUND), COUNT + NAMES.index("Tirol")
    points = known[:, :, 2 * COUNT :] @ [1.0, -0.5, 0.3] + 1.5 * known[:, :, army]
    result, fit = found_of(deals, points + noise(np.random.default_rng(6), 6000))
    for name, truth in zip(NEIGHBOURS, (1.0, -0.5, 0.3), strict=True):
        low, high = result.named(fit)[name].interval(Confidence(LEVEL, 4))
        assert low < truth < high
        assert not low < 0 < high
    low, high = result.named(fit)[f"{worths.ARMY_IN}Tirol"].interval(Confidence(LEVEL, 4))
    assert low < 1.5 - 1.5 / COUNT < high
    assert low > 0


@pytest.mark.one_in(4, "file")
def test_printed_numbers_that_make_the_worth_are_found():
    deals, board = dealt(6000, 8), GROUND.board
    worth = 0.8 * board.tax + 0.5 * board.sites
    points = regressors(deals, GROUND)[:, :, :COUNT] @ worth + noise(np.random.default_rng(9), 6000)
    result, fit = found_of(deals, points)
    whole, without = result.shrunk(fit), result.shrunk(fit, ("grain", "region"))
    assert whole.explained > 0.9
    assert without.explained < 0.5
    known = dict(zip(list(worths.printed(GROUND))[:4], whole.weights, strict=False))
    assert abs(known["tax"] - 0.8) < 0.15
    assert abs(known["sites"] - 0.5) < 0.25
    truth = worth - worth.mean()
    assert ((whole.values - truth) ** 2).mean() < ((fit.values[:COUNT] - truth) ** 2).mean()
    explained = [fits["it"].explained for fits in worths.steps(result, {"it": points}).values()]
    assert explained == sorted(explained), "every step of the regression explains more"
    assert len(set(explained)) == 4


def test_cells_differ_in_play_and_tower_and_drafts_have_other_seeds_than_deals():
    assert len(SCOPE.cells(DEAL)) == 11
    seeds = {setup: {in_cell(cell).seed for cell in SCOPE.cells(setup)} for setup in ("deal", "draft")}
    assert len(seeds["deal"]) == len(seeds["draft"]) == 1
    assert seeds["deal"] != seeds["draft"]


@pytest.mark.one_in(4, "file")
@pytest.mark.parametrize(("setup", "items"), [("lineup", []), ("deal", GOOD), ("draft", CLAIMS)])
def test_claims_have_outcomes_where_counties_are_dealt_or_drafted(setup, items):
    mixed = ["balanced", "casual", "balanced", "strong-4p"]
    experiment = load_experiment(
        worths.EXPERIMENT, {"setup": setup, "policies": mixed, "tower": "mid", "seed": 99, "lineups": []}
    )
    result, names = claim_outcomes(experiment, 20), {claim.outcome for claim in CLAIMS}
    assert {each.blocks for each in result.values()} <= {480}
    assert bool(result) == bool(items)
    if setup == "draft":
        assert set(result) == names
        assert result[RANDOM].value > 0
    else:
        assert {f"worth of {name}, VP" for name in items} <= set(result) <= names - {RANDOM}


def held(kind, pair, deals):
    """Which seats hold a pair, or one of it while another seat holds the other, one by one."""
    one, other = (GROUND.counties[NAMES.index(name)] for name in pair)
    result = np.zeros((len(deals.owner), 4))
    for game, owner in enumerate(deals.owner):
        for seat in range(4):
            mine = int(owner[one] == seat) + int(owner[other] == seat)
            result[game, seat] = mine == 2 if kind == TOGETHER else mine == 1 and min(owner[one], owner[other]) >= 0
    return result


@pytest.mark.parametrize("kind", [TOGETHER, BORDER])
def test_an_effect_of_each_pair_is_the_coefficient_of_least_squares(kind):
    deals, points = dealt(960, 7), noise(np.random.default_rng(8), 960)
    known = regressors(deals, GROUND)[:, :, : 2 * COUNT]
    found = PairsDealt(kind, PAIRS[kind], GROUND, deals).effects(points)
    for pair, effect in zip(PAIRS[kind], found, strict=True):
        both = apart(np.concatenate([known, held(kind, pair, deals)[..., None]], axis=2))
        values = np.linalg.lstsq(both.reshape(-1, both.shape[2]), apart(points).ravel(), rcond=1e-10)[0]
        assert effect.value == pytest.approx(values[-1])
        assert effect.blocks == 960 // 24
        assert effect.influence.sum() == pytest.approx(0, abs=1e-6)
    fitted, *_ = PairsDealt(kind, PAIRS[kind], GROUND, deals).fitted(points)
    assert fitted == pytest.approx([each.value for each in found])


def test_errors_cover_where_there_is_nothing_and_a_pair_that_nobody_holds_has_no_effect():
    some, deals = pairs.candidates(TOGETHER, GROUND)[::8], dealt(2_400, 10)
    found = PairsDealt(TOGETHER, some, GROUND, deals).effects(noise(np.random.default_rng(9), 2_400))
    missed = [low < 0 < high for low, high in (each.interval(Confidence()) for each in found)].count(False)
    assert missed / len(some) < 0.11  # of 124 at 5 %
    deals.owner[:, GROUND.counties[0]] = NOBODY
    [found] = PairsDealt(TOGETHER, [(NAMES[0], NAMES[1])], GROUND, deals).effects(np.ones((2_400, 4)))
    assert np.isnan(found.value)
    assert found.interval(Confidence()) is None


def test_the_ends_are_chosen():
    effects = {(str(place), "x"): float(place) for place in range(50)}
    assert [pair[0] for pair in pairs.choice(TOGETHER, effects)] == [*map(str, range(10)), *map(str, range(40, 50))]
    assert [pair[0] for pair in pairs.choice(BORDER, effects)] == [*map(str, range(10))]


def test_the_published_pairs_were_judged_by_games_of_another_seed():
    draft = as_published(load_study("draft"))
    judged, seeds = pairs.judged_pairs(draft.figures, draft.design), defaultdict(set)
    assert {kind: {group: len(each) for group, each in by_group.items()} for kind, by_group in judged.items()} == {
        TOGETHER: {"casual": 2 * CHOSEN, "strong": 2 * CHOSEN}, BORDER: {"casual": CHOSEN, "strong": CHOSEN},
    }  # fmt: skip
    for row in draft.figures.values():
        seeds[quantity_of(row.id)].add(row.seed)
    effects = [each.removeprefix("effect-") for each in seeds if each.startswith("effect-pair")]
    assert len(effects) == 2
    for each in effects:
        assert seeds[f"effect-{each}"] == {seed + pairs.SEEDS for seed in seeds[f"effect-that-chose-{each}"]}
    for each in (pair for by_group in judged.values() for some in by_group.values() for pair in some):
        assert set(each.effects) == {"casual", "strong", "second strong"}


def test_the_claims_about_counties_were_chosen_and_no_others():
    about = [claim.outcome for claim in CLAIMS if any(name in claim.outcome for name in (*GOOD, *BAD))]
    [judged] = load_study("draft").judged
    assert list(judged.chosen) == about
    assert len(about) >= len(GOOD) + len(BAD)


def planted(worths):
    """The figures of a study in which the counties are worth so much by play, and all others from 0 down."""
    influence = np.tile([-1.0, 1.0], 200) * 0.05 * np.sqrt(399)
    values = {
        Key(BY_PLAY, name, 4, NOWHERE._replace(play=play.name)): Estimate(
            worths.get(play.name, {}).get(name, -0.01 * place), influence
        )
        for play in SCOPE.plays
        for place, name in enumerate(NAMES)
    }
    return figures_in("draft", values)


def first_screen(worths):
    """The finding, which obeys the limits of a first screen."""
    figures = planted(worths)
    finding = finding_of(figures, SCOPE)
    assert finding_errors(finding, best_picks(figures, SCOPE).text(figures)) == []
    return finding


def test_a_best_pick_that_is_not_told_from_the_next_is_said_to_be_so():
    found = first_screen({
        CASUAL: {"Lausitz": 2.0, "Schlesien": 1.9}, STRONG: {"Bremen": 2.0}, SECOND: {"Bremen": 2.0, "Tirol": 1.9},
    })  # fmt: skip
    assert f"{NOT_APART} Schlesien" in found.casual
    assert f"scholar bots {NOT_APART} Tirol" in found.experienced
    assert "Lausitz or Schlesien" in found.title
    assert "Tirol" not in found.title  # the other line tells it from Bremen
    apart = first_screen({CASUAL: {"Lausitz": 2.0}, STRONG: {"Bremen": 2.0}, SECOND: {"Tirol": 2.0}})
    assert "Bremen or Tirol" in apart.title
    assert "Tirol to scholar bots" in apart.experienced
    assert NOT_APART not in apart.casual + apart.experienced
    assert "+2.0 ± " in apart.casual


def test_many_best_picks_leave_a_short_title():
    long = first_screen({play: dict.fromkeys(sorted(NAMES, key=len)[-3:], 12.0) for play in PLAYS})
    assert long.title.count(" or ") == 1
    many = first_screen({play: dict.fromkeys(NAMES[:5], 12.0) for play in PLAYS})
    assert many.title.startswith("One of 5 counties")
    assert candidates(planted({}), SCOPE, LINES) == best_of(planted({}), SCOPE, STRONG)


def test_the_table_has_the_ten_best_of_both_by_the_lower_of_two_lines():
    figures = planted({CASUAL: {"Lausitz": 2.0}, STRONG: {"Bremen": 3.0, "Tirol": 2.0}, SECOND: {"Tirol": 2.0}})
    full, quick = (
        table_of(best_picks(figures, scope).text(figures), "pick")
        for scope in (SCOPE, worths.scope_of(Choices(quick=True)))
    )
    assert len(full) == len(quick) == 10
    assert (full[0][1], full[0][3]) == ("Lausitz", "Tirol")


@pytest.mark.one_in(4, "file")
def test_every_county_stands_on_the_page_and_no_letters_touch():
    board, regions = load_board(), {}
    for place, name in enumerate(board.counties):
        region = regions.setdefault(board.regions[board.region[place]], [])
        region.append((name, place / 10 - 2, place % 7 == 0))
    figure = pick_sheet(regions, RULES, "What to pick", "Take the best of them. " * 12, "How it was measured. " * 12)
    assert tuple(figure.get_size_inches()) == A4
    figure.canvas.draw()
    texts = [text for text in figure.texts if text.get_text()]
    shown = [text.get_text() for text in texts]
    assert all(shown.count(each) == 1 for each in (*board.counties, *board.regions, "−2.0", "+2.4"))
    boxes, page = [text.get_window_extent() for text in texts], figure.get_window_extent()
    assert all(page.x0 < box.x0 and box.x1 < page.x1 and page.y0 < box.y0 and box.y1 < page.y1 for box in boxes)
    assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1].padded(-0.5))]
    bold = {text.get_text() for text in texts if text.get_weight() == "bold"}
    assert board.counties[7] in bold
    assert board.counties[8] not in bold
