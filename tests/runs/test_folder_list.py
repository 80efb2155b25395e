"""Listing the folders of results below some folders."""

import os
import shutil

import pytest

from tests.runs.conftest import EVERYTHING
from wallsim.errors import InputError
from wallsim.runs.folder.local_files import FileStore
from wallsim.runs.folder_list import list_results


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


def test_one_that_was_named_has_to_be_readable(locked):
    with pytest.raises(InputError, match=r"lost\+found: cannot be read: Permission denied"):
        list_results([locked / "lost+found"])
