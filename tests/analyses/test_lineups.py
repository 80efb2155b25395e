"""The study `lineups`: games in all arrangements, the adjustments, the design, and the command."""

import csv
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from wallsim.analyses.lineups import estimates as lineup_effects
from wallsim.analyses.lineups import games as lineup_games
from wallsim.analyses.lineups import judgement
from wallsim.analyses.lineups import neighbours as lineup_neighbours
from wallsim.analyses.lineups.adjustments import (
    COUNTIES,
    GROUPS,
    KINDS,
    POINTS,
    PRINTED,
    THALERS,
    VERSIONS,
    Adjustment,
    after_exchange,
    exchanges,
)  # fmt: skip
from wallsim.analyses.lineups.estimates import means_of, seats_of
from wallsim.analyses.lineups.games import Arenas, Played, letters_of, play, spread_of, ways_of
from wallsim.analyses.lineups.study import is_level
from wallsim.analyses.lineups.values import item
from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import MIDDLING, strong_lines
from wallsim.rules.board import load_board
from wallsim.rules.files import data_folder
from wallsim.rules.record import pack_rules
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import block_mean
from wallsim.stats.hotelling import hotelling
from wallsim.stats.intervals import Confidence
from wallsim.studies.cache import Cache
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import Rows, quantity_of
from wallsim.studies.games import Games, block_size
from wallsim.studies.register import read_register, register_text
from wallsim.studies.running import digest_of
from wallsim.studies.study import Choices

BOARD = load_board()
HOME = Cell(MIDDLING, "spielbyweb", "lineup")
RNG = np.random.default_rng(8)


def experiment(**changes):
    return load_experiment(lineup_games.EXPERIMENT, changes)


def synthetic(above, numbers=600, seats=(0, 0, 0, 0)):
    """Games whose points differ by line-up (and by seat) and are chance otherwise."""
    size = len(above)
    ways = ways_of(size)
    vp = 50 + RNG.normal(0, 8, (numbers, len(ways), size)) + np.asarray(above)
    for at, way in enumerate(ways):
        vp[:, at] += [seats[way.index(letter)] for letter in letters_of(size)]
    return Played(vp.round().astype(np.int16), RNG.integers(0, 30, vp.shape).astype(np.int16))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"thalers": {"A": 3, "D": 20}},
        {"thalers": {"0": 3}},
        {"lineup": {"A": {"Tirol": 5, "Baden": 2}, "B": {"Lüneburg": 4}}},
        {"rules": {"bank": 160}, "players": 5, "policies": "balanced"},
    ],
)
def test_every_arrangement_has_the_rules_that_its_experiment_would_have(changes):
    parts = experiment(**changes).components()
    tables = Arenas(parts.arena(1), parts.board, parts.ruleset)
    for way, table in zip(ways_of(parts.ruleset.players), tables, strict=True):
        own = pack_rules(parts.board, replace(parts.ruleset, lineups=way), parts.tower)
        assert table.rules.tobytes() == own.tobytes()


@pytest.mark.parametrize("rules", [{}, {"final_tie": "shared"}])
def test_wins_are_those_that_the_engine_tells(rules):
    parts = experiment(rules=rules).components()
    games = play(parts, 5, 3)
    tables = Arenas(parts.arena(5), BOARD, parts.ruleset)
    for at, way in enumerate(ways_of(4)):
        played = Games(0, 4, tables[at].play(0, len(games.vp))).seats("win")
        assert (games.wins()[:, at] == played[:, [way.index(letter) for letter in "ABCD"]]).all()
    assert np.allclose(games.wins().sum(axis=2), 1)


def test_half_a_point_decides_a_tie_and_thalers_do_before():
    games = Played(np.array([[[50, 50, 49]]], np.int16), np.array([[[3, 9, 9]]], np.int16))
    assert games.wins().tolist() == [[[0, 1, 0]]]
    assert games.wins((1, 0, 0)).tolist() == [[[1, 0, 0]]]
    assert games.wins((0, 0, 2)).tolist() == [[[0, 0.5, 0.5]]]
    assert games._replace(by_thalers=False).wins().tolist() == [[[0.5, 0.5, 0]]]


def test_a_handicap_is_read_off_games_and_levels_those_very_games():
    above = (4, 1.5, -3, -1)
    games = synthetic(above, 4000)
    halves = lineup_effects.handicap_of([games])
    assert np.allclose(halves, [2 * (4 - each) for each in above], atol=1)
    shares = means_of(games.arranged(halves)).shares
    assert all(abs(share.value - 25) < 1 for share in shares.values())
    assert sum(share.value for share in shares.values()) == pytest.approx(100, abs=1e-9)
    assert spread_of(means_of(games.arranged()).shares).value > 10
    both = [synthetic((3, 0, 0, -3), 1500), synthetic((-3, 0, 0, 3), 1500)]
    assert max(lineup_effects.handicap_of(both)) <= 1  # it levels several cells together


