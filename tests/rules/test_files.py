"""Files that somebody names are read within bounds, and what is not a regular file is refused at once."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from wallsim.errors import WallsimError
from wallsim.policies.catalogue import load_policy
from wallsim.policies.value.value_file import read_value
from wallsim.rules import files
from wallsim.rules.board import load_board
from wallsim.rules.files import data_folder, read_input
from wallsim.rules.tower import load_tower
from wallsim.runs.experiment_file import load_experiment


def board_with(path):
    """Load a board whose counties are this file."""
    folder = path.with_name("board")
    shutil.copytree(data_folder("board"), folder)
    (folder / "counties.csv").unlink()
    (folder / "counties.csv").symlink_to(path)
    load_board(folder)


READERS = {
    "x.toml": load_experiment,
    "tower.toml": lambda path: load_tower(str(path)),
    "mine.py": lambda path: load_policy(str(path)),
    "mine.toml": lambda path: load_policy(str(path)),
    "value.json": read_value,
    "counties.csv": board_with,
}


def linked_device(path):
    path.symlink_to("/dev/zero")


def too_long(path):
    path.write_bytes(b"#" * 101)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (linked_device, "is not a regular file"), (os.mkfifo, "is not a regular file"),
        (too_long, "exceeds the limit of 100 bytes"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", READERS)
def test_every_reader_refuses_what_has_no_end(tmp_path, monkeypatch, name, make, words):
    monkeypatch.setattr(files, "MOST_BYTES", 100)
    path = tmp_path / name
    make(path)
    with pytest.raises(WallsimError, match=words):
        READERS[name](path)


def test_a_file_of_the_most_bytes_is_read_through_a_link(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MOST_BYTES", 100)
    (tmp_path / "long").write_bytes(b"#" * 100)
    (tmp_path / "link").symlink_to("long")
    assert read_input(tmp_path / "link") == b"#" * 100


def test_a_folder_and_a_missing_file_are_what_the_system_says(tmp_path):
    with pytest.raises(IsADirectoryError):
        read_input(tmp_path)
    with pytest.raises(FileNotFoundError):
        read_input(tmp_path / "nothing")


def test_standard_input_may_be_a_pipe():
    code = "from pathlib import Path; from wallsim.rules.files import read_input; print(read_input(Path('/dev/stdin')))"
    root = Path(__file__).resolve().parents[2]
    process = subprocess.run(
        [sys.executable, "-c", code], input=b"games = 3", cwd=root, capture_output=True, check=True
    )
    assert process.stdout.strip() == b"b'games = 3'"
