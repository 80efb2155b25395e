"""The study `amounts`: its settings, a surface that finds planted effects, the search, and what the page says."""

import numpy as np
import pytest

from tests.analyses.studies import UNSTORED, figures_in, look, published, table_of
from tests.refusals import assert_names
from tests.studies.first_screens import finding_errors
from wallsim.analyses.amounts import estimates as amounts
from wallsim.analyses.amounts.estimates import VARIABLES, candidates, design, fit, turned, unfairness
from wallsim.analyses.amounts.study import STUDY, turns_words, words_of
from wallsim.analyses.editions.study import SECOND
from wallsim.rules.amounts import AMOUNTS, PRINTED
from wallsim.rules.terms import TILES
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.finding import MOST_ROWS
from wallsim.studies.games import Games
from wallsim.studies.outcomes import POINTS, outcomes_of
from wallsim.studies.quantities import Key
from wallsim.studies.scope import BASELINE
from wallsim.studies.study import Choices


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
    cells = result.figures.cells("by-cell", "county_points spread of VP", players=4)
    assert set(cells) == set(result.design.cells())
    assert all(each.ends is None for each in cells.values())  # two blocks are no study


def planted_page(moved):
    """The finding and its table where so many VP move with each number, by its name and the cell; else hardly any."""
    scope, rng, values = amounts.scope_of(Choices()), np.random.default_rng(6), {}
    for cell, each in amounts.settings(scope):
        noise = rng.normal(0, 0.1, 400)
        change = block_mean(moved(each.name, cell) + noise - 0.99 * noise.mean())
        values |= {Key("by-cell", f"{each.name} {what}", 4, cell): change for what in amounts.JUDGED}
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
    assert finding.casual.startswith("2 numbers are known")
    assert ", 1 number is known" in finding.experienced
    assert finding.experienced.count("+3.0") == turned_over.experienced.count("−3.0") == 2
    assert rows[0][0] == "county points"
    assert {row[0] for row in rows[1:3]} == {"palace price", "church price"}
    assert len(rows) == MOST_ROWS


def test_a_number_that_turns_a_line_up_between_two_lines_is_named():
    turns = {"strong": 20.0, "second strong": -20.0}

    def changed(row):
        value = turns.get(row.play) if row.id.startswith("amounts.wins-by-play.4p.county_points-A/") else None
        return {} if value is None else {"value": value, "low": value - 1, "high": value + 1}

    words = turns_words(published("amounts", changed), amounts.scope_of(Choices()))
    assert_names(words, "`county_points` helps", "A in strong", "harms it in second strong")


@pytest.mark.parametrize("play", [amounts.play_tiles, amounts.play_styles, amounts.play_games])
def test_what_is_played_is_in_the_key_of_what_is_kept(keys, monkeypatch, play):
    """Old games of tiles were once taken for others, since the key lacked what the treated seat held."""
    play(setting(), 2, UNSTORED)
    play(setting(county_points=2), 2, UNSTORED)
    play(setting(), 3, UNSTORED)
    monkeypatch.setattr(amounts, "held_always", dict)
    monkeypatch.setattr(amounts, "STYLES", amounts.STYLES[::-1])
    play(setting(), 2, UNSTORED)
    assert len(set(keys)) == 4 - (play is amounts.play_games)
    for tile in ("attack", "defence"):
        amounts.play_rounds(setting(), tile, 2, UNSTORED)
    assert len(set(keys)) == 6 - (play is amounts.play_games)
