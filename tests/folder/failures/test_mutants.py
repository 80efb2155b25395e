"""Files that say anything at all are read or refused: no traceback, no wait, no code run, no neighbour hidden.

Bytes are changed at random, and what is sealed is changed within and sealed again, as a stranger can do.
"""

import json
import shutil
import time
from contextlib import suppress
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.searches import work
from wallsim.analysis.games.summary import summarise
from wallsim.analysis.tower.cast_file import read_casts
from wallsim.errors import WallsimError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import experiment_text
from wallsim.experiment.identity import identity_hash
from wallsim.folder.checksummed_json import sealed_document, sealed_line
from wallsim.folder.layout import is_inner
from wallsim.folder.listing import list_results
from wallsim.folder.local_files import FileStore
from wallsim.folder.result_folder import readable
from wallsim.folder.results import Run, run_experiment
from wallsim.folder.scenarios import Scenarios
from wallsim.folder.tournament import TournamentRun
from wallsim.folder.verification import KINDS, known_kind, show_command, state_of, verify_results
from wallsim.play.repair import restored_experiment
from wallsim.play.scenarios.file import load_experiments
from wallsim.policies.catalogue import load_policy
from wallsim.rules.board import load_board
from wallsim.rules.files import data_folder
from wallsim.rules.tower import load_tower

SLOWEST = 10.0  # seconds for one mutant; a reader that takes longer hangs
MARKER = "executed"

# --------------------------------------------------------------------------------- folders, and what reads them


def summarised(folder):
    """A run that is opened, counted and shortened."""
    opened = Run.open(folder)
    summarise(opened)
    opened.first(3).scan("games").collect()


def looked(folder):
    """A tournament with another look at its ladder."""
    TournamentRun.open(folder).note_look()


READERS = (
    verify_results, state_of, show_command, lambda folder: known_kind(folder).restore(FileStore(folder)),
    Run.verify, summarised, run_experiment, restored_experiment, Scenarios.open, looked,
)  # fmt: skip


