"""A run to which games are added has the bytes of one played at once, also if they are added until they are enough."""

import shutil
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from polars.testing import assert_frame_equal

from tests.finished_runs import EVERYTHING
from tests.folder.mishaps import InterruptingObserver, every_file, flip_a_bit, journal_lines
from tests.play.watching import Counter, files_of, parts_of
from tests.refusals import assert_names, refused
from wallsim.analysis.games.summary import summarise
from wallsim.errors import RunError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.folder.listing import list_results
from wallsim.folder.results import Run, run_experiment
from wallsim.folder.schema import TABLES
from wallsim.folder.tournament import TournamentRun
from wallsim.folder.verification import state_of, verify_results
from wallsim.play.extending import Look, grow_run, grow_scenarios, grow_tournament
from wallsim.play.play import play_run
from wallsim.play.repair import repair
from wallsim.play.scenarios.file import ScenarioSet
from wallsim.play.tournament.tournament import Tournament

# Chunks of 50, 50, 100, 100 ... games, with every table.
TABLE = Experiment(policies="random", players=3, seed=6, seasons=True, battles=True, counties=True, plans=True)


def of(games, experiment=TABLE, **changes):
    """The experiment with a number of games."""
    return experiment.model_copy(update={"games": games, **changes})


def assert_same_run(run, other):
    """Two runs have the same numbers of games and rows, rows, and results."""
    assert (run.manifest["games"], run.manifest["rows"]) == (other.manifest["games"], other.manifest["rows"])
    assert run.tables == other.tables == TABLES
    for table in TABLES:
        assert_frame_equal(run.scan(table).collect(), other.scan(table).collect())
    mine, theirs = (replace(summarise(each), time={}, assumptions=()) for each in (run, other))
    assert mine == theirs


def grown_line(run):
    """What the summary says of added games, or nothing."""
    return [line for line in summarise(run).assumptions if line.startswith("Games were added")]


# --------------------------------------------------------------------------------------------------- more games


@pytest.mark.parametrize(("chunk", "steps"), [(None, (50, 100, 101, 200)), (40, (40, 79, 85)), (7, (1, 21))])
def test_games_that_are_added_make_the_bytes_of_a_run_played_at_once(tmp_path, chunk, steps):
    played = 0
    for games in steps:
        watch = Counter()
        grown = play_run(of(games, chunk=chunk), tmp_path / "grown", observer=watch)
        assert (grown.manifest["games"], "damaged" in watch.note) == (games, False)
        assert Run.verify(grown.folder) == []
        played += watch.games
    once = play_run(of(steps[-1], chunk=chunk), tmp_path / "once")
    assert files_of(grown.folder) == files_of(once.folder)
    assert grown.files == once.files
    assert grown.manifest["chunks"] == once.manifest["chunks"]
    assert grown.hash == once.hash
    assert (grown.manifest["looks"], once.manifest["looks"]) == ([*steps], [steps[-1]])
    assert (grown.grown, once.grown) == (True, False)
    assert run_experiment(grown.folder).games == steps[-1]
    # Only chunks that were cut short are played again.
    layout = of(steps[-1], chunk=chunk).layout()
    again = sum(games - layout.span(of(games, chunk=chunk).layout().count - 1)[0] for games in steps[:-1]
                if layout.end_of(games) > games)  # fmt: skip
    assert played == steps[-1] + again


def test_the_chunks_of_a_folder_stay_whatever_the_experiment_says_later(tmp_path):
    play_run(of(25, chunk=10), tmp_path / "grown")
    grown = play_run(of(47, chunk=3), tmp_path / "grown")
    assert [chunk["games"] for chunk in grown.manifest["chunks"]] == [10, 10, 10, 10, 7]
    assert parts_of(grown.folder) == parts_of(play_run(of(47, chunk=10), tmp_path / "once").folder)


