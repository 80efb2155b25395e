"""A log of casts is read as written, whatever spreadsheet it went through, and what was inside follows from it."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wallsim.analysis.tower.cast_file import read_casts, write_casts
from wallsim.analysis.tower.cast_table import CastError
from wallsim.analysis.tower.casts import ACCIDENTS, EVENTS, CastLog
from wallsim.escaping import escaped_line

HEADER = "session,cast,event,in_red,in_blue,out_red,out_blue,tray_rethrown,edition,pour,note"
GAME = [
    "g1,0,fill,12,9,8,6,0,wallenstein2012,one_hand,",
    "g1,1,battle,4,3,5,2,3,,,",
    "g1,2,bump,0,0,1,0,0,,,table",
    "g1,9,empty,0,0,2,4,0,,,closing inventory",
    "g2,0,bench,0,5,0,1,0,,,",
    "g2,1,empty,0,0,0,4,0,,,",
]


@pytest.fixture
def read(tmp_path):
    """A function from a file's text or bytes to its log."""

    def read_from(text):
        path = tmp_path / "casts.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_casts(path)

    return read_from


def text_of(rows, header=HEADER, newline="\n"):
    return newline.join([header, *rows]) + newline


def assert_same(one, other, but=()):
    for name in {"colours", "session", "event", "notes"} - set(but):
        assert getattr(one, name) == getattr(other, name), name
    for name in {"thrown", "fallen", "held", "line"} - set(but):
        assert getattr(one, name).dtype == getattr(other, name).dtype == np.int64
        assert getattr(one, name).tolist() == getattr(other, name).tolist(), name


# ------------------------------------------------------------------------------------------------- the record


def test_a_log_holds_its_rows_and_what_was_inside_before_each(read):
    log = read(text_of(GAME))
    assert log.colours == ("red", "blue")
    assert log.session == ("g1",) * 4 + ("g2",) * 2
    assert log.event == ("fill", "battle", "bump", "empty", "bench", "empty")
    assert log.thrown.tolist() == [[12, 9], [4, 3], [0, 0], [0, 0], [0, 5], [0, 0]]
    assert log.fallen.tolist() == [[8, 6], [5, 2], [1, 0], [2, 4], [0, 1], [0, 4]]
    assert log.held.tolist() == [[0, 0], [4, 3], [3, 4], [2, 4], [0, 0], [0, 4]]
    assert log.line.tolist() == [2, 3, 4, 5, 6, 7]


def test_a_log_cannot_be_changed(read):
    log = read(text_of(GAME))
    for part in (log, log.casts(), log.totals()):
        for name in ("thrown", "fallen", "held", "line"):
            with pytest.raises(ValueError, match="read-only"):
                getattr(part, name)[0] = 1


def test_casts_are_rows_that_throw_and_keep_what_was_inside(read):
    bench = "g1,10,bench,0,0,0,0,0,,,"  # nothing thrown: no cast
    casts = read(text_of([*GAME[:4], bench, *GAME[4:]])).casts()
    assert casts.event == ("fill", "battle", "bench")
    assert casts.session == ("g1", "g1", "g2")
    assert casts.line.tolist() == [2, 3, 7]
    assert casts.thrown.tolist() == [[12, 9], [4, 3], [0, 5]]
    assert casts.fallen.tolist() == [[8, 6], [5, 2], [0, 1]]
    assert casts.held.tolist() == [[0, 0], [4, 3], [0, 0]]


def test_an_inventory_is_no_cast_whatever_it_throws():  # a log that was made, not read
    log = CastLog.of(["red"], ["g1"] * 3, ["bench", "bump", "empty"], [[3], [1], [1]], [[0], [0], [5]])
    assert log.casts().event == ("bench",)


# --------------------------------------------------------------------------------------------- what is allowed


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("mark of byte order", "\ufeff" + text_of(GAME)),
        ("carriage returns", text_of(GAME, newline="\r\n")),
        ("semicolons", text_of(GAME).replace(",", ";")),
        ("blanks behind rows only", text_of([row + ", ,," for row in GAME])),
        ("blanks in cells", text_of([row.replace(",", " , ") for row in GAME], HEADER.replace(",", " ,\t"))),
        ("large letters", text_of([row.replace("battle", "Battle").replace("bump", "BUMP") for row in GAME],
                                  HEADER.upper())),
        ("quotes and semicolons", text_of([f'"{row}"'.replace(",", '";"') for row in GAME],
                                          f'"{HEADER}"'.replace(",", '";"'))),
        ("leading zeros", text_of([row.replace(",4,3,", ",04,003,") for row in GAME])),
        ("more notes", text_of([row + ",,x" for row in GAME], HEADER + ",notes on pour,note")),
    ],
)  # fmt: skip
def test_what_spreadsheets_do_changes_nothing(read, what, text):
    assert text != text_of(GAME), what
    assert_same(read(text), read(text_of(GAME)))


def test_blank_lines_are_passed_over_and_lines_are_those_of_an_editor(read):
    log = read("\n" + HEADER + "\n\n" + GAME[0] + '"slow,\nby hand"\n,,,,,,,,,,\n  \n' + "\n".join(GAME[1:]))
    assert_same(log, read(text_of(GAME)), but=["line"])
    assert log.line.tolist() == [4, 8, 9, 10, 11, 12]


