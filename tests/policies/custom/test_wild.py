"""Wild policies: what differs between processes is refused, and what ends a process ends only that of the trial."""

import subprocess
import sys
import uuid

import pytest

from tests.cli.commands import wallsim
from tests.compile_cache.test_files import DAMAGES
from tests.folder.mishaps import log_lines
from tests.naive.rng import JIT
from tests.policies.custom import wild_policies
from tests.refusals import refused
from tests.test_architecture import ROOT
from wallsim.experiment.experiment import Experiment
from wallsim.folder.journal import Journal
from wallsim.folder.local_files import FileStore
from wallsim.folder.results import Run
from wallsim.play import trial_process
from wallsim.play.custom_checks import has_passed, note_passed
from wallsim.play.play import play_run, play_slice
from wallsim.play.setting import Setting
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament
from wallsim.policies.catalogue import PolicyError, pack_players, read_policy

pytestmark = pytest.mark.skipif(not JIT, reason="answers are machine code")
apart = pytest.mark.tried_apart
CODE = [
    pytest.param(text, named, id=name, marks=[] if name in ("helper", "ctypes") else pytest.mark.slow)
    for name, (text, *named) in wild_policies.UNREPEATABLE.items()
]
FIRST = "wild (seat 0): game 0, year 1, spring: "
COMMAND = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from wallsim.cli import main; main()"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def experiment(here, text, **fields):
    """Forty games with the policy of this text in the first seat."""
    (here / "wild.py").write_text(text, "utf-8")
    return Experiment(policies=("wild.py", "balanced", "random", "balanced"), **{"games": 40, "chunk": 10, **fields})


def assert_refused(here, text, *named):
    """Assert that a policy is refused before anything is written, in one line that names all of these."""
    with refused(*named) as caught:
        play_run(experiment(here, text), here / "run")
    assert len(str(caught.value).splitlines()) == 1
    assert [path.name for path in here.iterdir()] == ["wild.py"]


# --------------------------------------------------------------------------------------- the same in every process


@pytest.mark.one_in(5)
@pytest.mark.parametrize(("text", "named"), CODE)
@pytest.mark.filterwarnings("ignore::Warning")  # of Numba about object mode and addresses
def test_code_that_differs_between_processes_is_refused(here, text, named):
    (here / "wild.py").write_text(text, "utf-8")
    for _ in range(2):  # nothing of it is cached
        with refused("wild.py", *named, by=PolicyError) as caught:
            pack_players([read_policy(here / "wild.py")])
        assert len(str(caught.value).splitlines()) == 1


@apart
@pytest.mark.slow
def test_games_that_differ_between_processes_are_refused(here):
    assert_refused(here, wild_policies.READS_ADDRESSES, "wild", "another process")


def assert_discarded(here, play, *named):
    """Assert that results are not those of another process, in one line; of them nothing is left that counts."""
    with refused(here / "run", "wild", "another process", *named) as caught:
        play(here / "run")
    assert len(str(caught.value).splitlines()) == 1
    assert Journal(FileStore(here / "run")).records == {}
    assert not (here / "run" / "manifest.json").exists()


@apart
@pytest.mark.slow
def test_games_that_differ_between_processes_after_the_trial_are_discarded(here):
    wild = experiment(here, wild_policies.READS_ADDRESSES_LATER, games=400, chunk=200)
    assert_discarded(here, lambda folder: play_run(wild, folder))


def replaying(monkeypatch, *digests):
    """Let the other process find these digests of tables, in place of those it would find."""
    monkeypatch.setattr(trial_process, "replayed", lambda *_: digests)


def test_a_run_whose_drawn_chunk_differs_does_not_count_and_is_played_again(here, monkeypatch):
    honest = experiment(here, wild_policies.HONEST)
    play_slice(honest, here / "run", (1, 2), workers=1)
    with monkeypatch.context() as context:
        replaying(context, ("games", "0" * 64), ("seats", "0" * 64))
        assert_discarded(here, lambda folder: play_run(honest, folder, workers=1))
    assert wallsim("verify", str(here / "run")).exit_code == 3
    play_run(honest, here / "run", workers=1)
    assert Run.verify(here / "run") == []
    events = [line["event"] for line in log_lines(here / "run")]
    assert events.count("replayed") == events.count("replayed otherwise") == 1


def test_a_tournament_whose_drawn_chunk_differs_does_not_count(here, monkeypatch):
    experiment(here, wild_policies.HONEST)
    cup = Tournament(["wild.py", "random"], Experiment(players=3, policies="random"), 4)
    with monkeypatch.context() as context:
        replaying(context, ("results", "0" * 64))
        assert_discarded(here, lambda folder: play_tournament(cup, folder, workers=1))
    assert play_tournament(cup, here / "run", workers=1).manifest["blocks"] == 4


def test_policies_of_the_package_and_games_that_nobody_keeps_are_not_played_again(here, monkeypatch):
    monkeypatch.setattr(trial_process, "replayed", lambda *_: 1 / 0)
    play_run(Experiment(policies="random", games=4), here / "plain", workers=1)
    play_run(experiment(here, wild_policies.HONEST, games=4), here / "tried", workers=1, replays=False)


