"""The study `amounts`: its settings, a surface that finds planted effects, the search, and what the page says."""

from itertools import product

import numpy as np
import pytest

from tests.analyses.studies import UNSTORED, figures_in, look, table_of
from tests.refusals import assert_names
from tests.studies.first_screens import finding_errors
from wallsim.analyses.amounts import estimates as amounts
from wallsim.analyses.amounts import games
from wallsim.analyses.amounts.estimates import VARIABLES, candidates, design, fit, unfairness
from wallsim.analyses.amounts.games import JUDGED, WINS, turned
from wallsim.analyses.amounts.screening import SHOWN, largest, main_effects, play_screened, runs_of, signs_of
from wallsim.analyses.amounts.study import STUDY, turns_words, words_of
from wallsim.analyses.editions.study import EXPANDED, SECOND
from wallsim.rules.amounts import AMOUNTS, PRINTED
from wallsim.rules.terms import TILES
from wallsim.stats.blocks import Measurement, block_mean
from wallsim.stats.intervals import LEVEL, Confidence, side_of
from wallsim.studies.finding import MOST_ROWS
from wallsim.studies.games import Games
from wallsim.studies.outcomes import POINTS, SPREAD, outcomes_of
from wallsim.studies.quantities import Key
from wallsim.studies.scope import BASELINE
from wallsim.studies.study import Choices

QUICK = amounts.scope_of(Choices(quick=True))


def setting(**numbers):
    """The baseline with other numbers."""
    return amounts.experiment_of(BASELINE, SECOND, numbers)


def test_every_amount_of_a_game_of_four_is_turned_within_its_bounds():
    rows, known = {each.name: each for each in turned()}, {each.name: each for each in AMOUNTS}
    assert set(known) - set(rows) == {"start_thalers_3_players", "start_thalers_5_players"}
    for name, each in rows.items():
        assert known[name].low <= each.low <= PRINTED[name] <= each.high <= known[name].high
        assert each.low < each.high
    of_expansions = {name for name, each in rows.items() if each.base != SECOND}
    assert of_expansions == {name for name in rows if name.startswith(("leader", "statue", "trophy", "favor", "lands"))}
    assert len({words_of(name) for name in rows}) == len(rows)
    assert not any("_" in words or words != " ".join(words.split()) for words in map(words_of, rows))


@pytest.mark.parametrize("numbers", [1, 4, 11, 40])
def test_the_array_is_orthogonal_balanced_and_folded_over(numbers):
    """So no main effect is that of another number, nor that of two numbers together."""
    signs = signs_of(numbers)
    assert {*signs.ravel().tolist()} == {-1, 1}
    assert not signs.sum(axis=0).any()
    assert (signs.T @ signs).tolist() == (len(signs) * np.eye(numbers, dtype=int)).tolist()
    pairs = [signs[:, one] * signs[:, other] for one in range(numbers) for other in range(one)]
    assert not any((signs.T @ pair).any() for pair in pairs)


def test_effects_of_a_planted_truth_are_recovered_whatever_pairs_of_numbers_do():
    rng, signs = np.random.default_rng(8), signs_of(11)
    effects, pairs = rng.normal(0, 2, 11), np.triu(rng.normal(0, 5, (11, 11)), 1)
    truth = 40 + signs @ effects / 2 + np.einsum("ri,ij,rj->r", signs, pairs, signs)
    exact = main_effects(signs, np.repeat(truth[:, None], 2, axis=1))
    assert [each.value for each in exact] == pytest.approx(effects)
    assert all(each.error < 1e-6 for each in exact)  # runs differ by what was planted alone


def test_nineteen_of_twenty_intervals_of_a_screening_hold_the_planted_effect():
    rng, signs = np.random.default_rng(9), signs_of(11)
    scale = rng.uniform(1, 3, (len(signs), 1))  # games of some runs differ more than those of others
    held = [
        side_of(each.interval(Confidence(LEVEL)), 1.5) == 0
        for _ in range(300)
        for each in main_effects(signs, 0.75 * signs.sum(axis=1)[:, None] + scale * rng.normal(size=(32, 6)))
    ]
    assert np.mean(held) == pytest.approx(LEVEL, abs=0.012)


