"""A copy of the shipped board for tests that spoil one."""

import shutil

import pytest

from wallsim.rules.board import check_board
from wallsim.rules.files import data_folder


class Folder:
    """A copy of the shipped board that a test may spoil, one line at a time (line 1 is the header)."""

    def __init__(self, path):
        self.path = path

    def lines(self, file):
        return (self.path / file).read_text("utf-8").splitlines()

    def write(self, file, lines):
        (self.path / file).write_text("\n".join(lines) + "\n", "utf-8")

    def line_of(self, file, text):
        return next(number for number, line in enumerate(self.lines(file), 1) if text in line)

    def replace(self, file, old, new):
        """Replaces a piece of the first line that holds it; returns that line's number."""
        number = self.line_of(file, old)
        lines = self.lines(file)
        lines[number - 1] = lines[number - 1].replace(old, new, 1)
        self.write(file, lines)
        return number

    def drop(self, file, text):
        number = self.line_of(file, text)
        lines = self.lines(file)
        del lines[number - 1]
        self.write(file, lines)
        return number

    def add(self, file, line):
        lines = [*self.lines(file), line]
        self.write(file, lines)
        return len(lines)

    def errors(self):
        return check_board(self.path)

    def only_error(self):
        errors = self.errors()
        assert len(errors) == 1, "\n".join(map(str, errors))
        return errors[0]

    def places(self):
        """File, line and column of every error."""
        return {error[:3] for error in self.errors()}


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(data_folder("board"), tmp_path / "board")
    return Folder(tmp_path / "board")
