"""The register keeps every figure as it is, names what is damaged, and says what has moved."""

from math import nan

import polars as pl
import pytest

import wallsim
from tests.studies.test_figures import rows_of
from wallsim.errors import InputError
from wallsim.studies import published
from wallsim.studies.catalogue import own_studies
from wallsim.studies.published import SCHEMA, published_studies
from wallsim.studies.register import COLUMNS, moved, read_register, register_text


@pytest.fixture
def figures():
    rows = rows_of(null=0.0)
    rows.number("games", "", 24_000, words="games, all of them", unit="games")
    return rows.done()


def test_what_is_written_is_read(figures, tmp_path):
    path = tmp_path / "price.csv"
    path.write_text(register_text(figures), "utf-8")
    read = read_register("price", path)
    assert list(read) == list(figures)
    assert read == figures
    assert register_text(read) == register_text(figures)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("value,", "worth,", "other columns than id, quantity"),
        (",24000,", ",many,", "price.csv: line 3: value: 'many' is not a number"),
        ("price.games", "price.thaler.4p.+4-Thalers/second-strong/mid-urn/draft", "two figures have this id"),
        ("price.games", "price games", "an id has letters"),
        (",4,second strong", ",four,second strong", "line 2: players: 'four'"),
    ],
)
def test_damage_is_named_by_file_line_and_field(figures, tmp_path, old, new, words):
    path = tmp_path / "price.csv"
    text = register_text(figures)
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(InputError, match=words.replace(".", r"\.")):
        read_register("price", path)
    with pytest.raises(InputError, match="cannot be read"):
        read_register("price", tmp_path / "none.csv")


def test_a_figure_has_moved_if_it_lies_outside_of_the_intervals(figures):
    from dataclasses import replace

    key = next(iter(figures))
    half = (figures[key].high - figures[key].low) / 2
    for factor, expected in ((0.9, []), (1.1, [key])):
        other = {**figures, key: replace(figures[key], value=figures[key].value + factor * half)}
        assert [line.split(": ")[0] for line in moved(figures, other)] == expected
    unknown = {**figures, key: replace(figures[key], value=nan, error=nan)}
    assert moved(unknown, unknown) == []
    assert len(moved(figures, unknown)) == len(moved(unknown, figures)) == 1
    other = {**figures, "price.games": replace(figures["price.games"], value=23_999.0)}
    assert moved(figures, other) == ["price.games: 24000 before, 23999 now"]
    new = {name: figure for name, figure in figures.items() if name != key} | {"price.new": figures[key]}
    assert moved(figures, new) == ["1 figures are new: price.new", f"1 figures are missing: {key}"]


@pytest.fixture
def registered(tmp_path, monkeypatch, figures):
    """A register of one study."""
    (tmp_path / "price.csv").write_text(register_text(figures), "utf-8")
    for module in (published, __import__("wallsim.studies.register", fromlist=["data_folder"])):
        monkeypatch.setattr(module, "data_folder", lambda room: tmp_path)


@pytest.mark.parametrize(
    ("pattern", "count"),
    [
        (None, 2),
        ("price", 2),
        ("price.", 2),
        ("price.games", 1),
        ("price.thaler.4p", 1),
        ("*.thaler.*/draft", 1),
        ("*mid-urn*", 1),
        ("price.*", 2),
    ],
)
def test_figures_are_chosen_by_the_beginning_of_ids_or_by_a_pattern(registered, pattern, count):
    result = wallsim.figures(pattern)
    assert isinstance(result, pl.DataFrame)
    assert result.schema == pl.Schema(SCHEMA)
    assert tuple(result.columns) == COLUMNS
    assert len(result) == count


@pytest.mark.parametrize("pattern", ["prise", "price.gam", "price.thaler.3p", "*.nothing", ""])
def test_a_pattern_that_matches_nothing_is_refused(registered, pattern):
    with pytest.raises(InputError, match="no id matches"):
        wallsim.figures(pattern)


def test_what_there_is_none_of_is_null(registered):
    row = wallsim.figures("price.games").row(0, named=True)
    assert [name for name, value in row.items() if value is None] == [
        "players", "play", "tower", "setup", "moment", "low", "high", "error", "n", "n_unit", "null", "pairing",
    ]  # fmt: skip


def test_every_study_is_in_the_register_and_ids_begin_with_its_name():
    assert set(published_studies()) == set(own_studies())
    table = wallsim.figures()
    assert table["id"].is_unique().all()
    assert table["id"].str.split(".").list.first().is_in(list(own_studies())).all()
    for name in ("quantity", "unit", "digest"):
        assert (table[name].str.strip_chars() != "").all(), name
    known = table.filter(pl.col("low").is_not_null())
    assert ((known["low"] <= known["value"]) & (known["value"] <= known["high"])).all()
    counted = table.filter(pl.col("n").is_not_null())
    assert (counted["n"] > 0).all()
    assert counted["n_unit"].is_not_null().all()