def test_columns_stand_in_any_order_and_colours_in_that_of_their_in_columns(read):
    order = [6, 4, 0, 10, 3, 2, 1, 5, 8, 7, 9]
    mixed = [",".join(line.split(",")[place] for place in order) for line in [HEADER, *GAME]]
    log = read(text_of(mixed[1:], mixed[0]))
    expected = read(text_of(GAME))
    assert log.colours == ("blue", "red")
    for name in ("thrown", "fallen", "held"):
        assert getattr(log, name).tolist() == getattr(expected, name)[:, ::-1].tolist()
    assert_same(log, expected, but=["colours", "thrown", "fallen", "held"])


def test_colours_have_any_names(read):
    rows = ["3,4,1,0,2,1"]
    log = read(text_of(rows, "in_Grün,in_dark blue,in_7,out_7,out_GRU\u0308N,out_dark blue"))
    assert log.colours == ("grün", "dark blue", "7")
    assert log.thrown.tolist() == [[3, 4, 1]]
    assert log.fallen.tolist() == [[2, 1, 0]]


def test_blank_counts_are_none(read):
    log = read(text_of(["g1,0,fill,12,9,8,,,,,", "g1,1,bump,,,,,,,,", "g1,,empty,,,4,9,,,,"]))
    assert log.thrown.tolist() == [[12, 9], [0, 0], [0, 0]]
    assert log.fallen.tolist() == [[8, 0], [0, 0], [4, 9]]


@pytest.mark.parametrize(("thrown", "event"), [(19, "bench"), (20, "fill")])
def test_without_events_only_a_first_row_of_20_cubes_is_a_fill(read, thrown, event):
    log = read(text_of([f"g1,{thrown},0", "g1,30,5", f"g2,{thrown},3"], "session,in_all,out_all"))
    assert log.event == (event, "bench", event)
    log = read(text_of([f"g1,{thrown},0,", "g1,30,5,battle", "g1,30,5,"], "session,in_all,out_all,event"))
    assert log.event == (event, "battle", "bench")


def test_a_blank_session_is_that_of_the_row_above(read):
    rows = ["g1,25,20", ",6,4", "g2,6,4", ",6,4"]
    assert read(text_of(rows, "session,in_all,out_all")).session == ("g1", "g1", "g2", "g2")
    assert read(text_of([",6,4", ",6,5"], "session,in_all,out_all")).session == ("1", "1")
    alone = read(text_of(["25,20", "6,4", "7,9"], "in_all,out_all"))
    assert (alone.session, alone.held.tolist()) == (("1",) * 3, [[0], [5], [7]])


def test_numbers_of_casts_may_be_left_out_and_all_cubes_that_fell_out_be_thrown_again(read):
    rows = ["g1,3,6,4", "g1,,6,4", "g1,7,6,4", "g2,0,6,4", "g2,1000000,6,4"]
    assert len(read(text_of(rows, "session,cast,in_all,out_all")).event) == 5
    rows = ["g1,0,9,6", "g1,6,6,2", "g1,2,5,5", "g2,0,5,5"]
    assert len(read(text_of(rows, "session,tray_rethrown,in_all,out_all")).event) == 4


# --------------------------------------------------------------------------------------------------- the notes


def with_names(column, *names):
    """A session of GAME with these editions or pours."""
    cells = [row.split(",") for row in GAME[:4]]
    for row, name in zip(cells, names, strict=True):
        row[HEADER.split(",").index(column)] = name
    return text_of(map(",".join, cells))


UNCOUNTED = ["g2,0,fill,9,3,9,3,0,,,", "g2,1,empty,0,0,0,0,0,,,", "g3,0,fill,9,3,9,3,0,,,"]


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        (with_names("edition", "one", "One", "", ""), []),
        (with_names("edition", "old", "OLD", "new", ""), ["editions are mixed: old, new;"]),
        (with_names("pour", "old", "OLD", "new", ""), ["pours are mixed: old, new;"]),
        (text_of([GAME[0], *UNCOUNTED]), ["no closing inventory in sessions g1, g3:"]),
        (text_of([*GAME[:4], "g1,10,bench,1,1,0,0,0,,,"]), ["no closing inventory in session g1:"]),
        (text_of([f"s{session},6,4" for session in range(30)], "session,in_all,out_all"),
         ["no closing inventory in sessions s0, s1, s2, s3, s4 and 25 more:", "one colour only (all):"]),
        (text_of(GAME), ["one colour only in session g2:"]),
    ],
)  # fmt: skip
def test_what_a_log_leaves_open_is_noted_with_its_sessions(read, text, notes):
    found = read(text).notes
    assert len(found) == len(notes)
    assert all(note.startswith(begun) for note, begun in zip(found, notes, strict=True))


# ------------------------------------------------------------------------------------------- writing and reading

NAMES = st.text("abcdäß,;\"' .-_1\t", min_size=1, max_size=5).map(str.strip).filter(bool)


