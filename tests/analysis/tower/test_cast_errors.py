"""Errors of a log of casts are named by file, line and column: all of the format, the first of the balance."""

import pytest

from tests.analysis.tower.test_casts import GAME, HEADER
from tests.refusals import assert_names, refused
from wallsim.analysis.tower import cast_file, cast_table
from wallsim.analysis.tower.cast_file import read_casts
from wallsim.analysis.tower.cast_table import PROBLEMS_SHOWN, CastError
from wallsim.errors import InputError

COUNTS = ["in_red", "out_blue", "tray_rethrown"]
KNOWN = ["in_<colour>", "out_<colour>", "session, cast, event, tray_rethrown, edition, pour", "note"]
ALL, TRAY = "in_all,out_all", "session,in_all,out_all,tray_rethrown"
TEMPLATE = (
    "session,cast,event,in_red,in_blue,in_yellow,in_purple,in_green,"
    "out_red,out_blue,out_yellow,out_purple,out_green,tray_rethrown,edition,pour,note"
)


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


def changed(*cells):
    """GAME with some cells changed: lines as an editor shows them, columns and texts."""
    rows = [row.split(",") for row in GAME]
    for line, column, text in cells:
        rows[line - 2][HEADER.split(",").index(column)] = text
    return [",".join(row) for row in rows]


def assert_errors(found, *wanted):
    """The errors have these places, in this order, and each names what follows its place."""
    assert [error.split(":")[0] for error in found] == [place for place, *_ in wanted]
    for error, (_, *names) in zip(found, wanted, strict=True):
        assert_names(error, *names)


def test_an_error_of_a_log_is_bad_input():  # which the command line ends with status 2
    assert issubclass(CastError, InputError)


# ---------------------------------------------------------------------------------------------------- the form


@pytest.mark.parametrize(
    "text", ["x", "-1", "1000", "2.5", "2.0", "1e2", "½", "٣", "4 4", "0x1", "99999999999999999999"]
)
def test_counts_are_whole_numbers_up_to_999(errors, text):
    for column in COUNTS:
        assert_errors(errors(changed((3, column, text))), (f"line 3, column {column}", repr(text), "0 to 999"))


@pytest.mark.parametrize("text", ["one", "-1", "1.5", "1000000000"])
def test_casts_have_whole_numbers(errors, text):
    assert_errors(errors(changed((3, "cast", text))), ("line 3, column cast", repr(text), "0 to 999999999"))


# Rows or a text, the header, and the errors: the place of each and what it names.
FORM = {
    "an unknown event": (
        changed((4, "event", "Throw")), HEADER,
        [("line 4, column event", "'Throw'", "fill, battle, revolt, bench, bump, empty")],
    ),
    "an unknown event that may be one that nothing falls out of": (
        [GAME[0], "g1,1,bmup,,,,,,,,"], HEADER, [("line 3, column event", "'bmup'")],
    ),
    **{
        f"a cast, {event or 'blank'}, without a count of what fell out": (
            [GAME[0], f"g1,1,{event},4,3,,,0,,,", f"g1,2,{event},4,3, ,,0,,,"], HEADER,
            [(f"line {line}, column out_red", "nothing is written", "0") for line in (3, 4)],
        )
        for event in ("fill", "battle", "revolt", "bench", "BATTLE", "")
    },
    "the template itself": (
        ["g1,0,fill,7,7,7,7,10,,,,,,0,wallenstein2012,one_hand,", "g1,1,battle,4,3,0,0,0,,,,,,0,,,",
         "g1,99,empty,0,0,0,0,0,,,,,,0,,,closing inventory"], TEMPLATE,
        [(f"line {line}, column out_red", "nothing is written", "0") for line in (2, 3)],
    ),
    **{
        f"a {event} that throws": (
            [GAME[0], f"g1,1,{event},4,3,0,0,0,,,"], HEADER,
            [("line 3, column in_red", "4", event, "0"), ("line 3, column in_blue", "3", event, "0")],
        )
        for event in ("bump", "empty")
    },
    **{
        f"cubes counted by colour and in {total}": (
            ["5,0,3,0", "0,4,0,2", "5,5,3,3"], f"in_red,in_{total},out_red,out_{total}",
            [(f"line 4, column in_{total}", "5", "one column")],
        )
        for total in ("all", "total")
    },
    "an unknown column": (
        [row + ",1" for row in GAME], HEADER + ",weather", [("line 1, column weather", "'weather'", *KNOWN)],
    ),
    "a blank name between columns": (["1,,1"], "in_red,,out_red", [("line 1", "''", *KNOWN)]),
    "a column twice": (
        [row + ",1" for row in GAME], HEADER + ",IN_red", [("line 1, column in_red", "duplicate", "'in_red'")],
    ),
    "colours of which only one side is counted": (
        ["1,1,1,1"], "in_red,out_red,in_blue,out_green",
        [("line 1, column in_blue", "'out_blue'"), ("line 1, column out_green", "'in_green'")],
    ),
    **{
        f"{side} without a colour": (
            ["1,1,1"], f"in_red,out_red,{side}", [(f"line 1, column {side}", f"'{side}'", "no colour", *KNOWN)],
        )
        for side in ("in_", "out_")
    },
    "no colours": (["g1,1,battle"], "session,cast,event", [("line 1", "counts cubes", "in_red", "in_all")]),
    "no header": ("\n" + "\n".join(GAME), HEADER, [("line 2", "no column", *KNOWN)]),
    "a field too many": (
        [GAME[0], "g1,1,battle,4,3,5,2,3,,,,7", *GAME[2:]], HEADER, [("line 3, column note", "12 fields", "11")],
    ),
    "a field too few": (
        [GAME[0], "g1,1,battle,4,3,5,2", *GAME[2:]], HEADER, [("line 3, column tray_rethrown", "7 fields", "11")],
    ),
    "a lost comma is one error, since fields may belong to other columns": (
        ["one,1,battle,x,y,z"], HEADER, [("line 2, column out_blue", "6 fields", "11")],
    ),
    "a session named late": (
        [",6,4", "g1,6,4", "g2,6,4"], "session,in_all,out_all", [("line 3, column session", "'g1'", "first session")],
    ),
    "an open quote": ([GAME[0], 'g1,1,battle,4,3,5,2,3,,,"open', *GAME[2:]], HEADER, [("line 3", "CSV")]),
    "all errors of form at once, and none of the balance": (
        ['g1,0,fill,12,9,8,60,0,"two\nlines",,', "g1,1,brawl,x,3,5,y,3,,,", "", "g1,0,battle,1,1,,,1000,,,"],
        HEADER.replace("pour", "poor"),
        [("line 1, column poor",), ("line 4, column in_red",), ("line 4, column out_blue",), ("line 4, column event",),
         ("line 6, column out_red",), ("line 6, column tray_rethrown",)],
    ),
    **{
        f"an empty file, {data!r}": (data, HEADER, [("", "empty", *KNOWN)])
        for data in ("", "\n\n", "\ufeff", " \r\n", ",,,\n")
    },
    "a header alone": ([], HEADER, [("", "no row")]),
    "Latin letters": ("\n".join([HEADER, GAME[0] + "müde"]).encode("latin-1"), HEADER, [("line 2", "0xfc", "UTF-8")]),
    "UTF-16": ("\n".join([HEADER, *GAME]).encode("utf-16"), HEADER, [("line 1", "UTF-16", "UTF-8")]),
    "a byte that is not text": ("\n".join([HEADER, GAME[0] + "\0"]), HEADER, [("line 2", "0x00", "CSV")]),
}  # fmt: skip


