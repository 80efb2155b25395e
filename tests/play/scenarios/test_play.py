"""Scenarios are played into run folders like any others, and resumed, refused and finished together."""

import shutil
from dataclasses import replace

import pytest

from tests.play.scenarios.conftest import BOTH, COURT, PLAIN
from tests.play.watching import Counter, files_of
from tests.refusals import assert_names, refused
from wallsim.errors import RunError
from wallsim.folder.listing import list_results
from wallsim.folder.results import Run
from wallsim.folder.scenarios import Scenarios, read_document
from wallsim.folder.verification import state_of
from wallsim.play.play import play_run
from wallsim.play.repair import repair
from wallsim.play.scenarios.file import ScenarioSet
from wallsim.play.scenarios.play import play_scenarios


class Interrupting(Counter):
    """Interrupts the second scenario as it begins to play."""

    def played(self, games):
        if len(self.scenarios) == 2:
            raise KeyboardInterrupt


@pytest.mark.parametrize(("name", "experiment"), [("plain", PLAIN), ("court", COURT)])
def test_a_scenario_has_the_bytes_of_its_experiment_played_alone(both, tmp_path, name, experiment):
    alone = play_run(experiment, tmp_path / "alone")
    assert files_of(alone.folder) == files_of(both.folder / f"scenario={name}")
    assert Run.open(both.folder / f"scenario={name}").hash == experiment.hash() == both.runs[name].hash


@pytest.fixture
def cut(tmp_path):
    """Scenarios of which the second was interrupted as it began."""
    with pytest.raises(KeyboardInterrupt):
        play_scenarios(BOTH, tmp_path / "cut", workers=1, observer=Interrupting())
    return tmp_path / "cut"


def test_fewer_games_than_an_interrupted_command_began_are_a_view(cut):
    short = {name: each.model_copy(update={"games": 20}) for name, each in BOTH.experiments.items()}
    runs = play_scenarios(replace(BOTH, experiments=short), cut).runs
    assert [run.manifest["games"] for run in runs.values()] == [20, 20]
    assert not read_document(cut).finished
    assert Scenarios.verify(cut) == []


def test_an_interruption_keeps_what_is_finished_and_is_repaired_from_the_folder_alone(both, cut):
    with refused("1 of 2 scenarios", "court", by=RunError):
        Scenarios.open(cut)
    assert Scenarios.verify(cut) == []
    shutil.rmtree(cut / "scenario=court" / "seats")
    assert state_of(cut).words.endswith(f"`wallsim repair {cut}` resumes it")
    assert list(repair(cut).runs) == ["plain", "court"]
    assert files_of(cut) == files_of(both.folder)


def test_only_their_command_plays_a_scenario_again_that_is_gone(both, spoilt_both):
    shutil.rmtree(spoilt_both / "scenario=court")
    assert_names(state_of(spoilt_both).repair_hint, "the command that", "repairs it")
    assert [(one.folder.name, one.state) for one in list_results([spoilt_both])] == [
        ("scenario=court", "missing"),
        ("scenario=plain", "finished"),
    ]
    with refused("court: ", "repeat the command", by=RunError):
        repair(spoilt_both)
    other = COURT.model_copy(update={"seed": 9})
    with refused("scenario court", "another folder"):
        play_scenarios(ScenarioSet({"plain": PLAIN, "court": other}), spoilt_both)
    play_scenarios(BOTH, spoilt_both)
    assert files_of(spoilt_both) == files_of(both.folder)


def test_a_folder_that_does_not_belong_there_is_named_after_the_rest_is_repaired(both, spoilt_both):
    (spoilt_both / "scenario=foo").mkdir()
    (spoilt_both / "scenario=court" / "manifest.json").unlink()
    with refused("scenario=foo: ", "does not belong", by=RunError):
        repair(spoilt_both)
    (spoilt_both / "scenario=foo").rmdir()
    assert Scenarios.verify(spoilt_both) == []


@pytest.mark.parametrize(
    ("others", "names"),
    [
        ({"plain": PLAIN}, ["scenarios plain, court", "not plain"]),
        ({"court": COURT, "plain": PLAIN}, ["scenarios plain, court", "not court, plain"]),
        ({"plain": PLAIN, "court": COURT.model_copy(update={"seed": 4})}, ["scenario=court: ", "seed is 3", "4 here"]),
    ],
)
def test_other_scenarios_are_refused_and_nothing_is_written(both, others, names):
    before = files_of(both.folder)
    with refused(*names):
        play_scenarios(ScenarioSet(others), both.folder)
    assert files_of(both.folder) == before


def test_games_are_added_to_a_scenario_and_fewer_are_a_view(spoilt_both, both, tmp_path):
    more, fewer = ({"plain": PLAIN, "court": COURT.model_copy(update={"games": games})} for games in (90, 40))
    watch = Counter()
    grown = play_scenarios(ScenarioSet(more), spoilt_both, observer=watch)
    assert [run.manifest["games"] for run in grown.runs.values()] == [60, 90]
    assert watch.games == 40  # the chunk of ten games that ended at 60 is played again, with 50
    assert files_of(grown.runs["court"].folder) == files_of(play_run(more["court"], tmp_path / "alone").folder)
    assert Scenarios.verify(spoilt_both) == []
    before, watch = files_of(both.folder), Counter()
    view = play_scenarios(ScenarioSet(fewer), both.folder, observer=watch)
    assert view.scan("games").collect().height == 60 + 40
    assert (watch.scenarios, watch.games) == ([("plain", 1, 2), ("court", 2, 2)], 0)
    assert files_of(both.folder) == before


def test_runs_and_scenarios_do_not_mix_in_a_folder(both, tmp_path):
    with refused("contains other files"):
        play_run(PLAIN, both.folder)
    run = play_run(PLAIN, tmp_path / "run")
    with refused("contains other files"):
        play_scenarios(BOTH, run.folder)


def test_errors_are_found_before_anything_is_played(tmp_path):
    with refused("workers: 0 "):
        play_scenarios(BOTH, tmp_path / "none", workers=0)
    assert not (tmp_path / "none").exists()
