"""A manifest that was sealed again and says something else is damage, which is named and repaired."""

from itertools import product

import pytest

from tests.folder.mishaps import manifest_of, put_manifest
from tests.refusals import refused
from wallsim.analysis.games.summary import summarise
from wallsim.errors import RunError
from wallsim.folder.results import Run
from wallsim.play.play import play_run


@pytest.fixture
def copy(tiny, tmp_path):
    """A copy of the finished run that a test may damage: four games in two chunks, with every table."""
    return tiny.copied(tmp_path / "copy")


def change_manifest(folder, key, value):
    """Set an entry of a sealed manifest, by its dotted key; `...` deletes it."""
    manifest = inner = manifest_of(folder)
    *outer, last = key.split(".")
    for name in outer:
        inner = inner[name]
    inner[last] = value
    if value is ...:
        del inner[last]
    put_manifest(folder, manifest)


def reports(folder, *starts):
    """Whether verifying reports each of these of the manifest."""
    errors = Run.verify(folder)
    return all(any(error.startswith(f"manifest.json: {start}") for error in errors) for start in starts)


@pytest.mark.parametrize(
    ("key", "value", "error"),
    [
        ("games", 3, "is damaged (chunks)"),
        ("seed", 12, "seed: differs"),
        ("rows.seats", 1, "is damaged (files of seats)"),
        ("engine_version", 3, "engine_version: differs"),
        ("tower.p", 0.5, "tower: differs"),
        ("policies", [], "policies: differs"),
        ("board.digest", "0", "board.digest: differs"),
        ("bytes", 1, "bytes: differs"),
        ("chunks", [], "is damaged (chunks, files of games"),
        ("papers", {}, "papers: lacks board/borders.csv"),
        ("experiment.text", "", "experiment.text: does not belong"),
    ],
)
def test_a_manifest_that_says_otherwise_is_found_and_repaired(tiny, copy, key, value, error):
    whole = (copy / "manifest.json").read_bytes()
    change_manifest(copy, key, value)
    assert reports(copy, error), Run.verify(copy)
    play_run(tiny.experiment, copy)
    assert (Run.verify(copy), (copy / "manifest.json").read_bytes()) == ([], whole)


def test_files_are_compared_both_ways(copy):
    files = manifest_of(copy)["files"]
    change_manifest(copy, "files", files[:-1])
    assert reports(copy, "is damaged (files of plans)")
    # A table that is left out altogether is no gap.
    change_manifest(copy, "files", [file for file in files if file["table"] != "plans"])
    change_manifest(copy, "rows.plans", ...)
    assert reports(copy, *(f"plans/part-00000{number}.parquet: is missing" for number in range(2)))
    change_manifest(copy, "files", files)
    journal = (copy / "journal.jsonl").read_text("utf-8").splitlines(keepends=True)
    (copy / "journal.jsonl").write_text("".join(journal[:-1]), "utf-8")
    errors = Run.verify(copy)
    assert any(error.endswith("not in the journal") for error in errors)
    assert any(error.startswith("journal.jsonl: chunk 1") and error.endswith("is missing") for error in errors)


KEYS = ("experiment", "games", "rows", "bytes", "board", "tower", "time", "files", "papers", "chunks", "policies")
OF_IDENTITY = ("experiment.identity.edition", "experiment.identity.expansions")


@pytest.mark.parametrize(("key", "value"), [*product(KEYS, [..., "x"]), *product(OF_IDENTITY, [None, ...])])
def test_a_manifest_that_lacks_something_or_has_another_type_is_an_error(copy, key, value):
    change_manifest(copy, key, value)
    assert_damaged(copy, key)


@pytest.mark.parametrize("text", ["", "[]", "{}", "[" * 100_000, '{"games": ' + "9" * 5000 + "}"])
def test_so_is_what_is_no_manifest(copy, text):
    (copy / "manifest.json").write_text(text, "utf-8")
    assert_damaged(copy, "")


def assert_damaged(folder, what):
    """A manifest is not read, and verifying says what of it is damaged."""
    with refused(f"manifest.json: is damaged ({what}", by=RunError):
        Run.open(folder)
    assert reports(folder, f"is damaged ({what}")


@pytest.mark.parametrize("games", [3, 10**6])
def test_a_summary_counts_rows_and_refuses_other_numbers(copy, games):
    change_manifest(copy, "games", games)
    first, last = manifest_of(copy)["chunks"]
    change_manifest(copy, "chunks", [first, {**last, "games": games - 2}])
    with refused("seats/part-000001.parquet", "wallsim.games", by=RunError):
        summarise(Run.open(copy))
