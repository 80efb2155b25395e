"""The drawn map of a board folder is optional, and every error of it is named by field, value and what is allowed."""

import json
import unicodedata

import pytest

from tests.refusals import assert_names, refused
from wallsim.report.map.board_map import MapError, check_map, load_map
from wallsim.report.map.document import MOST_BYTES, MOST_PROBLEMS
from wallsim.rules.board import BoardError, load_board
from wallsim.rules.files import data_folder


def text_of(errors):
    return "\n".join(map(str, errors))


def test_the_shipped_map_draws_every_county_of_the_board_in_its_region():
    board, drawn = load_board(), load_map()
    assert check_map(data_folder("board")) == []
    regions = {name: board.regions[board.region[place]] for place, name in enumerate(board.counties)}
    assert {name: county.region for name, county in drawn.counties.items()} == regions
    shared = {frozenset(arc.counties) for arc in drawn.lines if arc.kind == "border"}
    assert len(shared) == 114
    for place, name in enumerate(board.counties):
        neighbours = {other for k, other in enumerate(board.counties) if board.neighbours[place] >> k & 1}
        assert {other for pair in shared if name in pair for other in pair - {name}} == neighbours


def test_a_map_is_no_part_of_the_boards_identity(folder):
    digest = load_board(folder.path).digest
    folder.map["regions"]["Sachsen"]["fill"] = "#ffffff"
    assert folder.save() == []
    assert load_board(folder.path).digest == digest == load_board().digest
    folder.file.unlink()
    assert load_board(folder.path).digest == digest


def test_a_board_without_a_map_has_the_shipped_one_if_it_fits(folder):
    folder.file.unlink()
    assert len(load_map(folder.path).counties) == 45
    for file in ("counties.csv", "borders.csv", "lineups.csv"):
        path = folder.path / file
        path.write_text(path.read_text("utf-8").replace("Anhalt", "Elsewhere"), "utf-8")
    assert check_map(folder.path) == []
    assert load_map(folder.path) is None


def test_a_board_that_cannot_be_played_has_no_map(folder):
    (folder.path / "events.csv").unlink()
    with refused("events.csv", by=BoardError):
        load_map(folder.path)


def test_borders_of_the_table_are_those_that_are_drawn_in_either_direction(folder):
    table = folder.path / "borders.csv"
    header, *lines = table.read_text("utf-8").splitlines()
    assert header == "county_a,county_b"

    def errors(lines):
        table.write_text("\n".join([header, *lines]) + "\n", "utf-8")
        return folder.save()

    (error,) = errors([line for line in lines if not {"Altmark", "Anhalt"} <= {*line.split(",")}])
    assert_names(str(error), "'Altmark' and 'Anhalt'", "borders.csv", "no such border")
    assert error.column == f"between.{folder.arc_between('Altmark', 'Anhalt')}"
    (error,) = errors([*lines, "Tirol,Holstein"])
    assert_names(str(error), "'Holstein' and 'Tirol'", "no arc", "borders.csv")
    assert errors([*lines, *(",".join(reversed(line.split(","))) for line in lines)]) == []


@pytest.mark.parametrize(
    ("part", "old", "new", "names"),
    [
        ("counties", "Tirol", "Tyrol", ("field counties.Tyrol:", "'Tyrol'", "counties.csv", "did you mean Tirol?")),
        ("regions", "Bayern", "Elsass", ("'Elsass'", "allowed are Brandenburg", "'Bayern' of counties.csv")),
        ("counties", "Tirol", None, ("map.json, field counties: 'Tirol'", "missing")),
    ],
)
def test_what_does_not_fit_the_board_is_named(folder, part, old, new, names):
    entry = folder.map[part].pop(old)
    folder.map[part] |= {new: entry} if new else {}
    assert_names(text_of(folder.save()), *names)


