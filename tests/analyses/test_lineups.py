"""The study `lineups`: what is measured in cells, of land and of skill, and what its first screen says."""

import csv
import re
from dataclasses import replace
from itertools import chain, combinations

import numpy as np
import pytest

from tests.analyses.studies import UNSTORED, figures_in
from tests.analyses.test_lineup_games import BOARD, RNG, experiment, synthetic
from tests.docs.pages import DOCS
from tests.refusals import assert_names
from tests.studies.first_screens import finding_errors
from wallsim.analyses.lineups import games as it
from wallsim.analyses.lineups import measure, study, worth
from wallsim.analyses.lineups.games import COUNTIES, GROUPS, POINTS, PRINTED, THALERS, VERSIONS, adjustments_of
from wallsim.analyses.lineups.measure import estimates_of, item
from wallsim.analyses.lineups.study import STUDY, is_level
from wallsim.analysis.claims.cells import CASUAL, MIDDLING, STRONG, Cell
from wallsim.experiment.file import load_experiment
from wallsim.play.scenarios.file import load_experiments
from wallsim.policies.catalogue import load_policy
from wallsim.rules.files import data_folder
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.studies.cache import Cache
from wallsim.studies.figure import quantity_of
from wallsim.studies.games import Games, block_size
from wallsim.studies.quantities import Key
from wallsim.studies.register import read_register, register_text
from wallsim.studies.study import Choices

HOME = Cell(MIDDLING, "spielbyweb", "lineup")
AT_HOME = it.design_of(Choices(quick=True))._replace(cells=(HOME,))
STRONG_HOME = AT_HOME._replace(cells=(HOME._replace(play=STRONG),))
ERRORS = np.array(worth.ERRORS)


def test_a_seat_that_is_better_is_found_and_equal_seats_are_not(monkeypatch):
    for above, seats, differs in (((0, 0, 0, 0), (1.5, 0, 0, 0), True), ((4, 1.5, -3, -1), None, False)):
        games = synthetic(above, seats=seats)
        monkeypatch.setattr(measure, "cached_games", lambda *_, games=games, **more: games)
        found, _ = measure.in_cell(4, 25, UNSTORED, HOME)
        values = dict(measure.of_seats([HOME], 4, found))
        for test in (measure.SEATS, measure.WAYS):
            assert (values[Key(test, "p", 4, measure.ALL)].value < 0.01) == differs
        shares = [values[Key("seat-wins", f"seat {seat}", 4, HOME)].value for seat in range(4)]
        assert sum(shares) == pytest.approx(100)
        assert (shares[0] > 26) == differs


def test_claims_are_about_printed_lineups_of_four():
    outcomes = measure.claim_outcomes(experiment(), 1)
    assert set(outcomes) == {claim.outcome for claim in measure.CLAIMS}
    assert {each.blocks for each in outcomes.values()} == {block_size(4)}
    for changes in ({"setup": "draft"}, {"thalers": {"A": 9}}, {"without": ["Tirol"]}):
        assert measure.claim_outcomes(experiment(**changes), 1) == {}
    three = measure.claim_outcomes(experiment(players=3), 1)
    assert set(three) == set(outcomes) - {measure.LEADER}


def test_claims_and_the_study_play_the_same_games():
    """The outcomes under an experiment are those of its cell, in whatever arrangement it names its line-ups."""
    outcomes = measure.claim_outcomes(experiment(lineups=["D", "B", "A", "C"]), 1)
    found, _ = measure.in_cell(4, 1, UNSTORED, HOME)
    again = measure.outcomes(found, 4, HOME)
    assert {name: each.value for name, each in outcomes.items()} == {name: each.value for name, each in again.items()}
    shares = [found[Key("wins", item(letter, POINTS), 4, HOME)] for letter in "ABCD"]
    assert sum(share.value for share in shares) == pytest.approx(100)


@pytest.mark.parametrize(
    ("above", "numbers", "level"),
    [((0, 0, 0, 0), 4000, True), ((4, 0, 0, -4), 1000, False), ((0, 0, 0, 0), 60, None), ((4, 0, 0, -4), 10, None)],
)
def test_a_cell_is_level_or_not_only_where_its_intervals_say_so(above, numbers, level):
    shares = synthetic(above, numbers).arranged().shares()
    figures = figures_in("lineups", {Key("wins", letter, 4): share for letter, share in shares.items()})
    assert is_level(list(figures.values())) is level