@pytest.mark.parametrize("goal", [190, 215])
def test_an_interrupted_growth_is_resumed_to_the_same_bytes_or_goes_further(tmp_path, goal):
    folder = tmp_path / "cut"
    before = play_run(of(70, chunk=20), folder)
    rows = before.scan("seats").collect()
    with pytest.raises(KeyboardInterrupt):
        play_run(of(190, chunk=20), folder, workers=2, observer=InterruptingObserver(folder, lines=6))
    assert Run.verify(folder) == []
    with pytest.raises(RunError, match=r"1[0-9]0 of 190 games"):
        Run.open(folder)
    assert run_experiment(folder).games == 190
    assert_frame_equal(play_run(of(70), folder).scan("seats").collect(), rows)
    watch = Counter()
    grown = play_run(of(goal), folder, observer=watch)
    assert watch.games < goal - 60
    assert (grown.manifest["looks"], grown.manifest["time"]["sessions"] > 2) == ([70, goal], True)
    assert parts_of(folder) == parts_of(play_run(of(goal, chunk=20), tmp_path / "once").folder)
    assert Run.verify(folder) == []


# -------------------------------------------------------------------------------------------------- fewer games


@pytest.mark.parametrize("games", [1, 250, 300])
def test_the_first_games_are_a_run_of_so_many_games(full_run, tmp_path, games):
    alone = play_run(of(games, EVERYTHING), tmp_path / "alone")
    assert_same_run(full_run.first(games), alone)
    before = every_file(full_run.folder)
    view = play_run(of(games, EVERYTHING), full_run.folder, observer=(watch := Counter()))
    assert_same_run(view, alone)
    assert (watch.games, watch.was_finished, every_file(full_run.folder)) == (0, True, before)
    assert sum(chunk["games"] for chunk in view.manifest["chunks"]) >= games
    assert view.manifest["bytes"] == sum(part.bytes for part in view.files)
    assert {part.file for part in view.files} <= {part.file for part in full_run.files}
    assert (full_run.only, full_run.manifest["games"]) == (None, 330)


def test_a_view_of_a_view_and_of_all_games(full_run):
    assert full_run.first(330) is full_run
    view = full_run.first(250)
    assert_same_run(view.first(120), full_run.first(120))
    assert view.first(250) is view
    for run, games in ((full_run, 331), (full_run, 0), (full_run, -1), (view, 251)):
        with refused(f"games: {games} ", f"from 1 to {run.manifest['games']}"):
            run.first(games)


@pytest.mark.parametrize("damage", [Path.unlink, flip_a_bit])
def test_damage_beyond_the_first_games_is_left_to_who_asks_for_all(full_run, tmp_path, damage):
    folder = shutil.copytree(full_run.folder, tmp_path / "copy")
    damage(folder / "seats" / "part-000003.parquet")
    before, run = every_file(folder), Run.open(folder)
    assert_same_run(run.first(300), full_run.first(300))
    with refused("seats/part-000003.parquet", by=RunError):
        run.first(301).scan("seats")
    assert_same_run(play_run(of(300, EVERYTHING), folder), full_run.first(300))
    assert every_file(folder) == before
    play_run(of(330, EVERYTHING), folder)
    assert parts_of(folder) == parts_of(full_run.folder)
    assert Run.verify(folder) == []


@pytest.mark.parametrize(("games", "played"), [(20, 20), (40, 20), (50, 40)])
def test_of_an_unfinished_run_the_first_games_are_played_to_the_end_of_their_chunk(tmp_path, games, played):
    folder = tmp_path / "cut"
    with pytest.raises(KeyboardInterrupt):
        play_run(of(90, chunk=20), folder, workers=1, observer=InterruptingObserver(folder, lines=2))
    assert len(journal_lines(folder)) == 3  # of which two are receipts, of 40 games
    (folder / "seats" / "part-000000.parquet").unlink()
    view = play_run(of(games), folder, observer=(watch := Counter()))
    assert_same_run(view, play_run(of(games, chunk=20), tmp_path / "alone"))
    assert watch.games == played
    assert (view.grown, Run.verify(folder), (folder / "manifest.json").exists()) == (False, [], False)
    with refused(f"{20 + played} of 90 games", by=RunError):
        Run.open(folder)
    whole = play_run(of(90), folder)
    assert (whole.manifest["looks"], whole.grown) == ([90], False)
    assert parts_of(folder) == parts_of(play_run(of(90, chunk=20), tmp_path / "once").folder)


