"""The drawn map of a board folder is optional, and every error of it is named by field, value and what is allowed."""

import json

import pytest

from wallsim.errors import InputError
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
    assert check_map(folder.path) == []
    assert len(load_map(folder.path).counties) == 45
    for file in ("counties.csv", "borders.csv", "lineups.csv"):
        path = folder.path / file
        path.write_text(path.read_text("utf-8").replace("Anhalt", "Elsewhere"), "utf-8")
    load_board(folder.path)
    assert check_map(folder.path) == []
    assert load_map(folder.path) is None


def test_a_board_that_cannot_be_played_has_no_map(folder):
    (folder.path / "events.csv").unlink()
    with pytest.raises(BoardError, match=r"events\.csv"):
        load_map(folder.path)


def test_a_county_left_out_is_named(folder):
    del folder.map["counties"]["Tirol"]
    assert "map.json, field counties: 'Tirol' of counties.csv is missing" in text_of(folder.save())


def test_a_border_left_out_of_the_table_is_named(folder):
    borders = folder.path / "borders.csv"
    lines = [
        line for line in borders.read_text("utf-8").splitlines() if not {"Altmark", "Anhalt"} <= {*line.split(",")}
    ]
    borders.write_text("\n".join(lines) + "\n", "utf-8")
    (error,) = folder.save()
    assert "'Altmark' and 'Anhalt' share an arc, but borders.csv has no such border" in str(error)
    assert error.column == f"between.{folder.arc_between('Altmark', 'Anhalt')}"


def test_a_border_that_is_not_drawn_is_named(folder):
    borders = folder.path / "borders.csv"
    borders.write_text(borders.read_text("utf-8").rstrip("\n") + "\nTirol,Holstein\n", "utf-8")
    (error,) = folder.save()
    assert "'Holstein' and 'Tirol' share no arc, but borders.csv has this border" in str(error)


def test_borders_in_both_directions_fit_too(folder):
    borders = folder.path / "borders.csv"
    header, *lines = borders.read_text("utf-8").splitlines()
    assert header == "county_a,county_b"
    turned = [",".join(reversed(line.split(","))) for line in lines]
    borders.write_text("\n".join([header, *lines, *turned]) + "\n", "utf-8")
    assert folder.save() == []


def test_an_unknown_county_is_named_with_the_one_that_was_meant(folder):
    folder.map["counties"]["Tyrol"] = folder.map["counties"].pop("Tirol")
    text = text_of(folder.save())
    assert "field counties.Tyrol: unknown county 'Tyrol'; it must be in counties.csv; did you mean Tirol?" in text


def test_another_region_is_named(folder):
    folder.map["counties"]["Tirol"]["region"] = "Bayern"
    assert "counties.Tirol.region: 'Bayern' is not 'Österreich'" in text_of(folder.save())
    folder.map["counties"]["Tirol"]["region"] = "Österreich"
    folder.map["regions"]["Elsass"] = folder.map["regions"].pop("Bayern")
    text = text_of(folder.save())
    assert "unknown region 'Elsass'; allowed are Brandenburg" in text
    assert "'Bayern' of counties.csv is missing" in text


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", ("line 1", "not readable as JSON")),
        (b'{\n"y": "up",,}', ("line 2", "not readable as JSON at column 11")),
        (b"\xff\xfe{", ("is not UTF-8",)),
        (b"[" * 100_000, ("nested more than 32 deep",)),
        (b'{"y": ' + b"9" * 5000 + b"}", ("a number or a key has more than 100 characters",)),
        (b"[1, 2]", ("is not allowed",)),
        (b"{}", ("field frame: is missing", "field arcs: is missing")),
        (b'{"y": "up", "y": "up"}', ("duplicate key 'y'",)),
        (b" " * (MOST_BYTES + 1), ("exceeds the limit of 400,000 bytes",)),
    ],
    ids=["empty", "comma", "utf-16", "deep", "digits", "list", "keys", "twice", "huge"],
)
def test_what_is_no_map_is_refused(folder, data, words):
    folder.file.write_bytes(data)
    text = text_of(check_map(folder.path))
    assert all(word in text for word in words), text
    with pytest.raises(MapError):
        load_map(folder.path)


