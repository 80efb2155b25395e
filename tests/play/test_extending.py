"""Games are added to a folder until they are enough; what is finished stays, and the folder is one like any other."""

from importlib import import_module

import pytest

from tests.play.watching import Counter, files_of, parts_of
from tests.refusals import refused
from wallsim.errors import RunError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.folder.listing import list_results
from wallsim.folder.results import Run, run_experiment
from wallsim.folder.tournament import TournamentRun
from wallsim.folder.verification import state_of, verify_results
from wallsim.play.extending import Look, grow_run, grow_scenarios, grow_tournament
from wallsim.play.play import play_run
from wallsim.play.repair import repair
from wallsim.play.scenarios.file import ScenarioSet
from wallsim.play.tournament.tournament import Tournament

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