def test_the_spread_of_wins_has_the_error_of_its_resamples():
    games = synthetic((4, 1.5, -3, -1), 400)
    shares = 100 * games.wins().mean(axis=1)

    def spread(rows):
        return spread_of({str(at): block_mean(column) for at, column in enumerate(rows.T)})

    again = [spread(shares[RNG.integers(0, 400, 400)]).value for _ in range(400)]
    assert spread(shares).error == pytest.approx(np.std(again), rel=0.15)
    assert spread(np.full((50, 4), 25.0)).value == 0


def test_a_seat_that_is_better_is_found_and_equal_seats_are_not():
    better = seats_of(synthetic((0, 0, 0, 0), seats=(1.5, 0, 0, 0)).arranged())
    assert hotelling(better.wins).p_value < 0.01
    assert hotelling(better.apart).p_value < 0.01
    balanced = seats_of(synthetic((4, 1.5, -3, -1)).arranged())
    assert hotelling(balanced.wins).p_value > 0.01
    assert hotelling(balanced.apart).p_value > 0.01
    assert sum(share.value for share in balanced.shares) == pytest.approx(100)


def test_exchanges_are_all_pairs_that_change_anything():
    counties, groups = exchanges(BOARD, 4, COUNTIES), exchanges(BOARD, 4, GROUPS)
    assert len(counties) == 6 * 8 * 8
    assert len(groups) == 4 * (28 - 1 - 1 - 3) + 6 * (64 - 1 - 4 - 4 - 9)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_an_exchange_keeps_the_army_groups_or_the_counties(players):
    printed = {
        letter: {BOARD.counties[county]: armies for county, armies, _ in BOARD.lineups[players, letter]}
        for letter in letters_of(players)
    }
    for kind in (COUNTIES, GROUPS):
        adjustment = exchanges(BOARD, players, kind)[-1]
        edited = after_exchange(BOARD, adjustment)
        assert load_experiment(lineup_games.EXPERIMENT, {"players": players, "lineup": edited}).lineup == edited
        for letter, groups in edited.items():
            if kind == COUNTIES:
                assert sorted(groups.values()) == sorted(printed[letter].values())
                assert len(set(groups) ^ set(printed[letter])) == 2
            else:
                assert set(groups) == set(printed[letter])
        armies = [armies for letter in printed for armies in {**printed, **edited}[letter].values()]
        assert sorted(armies) == sorted(armies for groups in printed.values() for armies in groups.values())


def test_adjustments_say_what_they_change():
    given = Adjustment(4, POINTS, halves=(0, 4, 11, 7))
    assert given.changes(BOARD) == {}
    assert given.in_words(BOARD) == "at the end A 0.0, B 2.0, C 5.5, D 3.5 VP more"
    held = Adjustment(4, THALERS, thalers=(11, 15, 20, 14))
    assert held.changes(BOARD) == {"thalers": {"A": 11, "B": 15, "C": 20, "D": 14}}
    moved = Adjustment(4, GROUPS, exchange=("Lüneburg", "Hessen-Darmstadt"))
    assert moved.in_words(BOARD) == "2 armies in Lüneburg (A) and 5 armies in Hessen-Darmstadt (C)"
    assert moved.changes(BOARD)["lineup"]["A"]["Lüneburg"] == 2


def test_borders_are_those_of_the_board():
    with (data_folder("board") / "borders.csv").open(encoding="utf-8") as file:
        pairs = {frozenset((row["county_a"], row["county_b"])) for row in csv.DictReader(file)}
    lineup = {letter: [BOARD.counties[county] for county, *_ in BOARD.lineups[4, letter]] for letter in "ABCD"}
    for letter, land in lineup_neighbours.lands(BOARD, 4).items():
        own = sum(frozenset(pair) in pairs for pair in combinations(lineup[letter], 2))
        with_others = {
            other: sum(frozenset((one, two)) in pairs for one in lineup[letter] for two in lineup[other])
            for other in "ABCD"
            if other != letter
        }
        assert (land.features[0], land.borders) == (own, with_others)
        free = set(BOARD.counties) - {name for names in lineup.values() for name in names}
        free -= {name for name, least in zip(BOARD.counties, BOARD.min_players, strict=True) if least > 4}
        assert land.features[2] == sum(frozenset((one, two)) in pairs for one in lineup[letter] for two in free)