def test_arcs_in_the_other_direction_or_of_another_county_are_named(folder):
    tirol, between = folder.map["counties"]["Tirol"], folder.map["between"]
    tirol["arcs"] = [~number for number in reversed(tirol["arcs"])]
    between[folder.arc_between("Altmark", "Anhalt")] = ["Altmark", "Tirol"]
    assert_names(text_of(folder.save()), "counties.Tirol.arcs:", "clockwise", "arc ", "'Altmark' and 'Anhalt'")


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b"", ("line 1", "JSON")),
        (b"\xff\xfe{", ("UTF-8",)),
        (b"[" * 100_000, ("32 deep",)),
        (b"[1, 2]", ("not allowed",)),
        (b"{}", ("field frame:", "field arcs:")),
        (b'{"y": "up", "y": "up"}', ("duplicate", "'y'")),
        (b" " * (MOST_BYTES + 1), ("400,000 bytes",)),
        (None, ("map.json:", "not a file")),
    ],
    ids=["empty", "utf-16", "deep", "list", "keys", "twice", "huge", "folder"],
)
def test_what_is_no_map_is_refused(folder, data, names):
    if data is None:
        folder.file.unlink()
        folder.file.mkdir()
    else:
        folder.file.write_bytes(data)
    assert_names(text_of(check_map(folder.path)), *names)
    with refused("map.json", by=MapError):
        load_map(folder.path)


TIROL = ("counties", "Tirol")


@pytest.mark.parametrize(
    ("place", "value", "names"),
    [
        (("frame",), [0, 0, float("nan"), 1000], ("frame.2: nan",)),
        (("frame",), [1000, 0, 0, 1000], ("frame: (1000.0, 0.0, 0.0, 1000.0)",)),
        (("y",), "down", ("y: 'down'", "'up'")),
        (("fram",), 1, ("fram: unknown", "about, y, frame")),
        ((*TIROL, "lable"), 1, ("counties.Tirol.lable: unknown", "region, arcs, label")),
        ((*TIROL, "region"), "Bayern", ("counties.Tirol.region: 'Bayern'", "'Österreich'")),
        ((*TIROL, "room"), -3, ("counties.Tirol.room: -3",)),
        ((*TIROL, "room"), 90, ("counties.Tirol.room:", "radius 90.0")),
        ((*TIROL, "label"), [100, 900], ("; 0.0 is allowed",)),
        ((*TIROL, "name", "at"), [999, 10], ("counties.Tirol.name.at: (999.0, 10.0)", "box")),
        ((*TIROL, "name", "at"), [500, 500], ("counties.Tirol.name.at:", "inside the county")),
        ((*TIROL, "short"), "Salzb.", ("short: 'Salzb.'", "'Tirol'")),
        ((*TIROL, "arcs"), [0], ("arcs: arc 0 ends",)),
        ((*TIROL, "arcs"), [9999], ("arcs: 9999", "0 to 133")),
        (("regions", "Bayern", "fill"), "blue", ("regions.Bayern.fill: 'blue'",)),
        (("between", 0), ["Altmark", "Anhlt"], ("between.0:", "'Anhlt'")),
        (("between", 0), ["Altmark", "Altmark"], ("between.0: 'Altmark'", "itself")),
        (("between", 0), ["Altmark", None], ("kind.0: 'border'", "sea or land")),
        (("kind", 0), "sea", ("kind.0: 'sea'", "border")),
        (("kind", 0), "river", ("kind.0: 'river'",)),
        (("kind",), ["border"], ("kind: 1 entries", "134")),
        (("arcs", 0, 1), [5000, 5], ("arcs.0: point (5000.0, 5.0)", "frame")),
        (("arcs", 0, 1), [20, 20], ("crosses arc",)),
        (("foreign", 0, "text"), "Mare\x1bNostrum", ("foreign.0.text: 'Mare\\x1bNostrum'",)),
        (("foreign", 0, "at"), [-5, 0], ("foreign.0.at: (-5.0, 0.0)", "frame")),
    ],
    ids=lambda value: ".".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_a_wrong_field_is_named(folder, place, value, names):
    part = folder.map
    for key in place[:-1]:
        part = part[key]
    part[place[-1]] = value
    assert_names(text_of(folder.save()), *names)


@pytest.mark.parametrize(("count", "listed"), [(MOST_PROBLEMS, MOST_PROBLEMS), (MOST_PROBLEMS + 5, MOST_PROBLEMS + 1)])
def test_many_errors_are_cut_short(folder, count, listed):
    folder.map |= {f"key {number}": 1 for number in range(count)}
    errors = folder.save()
    assert len(errors) == listed
    assert ("5 more errors" in str(errors[-1])) == (count != listed)


def test_a_map_with_two_codes_for_one_letter_is_the_same_map(folder):
    folder.file.write_text(unicodedata.normalize("NFD", json.dumps(folder.map, ensure_ascii=False)), "utf-8")
    assert check_map(folder.path) == []
