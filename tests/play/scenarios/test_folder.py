"""A folder of scenarios is one table with a column `scenario`, and its damage is found."""

import polars as pl
import pytest

from tests.folder.mishaps import flip_a_bit
from tests.refusals import assert_names, refused
from wallsim.errors import RunError
from wallsim.folder.checksummed_json import sealed_document
from wallsim.folder.result_folder import read_codebook
from wallsim.folder.results import Run, run_experiment
from wallsim.folder.scenarios import Scenarios
from wallsim.folder.verification import open_results


def test_all_scenarios_are_one_table_in_the_order_of_the_file(both):
    seats = both.scan("seats").collect()
    assert seats.columns[:3] == ["scenario", "game", "seat"]
    assert seats["scenario"].to_list() == ["plain"] * 180 + ["court"] * 180
    assert (seats["scenario"].dtype, seats["policy"].dtype) == (
        pl.Enum(["plain", "court"]), pl.Enum(["random", "builder"])
    )  # fmt: skip
    for name, run in both.runs.items():
        rows, own = seats.filter(pl.col("scenario") == name), run.scan("seats").collect()
        assert rows.select(own.columns).cast({"policy": pl.String}).equals(own.cast({"policy": pl.String}))
    assert seats["vp_favors"].null_count() == 180  # which the plain game lacks
    assert both.tables == ("games", "seats")
    with refused("scenario=court: ", "'seasons'", "games, seats"):
        both.scan("seasons")


def test_damage_is_named_with_its_scenario(spoilt_both):
    flip_a_bit(spoilt_both / "scenario=court" / "seats" / "part-000000.parquet")
    (spoilt_both / "scenario=other").mkdir()
    changed, foreign = Scenarios.verify(spoilt_both)
    assert_names(changed, "scenario=court/seats/part-000000.parquet: ", "have changed")
    assert_names(foreign, "scenario=other: ", "does not belong")
    with refused("scenario=court: ", "damaged", by=RunError):
        Scenarios.open(spoilt_both).scan("seats")
    (spoilt_both / "scenario=court").rename(spoilt_both / "elsewhere")
    (spoilt_both / "scenario=plain" / "manifest.json").unlink()
    missing = [line for line in Scenarios.verify(spoilt_both) if line.endswith("is missing")]
    assert [line.partition(": ")[0] for line in missing] == ["scenario=plain/manifest.json", "scenario=court"]


def test_exchanged_folders_are_noticed(spoilt_both):
    plain, court = spoilt_both / "scenario=plain", spoilt_both / "scenario=court"
    plain.rename(spoilt_both / "x")
    court.rename(plain)
    (spoilt_both / "x").rename(court)
    assert any(line.startswith("scenario=plain: is another experiment") for line in Scenarios.verify(spoilt_both))
    with refused("plain, court: ", "another experiment", by=RunError):
        Scenarios.open(spoilt_both)


@pytest.mark.parametrize(
    "data",
    [
        b"", b'{"format": 2, "finished": true, "scenarios": [{"name": "plain", "hash": "b"}]}',
        sealed_document({"format": 2, "finished": True, "scenarios": []}),
        sealed_document({"format": 2, "finished": 3, "scenarios": [{"name": "a", "hash": "b"}]}),
        sealed_document({"format": 2, "finished": True, "scenarios": [{"name": "../a", "hash": "b"}]}),
    ],
)  # fmt: skip
def test_a_damaged_document_is_refused(spoilt_both, data):
    (spoilt_both / "scenarios.json").write_bytes(data)
    for read in (Scenarios.open, Scenarios.verify):
        with refused("scenarios.json", "is damaged", "the command that", by=RunError):
            read(spoilt_both)


@pytest.mark.parametrize("read", [Run.open, open_results, run_experiment, read_codebook])
def test_where_one_run_is_expected_the_folder_says_that_it_holds_scenarios(both, read):
    with refused(both.folder, "contains scenarios"):
        read(both.folder)


def test_a_run_holds_no_scenarios(both):
    with refused(both.runs["plain"].folder, "no scenarios"):
        Scenarios.open(both.runs["plain"].folder)
