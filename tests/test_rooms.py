"""Rooms keep their size: a budget of lines for each folder of the package, and few small files."""

import re
from collections import defaultdict

from tests.test_architecture import LAYERS, code_files, imported_name

# Lines of each room; a change that needs more changes the number and says why.
BUDGETS = {
    "compile_cache": 1_020, "rules": 3_540, "state": 650, "mechanics": 1_410, "policies": 6_390, "engine": 4_350,
    "trace": 5_020, "stats": 2_110, "experiment": 1_380, "folder": 6_170, "play": 4_280, "searches": 3_440,
    "analysis": 10_530, "report": 7_890, "analyses": 13_700, "studies": 4_290, "api": 3_290, "cli": 4_430,
}  # fmt: skip
MARGIN = 1.03
LINES_A_FILE = 130  # at least, in the mean of a room
UNFOLDED = {"state", "analyses"}  # rooms with more files than that


def sources():
    """The sources of the package and the studies by their dotted names."""
    return {imported_name(path): path.read_text("utf-8") for path in code_files("wallsim", "analyses")}


def sizes(texts):
    """The lines of each file by room; a file that lies in none has one of its own."""
    rooms = defaultdict(list)
    for module, text in texts.items():
        rooms[module.split(".")[1]].append(len(text.splitlines()))
    return rooms


def budget_errors(rooms):
    """Rooms of more lines than their budget allows, and rooms of many small files."""
    errors = []
    for room in BUDGETS.keys() & rooms.keys():
        lines, files = sum(rooms[room]), len(rooms[room])
        if lines > MARGIN * BUDGETS[room]:
            errors.append(f"{room}: {lines:,} lines; its budget has {BUDGETS[room]:,}")
        if room not in UNFOLDED and files > lines / LINES_A_FILE:
            errors.append(f"{room}: {files} files of {lines / files:.0f} lines in the mean; fold some")
    return errors


def test_rooms_keep_their_budgets():
    rooms = sizes(sources())
    assert {room for room in rooms if room in LAYERS and len(rooms[room]) > 1} == BUDGETS.keys()
    assert budget_errors(rooms) == []


def test_sealed_lines_and_documents_are_read_and_written_in_one_room():
    texts = sources()
    there = [module for module, text in texts.items() if "wallsim.folder.checksummed_json import" in text]
    assert there
    assert [module for module in there if not module.startswith("wallsim.folder.")] == []


def test_kinds_of_folders_are_data_of_which_nobody_asks_the_class():
    asked = re.compile(r"isinstance\([^()]*, [\w.| ]*Kind\b")
    assert [module for module, text in sources().items() if asked.search(text)] == []


def test_a_room_that_outgrows_its_budget_or_has_many_small_files_is_found():
    assert budget_errors({"state": [600, 200]}) == ["state: 800 lines; its budget has 650"]
    assert budget_errors({"stats": [100] * 5}) == ["stats: 5 files of 100 lines in the mean; fold some"]


def test_budgets_are_those_of_the_rooms_and_no_more():
    rooms = sizes(sources())
    assert [room for room, lines in BUDGETS.items() if sum(rooms[room]) < lines / MARGIN] == [], "lower these budgets"