@apart
def test_a_chunk_that_ends_the_other_process_is_reported(here, monkeypatch):
    def ended(function, *_):
        killed = function is trial_process.replayed_there
        return trial_process.Ended(None, signal=11) if killed else trial_process.Ended(None, started=False)

    monkeypatch.setattr(trial_process, "do_in_process", ended)
    wild = experiment(here, wild_policies.HONEST)
    assert_discarded(here, lambda folder: play_run(wild, folder, workers=1), "SIGSEGV")


def test_what_an_answer_leaves_for_later_games_is_refused_wherever_it_lies(here):
    """In every run, unchecked too."""
    with refused("wild", "`mind`"):
        play_run(experiment(here, wild_policies.REMEMBERS_IN_THE_MIND), here / "run", workers=1)
    later = wild_policies.REMEMBERS_IN_THE_RULES.replace("+= 1", "+= game.number >= 30")
    with refused("wild: changes the rules"):
        play_run(experiment(here, later), here / "other", workers=1)


# -------------------------------------------------------------------------------------------- what ends a process


@pytest.mark.parametrize("name", wild_policies.OUT_OF_BOUNDS)
def test_an_index_out_of_bounds_is_named_by_question_and_line(here, name):
    text, *named = wild_policies.OUT_OF_BOUNDS[name]
    assert_refused(here, text, FIRST, *named)


@pytest.mark.one_in(3)
@apart
@pytest.mark.slow
@pytest.mark.parametrize("name", wild_policies.ENDS_THE_PROCESS)
def test_what_ends_the_process_of_the_trial_is_named_by_question_and_file(here, monkeypatch, name):
    monkeypatch.setattr(trial_process, "CPU_SECONDS", 2)
    text, *named = wild_policies.ENDS_THE_PROCESS[name]
    assert_refused(here, text, FIRST, *named)


@apart
@pytest.mark.slow
def test_of_several_policies_the_wild_one_is_named(here):
    policies = []
    for name, text in (
        ("honest", wild_policies.HONEST),
        ("deep", wild_policies.ENDS_THE_PROCESS["kernel"][0]),
        ("late", wild_policies.CRASHES_LATER),
    ):
        (here / f"{name}.py").write_text(text, "utf-8")
        policies.append(read_policy(here / f"{name}.py"))
    with refused("deep (seat", "game 0", "deep.py, line 4"):
        Setting(Experiment()).check_custom_policies(policies, seed=1)


@pytest.mark.slow
@apart
def test_a_policy_is_tried_in_a_process_of_its_own_once(here, monkeypatch):
    """And there is refused as here; what passes plays the same rows, checked and unchecked, and is not tried again."""
    tried = []

    def counted(function, *arguments):
        tried.append(function)
        return started(function, *arguments)

    started, trial = trial_process.do_in_process, trial_process.tried_there
    monkeypatch.setattr(trial_process, "do_in_process", counted)
    text = f"{wild_policies.HONEST}\n# {uuid.uuid4()}\n"  # tried nowhere yet
    honest = experiment(here, text)
    rows = [play_run(honest, here / name, check_policies=name == "checked").folder for name in ("checked", "plain")]
    parts = [sorted((folder / "seats").iterdir()) for folder in rows]
    assert [part.read_bytes() for part in parts[0]] == [part.read_bytes() for part in parts[1]]
    assert tried.count(trial) == 1
    play_run(experiment(here, text, seed=9), here / "other seed")
    assert tried.count(trial) == 1
    with refused(f"{FIRST}place: 7 is illegal"):
        play_run(experiment(here, text.replace("return box if", "return 7 if")), here / "other code")
    assert tried.count(trial) == 2
    assert not (here / "other code").exists()


def test_an_index_out_of_bounds_beyond_the_trial_is_found_by_checking(here):
    with refused("wild (seat 0): game 30", "place: raises IndexError: line 5"):
        play_run(experiment(here, wild_policies.CRASHES_LATER), here / "run", check_policies=True)


@pytest.mark.slow
def test_a_crash_of_the_run_itself_names_the_signal(here):
    experiment(here, wild_policies.CRASHES_LATER)
    words = ["run", "--policies", "wild.py,balanced,balanced,balanced", "--games", "40", "--out", "run"]
    crashed = subprocess.run([sys.executable, "-c", COMMAND, *words], capture_output=True, text=True)
    assert crashed.returncode < 0
    assert "Segmentation fault" in crashed.stderr


@pytest.mark.one_in(6)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_note_of_a_passed_trial_is_not_believed_and_is_replaced(tmp_path, monkeypatch, damage):
    """It costs another trial and nothing else."""
    key = "0123456789abcdef" * 4
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert not has_passed(key)
    note_passed(key)
    assert has_passed(key)
    (note,) = (tmp_path / "tried-policies").iterdir()
    DAMAGES[damage](note)
    assert not has_passed(key)
    note_passed(key)
    assert has_passed(key) == (damage != "folder")
