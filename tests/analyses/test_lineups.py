"""The study `lineups`: games in all arrangements, the adjustments, what is measured, and what its first screen says."""

from dataclasses import replace

import numpy as np
import pytest

from tests.docs.pages import DOCS
from wallsim.analyses.lineups import finding, measure, search, worth
from wallsim.analyses.lineups import games as lineup_games
from wallsim.analyses.lineups.games import (
    COUNTIES,
    GROUPS,
    POINTS,
    PRINTED,
    THALERS,
    VERSIONS,
    Arenas,
    Played,
    adjustments_of,
    handicap_of,
    letters_of,
    play,
    read_adjustments,
    spread_of,
    ways_of,
)
from wallsim.analyses.lineups.measure import Lineups, design_of, item, wins_of
from wallsim.analyses.lineups.study import STUDY, is_level
from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import MIDDLING, STRONG, strong_lines
from wallsim.rules.board import load_board
from wallsim.rules.record import pack_rules
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.scenarios.file import load_experiments
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.studies.cache import Cache
from wallsim.studies.figure import Rows, quantity_of
from wallsim.studies.finding import finding_errors
from wallsim.studies.games import Games, block_size
from wallsim.studies.quantities import Key
from wallsim.studies.register import read_register, register_text
from wallsim.studies.running import digest_of
from wallsim.studies.study import Choices

BOARD = load_board()
HOME = Cell(MIDDLING, "spielbyweb", "lineup")
RNG = np.random.default_rng(8)


def experiment(**changes):
    return load_experiment(lineup_games.EXPERIMENT, changes)


def synthetic(above, numbers=600, seats=None):
    """Games whose points differ by line-up (and by seat) and are chance otherwise."""
    size = len(above)
    ways = ways_of(size)
    vp = 50 + RNG.normal(0, 8, (numbers, len(ways), size)) + np.asarray(above)
    for at, way in enumerate(ways):
        vp[:, at] += [(seats or [0] * size)[way.index(letter)] for letter in letters_of(size)]
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
    games = synthetic((4, 1.5, -3, -1), 4000)
    halves = handicap_of([games])
    assert np.allclose(halves, [2 * (4 - each) for each in (4, 1.5, -3, -1)], atol=1)
    shares = games.arranged(halves).shares().values()
    assert all(abs(share.value - 25) < 1 for share in shares)
    assert sum(share.value for share in shares) == pytest.approx(100, abs=1e-9)
    assert spread_of(games.arranged().shares()).value > 10
    both = [synthetic((3, 0, 0, -3), 1500), synthetic((-3, 0, 0, 3), 1500)]
    assert max(handicap_of(both)) <= 1  # it levels several cells together


def test_the_spread_of_wins_has_the_error_of_its_resamples():
    shares = 100 * synthetic((4, 1.5, -3, -1), 400).wins().mean(axis=1)

    def spread(rows):
        return spread_of({str(at): block_mean(column) for at, column in enumerate(rows.T)})

    again = [spread(shares[RNG.integers(0, 400, 400)]).value for _ in range(400)]
    assert spread(shares).error == pytest.approx(np.std(again), rel=0.15)
    assert spread(np.full((50, 4), 25.0)).value == 0


def test_a_seat_that_is_better_is_found_and_equal_seats_are_not(monkeypatch):
    for above, seats, differs in (((0, 0, 0, 0), (1.5, 0, 0, 0), True), ((4, 1.5, -3, -1), None, False)):
        games = synthetic(above, seats=seats)
        monkeypatch.setattr(measure, "cached_games", lambda *_, games=games: games)
        found, _ = measure.in_cell(4, 25, Cache(None), HOME)
        values = dict(measure.of_seats([HOME], 4, found))
        for test in (measure.SEATS, measure.WAYS):
            assert (values[Key(test, "p", 4, measure.ALL)].value < 0.01) == differs
        shares = [values[Key("seat-wins", f"seat {seat}", 4, HOME)].value for seat in range(4)]
        assert sum(shares) == pytest.approx(100)
        assert (shares[0] > 26) == differs


def test_claims_are_about_printed_lineups_of_four():
    outcomes = measure.claim_outcomes(experiment(), 1, workers=1)
    assert set(outcomes) == {claim.outcome for claim in measure.CLAIMS}
    assert {each.blocks for each in outcomes.values()} == {block_size(4)}
    for changes in ({"setup": "draft"}, {"thalers": {"A": 9}}, {"without": ["Tirol"]}):
        assert measure.claim_outcomes(experiment(**changes), 1, workers=1) == {}
    three = measure.claim_outcomes(experiment(players=3), 1, workers=1)
    assert set(three) == set(outcomes) - {measure.LEADER}


