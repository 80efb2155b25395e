"""Custom policies in runs: stored with the folder, part of the identity, refused before anything is written."""

import hashlib
import json
import shutil
from importlib import import_module

import numpy as np
import polars as pl
import pytest

from tests.cli.commands import refusal, wallsim
from tests.folder.mishaps import InterruptingObserver
from tests.naive.rng import JIT
from tests.refusals import assert_names, refused
from wallsim.experiment.experiment import Experiment
from wallsim.folder.results import Run, run_experiment
from wallsim.play.observer import RunObserver
from wallsim.play.play import play_run

pytestmark = pytest.mark.skipif(not JIT, reason="answers are machine code")

PLACE = '''"""Takes the first box."""

from wallsim.jit import lowest_bit


def place(game, rules, mind, seat, free):
    return {answer}
'''
GOOD = PLACE.format(answer="lowest_bit(free)")
LATE = "lowest_bit(free) if game.number < {game} else 7"  # illegal from a game on
REMEMBERS = """
from wallsim.jit import lowest_bit

def place(game, rules, mind, seat, free):
    mind.petition_cost[0, 0] += 1.0
    return 4 if mind.petition_cost[0, 0] > 6.0 and (free >> 4) & 1 else lowest_bit(free)
"""


def doing(*lines):
    """A policy file whose answer about the box begins with these lines."""
    body = "".join(f"    {line}\n" for line in lines)
    return GOOD.replace("    return", f"{body}    return")