@pytest.mark.one_in(4, "file")
def test_figures_are_the_planted_ones_of_their_cell_and_version(tmp_path, monkeypatch):
    """With three and four players, in cells known to the search and others; the page is the same from the register."""
    cells = tuple(cell for cell in it.CELLS if cell.play in (CASUAL, MIDDLING, STRONG))
    design, games = it.design_of(Choices(240))._replace(sizes=(4, 3), cells=cells, quick=True), {}

    def planted(experiment, blocks, storage):
        if (key := experiment.hash()) not in games:
            games[key] = synthetic(np.linspace(3, -3, experiment.players), 6 * experiment.players * blocks)
        return games[key]

    def get(cache, counted, facts, play):
        names, shape = (("worth",), (240, 7)) if "games" in facts else (worth.OUTCOMES, 240)
        return {name: RNG.normal(0, 1, shape) for name in names}

    monkeypatch.setattr(measure, "cached_games", planted)
    monkeypatch.setattr(Cache, "get", get)
    figures = figures_in("lineups", STUDY.play(design, STUDY.storage(tmp_path)))
    adjustments, shares = adjustments_of(4), {}
    for cell in design.cells:
        for kind in VERSIONS:
            changes = adjustments[kind].changes(BOARD) if kind != PRINTED else {}
            played = planted(it.experiment_of(4, cell).changed(**changes), None, None)
            halves = adjustments[kind].halves if kind == POINTS else None
            shares[cell, kind] = 100 * played.wins(halves)[..., 0].mean(axis=1)
            for quantity in ("wins", "wins-of-all-versions")[: 2 if kind == PRINTED else 1]:
                figure = figures.of(quantity, item("A", kind), players=4, cell=cell)
                assert figure.value == pytest.approx(shares[cell, kind].mean(), rel=1e-9)
                assert figure.error == pytest.approx(shares[cell, kind].std(ddof=1) / 240**0.5, rel=1e-9)
                assert (figure.null, figure.n, figure.unit) == (25.0, 240, "%")
    whole = np.mean([shares[cell, PRINTED] for cell in design.cells])
    for quantity in ("wins", "headline", "wins-by-version"):
        assert figures[f"lineups.{quantity}.4p.A"].value == pytest.approx(whole, rel=1e-9)
    assert figures["lineups.wins-from-fair.4p.A"].value == pytest.approx(whole - 25, rel=1e-6)
    assert {quantity_of(key) for key in figures} >= {quantity_of(key) for key in read_register("lineups")}
    file = tmp_path / "lineups.csv"
    file.write_text(register_text(figures), "utf-8")
    assert STUDY.page(read_register("lineups", file), design) == STUDY.page(figures, design)


def test_games_of_other_line_ups_rules_numbers_or_exchanges_are_played_again(monkeypatch):
    """A part is taken for the experiment and the exchanges that it was played with alone."""
    keys = []

    def get(cache, counted, facts, play):
        keys.append(cache.key(counted, facts))
        return dict.fromkeys(("worth",) if "exchanges" in facts else ("vp", "thalers"), np.zeros((9, 7)))

    monkeypatch.setattr(Cache, "get", get)
    designs = [({}, 2), ({"thalers": {"A": 3}}, 2), ({"rules": {"final_tie": "shared"}}, 2), ({"seed": 5}, 2), ({}, 3)]
    for changes, blocks in designs:
        measure.cached_games(experiment(**changes), blocks, UNSTORED)
    for number in (None, 5):
        monkeypatch.setattr(worth, "exchanges", lambda *what, number=number: it.exchanges(*what)[:number])
        list(worth.worth_of_land(STRONG_HOME, UNSTORED))
    assert len(set(keys)) == len(keys) == 7


