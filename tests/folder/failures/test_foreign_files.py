"""Files of another run, links and pipes in place of files: verify finds every one, and repair repairs it."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.folder.failures.conftest import EXPERIMENT, assert_undisturbed
from tests.folder.mishaps import every_file, named
from tests.refusals import refused
from wallsim.errors import RunError, WallsimError
from wallsim.folder.checksummed_json import sealed_line
from wallsim.folder.listing import list_results
from wallsim.folder.results import Run
from wallsim.play.play import play_run, play_slice
from wallsim.play.repair import repair

PART = "seats/part-000007.parquet"


@pytest.fixture(scope="module")
def others(tmp_path_factory, whole):
    """The same run, and other runs: of another seed, with more games, with other chunks, in slices."""
    folder = tmp_path_factory.mktemp("others")
    shutil.copytree(whole, folder / "same")
    play_run(EXPERIMENT.model_copy(update={"seed": 24}), folder / "seed")
    play_run(EXPERIMENT.model_copy(update={"games": 4900}), folder / "more")
    play_run(EXPERIMENT.model_copy(update={"chunk": 500}), folder / "chunks")
    play_slice(EXPERIMENT.model_copy(update={"seed": 24}), folder / "slice", (1, 2))
    play_slice(EXPERIMENT.model_copy(update={"games": 4900}), folder / "more-slice", (1, 2))
    play_slice(EXPERIMENT.model_copy(update={"chunk": 500}), folder / "chunks-slice", (1, 2))
    return folder


# What is done to the folder of the run, given the other runs.


def copy(folder, others, source, name=None):
    """Put a file of another run in the place of the run's own, or beside them."""
    target = folder / (name or source.split("/", 1)[1])
    target.parent.mkdir(exist_ok=True)
    shutil.copy(others / source, target)


def add_lines(folder, others, source, name="journal.jsonl", first=1):
    """Append lines of another run's journal to one of the run."""
    lines = (others / source).read_bytes().splitlines(keepends=True)
    with (folder / name).open("ab") as file:
        file.writelines(lines[first:])


def put_between(folder, others, source):
    """Put a receipt of another run in the midst of the run's own."""
    mine = (folder / "journal.jsonl").read_bytes().splitlines(keepends=True)
    theirs = (others / source).read_bytes().splitlines(keepends=True)
    (folder / "journal.jsonl").write_bytes(b"".join([*mine[:4], theirs[5], *mine[4:]]))


def link(folder, others, name, target):
    """Put a symbolic link in the place of a file."""
    (folder / name).unlink()
    (folder / name).symlink_to(others / target)


def pipe(folder, others, name):
    """Put a pipe in the place of a file."""
    (folder / name).unlink()
    os.mkfifo(folder / name)


def delete(folder, others, *names):
    """Delete files."""
    for name in names:
        (folder / name).unlink()


def add_wrong_receipt(folder, others, name):
    """Append a receipt that was sealed by someone, with other bytes of its files."""
    line = json.loads((folder / "journal.jsonl").read_bytes().splitlines()[3])
    line["files"][0]["sha256"] = "0" * 64
    with (folder / name).open("ab") as file:
        file.write(sealed_line({key: value for key, value in line.items() if key != "seal"}) + b"\n")


DAMAGES = {
    "a part of another run": (copy, f"seed/{PART}"),
    "a part of the same run with other chunks": (copy, f"chunks/{PART}"),
    "another part of the run": (copy, "same/seats/part-000003.parquet", PART),
    "a part that does not belong": (copy, f"seed/{PART}", "seats/part-000099.parquet"),
    "a part of a table that was not asked for": (copy, f"seed/{PART}", "seasons/part-000000.parquet"),
    "a part beyond the games": (copy, "more/seats/part-000022.parquet"),
    "a link to another run's part": (link, PART, f"seed/{PART}"),
    "a link to a device": (link, PART, Path("/dev/zero")),
    "a pipe": (pipe, PART),
    "neither journal nor log": (delete, "journal.jsonl", "log.jsonl"),
    "neither journal nor manifest": (delete, "journal.jsonl", "manifest.json"),
    "receipts of another run": (add_lines, "seed/journal.jsonl"),
    "a journal of another run behind it": (add_lines, "seed/journal.jsonl", "journal.jsonl", 0),
    "a receipt of another run between": (put_between, "seed/journal.jsonl"),
    "receipts of more games": (add_lines, "more/journal.jsonl"),
    "receipts of other chunks": (add_lines, "chunks/journal.jsonl"),
    "a receipt with wrong digests": (add_wrong_receipt, "journal.jsonl"),
    "a receipt with wrong digests in a slice": (add_wrong_receipt, "journal-0-of-3.jsonl"),
    "a slice of another run": (copy, "slice/journal-1-of-2.jsonl"),
    "a slice with more games": (copy, "more-slice/journal-1-of-2.jsonl"),
    "a slice with other chunks": (copy, "chunks-slice/journal-1-of-2.jsonl"),
    "a manifest of another run": (copy, "seed/manifest.json"),
    "a manifest of more games": (copy, "more/manifest.json"),
    "a manifest of other chunks": (copy, "chunks/manifest.json"),
    "an experiment of another run": (copy, "seed/experiment.toml"),
    "a log of another run behind it": (add_lines, "seed/journal.jsonl", "log.jsonl"),
    "a link in place of the log": (link, "log.jsonl", "seed/log.jsonl"),
    "a pipe in place of the log": (pipe, "log.jsonl"),
}
# They say nothing wrong: lines of this package about another run, and a receipt of which the run's journal has a later
# one.
UNSEEN = {"a log of another run behind it", "a receipt with wrong digests in a slice"}