def read_folder(folder):
    """Everything that reads a folder, of whatever kind, and lists it beside a sound one."""
    for read in READERS:
        with suppress(WallsimError):
            read(folder)
    for kind in KINDS:
        with suppress(WallsimError), readable(folder):
            kind.progress(FileStore(folder))
    listed = {one.folder.name: one.state for one in list_results([folder.parent])}
    assert listed["sound"] == "finished"
    assert len(listed) > 1


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a sound neighbour of folders, and files of input beside code."""
    place = tmp_path_factory.mktemp("mutants")
    work.do(place / "sound", work.KINDS["learning"])
    (place / "input").mkdir()
    for name, text in {
        "input/code.py": f'open({str(place / MARKER)!r}, "w")\n',
        "input/x.toml": experiment_text(Experiment(games=10, policies="random")),
        "input/s.toml": 'games = 10\npolicies = "random"\n[scenario.plain]\n[scenario.other]\nseed = 4\n'
        '[factor]\ntower = ["mid"]\n',
        "input/casts.csv": "thrown,red,blue,out_red,out_blue\n1,3,2,1,1\n2,4,0,3,0\n",
    }.items():
        (place / name).write_text(text, "utf-8")
    shutil.copy(data_folder("tower") / "mid.toml", place / "input/tower.toml")
    shutil.copy(data_folder("policies") / "builder.toml", place / "input/policy.toml")
    shutil.copytree(data_folder("board"), place / "board")
    return place


@pytest.fixture(scope="module")
def folder_of(place, made):
    """Gives the folder of a kind, with code in it."""

    def copied(kind):
        if not (place / kind).exists():
            shutil.copytree(made(kind), place / kind)
            shutil.copy(place / "input/code.py", place / kind)
        return place / kind

    return copied


def survives(place, name, data, read):
    """Read a file with other bytes: quickly, without running code, and with no new file outside of its folder."""
    path, folder = place / name, place / name.partition("/")[0]
    whole, there = {each: each.read_bytes() for each in folder.rglob("*") if each.is_file()}, {*place.rglob("*")}
    began = time.process_time()
    try:
        path.write_bytes(data)
        with suppress(WallsimError):
            read()
        assert time.process_time() - began < SLOWEST
        assert not (place / MARKER).exists()
        assert all(each.is_relative_to(folder) for each in {*place.rglob("*")} - there)
    finally:
        for each in [each for each in folder.rglob("*") if each.is_file() and each not in whole]:
            each.unlink()
        for each, before in whole.items():
            each.parent.mkdir(exist_ok=True)
            each.write_bytes(before)


# --------------------------------------------------------------------------------------------------- other bytes

SPLICES = (
    b"\x00", b"\xff\xfe", b"\r\n", b"9" * 400, b"-1", b"1e999", b"nan", b"[" * 3000, b"{" * 3000, b'"', b"'''", b"=",
    b'"code.py"', b'["code.py"]', b"../../x", b"\xe2\x80\xae", b"\x1b[31m", b"\n\n", b",", b"true", b"null",
)  # fmt: skip
positions, cuts = st.floats(0, 1, exclude_max=True), st.integers(1, 40)
mutations = st.lists(
    st.tuples(st.just("flip"), positions, st.integers(0, 7))
    | st.tuples(st.sampled_from(("delete", "repeat", "cut")), positions, cuts)
    | st.tuples(st.just("splice"), positions, st.integers(0, len(SPLICES) - 1)),
    min_size=1, max_size=4,
)  # fmt: skip


def mutant(data, steps):
    """The bytes after some mutations."""
    for kind, position, number in steps:
        at = int(position * len(data))
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


INPUTS = {  # the file, and what reads it
    "experiment": ("input/x.toml", load_experiments),
    "scenarios": ("input/s.toml", load_experiments),
    "tower": ("input/tower.toml", lambda path: load_tower(str(path))),
    "policy": ("input/policy.toml", lambda path: load_policy(str(path))),
    "counties": ("board/counties.csv", lambda path: load_board(path.parent)),
    "line-ups": ("board/lineups.csv", lambda path: load_board(path.parent)),
    "casts": ("input/casts.csv", read_casts),
}
OF_FOLDERS = (
    "run/journal.jsonl", "run/manifest.json", "run/experiment.toml", "run/log.jsonl", "scenarios/scenarios.json",
    "tournament/looks.json", "study/record.json", "tuning/journal.jsonl",
)  # fmt: skip


@pytest.mark.parametrize("name", [*INPUTS, *OF_FOLDERS])
@pytest.mark.parametrize("examples", [8, pytest.param(200, marks=[pytest.mark.slow, pytest.mark.one_in(10)])])
def test_a_file_with_other_bytes_is_read_or_refused(place, folder_of, name, examples):
    if name not in INPUTS:
        folder_of(name.partition("/")[0])

    @settings(max_examples=examples)
    @given(steps=mutations)
    def survives_bytes(steps):
        file, read = INPUTS.get(name, (name, lambda path: read_folder(path.parent)))
        path = place / file
        survives(place, file, mutant(path.read_bytes(), steps), lambda: read(path))

    survives_bytes()


# ------------------------------------------------------------------------------------------ other words, sealed again

BAD_NAMES = (
    "a\0b", "\ud800", "", ".", "..", "../x", "/etc/passwd", "a/../../x", "a//b", "a\nb", "\x1b[2J", "\u202ex",
    "x\u200b", "\ue000", "x" * 300, "x/" * 400 + "x", "ü" * 200,
)  # fmt: skip
DELETED, REPEATED = object(), object()
VALUES = (
    None, True, -1, 0, 2.5, -(10**12), 10**12, 10**90, -(10**90), 1e199, float("nan"), "", "x", "\0", "\ud800",
    "x" * 100_000, [], {}, [[]], [None] * 3, {"a": {}}, {"": None}, json.loads("[" * 60 + "]" * 60), "../x",
    "1" * 5000, "code.py", "policies/code.py", ["code.py"], 'policies = ["code.py"]', "seats/part-000000.parquet",
    "/dev/zero", "\x1b[31m\u202e", DELETED, REPEATED,
)  # fmt: skip


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


# The folder, its file, the number of the line that is changed, and how that is sealed.
DOCUMENTS = {
    "head": ("run", "journal.jsonl", 0, header_line), "receipt": ("run", "journal.jsonl", 1, sealed_line),
    "manifest": ("run", "manifest.json", None, manifest), "log": ("run", "log.jsonl", 0, sealed_line),
    "tournament head": ("tournament", "journal.jsonl", 0, header_line),
    "tournament manifest": ("tournament", "manifest.json", None, manifest),
    "checksums": ("tournament", "checksums.json", None, sealed_document),
    "looks": ("tournament", "looks.json", None, sealed_document),
    "scenarios": ("scenarios", "scenarios.json", None, sealed_document),
    "record": ("study", "record.json", None, sealed_document),
    "index": ("study", "parts/checksums.jsonl", 0, sealed_line),
    **{f"{what} head": (what, "journal.jsonl", 0, sealed_line) for what in work.KINDS},
    **{f"{what} receipt": (what, "journal.jsonl", 1, sealed_line) for what in work.KINDS},
    **{f"{what} checksums": (what, "checksums.json", None, sealed_document) for what in work.KINDS},
}  # fmt: skip


def places_in(value):
    """Every place in a JSON value, as the object or list that holds it and its key."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(items):
        yield value, key
        yield from places_in(inner)


