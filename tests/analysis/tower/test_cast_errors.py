"""Errors of a log of casts are named by file, line and column: all of the format, the first of the balance."""

import pytest

from tests.analysis.tower.test_casts import GAME, HEADER
from wallsim.analysis.tower import cast_file, cast_table
from wallsim.analysis.tower.cast_file import read_casts
from wallsim.analysis.tower.cast_table import PROBLEMS_SHOWN, CastError
from wallsim.errors import InputError


@pytest.fixture
def errors(tmp_path):
    """A function from a file's rows, text or bytes to its errors, each without the file's name."""
    path = tmp_path / "casts.csv"

    def errors_of(rows, header=HEADER):
        data = "\n".join([header, *rows]) if isinstance(rows, list) else rows
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        with pytest.raises(CastError) as caught:
            read_casts(path)
        assert str(caught.value) == "\n".join(caught.value.errors)
        assert all(error.startswith(str(path)) for error in caught.value.errors)
        return [error.removeprefix(str(path)).removeprefix(", ") for error in caught.value.errors]

    return errors_of


def with_cell(line, column, text):
    """GAME with one cell changed; `line` as an editor shows it."""
    cells = [row.split(",") for row in GAME]
    cells[line - 2][HEADER.split(",").index(column)] = text
    return [",".join(row) for row in cells]


def test_an_error_of_a_log_is_bad_input():  # which the command line ends with status 2
    assert issubclass(CastError, InputError)


# ---------------------------------------------------------------------------------------------------- the form


@pytest.mark.parametrize(
    "text", ["x", "-1", "1000", "2.5", "2.0", "1e2", "½", "٣", "4 4", "0x1", "99999999999999999999"]
)
@pytest.mark.parametrize("column", ["in_red", "out_blue", "tray_rethrown"])
def test_counts_are_whole_numbers_up_to_999(errors, column, text):
    (error,) = errors(with_cell(3, column, text))
    assert (
        error == f"line 3, column {column}: {text!r} is not allowed; it must be a whole number from 0 to 999 or nothing"
    )


def test_999_cubes_are_not_too_many(errors):
    assert errors(with_cell(2, "in_red", "999")) != []  # the balance is wrong, not the format
    assert "closing inventory" in errors(with_cell(2, "in_red", "999"))[0]


@pytest.mark.parametrize("text", ["one", "-1", "1.5", "1000000000"])
def test_casts_have_whole_numbers(errors, text):
    (error,) = errors(with_cell(3, "cast", text))
    assert error.startswith(f"line 3, column cast: {text!r} is not allowed; it must be a whole number from 0 to")


def test_events_are_those_of_the_template(errors):
    assert errors(with_cell(4, "event", "Throw")) == [
        "line 4, column event: 'Throw' is not allowed; it must be one of fill, battle, revolt, bench, bump, empty"
    ]


@pytest.mark.parametrize("event", ["fill", "battle", "revolt", "bench", "BATTLE", ""])
def test_a_cast_of_which_no_count_says_what_fell_out_is_an_error(errors, event):
    rows = [GAME[0], f"g1,1,{event},4,3,,,0,,,", f"g1,2,{event},4,3, ,,0,,,"]
    text = "nothing is written for what fell out; write 0 where nothing fell"
    assert errors(rows) == [f"line 3, column out_red: {text}", f"line 4, column out_red: {text}"]


@pytest.mark.parametrize("event", ["bump", "empty"])
def test_a_row_without_a_cast_throws_nothing(errors, event):
    text = f"a row of event {event} throws nothing, it must be 0 or nothing"
    assert errors([GAME[0], f"g1,1,{event},4,3,0,0,0,,,"]) == [
        f"line 3, column in_red: 4 is not allowed; {text}",
        f"line 3, column in_blue: 3 is not allowed; {text}",
    ]


@pytest.mark.parametrize("total", ["all", "total"])
def test_cubes_are_not_counted_twice(errors, total):
    header = f"in_red,in_{total},out_red,out_{total}"
    assert errors(["5,0,3,0", "0,4,0,2", "5,5,3,3"], header) == [
        f"line 4, column in_{total}: 5 is not allowed beside cubes of a colour; a cube is counted in one column only"
    ]


def test_unknown_columns_are_an_error(errors):
    (error,) = errors([row + ",1" for row in GAME], HEADER + ",weather")
    assert error.startswith("line 1, column weather: unknown column 'weather'; allowed are in_<colour>, out_<colour>,")
    for column in ("session", "cast", "event", "tray_rethrown", "edition", "pour", "note"):
        assert column in error


def test_a_blank_name_between_columns_is_an_error(errors):
    (error,) = errors(["1,,1"], "in_red,,out_red")
    assert error.startswith("line 1: unknown column ''")