# -------------------------------------------------------------------------------------------------- what is said


def test_summaries_say_that_games_were_added_and_after_how_many(tmp_path):
    once = play_run(of(90), tmp_path / "once")
    assert grown_line(once) == grown_line(once.first(50)) == []
    play_run(of(30), tmp_path / "grown")
    assert "finished with 30;" in grown_line(play_run(of(60), tmp_path / "grown"))[0]
    thrice = play_run(of(90), tmp_path / "grown")
    assert "finished with 30 and 60;" in grown_line(thrice)[0]
    assert grown_line(play_run(of(40), tmp_path / "grown")) == grown_line(thrice)
    until = grow_run(of(90), tmp_path / "grown", lambda run: Look(True, 90, ""))
    assert_names(grown_line(until)[0], "until an interval", "fixed beforehand")
    assert until.files == thrice.files
    assert Run.verify(tmp_path / "grown") == []


PLAIN = Experiment(policies="random", players=3, games=2000, seed=3)


def enough_at(number):
    """Judges games to be enough from a number on, and says so beforehand."""
    return lambda result: Look(result.manifest["games"] >= number, number, "")


def test_it_stops_when_the_games_are_enough_and_plays_none_twice(tmp_path):
    watch = Counter()
    run = grow_run(PLAIN, tmp_path / "run", enough_at(600), observer=watch)
    assert watch.looks == [300, 700]
    assert (run.manifest["games"], watch.games) == (700, 700)
    assert run.scan("games").collect()["game"].to_list() == list(range(700))
    assert Run.verify(run.folder) == []


def test_it_plays_at_most_the_games_of_the_experiment_and_grows_at_most_fourfold(tmp_path):
    watch = Counter()
    run = grow_run(PLAIN, tmp_path / "run", enough_at(10**6), observer=watch)
    assert watch.looks == [300, 1500, 2000]
    assert run.manifest["games"] == 2000
    few = PLAIN.model_copy(update={"games": 40})
    assert grow_run(few, tmp_path / "few", enough_at(10**6)).manifest["games"] == 40


def test_a_later_call_goes_on_also_with_more_games_and_rows_are_those_of_a_run(tmp_path):
    first = grow_run(PLAIN.model_copy(update={"games": 640}), tmp_path / "run", enough_at(10**6))
    watch = Counter()
    again = grow_run(PLAIN, first.folder, enough_at(10), observer=watch)
    assert (watch.looks, watch.games) == ([700], 200)  # the chunk that was cut short at 640 is played again
    assert again.hash == first.hash == PLAIN.hash()
    fixed = play_run(PLAIN.model_copy(update={"games": 700}), tmp_path / "fixed")
    assert parts_of(again.folder) == parts_of(fixed.folder)
    assert (again.grown, fixed.grown) == (True, False)
    watch = Counter()
    assert grow_run(PLAIN, first.folder, enough_at(10), observer=watch).manifest == again.manifest
    assert watch.games == 0


def grow_both(experiment, folder, judge, **how):
    """Grow the experiment and another one, judging by the one that is played last."""
    both = ScenarioSet({"plain": experiment, "other": experiment.model_copy(update={"tower": "rulebook"})})
    return grow_scenarios(both, folder, lambda result: judge(next(reversed(result.runs.values()))), **how)


