"""A copy of the shipped board whose map a test may spoil."""

import json
import shutil

import pytest

from wallsim.report.map.board_map import check_map
from wallsim.rules.files import data_folder


class MapFolder:
    """A board folder, and its map as a document that `save` writes back."""

    def __init__(self, path):
        self.path = path
        self.file = path / "map.json"
        self.map = json.loads(self.file.read_text("utf-8"))

    def save(self):
        self.file.write_text(json.dumps(self.map, ensure_ascii=False), "utf-8")
        return check_map(self.path)

    def arc_between(self, one, other):
        return next(n for n, pair in enumerate(self.map["between"]) if set(pair) == {one, other})


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(data_folder("board"), tmp_path / "board")
    return MapFolder(tmp_path / "board")