@pytest.mark.parametrize(("rows", "header", "wanted"), FORM.values(), ids=FORM)
def test_errors_of_form_are_named_by_place_value_and_what_is_allowed(errors, rows, header, wanted):
    assert_errors(errors(rows, header), *wanted)


def test_of_many_errors_twenty_are_named_and_the_others_counted(errors):
    result = errors(["a,b"] * 1500, "in_red,out_red")
    assert len(result) == PROBLEMS_SHOWN + 1
    assert result[PROBLEMS_SHOWN - 1].startswith("line 11, column out_red: 'b'")
    assert result[PROBLEMS_SHOWN] == ": and 2,980 more errors"
    assert errors(["a,b"] * 10 + ["a,1"], "in_red,out_red")[-1] == ": and 1 more error"
    assert len(errors(["a,b"] * 10, "in_red,out_red")) == PROBLEMS_SHOWN


def test_a_long_value_is_cut(errors):
    (error,) = errors(changed((3, "in_red", "7" * 500)))
    assert "'" + "7" * 40 + "…'" in error
    assert len(error) < 150


def test_folders_and_missing_files_are_errors(tmp_path):
    with refused(tmp_path, "folder", "CSV", by=CastError):
        read_casts(tmp_path)
    with refused(tmp_path / "casts.csv", "No such file", by=CastError):
        read_casts(tmp_path / "casts.csv")


def test_a_million_rows_are_enough(errors, monkeypatch, tmp_path):
    assert cast_table.MAX_ROWS == 1_000_000
    monkeypatch.setattr(cast_table, "MAX_ROWS", 3)
    assert_errors(errors(["6,4"] * 3 + ["", "6,4", "6,4"], ALL), ("line 6", "3 rows"))
    (tmp_path / "casts.csv").write_text(f"{ALL}\n" + "6,4\n" * 3)
    assert len(read_casts(tmp_path / "casts.csv").event) == 3


def test_a_file_without_end_is_not_read_to_it(errors, monkeypatch):
    monkeypatch.setattr(cast_file, "_MAX_BYTES", 100)
    assert_errors(errors(GAME), ("", "100 bytes"))


# ------------------------------------------------------------------------------------------------ the balance


def too_many(line, colour, fallen, inside, thrown, since):
    """The place and the names of an error where more fell out than was there by the rows since a line."""
    most = inside + thrown
    counts = (f"{fallen} fell out", f"at most {most}", f"{inside} inside and {thrown} thrown", f"line {since}")
    return (f"line {line}, column out_{colour}", *counts)


def tray(line, rethrown, most):
    """The place and the names of an error where more were thrown again than lay in the tray."""
    return (f"line {line}, column tray_rethrown", f"{rethrown} cubes", f"at most {most}")


