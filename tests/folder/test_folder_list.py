"""Listing the folders of results below some folders."""

import os
import shutil

import pytest
from typer.testing import CliRunner

from tests.finished_runs import EVERYTHING
from tests.refusals import refused
from wallsim.cli import app
from wallsim.folder import listing as folder_list
from wallsim.folder.listing import list_results
from wallsim.folder.local_files import FileStore


@pytest.fixture
def locked(full_run, tmp_path, monkeypatch):
    """A folder with a run, and two folders that nobody may read; the superuser may read all, so that is pretended."""
    shutil.copytree(full_run.folder, tmp_path / "run")

    def refusing(real):
        def call(place, *arguments):
            if place.folder.name.startswith("lost"):
                raise PermissionError(13, "Permission denied", str(place.folder))
            return real(place, *arguments)

        return call

    for name in ("lost+found", "lost-as-well"):
        (tmp_path / name).mkdir()
    for name in ("size", "folders", "read"):
        monkeypatch.setattr(FileStore, name, refusing(getattr(FileStore, name)))
    return tmp_path


def test_folders_that_cannot_be_read_do_not_hide_the_others(locked):
    assert [(one.folder.name, one.kind, one.state, one.finished) for one in list_results([locked])] == [
        ("lost+found", "folder", "unreadable", 0),
        ("lost-as-well", "folder", "unreadable", 0),
        ("run", "run", "finished", EVERYTHING.games),
    ]


def test_nor_do_folders_whose_names_are_no_text(full_run, tmp_path):
    shutil.copytree(full_run.folder, tmp_path / "run")
    os.mkdir(os.fsencode(tmp_path) + b"/\xff")
    assert [(one.folder.name, one.state) for one in list_results([tmp_path])] == [
        ("run", "finished"),
        ("\udcff", "unreadable"),
    ]


@pytest.mark.parametrize(
    "error", [ValueError("embedded null byte"), KeyError("x"), MemoryError(), RecursionError("deep")]
)
def test_whatever_a_folder_has_it_is_listed_as_unreadable_with_the_reason(full_run, tmp_path, monkeypatch, error):
    shutil.copytree(full_run.folder, tmp_path / "run")
    (tmp_path / "strange").mkdir()
    facts = folder_list._kind

    def kind(place):
        if place.folder.name == "strange":
            raise error
        return facts(place)

    monkeypatch.setattr(folder_list, "_kind", kind)
    run, strange = list_results([tmp_path])
    assert (run.state, strange.state) == ("finished", "unreadable")
    assert strange.reason == (str(error) or type(error).__name__)
    result = CliRunner().invoke(app, ["runs", str(tmp_path)])
    assert result.exit_code == 0
    assert f"strange: {strange.reason}" in result.stderr.replace("\n", "")


def test_one_that_was_named_has_to_be_readable(locked):
    with refused(locked / "lost+found", "Permission denied"):
        list_results([locked / "lost+found"])