def test_what_land_brings_is_recovered(monkeypatch):
    """Points that are made of a line-up's land, and of chance: the regression finds what one more of each brings."""
    truth = dict(zip(lineup_neighbours.FEATURES, (0.5, -0.4, 0.1, 0.2, 0.15, 0.25, -0.3), strict=True))

    def made(experiment, setups, games, workers):
        result = []
        for setup in setups:
            names = {letter: [name for name, _ in groups] for letter, groups in setup.lineup_edits}
            printed = {letter: [BOARD.counties[c] for c, *_ in BOARD.lineups[4, letter]] for letter in "ABCD"}
            land = lineup_neighbours.lands(BOARD, 4, {**printed, **names})
            level = [np.dot(list(truth.values()), land[letter].features) for letter in "ABCD"]
            result.append(np.array(level) + RNG.normal(0, 6, (200, 4)))
        return result

    monkeypatch.setattr(lineup_neighbours, "_played", made)
    result = lineup_neighbours.worth_of_land({"a play": experiment()}, 25, Cache(None), 1)["a play"]
    for feature, worth in truth.items():
        assert abs(result[feature].value - worth) < 4 * result[feature].error
        assert result[feature].error < 0.05


def test_claims_are_about_printed_lineups_of_four():
    outcomes = lineup_effects.claim_outcomes(experiment(), 1, workers=1)
    assert set(outcomes) == {claim.outcome for claim in lineup_effects.CLAIMS}
    assert {each.blocks for each in outcomes.values()} == {block_size(4)}
    for changes in ({"setup": "draft"}, {"thalers": {"A": 9}}, {"without": ["Tirol"]}):
        assert lineup_effects.claim_outcomes(experiment(**changes), 1, workers=1) == {}
    three = lineup_effects.claim_outcomes(experiment(players=3), 1, workers=1)
    assert set(three) == {claim.outcome for claim in lineup_effects.CLAIMS} - {lineup_effects.LEADER}


def test_claims_and_the_study_play_the_same_games():
    """The outcomes under an experiment are those of its cell, in whatever arrangement it names its line-ups."""
    outcomes = lineup_effects.claim_outcomes(experiment(lineups=["D", "B", "A", "C"]), 1, workers=1)
    design = lineup_effects.design_of(Choices(24, True))
    result = lineup_effects.of_size(4, design._replace(plays=(MIDDLING,)), Cache(None), 1)
    again = lineup_effects.outcomes(result.cells[HOME])
    assert {name: each.value for name, each in outcomes.items()} == {name: each.value for name, each in again.items()}
    assert tuple(result.cells[HOME]) == (PRINTED, *KINDS)
    assert not result.unseen
    shares = result.cells[HOME][POINTS].shares.values()
    assert sum(share.value for share in shares) == pytest.approx(100)


def test_a_cell_is_level_or_not_only_where_its_intervals_say_so():
    def level(above, numbers):
        rows = Rows("lineups", 1, "0" * 12)
        shares = means_of(synthetic(above, numbers).arranged()).shares
        for letter, share in shares.items():
            rows.estimate("wins", letter, share, Confidence(0.95, 4), words="wins", unit="%")
        return is_level({letter: rows.done().of("wins", letter) for letter in shares})

    assert level((0, 0, 0, 0), 4000) is True
    assert level((4, 0, 0, -4), 1000) is False
    assert level((0, 0, 0, 0), 60) is None
    assert level((4, 0, 0, -4), 10) is None  # too few blocks


def test_the_full_design_has_every_play_and_tower_and_the_quick_one_few():
    full, quick = lineup_effects.design_of(Choices()), lineup_effects.design_of(Choices(quick=True))
    assert {size: len(full.cells(size)) for size in full.sizes} == {3: 15, 4: 15, 5: 15}
    assert full.numbers(4) == experiment().games
    assert len(quick.cells(4)) == 2
    study = load_study("lineups")
    assert digest_of(study, quick) != digest_of(study, lineup_effects.design_of(Choices(48, True)))
    policies = {play.policy for play in full.plays_of(5)}
    assert set(strong_lines(5)) <= policies


def made(design, numbers=400):
    """Results of a design that are made of chance, not of games; each version is a little less uneven."""
    sizes = {}
    for players in design.sizes:
        cells = design.cells(players)
        above = np.linspace(3, -3, players)
        games = {
            cell: {version: synthetic(above / (1 + at), numbers, [0] * players) for at, version in enumerate(VERSIONS)}
            for cell in cells
        }
        arranged = {cell: {kind: each.arranged() for kind, each in here.items()} for cell, here in games.items()}
        means = {cell: {kind: means_of(each) for kind, each in here.items()} for cell, here in arranged.items()}
        halves = tuple(range(players))
        sizes[players] = lineup_effects.OfSize(
            players, means, {cell: seats_of(here[PRINTED]) for cell, here in arranged.items()},
            dict.fromkeys(cells, halves), {kind: means[cells[0]][kind] for kind in (PRINTED, POINTS)}, halves,
        )  # fmt: skip
    land = {
        play.name: {feature: block_mean(RNG.normal(0, 1, 192)) for feature in lineup_neighbours.FEATURES}
        for play in design.plays_of(4)
    }
    noise = RNG.normal(0, 1, numbers)
    errors = [block_mean(2 * (1 - error) + noise) for error in judgement.ERRORS]
    gaps = judgement.Gaps(dict.fromkeys(judgement.OUTCOMES, errors), dict.fromkeys(judgement.OUTCOMES, errors[-1]))
    return lineup_effects.Lineups(design, sizes, land, dict.fromkeys(design.skill(), gaps))


