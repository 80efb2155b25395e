"""Sealed documents of every kind of folder with hostile names and values: read or refused, and no neighbour is hidden.

Their seals are right, as a stranger can make them; see `test_sealed_mutants.py` for random changes of runs.
"""

import json
from contextlib import suppress
from functools import partial

import numpy as np
import pytest

from tests.folder.failures.test_sealed_mutants import header_line, manifest, places_in
from tests.searches import work
from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import WallsimError
from wallsim.experiment.experiment import Experiment
from wallsim.folder.checksummed_json import sealed_document, sealed_line
from wallsim.folder.derived import write_derived
from wallsim.folder.layout import is_inner
from wallsim.folder.listing import list_results
from wallsim.folder.local_files import FileStore
from wallsim.folder.result_folder import readable
from wallsim.folder.study_folder import finished_record
from wallsim.folder.verification import KINDS, known_kind, show_command, state_of, verify_results
from wallsim.play.play import play_run
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament
from wallsim.studies.cache import Cache

BAD_NAMES = (
    "a\0b", "\ud800", "", ".", "..", "../x", "/etc/passwd", "a/../../x", "a//b", "a\nb", "\x1b[2J", "\u202ex",
    "x\u200b", "\ue000", "x" * 300, "x/" * 400 + "x", "ü" * 200,
)  # fmt: skip
MOST_PLACES, STEP = 60, 6  # of a document, and from one value to the next at a place
NESTED = json.loads("[" * 20 + "]" * 20)
VALUES = (
    None, True, -1, 0, 2.5, -(10**12), 10**12, 10**90, -(10**90), 1e199, "", "x", "\0", "\ud800", "x" * 100_000, [], {},
    [[]], [None] * 3, {"a": {}}, NESTED, "../x", "1" * 5000,
)  # fmt: skip


def run(folder):
    play_run(Experiment(games=20, chunk=10, policies="random"), folder, workers=1)


def tournament(folder):
    experiment = Experiment(players=3, expansions=())
    place = play_tournament(Tournament(("random", "heedless"), experiment, 4), folder, workers=1).place
    write_derived(place, {"ratings.json": b"{}", "ladder.png": b""})


def scenarios(folder):
    run(folder / "scenario=plain")
    named = [{"name": name, "hash": "0" * 64} for name in ("plain", "other")]
    (folder / "scenarios.json").write_bytes(sealed_document({"format": 2, "finished": True, "scenarios": named}))


def study(folder):
    Cache(folder, "price").get("x", {"a": 1}, lambda design: {"x": np.zeros(3)})
    about = {"name": "price", "options": ["--quick"], "engine_version": ENGINE_VERSION, "packages": {}}
    (folder / "record.json").write_bytes(finished_record(folder, about).document())


MAKERS = {"run": run, "tournament": tournament, "scenarios": scenarios, "study": study,
          **{what: partial(work.do, kind=kind) for what, kind in work.KINDS.items()}}  # fmt: skip
# What is changed: the folder, its file, the number of the line, and how that is sealed.
DOCUMENTS = {
    "head": ("run", "journal.jsonl", 0, header_line), "receipt": ("run", "journal.jsonl", 1, sealed_line),
    "manifest": ("run", "manifest.json", None, manifest), "log": ("run", "log.jsonl", 0, sealed_line),
    "tournament head": ("tournament", "journal.jsonl", 0, header_line),
    "tournament manifest": ("tournament", "manifest.json", None, manifest),
    "checksums": ("tournament", "checksums.json", None, sealed_document),
    "scenarios": ("scenarios", "scenarios.json", None, sealed_document),
    "record": ("study", "record.json", None, sealed_document),
    "index": ("study", "parts/checksums.jsonl", 0, sealed_line),
    **{f"{what} head": (what, "journal.jsonl", 0, sealed_line) for what in work.KINDS},
    **{f"{what} receipt": (what, "journal.jsonl", 1, sealed_line) for what in work.KINDS},
    **{f"{what} checksums": (what, "checksums.json", None, sealed_document) for what in work.KINDS},
}  # fmt: skip


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """A folder of each kind, made when it is asked for, below one folder with a sound neighbour."""
    place = tmp_path_factory.mktemp("hostile")
    work.do(place / "sound", work.KINDS["learning"])

    def made(kind):
        if not (place / kind).exists():
            MAKERS[kind](place / kind)
        return place / kind

    return made


def put(path, number, seal, change):
    """Change the fields of a document, or of a line of it, and seal it again; False if they cannot be written."""
    whole = path.read_bytes()
    lines = whole.split(b"\n") if number is not None else [whole]
    fields = json.loads(lines[number or 0])
    fields.pop("seal", None)
    change(fields)
    try:
        lines[number or 0] = seal(fields)
    except (UnicodeEncodeError, ValueError):
        return False
    path.write_bytes(b"\n".join(lines))
    return True


def survives(folder):
    """Everything that reads a folder reads it or refuses it, and lists its neighbour."""
    for read in (verify_results, state_of, show_command):
        with suppress(WallsimError):
            read(folder)
    with suppress(WallsimError):
        known_kind(folder).restore(FileStore(folder))
    for kind in KINDS:
        with suppress(WallsimError), readable(folder):
            kind.progress(FileStore(folder))
    listed = {one.folder.name: one.state for one in list_results([folder.parent])}
    assert listed["sound"] == "finished"
    assert len(listed) > 1


def restored(folder):
    """The files of a folder, and a function that puts them back."""
    whole = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def again():
        for path in [path for path in folder.rglob("*") if path.is_file() and path not in whole]:
            path.unlink()
        for path, data in whole.items():
            if not path.is_file() or path.read_bytes() != data:
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(data)

    return again


@pytest.mark.parametrize("name", BAD_NAMES, ids=ascii)
def test_such_a_name_is_none_of_a_file_in_a_folder(name):
    assert not is_inner(name)


def test_names_of_files_in_a_folder_are():
    for name in ("manifest.json", "results/part-000000.parquet", "policies/Wüste 漢.toml", "tower-a b.toml"):
        assert is_inner(name)


@pytest.mark.parametrize("document", ["checksums", "record", "index", "manifest", "head", "tuning checksums"])
def test_bad_names_within_sealed_documents_are_refused(folders, document):
    kind, file, number, seal = DOCUMENTS[document]
    folder = folders(kind)
    again = restored(folder)
    holder = {"manifest": "papers", "head": "papers", "index": None}.get(document, "files")
    for name in BAD_NAMES:

        def change(fields, name=name):
            if holder is None:
                fields["file"] = name
            else:
                fields[holder][name] = "0" * 64

        if put(folder / file, number, seal, change):
            assert verify_results(folder), ascii(name)
            survives(folder)
        again()


@pytest.mark.slow
@pytest.mark.one_in(4)
@pytest.mark.parametrize("document", DOCUMENTS)
def test_hostile_values_within_sealed_documents_are_read_or_refused(folders, document):
    kind, file, number, seal = DOCUMENTS[document]
    folder = folders(kind)
    again = restored(folder)
    data = (folder / file).read_bytes()
    fields = json.loads(data if number is None else data.split(b"\n")[number])
    fields.pop("seal", None)
    for place in list(range(len(list(places_in(fields)))))[:MOST_PLACES]:
        for value in VALUES[place % STEP :: STEP]:

            def change(fields, place=place, value=value):
                holder, key = list(places_in(fields))[place]
                holder[key] = value

            if put(folder / file, number, seal, change):
                survives(folder)
            again()