def sealed_again(path, number, seal, change):
    """The bytes of a document of which the fields, or those of a line, are changed; None if that cannot be written."""
    data = path.read_bytes()
    lines = data.split(b"\n") if number is not None else [data]
    fields = json.loads(lines[number or 0])
    fields.pop("seal")
    change(fields)
    try:
        lines[number or 0] = seal(fields)
    except (UnicodeEncodeError, ValueError):
        return None
    return b"\n".join(lines)


def put(number, value, fields):
    """Put a value in a place of some fields, or delete or repeat what is there."""
    every = list(places_in(fields))
    holder, key = every[number % len(every)]
    if value is DELETED:
        del holder[key]
    elif value is REPEATED:
        again = json.loads(json.dumps(holder[key]))
        holder.append(again) if isinstance(holder, list) else holder.update({f"{key} again": again})
    else:
        holder[key] = value


@pytest.mark.parametrize("document", DOCUMENTS)
@pytest.mark.parametrize("every", [6, pytest.param(1, marks=[pytest.mark.slow, pytest.mark.one_in(4)])])
def test_a_document_with_other_values_is_read_or_refused(place, folder_of, document, every):
    kind, file, number, seal = DOCUMENTS[document]
    folder = folder_of(kind)
    values = VALUES[[*DOCUMENTS].index(document) % every :: every]
    for at, value in enumerate(values * (3 if every == 1 else 1)):  # each value in another place
        data = sealed_again(folder / file, number, seal, partial(put, at, value))
        if data is not None:
            survives(place, f"{kind}/{file}", data, lambda: read_folder(folder))


def test_such_a_name_is_none_of_a_file_in_a_folder():
    assert not any(map(is_inner, BAD_NAMES))
    for name in ("manifest.json", "results/part-000000.parquet", "policies/Wüste 漢.toml", "tower-a b.toml"):
        assert is_inner(name)


@pytest.mark.parametrize("document", ["checksums", "record", "index", "manifest", "head", "tuning checksums"])
def test_bad_names_within_sealed_documents_are_damage(place, folder_of, document):
    kind, file, number, seal = DOCUMENTS[document]
    folder = folder_of(kind)
    whole = (folder / file).read_bytes()
    holder = {"manifest": "papers", "head": "papers", "index": None}.get(document, "files")
    for name in BAD_NAMES:

        def change(fields, name=name):
            if holder is None:
                fields["file"] = name
            else:
                fields[holder][name] = "0" * 64

        (folder / file).write_bytes(whole)
        data = sealed_again(folder / file, number, seal, change)
        if data is not None:
            (folder / file).write_bytes(data)
            assert verify_results(folder), ascii(name)
            assert {one.folder.name: one.state for one in list_results([place])}["sound"] == "finished"
    (folder / file).write_bytes(whole)