def test_figures_are_the_planted_ones_of_their_cell_and_version(tmp_path):
    """With three to five players, in cells known to the search and others; the page is the same from the register."""
    study, design = load_study("lineups"), lineup_effects.design_of(Choices())
    design = design._replace(plays=("weak", "middling", "strong"))
    result, rows = made(design), Rows("lineups", 202671, "0" * 12)
    study.figures(result, rows)
    figures, cell = rows.done(), Cell("strong", "mid", "lineup")
    for kind, means in result.sizes[4].cells[cell].items():
        for quantity in ("wins", "wins-of-all-versions")[: 2 if kind == PRINTED else 1]:
            figure = figures.of(quantity, item("A", kind), players=4, cell=cell)
            assert figure.value == pytest.approx(means.shares["A"].value, rel=1e-9)
            assert figure.error == pytest.approx(means.shares["A"].error, rel=1e-9)
            assert (figure.null, figure.n, figure.unit) == (25.0, 400, "%")
    whole = np.mean([here[PRINTED].shares["A"].value for here in result.sizes[4].cells.values()])
    for quantity in ("wins", "headline", "wins-by-version"):
        assert figures[f"lineups.{quantity}.4p.A"].value == pytest.approx(whole, rel=1e-9)
    assert figures["lineups.wins-from-fair.4p.A"].value == pytest.approx(whole - 25, rel=1e-6)
    assert {quantity_of(key) for key in figures} >= {quantity_of(key) for key in read_register("lineups")}
    file = tmp_path / "lineups.csv"
    file.write_text(register_text(figures), "utf-8")
    assert study.page(read_register("lineups", file), design) == study.page(figures, design)


def test_everything_that_decides_the_figures_is_in_the_digest(monkeypatch):
    """The adjustments, and the games that the handicap was read from, which have another seed."""
    study, design = load_study("lineups"), lineup_effects.design_of(Choices(24, True))
    digests = [digest_of(study, design)]
    result = lineup_effects.searched

    def other_seed(players, cell):
        return result(players, cell).changed(seed=7)

    monkeypatch.setattr(lineup_effects, "searched", other_seed)
    digests.append(digest_of(study, design))
    adjustments = lineup_effects.read_adjustments()
    monkeypatch.setattr(
        lineup_effects, "read_adjustments", lambda *_: (adjustments[0]._replace(halves=(0, 4, 11, 8)), *adjustments[1:])
    )
    digests.append(digest_of(study, design))
    assert len(set(digests)) == 3


def test_games_of_other_line_ups_rules_or_numbers_are_played_again(tmp_path, monkeypatch):
    """A part is taken for the experiment it was played with alone, handicap or not."""
    played = []

    def play_numbers(parts, seed, blocks, workers=1):
        played.append((parts.ruleset.thalers, parts.ruleset.final_tie, seed, blocks))
        return synthetic((0, 0, 0, 0), blocks)

    monkeypatch.setattr(lineup_effects, "play_numbers", play_numbers)
    designs = [({}, 2), ({"thalers": {"A": 3}}, 2), ({"rules": {"final_tie": "shared"}}, 2), ({"seed": 5}, 2), ({}, 3)]
    first = []
    for _ in range(2):
        for changes, blocks in designs:
            games = lineup_effects.cached_games(experiment(**changes), blocks, Cache(tmp_path, "lineups"))
            first.append(games.vp.tobytes())
            assert games.by_thalers is ("rules" not in changes)
        assert len(played) == len(designs)
    assert first[: len(designs)] == first[len(designs) :]


def test_other_exchanges_are_played_again(tmp_path, monkeypatch):
    """The cached worth of land is that of the exchanges that were played."""
    keys = []
    monkeypatch.setattr(lineup_neighbours, "_played", lambda *_: np.zeros((400, 1, 4)))
    monkeypatch.setattr(
        Cache, "get", lambda self, *part: keys.append(self.key(*part[:2])) or {"worth": np.zeros((9, 7))}
    )
    for _ in range(2):
        lineup_neighbours.worth_of_land({"a play": experiment()}, 1, Cache(None), 1)
        monkeypatch.setattr(lineup_neighbours, "exchanges", lambda *what: exchanges(*what)[:5])
    assert len(set(keys)) == 2
