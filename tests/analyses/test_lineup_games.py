"""Line-ups: games in all arrangements, the fixes and their file."""

import tomllib
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from makers import mends as search

from tests.refusals import assert_names, refused
from wallsim.analyses.lineups import games as it
from wallsim.analyses.lineups.games import EXCHANGE, PAIR, POINTS, THALERS, Fix, Played, letters_of, ways_of
from wallsim.experiment.file import load_experiment
from wallsim.experiment.identity import as_of_engine
from wallsim.rules.board import load_board
from wallsim.rules.record import pack_rules
from wallsim.stats.intervals import Confidence
from wallsim.studies.games import Games

BOARD = load_board()
RNG = np.random.default_rng(8)


def experiment(**changes):
    return load_experiment(it.EXPERIMENT, changes)


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
        {"thalers": {"A": 3, "D": 20}},
        {"thalers": {"0": 3}},
        {"lineup": {"A": {"Tirol": 5, "Baden": 2}, "B": {"Lüneburg": 4}}},
        {"rules": {"bank": 160}, "players": 5, "policies": "balanced"},
    ],
)
def test_every_arrangement_has_the_rules_that_its_experiment_would_have(changes):
    parts = experiment(**changes).components()
    tables = it.arenas_of(parts.arena(1), parts.board, parts.ruleset)
    assert tuple(tables) == ways_of(parts.ruleset.players)
    for way, table in tables.items():
        own = pack_rules(parts.board, replace(parts.ruleset, lineups=way), parts.tower)
        assert table.rules.tobytes() == own.tobytes()


@pytest.mark.parametrize("rules", [{}, {"final_tie": "shared"}])
def test_wins_are_those_that_the_engine_tells(rules):
    parts = experiment(rules=rules).components()
    games = it.play(parts, 5, 3)
    tables = it.arenas_of(parts.arena(5), BOARD, parts.ruleset)
    for at, (way, table) in enumerate(tables.items()):
        played = Games(0, 4, table.play(0, len(games.vp))).seats("win")
        assert (games.wins()[:, at] == played[:, [way.index(letter) for letter in "ABCD"]]).all()
    assert np.allclose(games.wins().sum(axis=2), 1)


def test_a_point_decides_a_tie_and_thalers_do_before():
    games = Played(np.array([[[50, 50, 49]]], np.int16), np.array([[[3, 9, 9]]], np.int16))
    assert games.wins().tolist() == [[[0, 1, 0]]]
    assert games.wins((1, 0, 0)).tolist() == [[[1, 0, 0]]]
    assert games.wins((0, 0, 1)).tolist() == [[[0, 0.5, 0.5]]]
    assert games._replace(thalers=0 * games.thalers).wins().tolist() == [[[0.5, 0.5, 0]]]


def test_a_handicap_is_read_off_games_and_levels_those_very_games():
    games = synthetic((4, 2, -3, -1), 4000)
    handicap = it.handicap_of([games])
    assert np.allclose(handicap, [0, 2, 7, 5], atol=1)
    assert games.imbalance().value > 10
    assert games.imbalance(handicap).value < 1
    shares = games.arranged(handicap).shares().values()
    assert sum(share.value for share in shares) == pytest.approx(100, abs=1e-9)


def test_a_handicap_serves_the_worst_cell():
    """Where cells want opposite handicaps none helps: the better of one would harm the other."""
    both = [synthetic((3, 0, 0, -3), 1500), synthetic((-3, 0, 0, 3), 1500)]
    handicap = it.handicap_of(both)
    assert abs(handicap[0] - handicap[3]) <= 1
    assert it.worst(both) == max(games.imbalance().value for games in both) > 5


def test_the_imbalance_is_without_what_chance_adds():
    """In few games of equal line-ups shares differ by chance alone: the mean of squared imbalances stays near 0."""
    few = [synthetic((0, 0, 0, 0), 60) for _ in range(60)]
    raw = np.mean([((games.shares() - 25) ** 2).mean() for games in few])
    assert raw > 1
    assert np.mean([games.imbalance().value ** 2 for games in few]) < 0.6 * raw  # it is never below 0
    covered = sum(games.imbalance().interval(Confidence())[0] == 0 for games in few)
    assert covered >= 54
    uneven = synthetic((4, 2, -3, -1), 600)
    assert uneven.imbalance().value == pytest.approx(np.sqrt(((uneven.shares() - 25) ** 2).mean()), rel=0.02)


