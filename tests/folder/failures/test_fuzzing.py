"""Mutants of every file that is read end in a WallsimError or are read; no traceback, no code run, nothing written."""

import shutil
import time
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wallsim.analysis.tower.cast_file import read_casts
from wallsim.errors import WallsimError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import experiment_text
from wallsim.folder.checksummed_json import sealed_document
from wallsim.folder.interim_analyses import looks_of, note_look
from wallsim.folder.results import Run, run_experiment
from wallsim.folder.scenarios import read_document
from wallsim.play.play import play_run
from wallsim.play.scenarios.file import load_experiments
from wallsim.policies.catalogue import load_policy
from wallsim.rules.board import load_board
from wallsim.rules.files import data_folder
from wallsim.rules.tower import load_tower

MARKER = "executed"
SCENARIOS = 'games = 10\npolicies = "random"\n[scenario.plain]\n[scenario.other]\nseed = 4\n[factor]\ntower = ["mid"]\n'
CASTS = "thrown,red,blue,out_red,out_blue\n1,3,2,1,1\n2,4,0,3,0\n"
SPLICES = (
    b"\x00", b"\xff\xfe", b"\r\n", b"9" * 400, b"-1", b"1e999", b"nan", b"[" * 3000, b"{" * 3000, b'"', b"'''", b"=",
    b'"code.py"', b'["code.py"]', b"../../x", b"\xe2\x80\xae", b"\x1b[31m", b"\n\n", b",", b"true", b"null",
)  # fmt: skip
SLOWEST = 10.0  # seconds for one mutant; a reader that takes longer hangs

places, cuts = st.floats(0, 1, exclude_max=True), st.integers(1, 40)
mutations = st.lists(
    st.one_of(
        st.tuples(st.just("flip"), places, st.integers(0, 7)),
        st.tuples(st.just("delete"), places, cuts),
        st.tuples(st.just("repeat"), places, cuts),
        st.tuples(st.just("splice"), places, st.integers(0, len(SPLICES) - 1)),
        st.tuples(st.just("cut"), places, cuts),
    ),
    min_size=1, max_size=4,
)  # fmt: skip


def mutant(data, steps):
    """The bytes after some mutations."""
    for kind, place, number in steps:
        at = int(place * len(data))
        if kind == "flip" and data:
            data = data[:at] + bytes([data[at] ^ 1 << number]) + data[at + 1 :]
        elif kind == "delete":
            data = data[:at] + data[at + number :]
        elif kind == "repeat":
            data = data[:at] + data[at : at + number] * 3 + data[at + number :]
        elif kind == "splice":
            data = data[:at] + SPLICES[number] + data[at:]
        elif kind == "cut":
            data = data[:at]
    return data


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Each kind of file: the path to mutate, and the function that reads it."""
    place = tmp_path_factory.mktemp("fuzz")
    (place / "code.py").write_text(f'open({str(place / MARKER)!r}, "w")\n', "utf-8")
    (place / "x.toml").write_text(experiment_text(Experiment(games=10, policies="random")), "utf-8")
    (place / "s.toml").write_text(SCENARIOS, "utf-8")
    (place / "casts.csv").write_text(CASTS, "utf-8")
    shutil.copy(data_folder("tower") / "mid.toml", place / "tower.toml")
    shutil.copy(data_folder("policies") / "builder.toml", place / "policy.toml")
    shutil.copytree(data_folder("board"), place / "board")
    run = play_run(Experiment(games=60, chunk=20, policies="random"), place / "run", workers=1).folder
    document = place / "scenarios"
    document.mkdir()
    scenarios = [{"name": "plain", "hash": "0"}]
    (document / "scenarios.json").write_bytes(sealed_document({"format": 2, "finished": True, "scenarios": scenarios}))
    note_look(place, "0", 4)
    return place, {
        "experiment": (place / "x.toml", lambda: load_experiments(place / "x.toml")),
        "scenarios": (place / "s.toml", lambda: load_experiments(place / "s.toml")),
        "tower": (place / "tower.toml", lambda: load_tower(str(place / "tower.toml"))),
        "policy": (place / "policy.toml", lambda: load_policy(str(place / "policy.toml"))),
        "counties": (place / "board" / "counties.csv", lambda: load_board(place / "board")),
        "line-ups": (place / "board" / "lineups.csv", lambda: load_board(place / "board")),
        "casts": (place / "casts.csv", lambda: read_casts(place / "casts.csv")),
        "journal": (run / "journal.jsonl", lambda: Run.verify(run)),
        "manifest": (run / "manifest.json", lambda: Run.open(run).scan("seats").collect()),
        "folder": (run / "experiment.toml", lambda: run_experiment(run)),
        "log": (run / "log.jsonl", lambda: Run.verify(run)),
        "document": (document / "scenarios.json", lambda: read_document(document)),
        "looks": (place / "looks.json", lambda: looks_of(place, "0")),
    }


KINDS = (
    "experiment", "scenarios", "tower", "policy", "counties", "line-ups", "casts", "journal", "manifest", "folder",
    "log", "document", "looks",
)  # fmt: skip


def survives(files, kind, steps):
    """Read a mutant: it is read or refused, quickly, and no code beside it is run."""
    place, readers = files
    path, read = readers[kind]
    whole = path.read_bytes()
    began = time.monotonic()
    try:
        path.write_bytes(mutant(whole, steps))
        with suppress(WallsimError):
            read()
    finally:
        path.write_bytes(whole)
    assert time.monotonic() - began < SLOWEST
    assert not (place / MARKER).exists()


@pytest.mark.one_in(4)
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=mutations)
def test_a_mutant_is_read_or_refused(files, kind, steps):
    survives(files, kind, steps)


@pytest.mark.one_in(10)
@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=800, suppress_health_check=list(HealthCheck))
@given(steps=mutations)
def test_of_ten_thousand_mutants_each_is_read_or_refused(files, kind, steps):
    survives(files, kind, steps)
