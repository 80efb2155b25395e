"""The documents beside the tables: written again when they are lost or changed, and never written or read elsewhere."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import suppress

import pytest

from tests.folder.mishaps import every_file, journal_lines, named, put_line
from tests.play.watching import Counter, parts_of
from tests.refusals import assert_names, refused
from wallsim.errors import InputError, RunError
from wallsim.folder.local_files import MOST_BYTES, read_bounded
from wallsim.folder.results import Run, run_experiment
from wallsim.play.observer import RunObserver
from wallsim.play.play import play_run

DOCUMENTS = ("experiment.toml", "codebook.md", "tower-leaning.toml", "policies/me.toml", "board/events.csv")
KINDS = ("endless", "pipe", "link", "device")


@pytest.fixture
def copy(tiny, tmp_path):
    """A copy of the finished run that a test may damage."""
    return tiny.copied(tmp_path / "copy")


@pytest.fixture
def cut(tiny, tmp_path):
    """A copy of the run as it is left without its last chunk."""
    return tiny.cut(tmp_path / "cut")


def texts(folder):
    """The bytes of every document, None for what is not a regular file."""
    return {name: path.read_bytes() if (path := folder / name).is_file() else None for name in DOCUMENTS}


def put_something(path, kind):
    """Put something other than a plain file in the place of a file; skips where that is not allowed."""
    elsewhere = path.with_name("elsewhere")
    if path.exists():
        shutil.copy(path, elsewhere)
        path.unlink()
    if kind == "endless":
        path.symlink_to("/dev/zero")
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to(elsewhere)
    else:
        try:
            os.mknod(path, 0o600 | 0o020000, os.makedev(1, 5))
        except OSError:
            pytest.skip("needs the right to make a device")
    return elsewhere


# ------------------------------------------------------------------------------------------------ written again


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("lost", [True, False])
def test_a_lost_or_changed_document_of_an_unfinished_run_is_written_again_and_named(cut, tiny, name, lost):
    (cut / name).unlink() if lost else (cut / name).write_text("mine", "utf-8")
    assert named(Run.verify(cut)) == [name]
    watch = Counter()
    play_run(tiny.experiment, cut, observer=watch)
    assert_names(watch.note, name)
    assert (Run.verify(cut), texts(cut), parts_of(cut)) == ([], texts(tiny.folder), parts_of(tiny.folder))


def test_all_documents_of_a_finished_run_are_written_again_without_playing(copy, tiny):
    for name in DOCUMENTS[:3]:
        (copy / name).unlink()
    shutil.rmtree(copy / "board")
    shutil.rmtree(copy / "policies")
    manifest, watch = (copy / "manifest.json").read_bytes(), Counter()
    play_run(tiny.experiment, copy, observer=watch)
    assert (texts(copy), watch.games) == (texts(tiny.folder), 0)
    assert ((copy / "manifest.json").read_bytes(), Run.verify(copy)) == (manifest, [])


def test_what_a_document_was_when_it_was_first_written_is_kept_although_its_source_has_changed(cut, tiny, tmp_path):
    mine = tmp_path / "leaning.toml"
    shutil.copy(tiny.experiment.tower, mine)
    mine.write_text(mine.read_text("utf-8") + "# a remark\n", "utf-8")
    (cut / "tower-leaning.toml").unlink()
    play_run(tiny.experiment.model_copy(update={"tower": str(mine)}), cut)
    assert texts(cut) == texts(tiny.folder)
    assert Run.verify(cut) == []


def test_a_document_that_is_changed_while_the_run_is_played_is_written_again_at_its_end(cut, tiny):
    class Spoiling(RunObserver):
        def played(self, games):
            for name in DOCUMENTS:
                (cut / name).write_text("mine", "utf-8")
            (cut / "codebook.md").unlink()

    play_run(tiny.experiment, cut, observer=Spoiling())
    assert texts(cut) == texts(tiny.folder)
    assert Run.verify(cut) == []


def test_a_damaged_experiment_is_not_read_and_the_command_that_repairs_it_is_named(copy, cut):
    for folder in (copy, cut):
        text = (folder / "experiment.toml").read_text("utf-8")
        (folder / "experiment.toml").write_text(text.replace("seed = 8", "seed = 9"), "utf-8")
        with refused("experiment.toml", f"`wallsim repair {folder}`", by=RunError):
            run_experiment(folder)


NO_DOCUMENTS = (
    "../x", "/tmp/x", "board/../../x", "tower-/x", "policies/..", "journal.jsonl", "seats/x", "x",
    "tower-\x1b[31mred.toml", "tower-a\nb",
)  # fmt: skip


@pytest.mark.parametrize("name", NO_DOCUMENTS, ids=ascii)
def test_a_document_outside_the_folder_or_in_place_of_another_file_is_no_document(cut, tiny, name):
    header = json.loads(journal_lines(cut)[0])
    header["papers"][name] = "mine"
    put_line(cut, 0, header)
    assert named(errors := Run.verify(cut)) == ["journal.jsonl: line 1"]
    assert all(map(str.isprintable, errors))
    play_run(tiny.experiment, cut)  # the header is rebuilt
    assert Run.verify(cut) == []
    assert "mine" not in {path.read_text("utf-8", "replace") for path in cut.parent.rglob("*") if path.is_file()}


# ---------------------------------------------------------------------------- links, pipes and devices as documents


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["manifest.json", "experiment.toml", "board/events.csv"])
def test_what_is_no_plain_file_is_refused_found_and_replaced(copy, tiny, name, kind):
    elsewhere = put_something(copy / name, kind)
    before = elsewhere.read_bytes()
    for document, read in (("manifest.json", Run.open), ("experiment.toml", run_experiment)):
        if name == document:
            with refused(name, by=RunError):
                read(copy)
    assert any(error.startswith(f"{name}: ") for error in Run.verify(copy))
    play_run(tiny.experiment, copy)
    assert (elsewhere.read_bytes(), (copy / name).read_bytes()) == (before, before)
    assert not (copy / name).is_symlink()
    assert Run.verify(copy) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_log_that_is_no_plain_file_is_not_written_to_and_ends_no_run(cut, tiny, kind):
    elsewhere = put_something(cut / "log.jsonl", kind)
    before = elsewhere.read_bytes()
    # A process of its own, since who opens a pipe to write waits for a reader.
    code = (
        "import sys; from wallsim.folder.log import Log; from wallsim.folder.local_files import FileStore; "
        "from pathlib import Path; Log(FileStore(Path(sys.argv[1]))).write('begun')"
    )
    subprocess.run([sys.executable, "-c", code, str(cut)], check=True, timeout=10)
    assert elsewhere.read_bytes() == before


def test_what_is_too_long_is_not_read_into_memory(tmp_path):
    with (tmp_path / "long").open("wb") as file:
        file.truncate(1 << 40)  # takes no room on the disk
    with refused(tmp_path / "long", f"{MOST_BYTES:,} bytes", by=RunError):
        read_bounded(tmp_path / "long")
    (tmp_path / "short").write_bytes(b"x" * 11)
    assert read_bounded(tmp_path / "short", 11) == b"x" * 11
    with refused(tmp_path / "short", "10 bytes", by=RunError):
        read_bounded(tmp_path / "short", 10)


# -------------------------------------------------------------------------------------------- folders that are links


@pytest.mark.parametrize("name", ["games", "board", "policies"])
@pytest.mark.parametrize("run", ["copy", "cut"])
def test_nothing_is_written_or_deleted_outside_the_folder_by_a_link(request, tiny, tmp_path, name, run):
    folder, outside = request.getfixturevalue(run), tmp_path / "outside"
    shutil.move(folder / name, outside)
    (folder / name).symlink_to(outside)
    (outside / ".mine.writing").write_text("mine", "utf-8")
    before, of_documents = every_file(outside), name != "games"
    if of_documents:
        with suppress(InputError):  # nothing has to be written there, but it may be refused
            play_run(tiny.experiment, folder)
        assert every_file(outside) == before
        next(path for path in outside.iterdir() if path.name != ".mine.writing").unlink()
        before = every_file(outside)
    else:
        assert name in named(Run.verify(folder))
    for games in (4,) if of_documents else (4, 6):
        with refused(folder / name, "symbolic link"):
            play_run(tiny.experiment.model_copy(update={"games": games}), folder)
    assert every_file(outside) == before
