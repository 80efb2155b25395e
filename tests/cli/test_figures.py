"""`wallsim figures` shows published figures, from the register alone."""

import json

import polars as pl
import pytest

import wallsim
from tests.cli.test_games import refusal
from tests.cli.test_games import wallsim as command

ONE = "price.headline.4p.VP-per-Thaler/strong/spielbyweb/draft@all-rounds"


def test_a_figure_is_shown_with_its_interval_and_what_it_rests_on():
    result = command("figures", ONE)
    assert result.exit_code == 0, result.output
    assert f"{wallsim.figures(ONE)['value'][0]:.3f}" in result.stdout
    assert "one of 8" in result.stdout
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
    ],
)
def test_what_cannot_be_shown_is_refused(words, message):
    assert message in refusal("figures", *words)


@pytest.mark.parametrize("pattern", ["[" * 201, "*a" * 60_000])
def test_a_pattern_longer_than_any_id_is_refused_before_it_is_translated(pattern):
    said = refusal("figures", pattern)
    assert "ids have up to 200" in said
    assert len(said) < 300