def test_every_run_of_a_screening_is_a_game_in_which_all_score():
    """The first run of each half has every number at its higher value, or every one at its lower."""
    for base in (SECOND, EXPANDED):
        numbers = [each.screened() for each in turned() if each.base == base]
        runs = runs_of(numbers)
        assert runs[0] == {each.name: each.high for each in numbers}
        assert runs[len(runs) // 2] == {each.name: each.low for each in numbers}
        for run in runs:
            amounts.experiment_of(BASELINE, base, run)  # refuses what is out of bounds
        for cell in amounts.TABLES[:: 1 if base == SECOND else 2]:
            assert play_screened(cell, numbers, len(runs), UNSTORED)[POINTS].mean(axis=1).min() > 15


def test_a_screened_run_is_the_experiment_with_its_amounts_on_games_of_its_own():
    numbers = [each.screened() for each in turned(QUICK) if each.base == SECOND]
    runs, counted = runs_of(numbers), play_screened(BASELINE, numbers, 8, UNSTORED)
    assert len(runs) == len(counted[POINTS]) == 8
    tables = setting(**runs[3]).components().arena(setting().seed).play(3 * 24, 24)
    points = outcomes_of(Games(3 * 24, 4, tables))[POINTS]
    assert np.allclose(counted[POINTS][3], points.reshape(6, 4).mean(axis=1))


def test_the_numbers_that_move_most_at_a_table_are_changed_alone():
    scope = amounts.scope_of(Choices())
    effects = {Key("screened", f"{each.name} {what}", 4, cell): Measurement(0.1, 0.1, 100)
               for cell, numbers in games.settings(scope) for each in numbers for what in JUDGED}  # fmt: skip
    casual, elsewhere = amounts.TABLES[2], next(cell for cell in scope.cells() if cell not in scope.tables)
    effects |= {
        Key("screened", f"church_price {SPREAD}", 4, casual): Measurement(-0.9, 0.1, 100),
        Key("screened-tile", "deploy3_price attack", 4, BASELINE): Measurement(0.5, 0.1, 100),
        Key("screened", f"deploy1_price {SPREAD}", 4, elsewhere): Measurement(9.0, 0.1, 100),
        Key("screened", f"deploy5_price {POINTS}", 4, BASELINE): Measurement(9.0, 0.1, 100),
    }
    assert largest(effects, scope)[:2] == ["church_price", "deploy3_price"]
    assert len(largest(effects, scope)) == SHOWN


def test_a_setting_is_the_plain_run_with_that_number():
    experiment = setting(county_points=2)
    points = outcomes_of(Games(0, 4, experiment.components().arena(experiment.seed).play(0, 48)))[POINTS]
    assert np.allclose(amounts.play_games(experiment, 2, UNSTORED)[POINTS], points.reshape(12, 4).mean(axis=1))
    assert dict(experiment.ruleset().amounts) == {"county_points": 2}


def test_a_tile_without_a_gift_brings_nothing_and_a_large_gift_much():
    none, many = (amounts.play_tiles(setting(tile_attack_armies=gift), 4, UNSTORED)["attack"] for gift in (0, 6))
    assert not none.any()
    assert many.mean() > 0.5
    gifts = {name: value for gift in amounts.DOUBLED.values() for name, value in gift.items()}
    assert gifts == {name: 2 * PRINTED[name] for name in gifts} | {"tile_deploy5_armies": 7}
    assert tuple(amounts.DOUBLED) == TILES


@pytest.mark.slow
@pytest.mark.nightly
def test_a_tile_whose_gift_is_doubled_is_worth_more():
    """In the mean of the rounds; in no round is it known to be worth less, all rounds and tiles together."""
    estimated = dict(amounts.doubled(amounts.scope_of(Choices()), UNSTORED))
    rounds = {key: each.estimate for key, each in estimated.items() if key.quantity == "doubled-rounds"}
    sure = Confidence(LEVEL, len(rounds))
    for tile in TILES:
        mean = estimated[Key("doubled", tile, 4, BASELINE, "all rounds")].estimate
        assert mean.value > 2 * mean.error, tile
    assert all(each.interval(sure)[1] > 0 for each in rounds.values())


def test_the_design_begins_with_the_printed_numbers_and_fills_the_bounds():
    points = design(64)
    assert points.shape == (65, len(VARIABLES))
    assert points[0].tolist() == [PRINTED[name] for name in VARIABLES]
    for values, (low, high) in zip(points[1:].T, VARIABLES.values(), strict=True):
        numbers, counts = np.unique(values, return_counts=True)
        assert numbers.tolist() == list(range(low, high + 1))
        assert counts.max() <= 1.6 * counts.min() + 2  # spread evenly


def planted(points):
    """Responses with known effects: each tile by its own gift, line-ups by the points of counties."""
    unit = amounts.scaled_points(points)
    tiles = 0.5 + 0.4 * unit[:, :5] - 0.1 * unit[:, :5] ** 2
    county = unit[:, list(VARIABLES).index("county_points")]
    lineups = np.column_stack([25 + 8 * county, 25 - 8 * county, 25 + 0 * county, 25 + 0 * county])
    return np.hstack([tiles, lineups])


@pytest.mark.slow
def test_a_surface_finds_planted_effects_and_says_how_well():
    rng = np.random.default_rng(4)
    points, errors = design(64), np.hstack([np.full((65, 5), 0.04), np.full((65, 4), 0.8)])
    expected, explained = fit(points, planted(points) + errors * rng.normal(size=errors.shape), errors)
    assert all(explained[name] > 0.9 for name in (*TILES, "A", "B"))
    assert max(explained["C"], explained["D"]) < 0.3  # nothing to explain
    fresh = design(128)[70:]
    away = expected(fresh) - planted(fresh)
    assert np.sqrt((away[:, :5] ** 2).mean()) < 0.06
    assert np.sqrt((away[:, 5:7] ** 2).mean()) < 1.2
    best = candidates(expected)
    assert unfairness(planted(best[:1]))[0] < 1 < unfairness(planted(points[:1]))[0] + 1
    assert unfairness(planted(best)).max() < np.median(unfairness(planted(fresh)))
    assert np.abs(best[:, None] - best[None]).sum(axis=2)[np.triu_indices(len(best), 1)].min() > 2


def test_what_is_fair_counts_tiles_and_line_ups():
    fair = np.array([[0.4] * 5 + [25.0] * 4])
    assert unfairness(fair)[0] == 0
    assert unfairness(fair + np.array([0.05, -0.05, 0, 0, 0, 0, 0, 0, 0]))[0] == pytest.approx(2 / 5)
    assert unfairness(fair + np.array([0, 0, 0, 0, 0, 4, -4, 0, 0]))[0] == pytest.approx(2 / 4)
    assert amounts.RESPONSES == (*TILES, "A", "B", "C", "D")


@pytest.mark.one_in(4)
@pytest.mark.slow
def test_the_study_is_played_in_all_of_its_cells(tmp_path, monkeypatch):
    monkeypatch.setattr(amounts, "SIZES", {True: (4, (2, 2, 2), (2, 2, 2))})
    monkeypatch.setattr(amounts, "_RACED", 2)
    monkeypatch.setattr(amounts, "_CANDIDATES", 500)
    result = look("amounts", tmp_path, 48)
    cells = result.figures.cells("screened", f"county_points {SPREAD}", players=4)
    assert set(cells) == set(result.design.cells())
    alone = result.figures.cells("alone", f"county_points {SPREAD}", players=4)
    assert set(alone) == set(amounts.TABLES)
    assert all(each.ends is None for each in (*cells.values(), *alone.values()))  # two blocks are no study


def planted_page(moved):
    """The finding and its table where so many VP move with each number, by its name and the cell; else hardly any."""
    scope, rng, values = amounts.scope_of(Choices()), np.random.default_rng(6), {}
    for cell, each in product(scope.tables, turned()):
        if each.base == SECOND or cell.play != "second strong":
            noise = rng.normal(0, 0.1, 400)
            change = block_mean(moved(each.name, cell) + noise - 0.99 * noise.mean())
            values[Key("alone", f"{each.name} {SPREAD}", 4, cell)] = change
    figures = figures_in("amounts", values)
    finding, table = STUDY.finding(figures, scope), STUDY.first(figures, scope).text(figures)
    assert finding_errors(finding, table) == []
    return finding, table_of(table, "number of")


def test_the_finding_names_the_number_that_moves_the_spread_most_and_follows_its_sign():
    """One number moves it everywhere, one in casual play alone, one in one line of strong play."""

    def moved(name, cell):
        alone = {"church_price": "casual", "palace_price": "second strong"}
        return 3.0 if name == "county_points" else 1.0 * (alone.get(name) == cell.play)

    finding, rows = planted_page(moved)
    turned_over, _ = planted_page(lambda name, cell: -moved(name, cell))
    assert "county points: +3.0 VP" in finding.title
    assert "county points: −3.0 VP" in turned_over.title
    assert finding.casual.startswith("Of 51 numbers changed alone, 2 are known")
    assert ", 1 is known" in finding.experienced
    assert finding.experienced.count("+3.0") == turned_over.experienced.count("−3.0") == 2
    assert rows[0][0] == "county points"
    assert {row[0] for row in rows[1:3]} == {"palace price", "church price"}
    assert len(rows) == MOST_ROWS


def test_a_number_that_turns_a_line_up_between_two_lines_is_named():
    turns = {"strong": 20.0, "second strong": -20.0}
    values = {Key("screened", f"{each.name} {WINS[letter]}", 4, cell): block_mean(
        turns.get(cell.play, 0) * (each.name + letter == "county_pointsA") + np.tile([-1.0, 1.0], 200))
        for cell, each, letter in product(amounts.TABLES, turned(), WINS)}  # fmt: skip
    words = turns_words(figures_in("amounts", values), amounts.scope_of(Choices()))
    assert_names(words, "`county_points` helps", "A in strong", "harms it in second strong")


@pytest.mark.parametrize("play", [amounts.play_tiles, amounts.play_styles, amounts.play_games])
def test_what_is_played_is_in_the_key_of_what_is_kept(keys, monkeypatch, play):
    """Old games of tiles were once taken for others, since the key lacked what the treated seat held."""
    play(setting(), 2, UNSTORED)
    play(setting(county_points=2), 2, UNSTORED)
    play(setting(), 3, UNSTORED)
    monkeypatch.setattr(games, "held_always", dict)
    monkeypatch.setattr(games, "STYLES", games.STYLES[::-1])
    play(setting(), 2, UNSTORED)
    assert len(set(keys)) == 4 - (play is amounts.play_games)
    for tile in ("attack", "defence"):
        amounts.play_rounds(setting(), [tile], 2, UNSTORED)
    assert len(set(keys)) == 6 - (play is amounts.play_games)


def test_what_is_screened_is_in_the_key_of_what_is_kept(keys):
    ((_, numbers), *_) = games.settings(QUICK)
    for more in ({}, {"tiles": True}):
        play_screened(BASELINE, numbers, 8, UNSTORED, **more)
        play_screened(BASELINE, numbers, 16, UNSTORED, **more)
        play_screened(BASELINE, numbers[1:], 16, UNSTORED, **more)
        play_screened(amounts.TABLES[1], numbers, 8, UNSTORED, **more)
    assert len(set(keys)) == 8
