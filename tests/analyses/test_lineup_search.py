"""The search for fairer line-ups: adjustments and their file, races, the steps towards level Thalers, the command."""

import tomllib

import numpy as np
import pytest

from wallsim.analyses.lineups import search as lineup_search
from wallsim.analyses.lineups.games import (
    ADJUSTMENTS,
    COUNTIES,
    EXPERIMENT,
    GROUPS,
    KINDS,
    POINTS,
    THALERS,
    Adjustment,
    adjustments_of,
    adjustments_text,
    exchanges,
    handicap_of,
    letters_of,
    play,
    read_adjustments,
    unevenness,
)
from wallsim.analyses.lineups.search import Course, Stages, cells_of, course_of, facts, race, searched
from wallsim.errors import InputError
from wallsim.rules.board import load_board
from wallsim.runs.experiment_file import load_experiment

BOARD = load_board()
RNG = np.random.default_rng(5)


def test_exchanges_are_all_pairs_that_change_anything():
    assert len(exchanges(BOARD, 4, COUNTIES)) == 6 * 8 * 8
    assert len(exchanges(BOARD, 4, GROUPS)) == 4 * (28 - 1 - 1 - 3) + 6 * (64 - 1 - 4 - 4 - 9)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_an_exchange_keeps_the_army_groups_or_the_counties(players):
    printed = {
        letter: {BOARD.counties[county]: armies for county, armies, _ in BOARD.lineups[players, letter]}
        for letter in letters_of(players)
    }
    for kind in (COUNTIES, GROUPS):
        edited = exchanges(BOARD, players, kind)[-1].edited(BOARD)
        assert load_experiment(EXPERIMENT, {"players": players, "lineup": edited}).lineup == edited
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


def test_adjustments_are_read_as_they_were_written(tmp_path):
    adjustments = (
        Adjustment(4, POINTS, halves=(0, 4, 11, 7)),
        Adjustment(4, THALERS, thalers=(11, 15, 20, 14)),
        Adjustment(3, COUNTIES, exchange=("Passau", "Kärnten")),
    )
    path = tmp_path / "mends.toml"
    path.write_text(adjustments_text(adjustments, {"seed": 3}), "utf-8")
    assert read_adjustments(path) == adjustments
    assert tomllib.loads(path.read_text("utf-8"))["seed"] == 3


@pytest.mark.parametrize(
    "text",
    ["mends = 3", "", "[[mends]]\nplayers = 4", "[[mends]]\nplayers = 4\nkind = 'luck'", "mends = [3]"],
)
def test_a_file_that_has_no_adjustments_is_refused(tmp_path, text):
    path = tmp_path / "mends.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=r"mends\.toml"):
        read_adjustments(path)


def test_the_file_of_the_study_is_whole_and_as_the_search_writes_it():
    """Every number of players has each kind once; the file names its command, and has the hash of this search."""
    adjustments, text = read_adjustments(), ADJUSTMENTS.read_text("utf-8")
    assert text == adjustments_text(adjustments, facts(lineup_search.FULL))
    assert "python -m wallsim.analyses.lineups.search" in text
    kinds = [(each.players, each.kind) for each in adjustments]
    assert sorted(kinds) == sorted((size, kind) for size in (3, 4, 5) for kind in KINDS)
    metadata = tomllib.loads(text)
    assert (metadata["seed"], metadata["read"]) == (lineup_search.SEED, lineup_search.FULL.read)
    assert (tuple(metadata["plays"]), tuple(metadata["towers"])) == (lineup_search.PLAYS, lineup_search.TOWERS)
    assert searched(4, cells_of(4)[0]).seed == lineup_search.SEED != load_experiment(EXPERIMENT).seed
    for adjustment in adjustments:
        assert min(adjustment.halves, default=0) == 0
        printed = {3: 18, 4: 15, 5: 12}[adjustment.players]
        assert sum(adjustment.thalers) in (0, printed * adjustment.players)


class Made:
    """A course without games: set-ups are rows of true shares, and chance falls with the number of blocks."""

    players = 4

    def __init__(self, truth):
        self.truth, self.cells, self.asked = np.asarray(truth), (0, 1), []

    def shares(self, setups, blocks):
        self.asked.append((len(setups), blocks))
        return self.truth[setups] + RNG.normal(0, 4 / np.sqrt(len(blocks)), (len(setups), 2, 4))


def test_a_race_finds_the_most_even_setup_on_numbers_of_their_own():
    truth = 25 + RNG.normal(0, 8, (200, 2, 4))
    truth[137] = 25.5
    course = Made(truth)
    place, shares, after = race(course, list(range(200)), Stages(2, 3, 0.2), 10, lambda line: None)
    assert place == 137
    assert unevenness(shares) < 4
    assert [count for count, _ in course.asked] == [200, 40, 8, 1]
    ranges = [blocks for _, blocks in course.asked]
    assert [len(blocks) for blocks in ranges] == [2, 6, 18, 54]
    assert [blocks.start for blocks in ranges] == [10, 12, 18, 36]
    assert after == ranges[-1].stop


