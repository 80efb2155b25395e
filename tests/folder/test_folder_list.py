"""Listing the folders of results below some folders."""

import os
import shutil

import pytest
from typer.testing import CliRunner

from tests.finished_runs import EVERYTHING
from tests.refusals import refused
from wallsim.cli import app
from wallsim.folder.listing import list_results
from wallsim.folder.local_files import FileStore


@pytest.fixture
def strange(full_run, tmp_path, monkeypatch):
    """Gives folders with a run and a folder that cannot be read, by this error."""
    shutil.copytree(full_run.folder, tmp_path / "run")
    (tmp_path / "strange").mkdir()

    def folder_with(error):
        def refusing(real):
            def call(place, *arguments):
                if place.folder.name == "strange":
                    raise error
                return real(place, *arguments)

            return call

        for name in ("size", "folders", "read"):
            monkeypatch.setattr(FileStore, name, refusing(getattr(FileStore, name)))
        return tmp_path

    return folder_with


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (PermissionError(13, "Permission denied", "strange"), "Permission denied"),
        (KeyError("x"), "'x'"),
        (MemoryError(), "MemoryError"),
    ],
)
def test_a_folder_that_cannot_be_read_is_listed_with_the_reason_and_hides_no_other(strange, error, reason):
    folder = strange(error)
    assert [(one.folder.name, one.kind, one.state, one.finished, one.reason) for one in list_results([folder])] == [
        ("run", "run", "finished", EVERYTHING.games, ""),
        ("strange", "folder", "unreadable", 0, reason),
    ]
    result = CliRunner().invoke(app, ["runs", str(folder)])
    assert result.exit_code == 0
    assert f"strange: {reason}" in result.stderr.replace("\n", "")


def test_nor_does_a_folder_whose_name_is_no_text(full_run, tmp_path):
    shutil.copytree(full_run.folder, tmp_path / "run")
    os.mkdir(os.fsencode(tmp_path) + b"/\xff")
    listed = {one.folder.name: one.state for one in list_results([tmp_path])}
    assert listed == {"run": "finished", "\udcff": "unreadable"}


def test_one_that_was_named_has_to_be_readable(strange):
    folder = strange(PermissionError(13, "Permission denied", "strange"))
    with refused("strange", "Permission denied"):
        list_results([folder / "strange"])
