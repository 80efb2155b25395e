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
from wallsim.analyses.lineups.games import EXCHANGE, PAIR, POINTS, PRINTED, THALERS, VERSIONS, fixes_of
from wallsim.analyses.lineups.measure import item
from wallsim.analyses.lineups.study import STUDY, ready_file, ready_files
from wallsim.analysis.claims.cells import CASUAL, MIDDLING, STRONG, Cell
from wallsim.experiment.file import load_experiment
from wallsim.policies.catalogue import load_policy
from wallsim.rules.files import data_folder
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.studies.cache import Cache
from wallsim.studies.figure import Figures
from wallsim.studies.games import Games, block_size
from wallsim.studies.quantities import Bounded, Key
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


def test_the_claim_is_about_printed_lineups_of_four():
    outcomes = measure.claim_outcomes(experiment(), 1)
    assert set(outcomes) == {claim.outcome for claim in measure.CLAIMS} == {measure.LEADER}
    assert {each.blocks for each in outcomes.values()} == {block_size(4)}
    for changes in ({"setup": "draft"}, {"thalers": {"A": 9}}, {"without": ["Tirol"]}, {"players": 3}):
        assert measure.claim_outcomes(experiment(**changes), 1) == {}
    assert measure.claim_outcomes(experiment(), 1, ["another"]) == {}


def test_the_claim_and_the_study_play_the_same_games():
    """The outcome under an experiment is that of its cell, in whatever arrangement it names its line-ups."""
    outcomes = measure.claim_outcomes(experiment(lineups=["D", "B", "A", "C"]), 1)
    found, imbalances = measure.in_cell(4, 1, UNSTORED, HOME)
    again = measure.outcomes(found, 4, HOME)
    assert {name: each.value for name, each in outcomes.items()} == {name: each.value for name, each in again.items()}
    assert [*imbalances] == [Key("imbalance", PRINTED, 4, HOME)]  # middling bots have no fixes


@pytest.mark.one_in(4, "file")
def test_figures_are_the_planted_ones_of_their_cell_and_version(tmp_path, monkeypatch):
    """With three and four players, of bots with fixes and without; the page is the same from the register."""
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
    printed = []
    for cell in design.cells:
        known = fixes_of(4, cell.play)
        assert bool(known) == (cell.play in it.FIXED_PLAYS)
        for version in (PRINTED, *known):
            changes = known[version].changes(BOARD) if version != PRINTED else {}
            played = planted(it.experiment_of(4, cell).changed(**changes), None, None)
            handicap = known[version].points if version != PRINTED else ()
            shares = 100 * played.wins(handicap)[..., 0].mean(axis=1)
            figure = figures.of("wins", item("A", version), players=4, cell=cell)
            assert figure.value == pytest.approx(shares.mean(), rel=1e-9)
            assert figure.error == pytest.approx(shares.std(ddof=1) / 240**0.5, rel=1e-9)
            assert (figure.null, figure.n, figure.unit) == (25.0, 240, "%")
            imbalance = figures.of("imbalance", version, players=4, cell=cell)
            assert imbalance.value == pytest.approx(played.imbalance(handicap).value)
            assert imbalance.family == 2 * (2 * 3 * len(VERSIONS) + 1)
            printed += [shares] * (version == PRINTED)
    for quantity in ("wins", "headline"):
        assert figures[f"lineups.{quantity}.4p.A"].value == pytest.approx(np.mean(printed), rel=1e-9)
    given = figures["lineups.handicap.4p.B/casual/all"]
    assert given.value == fixes_of(4, CASUAL)[POINTS].points[1]
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
        monkeypatch.setattr(worth, "exchanges", lambda *of, number=number, **which: it.exchanges(*of, **which)[:number])
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
    own = amateur.weights["noise"]
    worse = worth.erring(amateur, 1.2)
    assert worse.weights["noise"] == pytest.approx((own**2 + 1.2**2) ** 0.5)
    assert {**worse.weights, "noise": own} == amateur.weights


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
    levels = {MIDDLING: 0.6, STRONG: 4.0}
    design = AT_HOME._replace(cells=tuple(HOME._replace(play=play) for play in levels))
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


def spreads(values):
    """Published imbalances of so many bots of a play, of each version under every tower."""
    return figures_in("lineups", {
        Key("imbalance", version, size, cell): Bounded(value, (max(0.0, value - 0.9), value + 0.9), 400)
        for (size, play), worst in values.items()
        for version, value in zip(VERSIONS, worst, strict=True) for cell in it.cells_of(play)
    })  # fmt: skip


