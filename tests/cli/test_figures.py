"""`wallsim figures` shows published figures, from the register alone."""

import json
from math import isfinite, nan

import polars as pl
import pytest

import wallsim
from tests.cli.test_games import refusal
from tests.cli.test_games import wallsim as command
from wallsim.report.tables.estimates import in_words
from wallsim.studies.published import published_studies
from wallsim.studies.register import read_register

ONE = "price.headline.4p.VP-per-Thaler/strong/spielbyweb/draft@all-rounds"


def test_a_figure_is_shown_with_its_interval_and_what_it_rests_on():
    result = command("figures", ONE)
    assert result.exit_code == 0, result.output
    assert f"{wallsim.figures(ONE)['value'][0]:.3f}" in result.stdout
    assert "one of 8 simultaneous 95 % intervals" in result.stdout
    assert "1,000 blocks" in result.stdout


def test_json_parquet_and_markdown_have_the_same_figures(tmp_path):
    table = wallsim.figures("price.claim")
    document = json.loads(command("figures", "price.claim", "--json").stdout)
    assert document["figures"] == table.to_dicts()
    path = tmp_path / "figures.parquet"
    assert command("figures", "price.claim", "--parquet", str(path)).exit_code == 0
    assert pl.read_parquet(path).equals(table)
    rows = command("figures", "price.claim", "--markdown").stdout.strip().splitlines()
    assert len(rows) == 2 + len(table)
    assert rows[2].startswith("| price.claim.4p.")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("prise",), "no id matches 'prise'"),
        (("*nowhere*",), "no id matches"),
        (("price", "--json", "--markdown"), "give one of them"),
        (("price", "--parquet", "/nowhere/x.parquet"), "cannot be written"),
        (("price", "--parquet", "x.csv"), "ends with .parquet"),
        (("price", "--parquet", "x"), "ends with .parquet"),
    ],
)
def test_what_cannot_be_shown_is_refused(words, message):
    assert message in refusal("figures", *words)


def test_every_row_of_the_register_prints_in_every_output(tmp_path):
    table = wallsim.figures()
    rows = table.to_dicts()
    text = command("figures").stdout.splitlines()
    assert text[::2] == [row["id"] for row in rows]
    assert not [line for line in text[1::2] if "None" in line or "nan" in line or "inf " in line]
    markdown = command("figures", "--markdown").stdout.splitlines()[2:]
    assert [line.split(" | ")[0].removeprefix("| ") for line in markdown] == [row["id"] for row in rows]
    document = json.loads(command("figures", "--json").stdout)["figures"]
    assert [row["id"] for row in document] == [row["id"] for row in rows]
    path = tmp_path / "figures.parquet"
    assert command("figures", "--parquet", str(path)).exit_code == 0
    assert pl.read_parquet(path).equals(table)
    limits = dict(zip(text[::2], text[1::2], strict=True))
    cells = {line.split(" | ")[0].removeprefix("| "): line for line in markdown}
    one_sided = [row for row in rows if row["low"] is not None and not isfinite(row["high"] or nan)]
    assert len(one_sided) > 2
    for row in one_sided:
        assert f"at least {row['low']:.4g}" in limits[row["id"]], row["id"]
        assert f"at least {row['low']:.4g}" in cells[row["id"]], row["id"]


def test_pages_write_a_figure_with_a_lower_end_only():
    key = "lineups.errors-that-level-A-and-C-in-points.4p/casual/spielbyweb"
    figure = read_register("lineups")[key]
    assert in_words(figure.value, figure.ends, 2) == f"at least {figure.low:.2f}"
    for study in published_studies():
        for each in read_register(study).values():
            words = in_words(each.value, each.ends, 2)
            assert not {"nan", "inf", "∞"} & set(words.replace("(", " ").split()), each.id


@pytest.mark.parametrize("pattern", ["[" * 201, "*a" * 60_000])
def test_a_pattern_longer_than_any_id_is_refused_before_it_is_translated(pattern):
    said = refusal("figures", pattern)
    assert "ids have up to 200" in said
    assert len(said) < 300