def test_borders_are_those_of_the_board():
    with (data_folder("board") / "borders.csv").open(encoding="utf-8") as file:
        pairs = {frozenset((row["county_a"], row["county_b"])) for row in csv.DictReader(file)}
    lineup = {letter: [BOARD.counties[county] for county, *_ in BOARD.lineups[4, letter]] for letter in "ABCD"}
    in_play = {name for name, least in zip(BOARD.counties, BOARD.min_players, strict=True) if least <= 4}
    free = in_play.difference(*lineup.values())
    for letter, land in worth.lands(BOARD, 4).items():
        own, _, with_free, *_ = worth.FEATURES
        assert land[own] == sum(frozenset(pair) in pairs for pair in combinations(lineup[letter], 2))
        assert land[with_free] == sum(frozenset((one, two)) in pairs for one in lineup[letter] for two in free)
        for other in set("ABCD") - {letter}:
            borders = [frozenset((one, two)) in pairs for one in lineup[letter] for two in lineup[other]]
            assert land[f"borders with {other}"] == sum(borders)


@pytest.mark.one_in(4, "file")
def test_what_land_brings_is_recovered(monkeypatch):
    """Points that are made of a line-up's land, and of chance: the regression finds what one more of each brings."""
    truth = dict(zip(worth.FEATURES, (0.5, -0.4, 0.1, 0.2, 0.15, 0.25, -0.3), strict=True))

    def made(play, setups, workers):
        for (setup,) in setups:
            edited = {letter: [name for name, _ in groups] for letter, groups in setup.lineup_edits}
            land = worth.lands(BOARD, 4, edited)
            level = [sum(each * land[letter][name] for name, each in truth.items()) for letter in "ABCD"]
            yield np.array(level) + RNG.normal(0, 6, (200, 4))

    monkeypatch.setattr(worth, "in_parallel", made)
    result = dict(worth.worth_of_land(STRONG_HOME, UNSTORED))
    for feature, each in truth.items():
        found = result[Key("worth-of-land", feature, 4, HOME._replace(play=STRONG))]
        assert abs(found.value - each) < 4 * found.error < 0.2


def test_errors_are_added_as_independent_ones_and_change_nothing_else():
    balanced, amateur = load_policy("balanced"), load_policy("amateur")
    assert worth.erring(balanced, 0.8).weights == load_policy("balanced-noise-08").weights
    assert worth.erring(amateur, 0.0) is amateur
    worse = worth.erring(amateur, 1.2)
    assert worse.weights["noise"] == pytest.approx(1.3)  # 0.5 and 1.2
    assert {**worse.weights, "noise": 0.5} == amateur.weights


def test_a_gap_is_that_of_both_line_ups_at_one_table_with_a_played_by_the_worse_player():
    played, player = it.experiment_of(4, HOME), load_policy("balanced-noise-32")
    found = worth.gap_of(played, player, 1, UNSTORED)["points"]
    points = []
    for way in it.ways_of(4):
        parts = played.changed(lineups=way).components()
        policies = tuple(player if letter == "A" else each for letter, each in zip(way, parts.policies, strict=True))
        vp = Games(0, 4, replace(parts, policies=policies).arena(played.seed).play(0, 24)).seats("vp")
        points.append(vp[:, way.index("A")] - vp[:, way.index("C")])
    assert found.value == pytest.approx(np.mean(points))
    assert found.blocks == 24
    assert found.value < -5  # who errs so much loses with any line-up


def falling(level, spread=0.5, blocks=400):
    """Gaps that fall by 2 VP for each VP of errors and are 0 at `level`."""
    noise = np.random.default_rng(4).normal(0, spread, blocks)
    return [block_mean(2 * (level - error) + noise) for error in ERRORS]


@pytest.mark.parametrize("level", [0.3, 2.5])
def test_the_errors_that_make_both_level_are_found(level):
    value, (low, high), *_ = worth.level_errors(falling(level), Confidence())
    assert value == pytest.approx(level, abs=0.05)
    assert low < level < high
    half = 1.966 * 0.5 / np.sqrt(400) / 2  # of the gap, brought to errors
    assert (high - low) / 2 == pytest.approx(half, abs=0.015)


def test_errors_that_are_not_enough_have_no_value_and_no_upper_end():
    value, (low, high), *_ = worth.level_errors(falling(4.0), Confidence())
    assert np.isnan([value, low, high]).all()
    value, (low, high), *_ = worth.level_errors(falling(3.19), Confidence())
    assert low < value
    assert np.isnan(high)
    assert worth.level_errors(falling(1.0, blocks=10), Confidence()).interval is None