def test_steps_lead_to_thalers_that_level_where_wins_are_linear():
    best, slope = np.array([-6.0, -1.0, 5.0, 2.0]), 0.9
    tried = np.array([[0.0, 0, 0, 0], [-3, 0, 2, 1]])
    result = np.stack([25 + slope * (tried - best)] * 2, axis=1)
    assert np.allclose(lineup_search.next_step(tried, result), best)


@pytest.mark.parametrize("above", [[0.0, 0, 0, 0], [-3.4, 0.6, 1.4, 1.4], [1e-9, -1e-9, 2.5, -2.5]])
def test_whole_thalers_keep_the_sum(above):
    thalers = lineup_search.whole(np.array(above), 15)
    assert sum(thalers) == 60
    assert all(abs(each - 15 - there) < 1 for each, there in zip(thalers, above, strict=True))


def test_no_step_leaves_the_rules():
    bounded = lineup_search.bounded_thalers(np.array([-30.0, 10, 10, 10]), 15)
    assert bounded.min() == -15
    assert bounded.sum() == pytest.approx(0)
    assert lineup_search.bounded_thalers(np.array([-60.0, -60, 20, 100]), 15).max() <= 30
    assert (lineup_search.bounded_thalers(np.array([-3.0, 1, 1, 1]), 15) == [-3, 1, 1, 1]).all()


def test_a_course_plays_the_games_of_its_setups():
    """Printed line-ups have the same games as the experiment in all arrangements, and edits change them."""
    course = Course([searched(4, cells_of(4)[0])], workers=1)
    plain, rich = (course.setup(Adjustment(4, THALERS, thalers=each)) for each in ((), (40, 15, 15, 15)))
    [[games], [others]] = course.played([plain, rich], range(1, 2))
    again = play(course.cells[0], lineup_search.SEED, 2)
    assert (games.vp == again.vp[24:]).all()
    assert others.vp[:, :, 0].mean() > games.vp[:, :, 0].mean() + 2
    assert course.shares([plain], range(1, 2)).sum() == pytest.approx(100)


def test_the_command_writes_the_adjustments_and_a_log(tmp_path, monkeypatch, capsys):
    adjustments = {size: [Adjustment(size, POINTS, halves=(0,) * size)] for size in lineup_search.SIZES}

    def made(players, budget, workers, report):
        report(f"{players} players, {workers} threads")
        return adjustments[players]

    monkeypatch.setattr(lineup_search, "search", made)
    assert lineup_search.main([str(tmp_path / "a"), "--into", str(tmp_path / "m.toml"), "--workers", "3"]) == 0
    assert read_adjustments(tmp_path / "m.toml") == tuple(each for one in adjustments.values() for each in one)
    assert (tmp_path / "a" / "search.log").read_text("utf-8") == capsys.readouterr().out
    assert lineup_search.main([str(tmp_path / "b"), "--quick"]) == 0
    assert tomllib.loads((tmp_path / "b" / "mends.toml").read_text("utf-8"))["read"] == lineup_search.QUICK.read


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["{here}/file"], "is a file; name a folder"),
        (["{here}/log", "--into", "{here}"], "--into: {here}: is a folder"),
        (["{here}/log", "--into", "{here}/none/mends.toml"], "--into: {here}/none: is no folder"),
        (["{here}/log", "--workers", "0"], "'0' is not a whole number from 1"),
        (["{here}/log", "\x1b[1m"], "unrecognized arguments: \\x1b[1m"),
    ],
)
def test_the_command_refuses_invalid_input_before_it_plays(tmp_path, monkeypatch, capsys, arguments, words):
    monkeypatch.setattr(lineup_search, "search", lambda *_: pytest.fail("played"))
    (tmp_path / "file").touch()
    try:
        status = lineup_search.main([argument.format(here=tmp_path) for argument in arguments])
    except SystemExit as end:  # of argparse
        status = end.code
    assert status == 2
    assert words.format(here=tmp_path) in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [(OSError("disk full"), 1, "disk full"), (KeyboardInterrupt(), 130, "Interrupted: nothing is stored.")],
)
def test_a_search_that_cannot_write_or_is_interrupted_says_so(tmp_path, monkeypatch, capsys, error, status, said):
    def failing(*_):
        raise error

    monkeypatch.setattr(lineup_search, "search", failing)
    assert lineup_search.main([str(tmp_path)]) == status
    assert capsys.readouterr().err.strip() == said
    assert not (tmp_path / "mends.toml").exists()


@pytest.mark.slow
def test_the_handicap_is_the_one_that_its_games_give():
    course = course_of(4)
    games = course.played([course.setup(Adjustment(4, POINTS))], range(lineup_search.FULL.read))[0]
    assert handicap_of(games) == adjustments_of(4)[POINTS].halves