FIRST = "mine (seat 0): game 0, year 1, spring:"
TWO_CHUNKS = ["part-000000.parquet", "part-000001.parquet"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(here, text, name="mine.py"):
    """A policy file in the working folder; returns its name."""
    (here / name).write_text(text, "utf-8")
    return name


def experiment(policy="mine.py", **fields):
    """Forty games with the policy in the first seat."""
    return Experiment(policies=(policy, "balanced", "random", "balanced"), **{"games": 40, "chunk": 10, **fields})


def stored(folder):
    """All bytes of a run's tables."""
    return {path.name: path.read_bytes() for path in sorted((folder / "seats").iterdir())}


# ------------------------------------------------------------------------------------------------ good runs


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """A finished run of a sound policy, which nothing changes."""
    folder = tmp_path_factory.mktemp("good")
    return play_run(experiment(str(folder / write(folder, GOOD))), folder / "run", workers=1)


def test_the_file_is_kept_with_the_run_which_needs_no_other(here, good):
    shutil.copytree(good.folder, here / "moved")
    assert (here / "moved" / "policies" / "mine.py").read_text("utf-8") == GOOD
    assert Run.verify(here / "moved") == []
    again = run_experiment(here / "moved", trust_code=True)
    assert again.policies[0].endswith("moved/policies/mine.py")
    assert play_run(again, here / "again").manifest["experiment"]["hash"] == good.manifest["experiment"]["hash"]
    assert stored(here / "again") == stored(good.folder)


def test_it_is_named_in_the_tables_and_by_its_digest_in_the_identity(good):
    frame = good.scan("seats").collect()
    assert frame.filter(pl.col("seat") == 0)["policy"].unique().to_list() == ["mine"]
    facts = json.loads((good.folder / "manifest.json").read_text("utf-8"))["experiment"]["identity"]["policies"]
    assert [fact["kind"] for fact in facts] == ["python", "balanced", "random", "balanced"]
    assert [fact.get("code") for fact in facts] == [hashlib.sha256(GOOD.encode()).hexdigest(), None, None, None]


def test_an_interrupted_run_resumes_and_ends_with_the_same_bytes(here, good):
    write(here, GOOD)
    with pytest.raises(KeyboardInterrupt):
        play_run(experiment(), here / "torn", workers=1, observer=InterruptingObserver(here / "torn", 2))
    assert stored(here / "torn") != stored(good.folder)
    play_run(experiment(), here / "torn", workers=1)
    assert stored(here / "torn") == stored(good.folder)
    assert Run.verify(here / "torn") == []


def test_checking_changes_no_row_and_is_no_part_of_the_experiment(here, good):
    checked = play_run(experiment(write(here, GOOD)), here / "checked", check_policies=True)
    assert stored(checked.folder) == stored(good.folder)
    assert checked.manifest["experiment"]["hash"] == good.manifest["experiment"]["hash"]


def test_another_source_is_another_experiment(here, good):
    write(here, GOOD + "\n# the same answers\n")
    with refused(good.folder, "another experiment", "policies"):
        play_run(experiment(), good.folder)
    assert (good.folder / "policies" / "mine.py").read_text("utf-8") == GOOD


def test_nothing_is_remembered_from_game_to_game(here):
    write(here, REMEMBERS)
    arena = experiment().arena()
    whole = arena.play(0, 12).seats
    assert (whole == np.concatenate([arena.play(game, 1).seats for game in range(12)])).all()


def test_what_is_kept_is_what_was_played_whatever_becomes_of_the_file(here, monkeypatch):
    chosen = experiment(write(here, GOOD))
    components = chosen.components()
    monkeypatch.setattr(Experiment, "components", lambda self: components)
    write(here, GOOD + "# edited while it was compiled\n")
    run = play_run(chosen, here / "run")
    assert (run.folder / "policies" / "mine.py").read_text("utf-8") == GOOD


def test_a_finished_run_is_checked_by_playing_it_again(here):
    write(here, PLACE.format(answer=LATE.format(game=27)))
    play_run(experiment(games=20), here / "run")
    play_run(experiment(games=20), here / "run", check_policies=True)
    # A box that is not free would write outside of the table where nobody checks.
    write(here, doing("game.vp[seat] += game.number == 30"))
    play_run(experiment(), here / "late")
    with refused("mine", "game 30"):
        play_run(experiment(), here / "late", check_policies=True)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("100000000", ["bench", "--samples", "3", "--policies", "mine.py"]),
        ("100000000", ["trace", "--policies", "mine.py"]),
        ("100000000", ["tower", "show", "--games", "30", "--policy", "mine.py"]),
        ("7", ["tune", "balanced", "--pool", "mine.py", "--generations", "1", "--games", "12", "--out", "tuned"]),
        ("7", ["policy", "show", "mine.py", "--games", "30"]),
        ("7", ["tournament", "mine.py,balanced", "--blocks", "1"]),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_every_command_tries_it_first(here, answer, words):
    write(here, PLACE.format(answer=answer))
    assert_names(refusal(*words), "mine", f"place: {answer} is illegal")


@pytest.mark.parametrize("start", ["mine.py", "rollout"])
def test_only_weights_are_tuned(here, start):
    write(here, GOOD)
    assert_names(refusal("tune", start, "--out", "tuned"), start.removesuffix(".py"), "by weights alone")
    assert not (here / "tuned").exists()


def test_a_copy_that_was_changed_is_found(here, good):
    run = shutil.copytree(good.folder, here / "run")
    (run / "policies" / "mine.py").write_text(GOOD + "\n# meddled\n", "utf-8")
    assert Run.verify(run)
    result = wallsim("trace", str(run))
    assert result.exit_code in (1, 2)
    assert "Traceback" not in result.stderr


def test_the_commands_run_trace_and_verify_take_it_from_the_folder_of_the_experiment(here):
    (here / "deep").mkdir()
    write(here / "deep", GOOD)
    write(here / "deep", 'policies = ["mine.py", "balanced", "mine.py", "random"]\ngames = 5\nseed = 3\n', "x.toml")
    result = wallsim("run", "deep/x.toml", "--trust-code", "--check-policies", "--out", "run")
    assert result.exit_code == 0, result.output
    assert (here / "run" / "policies" / "mine.py").read_text("utf-8") == GOOD
    assert wallsim("verify", "run").exit_code == 0
    flags = wallsim("trace", "--policies", "deep/mine.py,balanced,./deep/mine.py,random", "--seed", "3", "--game", "4")
    folder = wallsim("trace", "run", "--game", "4", "--trust-code")
    assert (flags.exit_code, folder.exit_code) == (0, 0)
    assert flags.stdout == folder.stdout


# ------------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (PLACE.format(answer="free.nothing"), ("mine: place", "Numba")),
        (PLACE.format(answer="7"), (f"{FIRST} place: 7 is illegal", "box 0 to 4")),
        (PLACE.format(answer=LATE.format(game=1)), ("mine (seat 0)", "game 1", "place: 7 is illegal")),
        (doing("rules.starting_thalers[0] = 60"), ("mine: changes the rules",)),
        (doing("if free > 0:", "    raise ValueError('no')"), (f"{FIRST} place: raises ValueError: no",)),
        (doing("game.season, game.owner[3] = -5, 10**6"), (f"{FIRST} place: changes", "on the table")),
        ("", ("mine.py", "plan, bid")),
    ],
    ids=["compiling", "first game", "second game", "rules", "exception", "table", "empty"],
)
def test_what_cannot_be_played_is_refused_before_anything_is_written(here, text, named):
    said = refusal("run", "--policies", f"{write(here, text)},balanced,balanced,balanced", "--out", "run")
    assert_names(said, *named)
    assert len(said.splitlines()) == 1 or "Numba" in said
    assert [path.name for path in here.iterdir()] == ["mine.py"]


