"""Documents that say anything at all, but are sealed as this package seals them: read or refused, and nothing else."""

import copy
import json
import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wallsim.analysis.games.summary import summarise
from wallsim.errors import WallsimError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.identity import identity_hash
from wallsim.folder.checksummed_json import sealed_document, sealed_line
from wallsim.folder.interim_analyses import looks_of, note_look
from wallsim.folder.listing import list_results
from wallsim.folder.results import Run, run_experiment
from wallsim.folder.scenarios import Scenarios, read_document
from wallsim.folder.verification import state_of
from wallsim.play.play import play_run
from wallsim.play.repair import restored_experiment

SLOWEST = 10.0  # seconds
MARKER = "executed"
DEEP = json.loads("[" * 60 + "]" * 60)
VALUES = (
    None, True, False, 0, -1, 1, 2.5, 1e308, float("nan"), 10**30, -(10**30), "", "x", "../../x", "/dev/zero", "a\0b",
    "\x1b[31m", "\u202e", "\ud800", "code.py", "policies/code.py", "9" * 5000, [], {}, [None], {"": None}, DEEP,
    [["code.py"]], "seats/part-000000.parquet", 'policies = ["code.py"]',
)  # fmt: skip
changes = st.lists(
    st.tuples(st.integers(0, 10**6), st.sampled_from(("replace", "delete", "add", "repeat")), st.sampled_from(VALUES)),
    min_size=1, max_size=3,
)  # fmt: skip


def places_in(value):
    """Every place in a JSON value, as the object or list that holds it and its key."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(items):
        yield value, key
        yield from places_in(inner)


def changed(fields, steps):
    """A copy of some fields after some changes, each at a place somewhere in it."""
    fields = copy.deepcopy(fields)
    for number, kind, shared in steps:
        value = copy.deepcopy(shared)
        places = list(places_in(fields))
        if not places:
            break
        holder, key = places[number % len(places)]
        if kind == "replace":
            holder[key] = value
        elif kind == "delete":
            del holder[key]
        elif isinstance(holder, list):
            holder.append(copy.deepcopy(holder[key]) if kind == "repeat" else value)
        else:
            holder[f"{key} again" if kind == "repeat" else str(value)[:50]] = value
    fields.pop("seal", None)
    return fields


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A run, a folder of scenarios and looks at a ladder, with code beside all of them."""
    place = tmp_path_factory.mktemp("sealed")
    run = play_run(Experiment(games=60, chunk=20, policies="random"), place / "run", workers=1).folder
    for folder in (place, run):
        (folder / "code.py").write_text(f'open({str(place / MARKER)!r}, "w")\n', "utf-8")
    (place / "set").mkdir()
    named = [{"name": name, "hash": "0" * 64} for name in ("plain", "other")]
    (place / "set" / "scenarios.json").write_bytes(sealed_document({"format": 2, "finished": True, "scenarios": named}))
    note_look(place, "0", 4)
    return place


def read_run(place):
    """Everything that reads a run."""
    for read in (Run.verify, run_experiment, state_of, restored_experiment):
        with suppress(WallsimError):
            read(place / "run")
    with suppress(WallsimError):
        run = Run.open(place / "run")
        summarise(run)
        run.first(30).scan("games").collect()
    list_results([place / "run"])


def read_scenarios(place):
    """Everything that reads a folder of scenarios."""
    for read in (read_document, Scenarios.open, Scenarios.verify):
        with suppress(WallsimError):
            read(place / "set")


def read_looks(place):
    """The reader of looks."""
    with suppress(WallsimError):
        looks_of(place, "0")


def header_line(fields):
    """A journal's header whose hash is right, whatever it says."""
    if isinstance(fields.get("identity"), dict):
        fields["hash"] = identity_hash(fields["identity"])
    return sealed_line(fields)


def manifest(fields):
    """A manifest whose hash is right, whatever it says."""
    said = fields.get("experiment")
    if isinstance(said, dict) and isinstance(said.get("identity"), dict):
        said["hash"] = identity_hash(said["identity"])
    return sealed_document(fields)


def line_of(number, sealed):
    """How a line of a file is read and put back."""

    def mutate(data, steps):
        lines = data.split(b"\n")
        lines[number] = sealed(changed(json.loads(lines[number]), steps))
        return b"\n".join(lines)

    return mutate


def whole_of(sealed):
    """How a document is read and put back."""
    return lambda data, steps: sealed(changed(json.loads(data), steps))


# The file, how it is changed, and what reads it.
KINDS = {
    "head": ("run/journal.jsonl", line_of(0, header_line), read_run),
    "receipt": ("run/journal.jsonl", line_of(2, sealed_line), read_run),
    "manifest": ("run/manifest.json", whole_of(manifest), read_run),
    "log": ("run/log.jsonl", line_of(0, sealed_line), read_run),
    "scenarios": ("set/scenarios.json", whole_of(sealed_document), read_scenarios),
    "looks": ("looks.json", whole_of(sealed_document), read_looks),
}


def survives(place, kind, steps):
    """Read documents that were changed and sealed: without a traceback, a wait, or a file that was not there."""
    name, mutate, read = KINDS[kind]
    whole = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    try:
        data = mutate(whole[place / name], steps)
    except (UnicodeEncodeError, ValueError):  # such a text cannot be written at all
        return
    began = time.monotonic()
    try:
        (place / name).write_bytes(data)
        read(place)
        assert time.monotonic() - began < SLOWEST
        assert not (place / MARKER).exists()
        new = {path for path in place.rglob("*") if path.is_file()} - whole.keys()
        assert all(path.parent in (place / "run", place / "run" / "policies", place / "run" / "board") for path in new)
    finally:
        for path in place.rglob("*"):
            if path.is_file() and path not in whole:
                path.unlink()
        for path, before in whole.items():
            path.write_bytes(before)


@pytest.mark.one_in(6)
@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=500)
@given(steps=changes)
def test_sealed_documents_that_say_something_else_are_read_or_refused(place, kind, steps):
    survives(place, kind, steps)