def test_columns_stand_once(errors):
    rows = [row + ",1" for row in GAME]
    assert errors(rows, HEADER + ",IN_red") == ["line 1, column in_red: duplicate column 'in_red'"]


def test_a_colour_has_what_went_in_and_what_came_out(errors):
    assert errors(["1,1,1,1"], "in_red,out_red,in_blue,out_green") == [
        "line 1, column in_blue: there is no column 'out_blue'; a colour has both, what went in and what came out",
        "line 1, column out_green: there is no column 'in_green'; a colour has both, what went in and what came out",
    ]


@pytest.mark.parametrize("side", ["in_", "out_"])
def test_a_colour_has_a_name(errors, side):
    (error,) = errors(["1,1,1"], f"in_red,out_red,{side}")
    assert error.startswith(f"line 1, column {side}: '{side}' names no colour;")


def test_a_log_without_colours_is_an_error(errors):
    (error,) = errors(["g1,1,battle"], "session,cast,event")
    assert error.startswith("line 1: no column counts cubes;")


def test_a_file_without_a_header_is_an_error(errors):
    (error,) = errors("\n" + "\n".join(GAME))
    assert error.startswith("line 2: no column is known; this line must name the columns: allowed are in_<colour>")


@pytest.mark.parametrize(
    ("row", "column"), [("g1,1,battle,4,3,5,2,3,,,,7", "note"), ("g1,1,battle,4,3,5,2", "tray_rethrown")]
)
def test_a_row_has_a_field_for_each_column(errors, row, column):
    count = row.count(",") + 1
    rows = [GAME[0], row, *GAME[2:]]
    assert errors(rows) == [f"line 3, column {column}: {count} fields; 11 are allowed, one for each column"]


def test_a_row_with_a_lost_comma_is_one_error(errors):  # its fields may belong to other columns
    assert errors(["one,1,battle,x,y,z"]) == ["line 2, column out_blue: 6 fields; 11 are allowed, one for each column"]


def test_a_row_of_an_unknown_event_may_be_one_that_nothing_falls_out_of(errors):
    (error,) = errors([GAME[0], "g1,1,bmup,,,,,,,,"])
    assert error.startswith("line 3, column event: 'bmup' is not allowed;")


def test_a_session_named_late_leaves_the_rows_above_without_one(errors):
    (error,) = errors([",6,4", "g1,6,4", "g2,6,4"], "session,in_all,out_all")
    assert error.startswith("line 3, column session: 'g1' is the first session to be named;")


def test_an_open_quote_is_an_error_at_its_line(errors):
    (error,) = errors([GAME[0], 'g1,1,battle,4,3,5,2,3,,,"open', *GAME[2:]])
    assert error.startswith("line 3: not readable as CSV:")


def test_all_errors_of_form_are_named_at_once_and_none_of_the_balance(errors):
    rows = [
        'g1,0,fill,12,9,8,60,0,"two\nlines",,',  # more out than in, which is not looked at yet
        "g1,1,brawl,x,3,5,y,3,,,",
        "",
        "g1,0,battle,1,1,,,1000,,,",
    ]
    places = [error.split(":")[0] for error in errors(rows, HEADER.replace("pour", "poor"))]
    assert places == [
        "line 1, column poor", "line 4, column in_red", "line 4, column out_blue", "line 4, column event",
        "line 6, column out_red", "line 6, column tray_rethrown",
    ]  # fmt: skip


def test_of_many_errors_twenty_are_named_and_the_others_counted(errors):
    result = errors(["a,b"] * 1500, "in_red,out_red")
    assert len(result) == PROBLEMS_SHOWN + 1
    assert result[PROBLEMS_SHOWN - 1].startswith("line 11, column out_red: 'b'")
    assert result[PROBLEMS_SHOWN] == ": and 2,980 more errors"
    assert errors(["a,b"] * 10 + ["a,1"], "in_red,out_red")[-1] == ": and 1 more error"
    assert len(errors(["a,b"] * 10, "in_red,out_red")) == PROBLEMS_SHOWN


def test_a_long_value_is_cut(errors):
    (error,) = errors(with_cell(3, "in_red", "7" * 500))
    assert "'" + "7" * 40 + "…'" in error
    assert len(error) < 150


# ------------------------------------------------------------------------------------------------ the whole file


@pytest.mark.parametrize("data", ["", "\n\n", "\ufeff", " \r\n", ",,,\n"])
def test_an_empty_file_is_an_error(errors, data):
    (error,) = errors(data)
    assert error.startswith(": the file is empty; its first line must name the columns: ")