def test_claims_and_the_study_play_the_same_games():
    """The outcomes under an experiment are those of its cell, in whatever arrangement it names its line-ups."""
    outcomes = measure.claim_outcomes(experiment(lineups=["D", "B", "A", "C"]), 1, workers=1)
    found, _ = measure.in_cell(4, 1, Cache(None), HOME)
    again = measure.outcomes(found, 4, HOME)
    assert {name: each.value for name, each in outcomes.items()} == {name: each.value for name, each in again.items()}
    shares = [found[Key("wins", item(letter, POINTS), 4, HOME)] for letter in "ABCD"]
    assert sum(share.value for share in shares) == pytest.approx(100)


@pytest.mark.parametrize(
    ("above", "numbers", "level"),
    [((0, 0, 0, 0), 4000, True), ((4, 0, 0, -4), 1000, False), ((0, 0, 0, 0), 60, None), ((4, 0, 0, -4), 10, None)],
)
def test_a_cell_is_level_or_not_only_where_its_intervals_say_so(above, numbers, level):
    rows = Rows("lineups", 1, "0" * 12)
    for letter, share in synthetic(above, numbers).arranged().shares().items():
        rows.estimate("wins", letter, share, Confidence(0.95, 4), words="wins", unit="%")
    assert is_level(list(rows.done().values())) is level


def test_the_full_design_has_every_play_and_tower_and_the_quick_one_few():
    full, quick = design_of(Choices()), design_of(Choices(quick=True))
    assert {size: len(full.cells(size)) for size in full.sizes} == {3: 15, 4: 15, 5: 15}
    assert full.numbers(4) == experiment().games
    assert len(quick.cells(4)) == 2
    assert digest_of(STUDY, quick) != digest_of(STUDY, design_of(Choices(48, True)))
    assert set(strong_lines(5)) <= {play.policy for play in full.plays_of(5)}
    tables = full.skill()
    assert {cell.play for cell in tables} == set(worth.WEAKER)
    assert {table.seed for table in tables.values()} == {STUDY.experiment().seed + 2}


def test_figures_are_the_planted_ones_of_their_cell_and_version(tmp_path, monkeypatch):
    """With three and four players, in cells known to the search and others; the page is the same from the register."""
    design, games = design_of(Choices(240))._replace(sizes=(4, 3), plays=("weak", MIDDLING, STRONG)), {}

    def planted(experiment, blocks, cache):
        if (key := experiment.hash()) not in games:
            games[key] = synthetic(np.linspace(3, -3, experiment.players), 6 * experiment.players * blocks)
        return games[key]

    def get(cache, counted, facts, play):
        names, shape = (("worth",), (240, 7)) if "games" in facts else (worth.OUTCOMES, 240)
        return {name: RNG.normal(0, 1, shape) for name in names}

    monkeypatch.setattr(measure, "cached_games", planted)
    monkeypatch.setattr(Cache, "get", get)
    result, rows = STUDY.play(design, STUDY.storage(tmp_path)), Rows("lineups", 202671, "0" * 12)
    STUDY.figures(result, rows)
    figures = rows.done()
    adjustments, shares = adjustments_of(4), {}
    for cell in design.cells(4):
        for kind in VERSIONS:
            changes = adjustments[kind].changes(BOARD) if kind != PRINTED else {}
            played = planted(lineup_games.experiment_of(4, cell, changes), None, None)
            halves = adjustments[kind].halves if kind == POINTS else None
            shares[cell, kind] = 100 * played.wins(halves)[..., 0].mean(axis=1)
            for quantity in ("wins", "wins-of-all-versions")[: 2 if kind == PRINTED else 1]:
                figure = figures.of(quantity, item("A", kind), players=4, cell=cell)
                assert figure.value == pytest.approx(shares[cell, kind].mean(), rel=1e-9)
                assert figure.error == pytest.approx(shares[cell, kind].std(ddof=1) / 240**0.5, rel=1e-9)
                assert (figure.null, figure.n, figure.unit) == (25.0, 240, "%")
    whole = np.mean([shares[cell, PRINTED] for cell in design.cells(4)])
    for quantity in ("wins", "headline", "wins-by-version"):
        assert figures[f"lineups.{quantity}.4p.A"].value == pytest.approx(whole, rel=1e-9)
    assert figures["lineups.wins-from-fair.4p.A"].value == pytest.approx(whole - 25, rel=1e-6)
    assert {quantity_of(key) for key in figures} >= {quantity_of(key) for key in read_register("lineups")}
    file = tmp_path / "lineups.csv"
    file.write_text(register_text(figures), "utf-8")
    assert STUDY.page(read_register("lineups", file), design) == STUDY.page(figures, design)