@pytest.mark.parametrize(("grow", "most", "games"), [(grow_run, 800, [1500]), (grow_both, 2200, [1500, 1500])])
def test_an_interruption_is_resumed_with_the_same_bytes(tmp_path, grow, most, games):
    whole = grow(PLAIN, tmp_path / "whole", enough_at(1400))
    with pytest.raises(KeyboardInterrupt):
        grow(PLAIN, tmp_path / "cut", enough_at(1400), workers=1, observer=Counter(most))
    assert (verify_results(tmp_path / "cut"), state_of(tmp_path / "cut").finished) == ([], False)
    grown = grow(PLAIN, tmp_path / "cut", enough_at(1400))
    assert [run.manifest["games"] for run in getattr(grown, "runs", {"": grown}).values()] == games
    assert parts_of(tmp_path / "cut") == parts_of(whole.folder)


def stopped(result):
    """A look that is never taken to its end."""
    raise KeyboardInterrupt


@pytest.mark.parametrize("grow", [grow_run, grow_both])
def test_only_the_rule_to_stop_finishes_what_grows(tmp_path, grow):
    with pytest.raises(KeyboardInterrupt):
        grow(PLAIN, tmp_path, stopped)
    for _ in range(2):
        state = state_of(tmp_path)
        assert (verify_results(tmp_path), state.finished) == ([], False)
        assert "that started" in state.words
        assert {(one.state, "repair" in one.command) for one in list_results([tmp_path])} == {("unfinished", False)}
        with refused("that started", "resumes it", by=RunError):
            repair(tmp_path)
    grow(PLAIN, tmp_path, enough_at(300))
    assert state_of(tmp_path).finished


def test_a_fixed_number_of_games_finishes_it_too_but_no_view_of_fewer(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        grow_run(PLAIN, tmp_path / "run", stopped)
    assert play_run(PLAIN.model_copy(update={"games": 200}), tmp_path / "run").manifest["games"] == 200
    assert not state_of(tmp_path / "run").finished
    assert play_run(PLAIN.model_copy(update={"games": 300}), tmp_path / "run").grown
    assert state_of(tmp_path / "run").finished


def test_fewer_games_than_are_there_are_a_view_and_a_fixed_number_grows_until(tmp_path):
    few, watch = PLAIN.model_copy(update={"games": 200}), Counter()
    run = grow_run(PLAIN, tmp_path / "run", enough_at(300))
    before = files_of(run.folder)
    assert (run_experiment(run.folder).games, load_experiment(run.folder / "experiment.toml").games) == (300, 300)
    for view in (play_run(few, run.folder, observer=watch), grow_run(few, run.folder, enough_at(300), observer=watch)):
        assert view.manifest["games"] == 200
        assert view.grown
    assert (watch.games, files_of(run.folder)) == (0, before)
    fixed = play_run(few, tmp_path / "fixed")
    grown = grow_run(PLAIN, fixed.folder, enough_at(300), observer=watch)
    assert (watch.games, grown.manifest["games"], grown.grown) == (100, 300, True)
    assert Run.open(tmp_path / "fixed").first(200).grown
    assert parts_of(grown.folder) == parts_of(run.folder)


def test_a_tournament_grows_by_whole_chunks_and_records_every_look(tmp_path, monkeypatch):
    for module in ("wallsim.play.extending", "wallsim.play.tournament.play"):
        monkeypatch.setattr(import_module(module), "chunk_blocks", lambda design: 60)
    watch = Counter()
    cup = Tournament(["random", "builder"], PLAIN, blocks=5000)
    run = grow_tournament(cup, tmp_path / "cup", enough_at(400), observer=watch)
    assert (watch.looks, watch.games, run.manifest["games"]) == ([360, 720], 720, 720)
    assert watch.grown is None  # that it grows is what was asked for
    assert run.note_look() == (60, 120)
    assert TournamentRun.open(run.folder).manifest["blocks"] == 120
    fewer = Tournament(["random", "builder"], PLAIN, blocks=120)
    assert grow_tournament(fewer, tmp_path / "cup", enough_at(10**6)).manifest["games"] == 720