def test_a_header_alone_is_an_error(errors):
    assert errors([]) == [": there is no row below the header; a log has one for each cast"]


def test_a_folder_is_an_error(tmp_path):
    with pytest.raises(CastError) as caught:
        read_casts(tmp_path)
    assert str(caught.value) == f"{tmp_path}: is a folder; a log of casts is a CSV file"


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(CastError, match=r"casts\.csv: cannot be read: No such file or directory"):
        read_casts(tmp_path / "casts.csv")


def test_bytes_that_are_not_text_are_an_error_at_their_line(errors):
    (error,) = errors("\n".join([HEADER, GAME[0] + "müde"]).encode("latin-1"))
    assert error == "line 2: byte 0xfc is not UTF-8; save the file as UTF-8"
    (error,) = errors("\n".join([HEADER, *GAME]).encode("utf-16"))
    assert error.startswith("line 1: UTF-16 is not UTF-8;")
    (error,) = errors("\n".join([HEADER, GAME[0] + "\0"]))
    assert error == "line 2: byte 0x00 is not text; save the file as CSV"


def test_a_million_rows_are_enough(errors, monkeypatch):
    assert cast_table.MAX_ROWS == 1_000_000
    monkeypatch.setattr(cast_table, "MAX_ROWS", 3)
    (error,) = errors(["6,4"] * 3 + ["", "6,4", "6,4"], "in_all,out_all")
    assert error.startswith("line 6: exceeds the limit of 3 rows")


def test_as_many_rows_as_are_allowed_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(cast_table, "MAX_ROWS", 3)
    (tmp_path / "casts.csv").write_text("in_all,out_all\n" + "6,4\n" * 3)
    assert len(read_casts(tmp_path / "casts.csv").event) == 3


def test_a_file_without_end_is_not_read_to_it(errors, monkeypatch):
    monkeypatch.setattr(cast_file, "_MAX_BYTES", 100)
    (error,) = errors(GAME)
    assert error == ": cannot be read: exceeds the limit of 100 bytes"


def test_the_template_itself_is_no_log_yet(errors):
    colours = ("red", "blue", "yellow", "purple", "green")
    sides = [f"{side}_{colour}" for side in ("in", "out") for colour in colours]
    header = f"session,cast,event,{','.join(sides)},tray_rethrown,edition,pour,note"
    rows = [
        "g1,0,fill,7,7,7,7,10,,,,,,0,wallenstein2012,one_hand,",
        "g1,1,battle,4,3,0,0,0,,,,,,0,,,",
        "g1,99,empty,0,0,0,0,0,,,,,,0,,,closing inventory",
    ]
    text = "column out_red: nothing is written for what fell out; write 0 where nothing fell"
    assert errors(rows, header) == [f"line 2, {text}", f"line 3, {text}"]


# ------------------------------------------------------------------------------------------------ the balance


def test_no_more_cubes_come_out_than_were_there(errors):
    assert errors(with_cell(3, "out_red", "9")) == [
        "line 3, column out_red: 9 fell out, at most 8 can: 4 inside and 4 thrown, "
        "by the rows from line 2 on, before which the tower was empty"
    ]


def test_a_bump_frees_no_more_than_was_inside(errors):
    (error,) = errors(with_cell(4, "out_blue", "5"))
    assert error.startswith("line 4, column out_blue: 5 fell out, at most 4 can: 4 inside and 0 thrown,")


def test_no_cube_stays_over_an_inventory_or_from_session_to_session(errors):
    (error,) = errors(with_cell(6, "out_red", "1"))
    assert error.startswith("line 6, column out_red: 1 fell out, at most 0 can: 0 inside and 0 thrown, "
                            "by the rows from line 6 on")  # fmt: skip
    (error,) = errors([*GAME[:4], "g1,10,bench,0,1,1,0,0,,,"])
    assert error.startswith("line 6, column out_red: 1 fell out, at most 0 can: 0 inside and 0 thrown, "
                            "by the rows from line 6 on")  # fmt: skip
    (error,) = errors([*GAME[:3], "g2,0,bench,0,1,1,0,0,,,"])  # without an inventory
    assert error.startswith("line 5, column out_red: 1 fell out, at most 0 can: 0 inside and 0 thrown, "
                            "by the rows from line 5 on")  # fmt: skip


def test_an_inventory_counts_what_must_be_inside(errors):
    assert errors(with_cell(5, "out_blue", "3")) == [
        "line 5, column out_blue: closing inventory: blue 3 counted, 4 expected, "
        "by the rows from line 2 on, before which the tower was empty"
    ]
    (error,) = errors(with_cell(5, "out_blue", "5"))
    assert "blue 5 counted, 4 expected" in error
    rows = [*GAME[:3], "g1,9,empty,0,0,4,2,0,,,", *GAME[4:]]
    (error,) = errors(rows)
    assert error.startswith("line 5, column out_red: closing inventory: red 4 counted, 2 expected, "
                            "blue 2 counted, 4 expected, by the rows from line 2 on")  # fmt: skip