def test_everything_that_decides_the_figures_is_in_the_digest(monkeypatch):
    """The adjustments, and the games that the handicap was read from, which have another seed."""
    design, result = design_of(Choices(24, True)), search.searched
    digests = [digest_of(STUDY, design)]
    monkeypatch.setattr(search, "searched", lambda *where: result(*where).changed(seed=7))
    digests.append(digest_of(STUDY, design))
    first, *others = read_adjustments()
    monkeypatch.setattr(lineup_games, "read_adjustments", lambda: (first._replace(halves=(0, 4, 11, 8)), *others))
    assert len({*digests, digest_of(STUDY, design)}) == 3


def test_games_of_other_line_ups_rules_or_numbers_are_played_again(tmp_path, monkeypatch):
    """A part is taken for the experiment it was played with alone, handicap or not."""
    played = []

    def play_numbers(parts, seed, blocks, workers=1):
        played.append((parts.ruleset.thalers, parts.ruleset.final_tie, seed, blocks))
        return synthetic((0, 0, 0, 0), blocks)

    monkeypatch.setattr(lineup_games, "play", play_numbers)
    designs = [({}, 2), ({"thalers": {"A": 3}}, 2), ({"rules": {"final_tie": "shared"}}, 2), ({"seed": 5}, 2), ({}, 3)]
    first = []
    for changes, blocks in designs * 2:
        games = measure.cached_games(experiment(**changes), blocks, Cache(tmp_path, "lineups"))
        first.append(games.vp.tobytes())
        assert games.by_thalers is ("rules" not in changes)
    assert len(played) == len(set(played)) == len(designs)
    assert first[: len(designs)] == first[len(designs) :]


def found_with(**best):
    """The finding with figures in which the version that `best` names for a play is the most even one there.

    They are of the casual table and both lines of strong play, with 4 players under one tower.
    """
    best = {play.replace("_", " "): kind for play, kind in best.items()}
    design = design_of(Choices())._replace(sizes=(4,), towers=("spielbyweb",), plays=tuple(best))
    found, rows = {}, Rows("lineups", 202671, "0" * 12)
    for cell in design.cells(4):
        for kind in VERSIONS:
            above = (0, 0, 0, 0) if kind == best[cell.play] else (9, 0, 0, -9)
            found |= wins_of(synthetic(above, 800).arranged(), kind, cell)
    STUDY.figures(Lineups(design, dict(measure.of_wins(design, 4, found)), {}), rows)
    figures = rows.done()
    said = finding.finding_of(figures, design)
    assert finding_errors(said, finding.spreads_by_table(design).text(figures)) == []
    assert finding.finding_of(figures, design._replace(quick=True)) is None
    return figures, said


@pytest.mark.parametrize(("casual", "strong"), [(GROUPS, GROUPS), (PRINTED, COUNTIES), (THALERS, POINTS)])
def test_the_finding_names_the_version_with_the_least_spread_at_each_table(casual, strong):
    figures, said = found_with(casual=casual, strong=strong, second_strong=strong)
    assert finding.nearest(figures, [finding.CASUAL_TABLE]) == [casual]
    assert finding.nearest(figures, finding.LINES) == [strong]
    assert finding.agree(figures, finding.LINES)
    assert finding.NAMES[casual] in said.title
    assert finding.NAMES[strong] in said.title
    assert ("Line-up A wins too often" in said.title) == (PRINTED not in (casual, strong))


def test_where_the_lines_of_strong_play_differ_the_finding_says_so():
    figures, said = found_with(casual=POINTS, strong=COUNTIES, second_strong=GROUPS)
    assert not finding.agree(figures, finding.LINES)
    assert said.title.endswith("fairest with a handicap; experienced players differ by line of play")
    assert "Best are swapped counties (" in said.experienced
    assert "in one line, swapped army groups (" in said.experienced


def test_the_ready_handicap_in_whole_points_is_that_of_the_study_rounded():
    """The example has another one, too, that is fairer between casual players."""
    scenarios = load_experiments(DOCS / "examples" / "fair-4p-handicap.toml").experiments
    assert list(scenarios) == ["printed", "study", "casual"]
    steps = {step["seat"]: step["vp"] for step in scenarios["study"].interventions}
    for letter, half in zip("ABCD", adjustments_of(4)[POINTS].halves, strict=True):
        assert abs(2 * steps.get(letter, 0) - half) <= 1
    assert all(each.policies == ("amateur",) * 4 for each in scenarios.values())


@pytest.mark.parametrize(("players", "kind"), [(4, THALERS), (5, COUNTIES)])
def test_ready_files_have_the_changes_that_the_study_plays(players, kind):
    """They stand in docs/examples for those who want to play with them."""
    found = load_experiment(DOCS / "examples" / f"fair-{players}p-casual.toml")
    plain = found.changed(thalers={}, lineup={})
    assert (found.players, found.policies) == (players, ("amateur",) * players)
    assert plain.hash() != found.hash() == plain.changed(**adjustments_of(players)[kind].changes(BOARD)).hash()
