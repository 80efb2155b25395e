"""A table is said once: its columns give the texts for people and the objects for programs."""

import json
from io import StringIO
from types import SimpleNamespace

import pytest

from wallsim.report.tables.columns import Column, Sheet, headings_of, json_text, named_rows, objects_of, texts_of
from wallsim.report.tables.console import Screen, number_table, print_sheet

ROWS = [SimpleNamespace(name="a", wins=0.25), {"name": "b", "wins": None}]
COLUMNS = (
    Column("name", ""),
    Column("wins", "wins"),
    Column("", "letters", text=lambda row: "one"),
    Column("half", value=lambda row: 0.5),
)


def test_people_see_columns_with_a_heading_and_programs_those_with_a_key():
    assert headings_of(COLUMNS) == ["", "wins", "letters"]
    assert texts_of(COLUMNS, ROWS) == [["a", "0.25", "one"], ["b", "–", "one"]]
    assert objects_of(COLUMNS, ROWS) == [
        {"name": "a", "wins": 0.25, "half": 0.5}, {"name": "b", "wins": None, "half": 0.5},
    ]  # fmt: skip


def test_rows_of_texts_are_named_and_need_a_cell_a_key():
    assert named_rows(("a", "b"), [("1", "2")]) == [{"a": "1", "b": "2"}]
    with pytest.raises(ValueError, match="zip"):
        named_rows(("a", "b"), [("1",)])
    assert json.loads(json_text({"x": [float("nan"), (1, 2)]})) == {"x": [None, [1, 2]]}


def printed(show):
    console = Screen(file=StringIO(), width=40)
    show(console)
    return console.file.getvalue()


def test_a_sheet_without_rows_prints_its_notes_alone():
    assert "head" in printed(lambda console: print_sheet(console, Sheet("", ("head",), [("cell",)], ["note"])))
    assert printed(lambda console: print_sheet(console, Sheet("", ("head",), [], ["note"]))) == "note\n\n"


def test_numbers_stand_on_the_right_of_texts():
    table = number_table(("who", "VP"))
    table.add_row("somebody", "1")
    assert printed(lambda console: console.print(table)).splitlines()[1].rstrip() == "somebody   1"