def test_an_inventory_left_blank_says_where_to_write_it(errors):
    (error,) = errors([*GAME[:3], "g1,9,empty,,,,,,,,"])
    assert "red 0 counted, 2 expected, blue 0 counted, 4 expected" in error
    assert error.endswith("; the out_ columns of this row must hold what was inside")
    assert "must hold" not in errors(with_cell(5, "out_blue", "3"))[0]


@pytest.mark.parametrize(("text", "last"), [("0", "0"), ("2", "9")])
def test_casts_rise_within_a_session(errors, text, last):
    line = 3 if last == "0" else 5
    rows = (
        with_cell(3, "cast", "0")
        if last == "0"
        else [*GAME[:2], GAME[2].replace("g1,2", "g1,9"), "g1,2,bench,1,0,0,0,0,,,"]
    )
    assert errors(rows) == [f"line {line}, column cast: cast {text} is below cast {last}; "
                            "the numbers must rise within a session"]  # fmt: skip


def test_casts_rise_over_rows_without_a_number(errors):
    (error,) = errors(["5,6,4", ",6,4", "5,6,4"], "cast,in_all,out_all")
    assert error.startswith("line 4, column cast: cast 5 is below cast 5;")


def test_a_session_stands_together(errors):
    (error,) = errors([*GAME, "g1,10,bench,1,0,0,0,0,,,"])
    assert error.startswith("line 8, column session: 'g1' begins again after another session;")


def test_no_more_cubes_come_from_the_tray_than_are_thrown(errors):
    (error,) = errors(with_cell(3, "tray_rethrown", "8"))
    assert error.startswith("line 3, column tray_rethrown: 8 of the cubes thrown are said to have lain in the tray; "
                            "7 were thrown in all")  # fmt: skip
    (error,) = errors(with_cell(4, "tray_rethrown", "1"))
    assert error.startswith("line 4, column tray_rethrown: 1 of the cubes thrown")


def test_no_more_cubes_come_from_the_tray_than_fell_out_before(errors):
    header = "session,in_all,out_all,tray_rethrown"
    (error,) = errors(["g1,9,6,0", "g1,7,7,7"], header)
    assert error.startswith("line 3, column tray_rethrown: 7 cubes are said to have lain in the tray; at most 6 could,")
    (error,) = errors(["g1,9,6,1"], header)  # what falls out now lies there only afterwards
    assert error.startswith("line 2, column tray_rethrown: 1 cubes are said to have lain in the tray; at most 0 could,")
    (error,) = errors(["g1,9,6,0", "g2,6,6,1"], header)  # each session begins with an empty tray
    assert error.startswith("line 3, column tray_rethrown: 1 cubes are said to have lain in the tray; at most 0 could,")
    (error,) = errors(["g1,9,6,0", "g1,6,2,6", "g1,5,5,3"], header)  # a cube thrown again has left the tray
    assert error.startswith("line 4, column tray_rethrown: 3 cubes are said to have lain in the tray; at most 2 could,")


@pytest.mark.parametrize(
    ("cells", "place"),
    [
        ([(4, "cast", "0"), (3, "out_red", "90"), (5, "out_red", "9")], "line 3, column out_red"),
        ([(3, "cast", "0"), (4, "out_red", "90"), (5, "out_red", "9")], "line 3, column cast"),
        ([(4, "out_red", "90"), (3, "tray_rethrown", "9"), (5, "out_red", "9")], "line 3, column tray_rethrown"),
        ([(5, "out_red", "9"), (6, "out_red", "9"), (7, "cast", "0")], "line 5, column out_red"),
        ([(3, "out_red", "90"), (3, "out_blue", "90")], "line 3, column out_red"),
    ],
)
def test_only_the_first_contradiction_is_named(errors, cells, place):
    rows = [row.split(",") for row in GAME]
    for line, column, text in cells:
        rows[line - 2][HEADER.split(",").index(column)] = text
    (error,) = errors([",".join(row) for row in rows])
    assert error.startswith(place + ":")


def test_the_line_of_a_contradiction_is_that_of_an_editor(errors):
    rows = ["", 'g1,0,fill,12,9,8,6,0,,,"two\nlines"', "", "g1,1,battle,4,3,9,2,3,,,"]
    (error,) = errors(rows)
    assert error.startswith("line 6, column out_red: 9 fell out")
    assert "by the rows from line 3 on" in error
