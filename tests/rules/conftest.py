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

    def change(self, file, old, new):
        """Replace a piece of the first line that has it; return the line's number.

        The whole line is dropped where `new` is None, and the line `new` is added where `old` is None.
        """
        lines = self.lines(file)
        number = len(lines) + 1 if old is None else self.line_of(file, old)
        changed = [] if new is None else [new if old is None else lines[number - 1].replace(old, new, 1)]
        self.write(file, [*lines[: number - 1], *changed, *lines[number:]])
        return number

    def keep(self, file, is_kept):
        """Keep the header and the lines that a function wants."""
        header, *lines = self.lines(file)
        self.write(file, [header, *filter(is_kept, lines)])

    def errors(self):
        return check_board(self.path)

    def only_error(self):
        errors = self.errors()
        assert len(errors) == 1, "\n".join(map(str, errors))
        return errors[0]

    def places(self):
        """File, line and column of every error, in their order."""
        return [error[:3] for error in self.errors()]


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(data_folder("board"), tmp_path / "board")
    return Folder(tmp_path / "board")
