"""CSV files for spreadsheets: Excel finds the umlauts, and no name is calculated."""

import csv
import io

import polars as pl
import pytest
from typer.testing import CliRunner

import wallsim
from wallsim.analysis.tower.cast_file import read_casts, write_casts
from wallsim.analysis.tower.casts import CastLog
from wallsim.cli.app import app
from wallsim.rules.files import data_folder
from wallsim.spreadsheet import cell_of, safe_csv, spreadsheet, text_of

MARK = b"\xef\xbb\xbf"
FORMULAS = ("=1+1", "+x", "-1, 0 or 1", "@SUM(A1)", "\t=1", '=HYPERLINK("a","b")')


@pytest.mark.parametrize("text", FORMULAS)
def test_a_text_that_begins_like_a_formula_is_none(text):
    written = io.StringIO(newline="")
    csv.writer(written).writerow([text, "plain", "-3.5", "+2", "", "1e-7"])
    safe = safe_csv(written.getvalue())
    [row] = csv.reader(io.StringIO(safe, newline=""))
    assert row == [f"'{text}", "plain", "-3.5", "+2", "", "1e-7"]
    assert text_of(row[0]) == text
    assert safe_csv(safe) == safe
    assert spreadsheet(safe) == MARK + safe.encode()


@pytest.mark.parametrize("text", ["plain", "'quoted", "", "'"])
def test_other_texts_stay(text):
    assert text_of(text) == text
    assert safe_csv(f"a,{text}\n") == f"a,{text}\n"


@pytest.mark.parametrize("text", ["'=1", "''-", "=1", "'", "''", "plain", "'5"])
def test_a_text_with_apostrophes_of_its_own_is_read_as_it_was(text):
    written = io.StringIO(newline="")
    csv.writer(written).writerow([cell_of(text)])
    [[cell]] = csv.reader(io.StringIO(safe_csv(written.getvalue()), newline=""))
    assert text_of(cell) == text
    assert not cell.startswith("=")


def test_a_carriage_return_begins_no_row():
    assert [*csv.reader(io.StringIO(safe_csv('a,"\r=1"\n'), newline=""))] == [["a", "\n=1"]]


def test_a_log_of_casts_is_read_as_it_was_written(tmp_path):
    log = CastLog.of(("red",), ["=Köln", "=Köln"], ["fill", "bench"], [9, 1], [2, 1])
    write_casts(log, tmp_path / "log.csv")
    assert (tmp_path / "log.csv").read_bytes().startswith(MARK + b"session,cast")
    assert "\n'=K\u00f6ln,0," in (tmp_path / "log.csv").read_text("utf-8-sig")
    assert list(read_casts(tmp_path / "log.csv").session) == ["=Köln", "=Köln"]


def test_a_command_marks_its_files_and_nothing_that_it_prints(tmp_path):
    arguments = ["tower", "simulate", "--casts", "43"]
    printed = CliRunner().invoke(app, arguments)
    assert printed.exit_code == 0, printed.output
    assert printed.stdout.startswith("session,")
    assert CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "log.csv")]).exit_code == 0
    assert (tmp_path / "log.csv").read_bytes() == MARK + printed.stdout.encode()


def test_openings_name_no_formula(tmp_path):
    policy = (data_folder("policies") / "balanced.toml").read_bytes()
    (tmp_path / "=1+1.toml").write_bytes(policy)
    experiment = wallsim.Experiment(policies=[str(tmp_path / "=1+1.toml"), *["random"] * 3], games=60, plans=True)
    run = wallsim.play(experiment, tmp_path / "run")
    out = tmp_path / "openings.csv"
    result = CliRunner().invoke(app, ["openings", str(run.folder), "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert out.read_bytes().startswith(MARK)
    cells = [cell for row in csv.reader(io.StringIO(out.read_text("utf-8-sig"), newline="")) for cell in row]
    assert any(cell.startswith("'=1+1") for cell in cells)
    assert not any(cell.startswith(("=", "@")) for cell in cells)
    assert pl.read_csv(out).columns[0].isascii()