def test_a_table_gets_the_simplest_fair_version_or_no_simple_fix(monkeypatch):
    """A fix must be fair under every tower, and its interval must end below the bound."""
    monkeypatch.setattr(study, "not_known", lambda *_: "")
    monkeypatch.setattr(study, "differing", lambda *_: "")
    figures = spreads({
        (3, CASUAL): (0.9, 0.1, 0.1, 0.1, 0.1), (3, STRONG): (6.0, 1.7, 2.0, 1.8, 1.6),
        (4, CASUAL): (9.0, 1.55, 3.0, 1.2, 0.2), (4, STRONG): (9.0, 5.0, 6.0, 4.0, 3.0),
        (5, CASUAL): (6.0, 3.0, 4.0, 2.0, 1.0), (5, STRONG): (9.0, 1.0, 1.0, 1.0, 1.0),
    })  # fmt: skip
    chosen = {(size, play): study.version_for(figures, size, play) for size in (3, 4, 5) for play in it.FIXED_PLAYS}
    assert chosen == {
        (3, CASUAL): PRINTED, (4, CASUAL): EXCHANGE, (5, CASUAL): PAIR,
        (3, STRONG): "", (4, STRONG): "", (5, STRONG): POINTS,
    }  # fmt: skip
    assert study.nearest(figures, 3, STRONG) == PAIR
    assert_names(study.advice(figures, 3, STRONG), "no simple fix", study.what_changes(3, STRONG, PAIR))
    design = it.design_of(Choices())
    said = study.finding(figures, design)
    assert finding_errors(said, study.fixes_by_table(figures, design).text(figures)) == []
    assert_names(
        said.title, "fair for three, four and five casual bots and five strong bots", "no simple fix for three"
    )
    assert_names(said.casual, "three players play as printed", "four players an exchange", "five players two changes")
    assert_names(said.experienced, "three and four players no simple fix")
    assert set(ready_files(figures)) == {"fair-4p-casual.toml", "fair-5p-casual.toml", "fair-5p-strong.toml"}
    doubtful = [replace(each, high=2.6) if each.tower == "mid" else each for each in figures.values()]
    assert study.version_for(Figures("lineups", doubtful), 5, CASUAL) == ""
    unequal = [replace(each, value=1.6) if each.tower == "rulebook" else each for each in figures.values()]
    assert study.version_for(Figures("lineups", unequal), 5, STRONG) == ""


@pytest.mark.parametrize("play", it.FIXED_PLAYS)
@pytest.mark.parametrize(("players", "kind"), [(4, POINTS), (3, THALERS), (5, EXCHANGE), (4, PAIR)])
def test_the_file_of_a_fix_plays_the_games_that_are_judged(tmp_path, players, play, kind):
    """Its line-ups in all arrangements have the points and Thalers of the study's games; a handicap is in them."""
    fix, path = fixes_of(players, play)[kind], tmp_path / "fair.toml"
    path.write_text(ready_file(fix, "1.0"), "utf-8")
    cell = it.cells_of(play)[0]
    printed = it.experiment_of(players, cell)
    file, judged = load_experiment(path).changed(seed=printed.seed), printed.changed(**fix.changes(BOARD))
    assert file.players == players
    policies = ({**each.components().policies[0].identity(), "name": ""} for each in (file, judged))
    assert next(policies) == next(policies)
    assert file.changed(interventions=[]).components().ruleset == judged.components().ruleset
    games = it.play(judged.components(), judged.seed, 1)
    for at, way in enumerate(it.ways_of(players)[:2]):
        parts = file.changed(lineups=way).components()
        vp = Games(0, players, parts.arena(file.seed).play(0, 6 * players)).seats("vp")
        expected = games.vp[:, at] + (np.array(fix.points) if fix.points else 0)
        assert (vp[:, [way.index(letter) for letter in it.letters_of(players)]] == expected).all()


@pytest.mark.parametrize("path", sorted((DOCS / "examples").glob("fair-*p-*.toml")), ids=lambda path: path.stem)
def test_ready_files_are_fixes_of_the_study(path):
    """They stand in docs/examples for those who want to play with them."""
    players, play = int(path.stem[5]), path.stem.split("-")[-1]
    texts = [re.sub(r"(?m)^#.*\n", "", ready_file(fix, "")) for fix in fixes_of(players, play).values()]
    assert re.sub(r"(?m)^#.*\n", "", path.read_text("utf-8")) in texts
    assert load_experiment(path).players == players


def test_no_mark_of_the_picture_is_cut():
    drawn = study.picture(read_register("lineups"), it.design_of(Choices()))
    marks = [(axes, line) for axes in drawn.axes for line in axes.get_lines() if line.get_linestyle() == "None"]
    assert len(marks) == 2 * 2 * 3 * sum(it.SIZES)  # bots, printed and fixed, towers, line-ups
    for axes, line in marks:
        low, high = axes.get_ylim()
        assert all(low <= value < high for value in line.get_ydata())