BALANCE = {
    "more out than there were": (changed((3, "out_red", "9")), too_many(3, "red", 9, 4, 4, 2)),
    "a bump frees what was inside": (changed((4, "out_blue", "5")), too_many(4, "blue", 5, 4, 0, 2)),
    "nothing stays over an inventory": (
        [*GAME[:4], "g1,10,bench,0,1,1,0,0,,,"], too_many(6, "red", 1, 0, 0, 6),
    ),
    "nothing stays from session to session": (changed((6, "out_red", "1")), too_many(6, "red", 1, 0, 0, 6)),
    "nothing stays from a session without an inventory": (
        [*GAME[:3], "g2,0,bench,0,1,1,0,0,,,"], too_many(5, "red", 1, 0, 0, 5),
    ),
    "lines are those of an editor": (
        ["", 'g1,0,fill,12,9,8,6,0,,,"two\nlines"', "", "g1,1,battle,4,3,9,2,3,,,"], too_many(6, "red", 9, 4, 4, 3),
    ),
    "an inventory that counts fewer": (
        changed((5, "out_blue", "3")),
        ("line 5, column out_blue", "closing inventory", "blue 3 counted, 4 expected", "line 2"),
    ),
    "an inventory that counts more": (
        changed((5, "out_blue", "5")), ("line 5, column out_blue", "blue 5 counted, 4 expected"),
    ),
    "an inventory wrong in two colours": (
        [*GAME[:3], "g1,9,empty,0,0,4,2,0,,,", *GAME[4:]],
        ("line 5, column out_red", "red 4 counted, 2 expected", "blue 2 counted, 4 expected"),
    ),
    "an inventory left blank": (
        [*GAME[:3], "g1,9,empty,,,,,,,,"],
        ("line 5, column out_red", "red 0 counted, 2 expected", "blue 0 counted, 4 expected", "out_ columns"),
    ),
    "999 cubes are not too many, but they must come out": (
        changed((2, "in_red", "999")), ("line 5, column out_red", "closing inventory"),
    ),
    "a cast of the number before": (changed((3, "cast", "0")), ("line 3, column cast", "cast 0", "below cast 0")),
    "a cast of a lower number": (
        [*GAME[:2], GAME[2].replace("g1,2", "g1,9"), "g1,2,bench,1,0,0,0,0,,,"],
        ("line 5, column cast", "cast 2", "below cast 9"),
    ),
    "a session in two pieces": ([*GAME, "g1,10,bench,1,0,0,0,0,,,"], ("line 8, column session", "'g1'", "again")),
    "more from the tray than are thrown": (
        changed((3, "tray_rethrown", "8")), ("line 3, column tray_rethrown", "8 of the cubes", "7 were thrown"),
    ),
    "cubes from the tray where none are thrown": (
        changed((4, "tray_rethrown", "1")), ("line 4, column tray_rethrown", "1 of the cubes", "0 were thrown"),
    ),
    # Only the first contradiction is named, the left column first.
    "cubes before casts": (
        changed((4, "cast", "0"), (3, "out_red", "90"), (5, "out_red", "9")), ("line 3, column out_red",),
    ),
    "casts before cubes": (
        changed((3, "cast", "0"), (4, "out_red", "90"), (5, "out_red", "9")), ("line 3, column cast",),
    ),
    "the tray before cubes": (
        changed((4, "out_red", "90"), (3, "tray_rethrown", "9"), (5, "out_red", "9")),
        ("line 3, column tray_rethrown",),
    ),
    "an inventory before the next session": (
        changed((5, "out_red", "9"), (6, "out_red", "9"), (7, "cast", "0")), ("line 5, column out_red",),
    ),
    "the first of two colours": (
        changed((3, "out_red", "90"), (3, "out_blue", "90")), ("line 3, column out_red",),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("rows", "wanted"), BALANCE.values(), ids=BALANCE)
def test_of_contradictions_the_first_is_named_with_its_counts(errors, rows, wanted):
    assert_errors(errors(rows), wanted)


def test_only_of_an_inventory_left_blank_it_is_said_where_to_write_it(errors):
    assert "out_ columns" not in errors(changed((5, "out_blue", "3")))[0]


def test_casts_rise_over_rows_without_a_number(errors):
    assert_errors(errors(["5,6,4", ",6,4", "5,6,4"], f"cast,{ALL}"), ("line 4, column cast", "cast 5", "below cast 5"))


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        (["g1,9,6,0", "g1,7,7,7"], tray(3, 7, 6)),
        (["g1,9,6,1"], tray(2, 1, 0)),  # what falls out now lies there only afterwards
        (["g1,9,6,0", "g2,6,6,1"], tray(3, 1, 0)),  # each session begins with an empty tray
        (["g1,9,6,0", "g1,6,2,6", "g1,5,5,3"], tray(4, 3, 2)),  # a cube thrown again has left the tray
    ],
)
def test_no_more_cubes_come_from_the_tray_than_fell_out_before(errors, rows, wanted):
    assert_errors(errors(rows, TRAY), wanted)
