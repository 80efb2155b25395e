"""Files that somebody names are read within bounds, and what is not a regular file is refused at once."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.refusals import refused
from wallsim.errors import WallsimError
from wallsim.experiment.file import load_experiment
from wallsim.policies.catalogue import load_policy
from wallsim.policies.value.value_file import read_value
from wallsim.rules import files
from wallsim.rules.board import load_board
from wallsim.rules.files import data_folder, read_input
from wallsim.rules.tower import load_tower


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
    [(linked_device, "regular file"), (os.mkfifo, "regular file"), (too_long, "limit of 100 bytes")],
)
@pytest.mark.parametrize("name", READERS)
def test_every_reader_refuses_what_has_no_end(tmp_path, monkeypatch, name, make, words):
    monkeypatch.setattr(files, "MOST_BYTES", 100)
    path = tmp_path / name
    make(path)
    with refused(words, by=WallsimError):
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


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('exchange = { Lüneburg = "Tirol" }', "Lüneburg"),
        ("\r\n\r\nÄrger = 1", "Ärger"),
        ("a = 1\n[lineup.Köln]", "Köln"),
        ("name = Böhmen", "Böhmen"),
        (f"{'ü' * 90} = 1", "ü" * 80),
    ],
)
@pytest.mark.parametrize("reader", ["x.toml", "tower.toml", "mine.toml"])
def test_a_name_that_needs_quotes_is_named_by_every_reader_of_toml(tmp_path, reader, text, name):
    path = tmp_path / reader
    path.write_text(text, "utf-8")
    with refused("line ", f'quotes: "{name}"', by=WallsimError) as caught:
        READERS[reader](path)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("text", ['a = "ü', '"ü" 1', "# ü\na = {"])
def test_other_errors_of_toml_ask_for_no_quotes(tmp_path, text):
    path = tmp_path / "x.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(WallsimError) as caught:
        load_experiment(path)
    assert "quotes" not in str(caught.value)