def test_exchanges_are_all_pairs_that_change_anything():
    assert len(it.exchanges(BOARD, 4, "casual", of_groups=False)) == 6 * 8 * 8
    assert len(it.exchanges(BOARD, 4, "casual", of_groups=True)) == 4 * (28 - 1 - 1 - 3) + 6 * (64 - 1 - 4 - 4 - 9)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_an_exchange_keeps_the_army_groups_or_the_counties(players):
    printed = {letter: {BOARD.counties[county]: armies for county, armies, _ in BOARD.lineups[players, letter]}
               for letter in letters_of(players)}  # fmt: skip
    armies = sorted(each for groups in printed.values() for each in groups.values())
    counties, groups = (it.exchanges(BOARD, players, "casual", of_groups=each)[-1] for each in (False, True))
    beside = next(filter(None, map(counties.beside, it.exchanges(BOARD, players, "casual", of_groups=True))))
    assert counties.beside(groups._replace(groups=counties.counties)) is None
    for fix, changed in ((counties, 2), (groups, 0), (beside, 2)):
        edited = fix.edited(BOARD)
        assert experiment(players=players, lineup=edited).lineup == edited
        for letter, each in edited.items():
            assert len(set(each) ^ set(printed[letter])) in (0, changed)
            assert fix.groups or sorted(each.values()) == sorted(printed[letter].values())
        assert sorted(each for one in {**printed, **edited}.values() for each in one.values()) == armies


def test_fixes_say_what_they_change():
    given = Fix(4, "casual", POINTS, points=(0, 4, 11, 7))
    assert given.changes(BOARD) == {}
    assert given.in_words(BOARD) == "at the end B 4, C 11, D 7 VP more"
    held = Fix(4, "casual", THALERS, thalers=(11, 15, 20, 14))
    assert held.changes(BOARD) == {"thalers": {"A": 11, "B": 15, "C": 20, "D": 14}}
    moved = Fix(4, "casual", EXCHANGE, groups=("Lüneburg", "Hessen-Darmstadt"))
    assert_names(moved.in_words(BOARD), "2 armies in Lüneburg (A)", "5 armies in Hessen-Darmstadt (C)")
    assert moved.changes(BOARD)["lineup"]["A"]["Lüneburg"] == 2
    both = moved.with_points((0, 1, 0, 0))
    assert (both.kind, both.changes(BOARD)) == (PAIR, moved.changes(BOARD))
    assert both.parts(BOARD) == [moved.in_words(BOARD), "at the end B 1 VP more"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("mends = 3", []), ("", []), ("mends = [3]", []),
        ("[[mends]]\nplayers = 4\nplay = 'casual'\nkind = 'luck'", ["kind", "luck", it.PAIR]),
        ("[[mends]]\nplayers = 4\nplay = 'nobody'\nkind = 'exchange'", ["play", "nobody", "casual"]),
    ],
)  # fmt: skip
def test_a_file_that_has_no_fixes_is_refused(tmp_path, text, names):
    path = tmp_path / "mends.toml"
    path.write_text(text, "utf-8")
    with refused(path, *names):
        it.read_fixes(path)


def test_the_file_of_the_study_is_whole_and_as_the_search_writes_it():
    """Every number and kind of bots has each kind of fix; the file names its command, and has this search's hash."""
    fixes, text = it.read_fixes(), it.FIXES.read_text("utf-8")
    metadata = tomllib.loads(text)
    with as_of_engine(metadata["engine_version"]):  # those of an earlier engine stay
        assert text == search.fixes_text(fixes, search.facts(search.FULL))
    assert ".ci/maker mends" in text
    kinds = [(each.players, each.play, each.kind) for each in fixes]
    assert kinds == [*product(it.SIZES, it.FIXED_PLAYS, it.KINDS)]
    assert search.searched(4, search.cells_of("casual")[0]).seed == metadata["seed"] == search.SEED
    assert search.SEED != load_experiment(it.EXPERIMENT).seed
    for fix in fixes:
        assert min(fix.points, default=0) == 0
        assert sum(fix.thalers) in (0, {3: 18, 4: 15, 5: 12}[fix.players] * fix.players)
        assert len(fix.parts(BOARD)) == 1 + (fix.kind == PAIR)