def test_the_table_names_the_errors_and_the_weaker_play(monkeypatch):
    design, levels = it.design_of(Choices(quick=True)), {MIDDLING: 0.6, STRONG: 4.0}
    # Of the errors of each table one after the other, and of its weaker player.
    made = chain.from_iterable((*falling(level), falling(level)[-1]) for level in levels.values())
    monkeypatch.setattr(worth, "gap_of", lambda *_: dict.fromkeys(worth.OUTCOMES, next(made)))
    figures = figures_in("lineups", dict(worth.gaps(design, UNSTORED)))
    level, never = (
        figures[f"lineups.errors-that-level-A-and-C-in-{what}.4p/{play}/spielbyweb"]
        for what, play in (("points", MIDDLING), ("wins", STRONG))
    )
    assert level.value == pytest.approx(0.6, abs=0.05)
    assert level.family == 2 * 2 * (len(ERRORS) + 2)
    assert worth.level_in_words(level).startswith("0.6")
    assert worth.level_in_words(never) == "over 3.2 VP"
    text = worth.in_skill(figures, design).text(figures)
    more, less = "more than the gap ", "less than the gap "
    assert re.search(f"{more}from `balanced` to `balanced-noise-04`.* `balanced-noise-08`", text)
    assert re.search(f"{less}.* weaker play in middling", text)
    assert re.search(f"{more}.* weaker play in strong", text)


@pytest.mark.parametrize(
    ("casual", "first", "second"),
    [(GROUPS, GROUPS, GROUPS), (PRINTED, COUNTIES, COUNTIES), (POINTS, COUNTIES, GROUPS)],
)
def test_the_finding_names_the_version_with_the_least_spread_at_each_table(casual, first, second):
    """Figures of the casual table and both lines of strong play, in each of which one version is the most even."""
    best = {"casual": casual, STRONG: first, f"second {STRONG}": second}
    design = it.design_of(Choices())._replace(sizes=(4,), cells=study.PRINTED_TABLES)
    found = {}
    for cell in design.cells:
        for kind in VERSIONS:
            above = (0, 0, 0, 0) if kind == best[cell.play] else (9, 0, 0, -9)
            found |= estimates_of(synthetic(above, 800).arranged(), kind, cell)
    figures = figures_in("lineups", measure.published(design, dict(measure.of_wins(design.cells, 4, found))))
    said, names = study.finding(figures, design), study.NAMES
    assert finding_errors(said, study.spreads_by_table(design).text(figures)) == []
    assert study.nearest(figures, [study.CASUAL_TABLE]) == [casual]
    assert names[casual] in said.title
    assert ("too often" in said.title) == (PRINTED not in best.values())
    if first == second:
        assert study.nearest(figures, study.LINES) == [first]
        assert names[first] in said.title
    else:
        assert "no fix is fairest" in said.title
        assert_names(said.experienced, f"expert bots with {names[first]} (", f"scholar bots with {names[second]} (")


def test_the_ready_handicap_in_whole_points_is_that_of_the_study_rounded():
    """The example has another one, too, that is fairer between casual players."""
    scenarios = load_experiments(DOCS / "examples" / "fair-4p-handicap.toml").experiments
    assert list(scenarios) == ["printed", "study", "casual"]
    steps = {step["seat"]: step["vp"] for step in scenarios["study"].interventions}
    for letter, half in zip("ABCD", adjustments_of(4)[POINTS].halves, strict=True):
        assert abs(2 * steps.get(letter, 0) - half) <= 1
    assert all(each.policies == ("casual-4p",) * 4 for each in scenarios.values())


@pytest.mark.parametrize(("players", "kind"), [(4, THALERS), (5, COUNTIES)])
def test_ready_files_have_the_changes_that_the_study_plays(players, kind):
    """They stand in docs/examples for those who want to play with them."""
    found = load_experiment(DOCS / "examples" / f"fair-{players}p-casual.toml")
    plain = found.changed(thalers={}, lineup={})
    assert (found.players, found.policies) == (players, (f"casual-{players}p",) * players)
    assert plain.hash() != found.hash() == plain.changed(**adjustments_of(players)[kind].changes(BOARD)).hash()
