"""`wallsim lab` copies the notebooks, never over a changed one, and opens JupyterLab in their folder."""

import json
import os
import subprocess
import sys

import pytest

from tests.cli.commands import ROOT, refusal
from tests.refusals import assert_names
from wallsim.cli import lab
from wallsim.cli.lab import copy_notebooks, shipped_notebooks

NAMES = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
FAKE = "import json, os, sys\njson.dump([sys.argv[1:], os.getcwd()], open(os.environ['SEEN'], 'w'))\nsys.exit(7)\n"


def test_a_folder_gets_every_notebook_and_a_changed_one_is_kept(tmp_path):
    assert [path.name for path in shipped_notebooks()] == NAMES
    folder = tmp_path / "new" / "folder"
    assert copy_notebooks(folder) == (tuple(NAMES), ())
    assert sorted(path.name for path in folder.iterdir()) == NAMES
    changed, gone = folder / NAMES[0], folder / NAMES[1]
    changed.write_text("mine", "utf-8")
    gone.unlink()
    assert copy_notebooks(folder) == ((NAMES[1],), (NAMES[0],))
    assert changed.read_text("utf-8") == "mine"
    assert gone.read_bytes() == (ROOT / "notebooks" / NAMES[1]).read_bytes()


def test_jupyterlab_starts_in_the_folder_and_its_status_is_that_of_the_command(tmp_path):
    for name in lab._NEEDED:
        (tmp_path / "fake" / name).mkdir(parents=True)
        (tmp_path / "fake" / name / "__init__.py").touch()
    (tmp_path / "fake" / "jupyterlab" / "__main__.py").write_text(FAKE, "utf-8")
    folder = tmp_path / "mine"
    copy_notebooks(folder)
    (folder / NAMES[0]).write_text("mine", "utf-8")
    paths = os.pathsep.join((str(tmp_path / "fake"), str(ROOT)))
    done = subprocess.run(
        [sys.executable, "-m", "wallsim", "lab", "--folder", str(folder), "--no-browser"],
        env={**os.environ, "PYTHONPATH": paths, "SEEN": str(tmp_path / "seen.json")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 7, done.stderr
    assert json.loads((tmp_path / "seen.json").read_text("utf-8")) == [["--no-browser"], str(folder)]
    assert f"Kept {folder / NAMES[0]}" in done.stderr


@pytest.mark.parametrize("name", lab._NEEDED)
def test_without_a_package_of_the_extra_nothing_is_copied(name, tmp_path, monkeypatch):
    monkeypatch.setattr(lab, "find_spec", lambda wanted: None if wanted == name else wanted)
    assert_names(refusal("lab", "--folder", tmp_path / "new"), name, 'pip install ".[notebook]"')
    assert not (tmp_path / "new").exists()


def test_a_file_in_place_of_the_folder_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(lab, "find_spec", lambda wanted: wanted)
    (tmp_path / "file").touch()
    assert f"--folder: {tmp_path / 'file'}:" in refusal("lab", "--folder", tmp_path / "file")
