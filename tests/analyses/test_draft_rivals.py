"""Table drafters among each other: gains by number of others, the response, and what the tables say."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from wallsim.analyses.draft import rivals
from wallsim.analyses.draft.cells import DRAFT, PLAYERS, in_cell, scope_of
from wallsim.analyses.draft.deals import NEIGHBOURS, Deals, Ground, points_of, started, wins_of
from wallsim.analyses.draft.drafters import by_table, seated
from wallsim.analyses.draft.figures import QUANTITIES, TABLES, of_table_drafters
from wallsim.analyses.draft.tables import rival_tables, side_among
from wallsim.analyses.draft.worth import PickTable, estimated
from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import CASUAL, MIDDLING, STRONG
from wallsim.studies.cache import Cache
from wallsim.studies.figure import Rows
from wallsim.studies.grids import texts_of
from wallsim.studies.quantities import add_values
from wallsim.studies.study import Choices

EXPERIMENT = in_cell(Cell(MIDDLING, "spielbyweb", DRAFT), 3)
GROUND = Ground(EXPERIMENT)
GAMES = 60


@pytest.fixture(scope="module")
def drafter(tmp_path_factory):
    """A table drafter that likes the first counties of the list, and no borders."""
    worths = dict(zip(GROUND.names, np.linspace(2, -2, len(GROUND.names)), strict=True))
    table = PickTable(worths, dict(zip(NEIGHBOURS, (0.5, -0.5, 0.2), strict=True)))
    return by_table(table, GROUND, tmp_path_factory.mktemp("drafters") / "first.py")


def by_hand(drafter, seats, counties=False):
    """Games in which some seats draft by the table."""
    parts = EXPERIMENT.components()
    policies = parts.policies
    for seat in seats:
        policies = seated(policies, drafter, seat)
    rows = replace(parts, policies=policies).arena(EXPERIMENT.seed).play(0, GAMES, counties=counties)
    points = points_of(rows.seats, 3)
    return points, points - points.mean(axis=1, keepdims=True), wins_of(rows.seats, 3), rows.counties


def test_one_more_table_drafter_is_compared_with_itself_among_the_same_others(drafter):
    gains = rivals.gains_of(EXPERIMENT, drafter, GAMES, Cache(None), workers=1)
    played = {seats: by_hand(drafter, seats) for seats in ((), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2))}
    for what, place in (("points", 1), ("wins", 2)):
        found = getattr(gains, what)
        assert found.shape == (3, GAMES)
        none = [played[seat,][place][:, seat] - played[()][place][:, seat] for seat in range(3)]
        assert np.allclose(found[0], np.mean(none, axis=0))
        last = [
            played[0, 1, 2][place][:, seat] - played[tuple(s for s in range(3) if s != seat)][place][:, seat]
            for seat in range(3)
        ]
        assert np.allclose(found[2], np.mean(last, axis=0))
    assert np.allclose(gains.means[0], played[()][0].mean(axis=1))
    assert np.allclose(gains.means[3], played[0, 1, 2][0].mean(axis=1))
    assert gains.points.any(axis=1).all()


def test_a_response_is_the_table_of_drafts_in_which_all_go_by_the_first(drafter):
    games = 288
    found = rivals.response_to(EXPERIMENT, drafter, games, Cache(None), workers=1)
    parts = EXPERIMENT.components()
    policies = parts.policies
    for seat in range(3):
        policies = seated(policies, drafter, seat)
    rows = replace(parts, policies=policies).arena(EXPERIMENT.seed).play(0, games, counties=True)
    cell = Cell("any", "spielbyweb", DRAFT)
    result = estimated(GROUND, Deals(*started(rows.counties, games)), {cell: points_of(rows.seats, 3)})
    assert found == result.table(result.fits[cell])


def test_a_response_that_is_the_table_itself_gains_exactly_nothing(drafter):
    points, wins = rivals.response_gains(EXPERIMENT, drafter, drafter, GAMES, Cache(None), workers=1)
    assert not points.any()
    assert not wins.any()


def test_the_games_that_judge_a_response_are_not_those_that_made_it():
    scope = scope_of(Choices())
    tables = [
        rivals.in_table(scope, play, players, shift)
        for play in rivals.plays_of_rivals(scope)
        for players in rivals.sizes_of_rivals(scope)
        for shift in (rivals.FITTED, rivals.JUDGED)
    ]
    others = {in_cell(scope.home(setup)).seed for setup in ("deal", DRAFT)}
    others |= {in_cell(scope.home("deal")).seed + 2}  # of pairs of counties
    seeds = {table.seed for table in tables}
    assert len(seeds) == 2
    assert not seeds & others
    assert {table.setup for table in tables} == {DRAFT}


def planted(scope, gains):
    """Table drafters that gain so many points, by play and number of others, with four players."""
    rng, result = np.random.default_rng(3), rivals.Rivals({}, {})
    tables = [PickTable({"A": 1.0, "B": -1.0, "C": 0.0}, dict.fromkeys(NEIGHBOURS, each)) for each in (-1.0, -2.0)]
    for play in rivals.plays_of_rivals(scope):
        points = np.array(gains[play])[:, None] + rng.normal(0, 0.1, (PLAYERS, 400))
        result.gains[PLAYERS, play] = rivals.Gains(points, 3 * points, rng.normal(50, 1, (PLAYERS + 1, 400)))
        result.responses[play] = rivals.Response(*tables, points[0], points[0])
    return result


def figures_of(scope, gains):
    """The figures of table drafters that gain so many points."""
    rows, found = Rows("draft", 1, "0" * 12), SimpleNamespace(scope=scope, rivals=planted(scope, gains))
    add_values(rows, QUANTITIES, dict(of_table_drafters(found)))
    return rows.done()


@pytest.mark.parametrize(
    ("gains", "side", "words"),
    [
        ((1, 1, 1, 1), 1, "With 4 players it gains points in casual play, however many others draft by it."),
        ((-1, -1, -1, -1), -1, "With 4 players it costs points in casual play, however many others draft by it."),
        ((1, 1, 0, -1), None, "Whether it gains with 4 players depends on the others in casual play."),
        ((1, 1, 1, 0), 0, "Whether it always gains with 4 players is not known for casual play."),
    ],
)
def test_the_tables_say_whether_the_gain_stays_however_many_others_there_are(gains, side, words):
    plays = tuple(play for play in scope_of(Choices()).plays if play.name == CASUAL)
    scope = scope_of(Choices(quick=True))._replace(plays=plays)
    figures = figures_of(scope, {CASUAL: gains})
    assert side_among(figures, scope, CASUAL) == side
    text = texts_of(figures, rival_tables(figures, scope))
    assert words in text
    assert text.count("| 4 | ") == PLAYERS
    assert all(f"VP for a border, in {name}" in text for name in TABLES)
    assert f"| {CASUAL} | " in text


def test_intervals_hold_for_all_numbers_of_others_plays_and_responses_together():
    scope = scope_of(Choices(quick=True))
    figures = figures_of(scope, {STRONG: (1, 1, 1, 1)})
    at = {"players": PLAYERS, "play": STRONG, "tower": "spielbyweb", "setup": DRAFT}
    gain = figures.of("one-more-by-the-table", "3 others", **at)
    assert gain.family == 2 * PLAYERS + 1 + 2
    assert gain.n == 400