def test_a_file_of_the_same_length_that_changes_at_once_is_compiled_again(here):
    for answer in "75":
        write(here, PLACE.format(answer=answer))
        assert_names(refusal("run", "--policies", f"mine.py{3 * ',random'}"), f"place: {answer} is illegal")


def test_two_files_of_one_name_are_refused(here):
    write(here, GOOD)
    write(here, 'base = "balanced"', "mine.toml")
    write(here, 'base = "builder"', "balanced.toml")
    for seated in ("mine.py,mine.toml,random,random", "balanced.toml,balanced,random,random"):
        name = seated.split(".")[0]
        assert_names(refusal("run", "--policies", seated), f"called {name}")


@pytest.mark.parametrize(
    ("answer", "flags"), [(7, ["--check-policies"]), (5, []), (10**6, []), (-(2**63), [])], ids=str
)
def test_a_later_illegal_answer_ends_a_run_and_keeps_what_was_finished(here, answer, flags):
    """Checked or not, and as far outside of the table as can be; `trace` refuses that game alone."""
    write(here, PLACE.format(answer=f"lowest_bit(free) if game.number < 27 else {answer}"))
    write(here, 'policies = ["mine.py", "balanced", "random", "balanced"]\ngames = 40\nchunk = 10\n', "x.toml")
    named = ("mine (seat 0)", "game 27", f"place: {answer} is illegal", "box 0 to 4")
    *_, last = refusal("run", "x.toml", "--trust-code", "--workers", "1", "--out", "run", *flags).splitlines()
    assert_names(last, *named)
    assert sorted(stored(here / "run")) == TWO_CHUNKS
    words = ["trace", "--policies", "mine.py,balanced,random,balanced", "--game"]
    assert wallsim(*words, "26").exit_code == 0
    assert_names(refusal(*words, "27"), *named)


def test_compiling_of_a_file_is_announced_if_it_takes_long(here, monkeypatch):
    monkeypatch.setattr(import_module("wallsim.play.compile_progress"), "_QUIET_SECONDS", 0.0)
    heard = []

    class Listener(RunObserver):
        def compiling(self, progress):
            heard.append("compiling")

        def compiled(self, seconds):
            heard.append(seconds)

    play_run(experiment(write(here, GOOD), games=2), here / "run", observer=Listener())
    assert heard[0] == "compiling"
    assert heard[1] > 0