@st.composite
def logs(draw, proved=False):
    """Valid logs; with `proved` each session ends with its inventory."""
    colours = draw(
        st.lists(NAMES.filter(lambda name: name not in ("all", "total")), min_size=1, max_size=4, unique=True)
    )
    names = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    sessions, events, thrown, fallen = [], [], [], []
    for name in names:
        inside = np.zeros(len(colours), np.int64)
        chosen = draw(st.lists(st.sampled_from(EVENTS), min_size=1, max_size=6))
        for event in [*chosen, "empty"] if proved else chosen:
            cubes = st.integers(0, 0 if event in ACCIDENTS else 12)
            into = np.array([draw(cubes) for _ in colours])
            inside += into
            out = inside if event == "empty" else np.array([draw(st.integers(0, int(most))) for most in inside])
            sessions.append(name)
            events.append(event)
            thrown.append(into)
            fallen.append(out.copy())
            inside = inside - out
    return CastLog.of(colours, sessions, events, thrown, fallen)


@given(logs())
def test_a_log_that_was_written_is_read_again(tmp_path_factory, log):
    path = tmp_path_factory.mktemp("log") / "casts.csv"
    write_casts(log, path)
    again = read_casts(path)
    assert_same(again, log, but=["notes"])
    write_casts(again, path)
    assert_same(read_casts(path), again)


@given(logs())
def test_no_cube_is_lost_and_totals_add_up_the_colours(log):
    totals = log.totals()
    assert (totals.colours, totals.line.tolist()) == (("all",), log.line.tolist())
    for name in ("thrown", "fallen", "held"):
        assert getattr(totals, name).tolist() == getattr(log, name).sum(axis=1, keepdims=True).tolist()
    inside = np.zeros(len(log.colours), np.int64)
    for row, (session, event) in enumerate(zip(log.session, log.event, strict=True)):
        if row and session != log.session[row - 1]:
            inside[:] = 0
        assert log.held[row].tolist() == inside.tolist()
        inside = inside + log.thrown[row] - log.fallen[row]
        assert inside.min() >= 0
        assert event != "empty" or inside.max() == 0


@given(logs(proved=True), st.data())
def test_one_wrong_count_is_found_in_its_session_at_its_line_or_later(tmp_path_factory, log, data):
    row = data.draw(st.integers(0, len(log.event) - 1))
    colour = data.draw(st.integers(0, len(log.colours) - 1))
    counts = {"thrown": log.thrown.copy(), "fallen": log.fallen.copy()}
    name = "fallen" if log.event[row] in ACCIDENTS else data.draw(st.sampled_from(sorted(counts)))
    old = counts[name][row, colour]
    counts[name][row, colour] = data.draw(st.integers(0, 30).filter(lambda new: new != old))
    path = tmp_path_factory.mktemp("log") / "casts.csv"
    write_casts(CastLog.of(log.colours, log.session, log.event, **counts), path)
    with pytest.raises(CastError) as caught:
        read_casts(path)
    end = next(later for later in range(row, len(log.event)) if log.event[later] == "empty")
    lines = range(row + 2, end + 3)
    assert any(escaped_line(f"line {line}, column out_{log.colours[colour]}:") in str(caught.value) for line in lines)


def test_the_columns_written_are_those_of_the_template(tmp_path):
    log = CastLog.of(["red", "blue"], ["g1", "g1", "g2"], ["fill", "battle", "bench"],
                     [[12, 9], [4, 3], [1, 0]], [[8, 6], [5, 2], [0, 0]])  # fmt: skip
    for tray, cells in ((None, ("", "", "")), ([0, 3, 0], ("0", "3", "0"))):
        file = io.StringIO()
        write_casts(log, file, tray_rethrown=tray)
        rows = zip(("g1,0,fill,12,9,8,6", "g1,1,battle,4,3,5,2", "g2,0,bench,1,0,0,0"), cells, strict=True)
        assert file.getvalue().splitlines() == [HEADER, *(f"{row},{cell},,," for row, cell in rows)]
    with pytest.raises(ValueError):
        write_casts(log, tmp_path / "wrong.csv", tray_rethrown=[0, 0])
    assert not (tmp_path / "wrong.csv").exists()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"colours": ["Red"]}, "colour 'Red'"),
        ({"colours": [""]}, "colour ''"),
        ({"session": ["g1 "]}, "session 'g1 '"),
        ({"session": ["g\n1"]}, r"session 'g\\n1'"),
        ({"event": ["throw"]}, "event 'throw'"),
        ({"thrown": [[1000]]}, "counts from 1000 to 1000"),
        ({"fallen": [[-1]]}, "counts from -1 to -1"),
    ],
)
def test_what_could_not_be_read_again_is_not_written(tmp_path, change, words):
    parts = {"colours": ["red"], "session": ["g1"], "event": ["bench"], "thrown": [[3]], "fallen": [[1]]}
    write_casts(CastLog.of(**parts), tmp_path / "right.csv")
    with pytest.raises(ValueError, match=words):
        write_casts(CastLog.of(**(parts | change)), tmp_path / "wrong.csv")
    assert not (tmp_path / "wrong.csv").exists()
