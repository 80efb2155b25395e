"""Line-ups: games in all arrangements, the adjustments and their file."""

import tomllib
from dataclasses import replace

import numpy as np
import pytest
from makers import mends as search

from tests.refusals import assert_names, refused
from wallsim.analyses.lineups import games as it
from wallsim.analyses.lineups.games import COUNTIES, GROUPS, POINTS, THALERS, Adjustment, Played, letters_of, ways_of
from wallsim.experiment.file import load_experiment
from wallsim.experiment.identity import as_of_engine
from wallsim.rules.board import load_board
from wallsim.rules.record import pack_rules
from wallsim.stats.blocks import block_mean
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


def test_half_a_point_decides_a_tie_and_thalers_do_before():
    games = Played(np.array([[[50, 50, 49]]], np.int16), np.array([[[3, 9, 9]]], np.int16))
    assert games.wins().tolist() == [[[0, 1, 0]]]
    assert games.wins((1, 0, 0)).tolist() == [[[1, 0, 0]]]
    assert games.wins((0, 0, 2)).tolist() == [[[0, 0.5, 0.5]]]
    assert games._replace(thalers=0 * games.thalers).wins().tolist() == [[[0.5, 0.5, 0]]]


def test_a_handicap_is_read_off_games_and_levels_those_very_games():
    games = synthetic((4, 1.5, -3, -1), 4000)
    halves = it.handicap_of([games])
    assert np.allclose(halves, [2 * (4 - each) for each in (4, 1.5, -3, -1)], atol=1)
    shares = games.arranged(halves).shares().values()
    assert all(abs(share.value - 25) < 1 for share in shares)
    assert sum(share.value for share in shares) == pytest.approx(100, abs=1e-9)
    assert it.spread_of(games.arranged().shares()).value > 10
    both = [synthetic((3, 0, 0, -3), 1500), synthetic((-3, 0, 0, 3), 1500)]
    assert max(it.handicap_of(both)) <= 1  # it levels several cells together


def test_the_spread_of_wins_has_the_error_of_its_resamples():
    shares = 100 * synthetic((4, 1.5, -3, -1), 400).wins().mean(axis=1)

    def spread(rows):
        return it.spread_of({str(at): block_mean(column) for at, column in enumerate(rows.T)})

    again = [spread(shares[RNG.integers(0, 400, 400)]).value for _ in range(400)]
    assert spread(shares).error == pytest.approx(np.std(again), rel=0.15)
    assert spread(np.full((50, 4), 25.0)).value == 0


def test_exchanges_are_all_pairs_that_change_anything():
    assert len(it.exchanges(BOARD, 4, COUNTIES)) == 6 * 8 * 8
    assert len(it.exchanges(BOARD, 4, GROUPS)) == 4 * (28 - 1 - 1 - 3) + 6 * (64 - 1 - 4 - 4 - 9)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_an_exchange_keeps_the_army_groups_or_the_counties(players):
    printed = {letter: {BOARD.counties[county]: armies for county, armies, _ in BOARD.lineups[players, letter]}
               for letter in letters_of(players)}  # fmt: skip
    armies = sorted(each for groups in printed.values() for each in groups.values())
    for kind, changed in ((COUNTIES, 2), (GROUPS, 0)):
        edited = it.exchanges(BOARD, players, kind)[-1].edited(BOARD)
        assert experiment(players=players, lineup=edited).lineup == edited
        for letter, groups in edited.items():
            assert len(set(groups) ^ set(printed[letter])) == changed
            assert kind == GROUPS or sorted(groups.values()) == sorted(printed[letter].values())
        assert sorted(each for groups in {**printed, **edited}.values() for each in groups.values()) == armies


def test_adjustments_say_what_they_change():
    given = Adjustment(4, POINTS, halves=(0, 4, 11, 7))
    assert given.changes(BOARD) == {}
    assert_names(given.in_words(BOARD), "A 0.0", "B 2.0", "C 5.5", "D 3.5 VP more")
    held = Adjustment(4, THALERS, thalers=(11, 15, 20, 14))
    assert held.changes(BOARD) == {"thalers": {"A": 11, "B": 15, "C": 20, "D": 14}}
    moved = Adjustment(4, GROUPS, exchange=("Lüneburg", "Hessen-Darmstadt"))
    assert_names(moved.in_words(BOARD), "2 armies in Lüneburg (A)", "5 armies in Hessen-Darmstadt (C)")
    assert moved.changes(BOARD)["lineup"]["A"]["Lüneburg"] == 2


@pytest.mark.parametrize("text", ["mends = 3", "", "[[mends]]\nplayers = 4\nkind = 'luck'", "mends = [3]"])
def test_a_file_that_has_no_adjustments_is_refused(tmp_path, text):
    path = tmp_path / "mends.toml"
    path.write_text(text, "utf-8")
    with refused(path):
        it.read_adjustments(path)


def test_the_file_of_the_study_is_whole_and_as_the_search_writes_it():
    """Every number of players has each kind once; the file names its command, and has the hash of this search."""
    adjustments, text = it.read_adjustments(), it.ADJUSTMENTS.read_text("utf-8")
    metadata = tomllib.loads(text)
    with as_of_engine(metadata["engine_version"]):  # those of an earlier engine stay
        assert text == search.adjustments_text(adjustments, search.facts(search.FULL))
    assert ".ci/maker mends" in text
    kinds = [(each.players, each.kind) for each in adjustments]
    assert sorted(kinds) == sorted((size, kind) for size in (3, 4, 5) for kind in it.KINDS)
    assert (metadata["seed"], metadata["read"]) == (search.SEED, search.FULL.read)
    assert (tuple(metadata["plays"]), tuple(metadata["towers"])) == (search.PLAYS, search.TOWERS)
    assert search.searched(4, search.cells_of(4)[0]).seed == search.SEED != load_experiment(it.EXPERIMENT).seed
    for adjustment in adjustments:
        assert min(adjustment.halves, default=0) == 0
        printed = {3: 18, 4: 15, 5: 12}[adjustment.players]
        assert sum(adjustment.thalers) in (0, printed * adjustment.players)
