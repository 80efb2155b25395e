"""`wallsim figures` shows published figures, from the register alone."""

from math import isfinite, nan

import polars as pl

import wallsim
from tests.cli.commands import document, done
from tests.refusals import assert_names

ONE = "price.headline.4p.VP-per-Thaler/strong/spielbyweb/draft@all-rounds"


def test_a_figure_is_shown_with_its_interval_and_what_it_rests_on():
    [row] = wallsim.figures(ONE).to_dicts()
    assert_names(done("figures", ONE).stdout, f"{row['value']:.6g}", "one of 8", "95 %", f"{row['n']} blocks")


def test_every_row_of_the_register_prints_in_every_output(tmp_path):
    table = wallsim.figures()
    rows = table.to_dicts()
    text = done("figures").stdout.splitlines()
    assert text[::2] == [row["id"] for row in rows]
    assert not [line for line in text[1::2] if "None" in line or "nan" in line or "inf " in line]
    markdown = done("figures", "--markdown").stdout.splitlines()[2:]
    cells = {line.split(" | ")[0].removeprefix("| "): line for line in markdown}
    assert list(cells) == [row["id"] for row in rows]
    assert document("figures", "price.claim")["figures"] == wallsim.figures("price.claim").to_dicts()
    assert [row["id"] for row in document("figures")["figures"]] == [row["id"] for row in rows]
    done("figures", "--parquet", tmp_path / "figures.parquet")
    assert pl.read_parquet(tmp_path / "figures.parquet").equals(table)
    limits = dict(zip(text[::2], text[1::2], strict=True))
    one_sided = [row for row in rows if row["low"] is not None and not isfinite(row["high"] or nan)]
    assert len(one_sided) > 2
    for row in one_sided:
        assert f"at least {row['low']:.4g}" in limits[row["id"]], row["id"]
        assert f"at least {row['low']:.4g}" in cells[row["id"]], row["id"]