def errors_of(folder):
    """What verify says, an error included."""
    try:
        return Run.verify(folder)
    except WallsimError as error:
        return [str(error)]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_foreign_is_found_and_repaired(copied, whole, others, damage):
    before = every_file(others)
    damaged, *about = DAMAGES[damage]
    damaged(copied, others, *about)
    assert bool(errors_of(copied)) != (damage in UNSEEN), errors_of(copied)
    repair(copied, workers=1)
    assert_undisturbed(copied, whole)
    assert every_file(others) == before


@pytest.mark.slow
def test_a_whole_journal_of_another_run_is_not_believed_against_all_else(copied, whole, others):
    """By it, repair would play all games again as those of the other run."""
    right = (copied / "journal.jsonl").read_bytes()
    shutil.copy(others / "seed/journal.jsonl", copied)
    (copied / "manifest.json").unlink()
    before = every_file(copied)
    assert len(errors_of(copied)) > 20
    with refused("journal.jsonl", "another run", "experiment.toml", by=RunError):
        repair(copied, workers=1)
    assert every_file(copied) == before
    (copied / "journal.jsonl").write_bytes(right)
    repair(copied, workers=1)
    assert_undisturbed(copied, whole)


@pytest.mark.parametrize("name", ["codebook.md", "manifest.json", PART, "games"])
def test_what_is_in_the_way_is_named_and_has_to_be_removed(copied, whole, name):
    path, is_table = copied / name, name == "games"
    shutil.rmtree(path) if is_table else path.unlink()
    path.touch() if is_table else path.mkdir()
    for _ in range(2):
        assert f"{name}: is {'not ' if is_table else ''}a folder; remove it" in errors_of(copied)
        with refused(path, f"is {'no' if is_table else 'a'} folder", by=WallsimError):
            repair(copied, workers=1)
    path.unlink() if is_table else path.rmdir()
    repair(copied, workers=1)
    assert_undisturbed(copied, whole)


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, lambda path: path.symlink_to("nowhere")])
def test_a_journal_that_is_no_file_has_to_be_removed_and_is_written_again(copied, whole, make):
    path = copied / "journal.jsonl"
    path.unlink()
    make(path)
    for use in (Run.verify, repair, lambda folder: play_run(EXPERIMENT, folder)):
        with refused(path, "remove it", by=WallsimError):
            use(copied)
    path.rmdir() if path.is_dir() else path.unlink()
    repair(copied, workers=1)
    assert_undisturbed(copied, whole)


def test_a_strange_file_among_the_tables_is_left_alone_and_reported(copied, whole):
    strange = shutil.copy(whole / PART, copied / "games/mine.parquet")
    assert named(Run.verify(copied)) == ["games/mine.parquet"]
    with refused("games/mine.parquet", by=RunError):
        repair(copied)
    strange.unlink()
    assert_undisturbed(copied, whole)


def test_a_damaged_receipt_and_a_lost_journal_are_listed_as_damage(copied, quick):
    journal = copied / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    lines[4] = lines[4].replace(b'"chunk": ', b'"chunk":  ')
    journal.write_bytes(b"".join(lines))
    assert [listed.state for listed in list_results([quick])] == ["damaged"]
    journal.unlink()
    with refused("journal.jsonl", f"`wallsim repair {copied}`", by=RunError):
        Run.verify(copied)
    assert [(each.state, each.command) for each in list_results([quick])] == [("damaged", f"wallsim repair {copied}")]


@pytest.mark.parametrize("name", ["journal.jsonl", "manifest.json"])
@pytest.mark.parametrize("data", [b"", b"{}"])
def test_of_a_folder_with_one_damaged_file_only_its_command_can_tell_what_it_is(name, data, tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / name).write_bytes(data)
    with refused("the command", f"--out {folder}", by=RunError):
        repair(folder)
    assert [path.name for path in folder.iterdir()] == [name]