def test_a_folder_in_place_of_the_map_is_refused(folder):
    folder.file.unlink()
    folder.file.mkdir()
    assert "map.json: is not a file" in text_of(check_map(folder.path))


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        (("frame",), [0, 0, float("nan"), 1000], "frame.2: nan is not allowed"),
        (("frame",), [1000, 0, 0, 1000], "frame: (1000.0, 0.0, 0.0, 1000.0) is not allowed"),
        (("y",), "down", "y: 'down' is not allowed; it should be 'up'"),
        (("fram",), 1, "fram: unknown key; allowed are about, y, frame"),
        (("counties", "Tirol", "lable"), 1, "counties.Tirol.lable: unknown key; allowed are region, arcs, label"),
        (("counties", "Tirol", "room"), -3, "counties.Tirol.room: -3 is not allowed"),
        (("counties", "Tirol", "room"), 90, "counties.Tirol.room: the circle of radius 90.0"),
        (("counties", "Tirol", "label"), [100, 900], "; 0.0 is allowed"),
        (("counties", "Tirol", "name", "at"), [999, 10], "counties.Tirol.name.at: (999.0, 10.0) with the box"),
        (("counties", "Tirol", "name", "at"), [500, 500], "does not lie inside the county; names would collide"),
        (("counties", "Tirol", "short"), "Salzb.", "short: 'Salzb.' is also short for 'Tirol'"),
        (("counties", "Tirol", "arcs"), [0], "arcs: arc 0 ends at"),
        (("counties", "Tirol", "arcs"), [9999], "arcs: 9999 is not an arc; allowed are 0 to 133"),
        (("regions", "Bayern", "fill"), "blue", "regions.Bayern.fill: 'blue' is not allowed"),
        (("between", 0), ["Altmark", "Anhlt"], "between.0: unknown county 'Anhlt'"),
        (("between", 0), ["Altmark", "Altmark"], "between.0: 'Altmark' borders itself"),
        (("between", 0), ["Altmark", None], "kind.0: 'border' is not allowed; it must be sea or land"),
        (("kind", 0), "sea", "kind.0: 'sea' is not allowed; it must be border"),
        (("kind", 0), "river", "kind.0: 'river' is not allowed"),
        (("kind",), ["border"], "kind: 1 entries; 134 are allowed"),
        (("arcs", 0, 1), [5000, 5], "arcs.0: point (5000.0, 5.0) is outside the frame"),
        (("arcs", 0, 1), [20, 20], "crosses arc"),
        (("foreign", 0, "at"), [-5, 0], "foreign.0.at: (-5.0, 0.0) is outside the frame"),
    ],
    ids=lambda value: ".".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_a_wrong_field_is_named(folder, place, value, words):
    part = folder.map
    for key in place[:-1]:
        part = part[key]
    part[place[-1]] = value
    text = text_of(folder.save())
    assert words in text, text
    assert "Traceback" not in text


def test_a_county_drawn_the_other_way_round_is_named(folder):
    arcs = folder.map["counties"]["Tirol"]["arcs"]
    folder.map["counties"]["Tirol"]["arcs"] = [~number for number in reversed(arcs)]
    assert "counties.Tirol.arcs: runs clockwise" in text_of(folder.save())


def test_an_arc_of_another_county_is_named(folder):
    number = folder.arc_between("Altmark", "Anhalt")
    folder.map["between"][number] = ["Altmark", "Tirol"]
    text = text_of(folder.save())
    assert f"arcs.{number}: arc {number} is used by 'Altmark' and 'Anhalt'" in text


def test_many_errors_are_cut_short(folder):
    folder.map["counties"] = {f"{name} x": county for name, county in folder.map["counties"].items()}
    errors = folder.save()
    assert len(errors) == MOST_PROBLEMS + 1
    assert "more errors are not listed" in str(errors[-1])


def test_a_map_with_two_codes_for_one_letter_is_the_same_map(folder):
    import unicodedata

    folder.file.write_text(unicodedata.normalize("NFD", json.dumps(folder.map, ensure_ascii=False)), "utf-8")
    assert check_map(folder.path) == []


def test_errors_are_input_errors():
    assert issubclass(MapError, InputError)
