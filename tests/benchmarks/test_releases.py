"""The file of ratios is read as it was written, and a line that cannot be read is named."""

from datetime import date

import pytest
from benchmarks.releases import FILE, read_releases, rows_of, write_releases
from benchmarks.speed_ratio import Comparison, SpeedRatio

from tests.benchmarks.installations import installation
from tests.cli.test_games import ROOT
from tests.refusals import refused
from wallsim.policies.catalogue import policy_names

SHIPPED = ROOT / "data" / "speed" / FILE


@pytest.fixture
def rows(tmp_path):
    ratio = SpeedRatio("random", 1000, [101.0, 99.0, 100.0], [99.0, 100.0, 101.0])
    running = installation(tmp_path)._replace(commit="1234567")
    return rows_of(Comparison(running, installation(tmp_path), 4, 3, 3, (ratio,)), 'A "fast", one', date(2026, 5, 4))


def test_rows_are_read_as_they_were_written(rows, tmp_path):
    path = tmp_path / "releases.csv"
    assert read_releases(path) == []
    write_releases(path, rows)
    write_releases(path, [*read_releases(path), *rows])
    assert read_releases(path) == rows * 2


def test_a_row_has_the_versions_the_estimate_and_the_medians(rows):
    [row] = rows
    assert (row.date, row.version, row.commit, row.engine) == ("2026-05-04", "0.1.2", "1234567", 4)
    assert (row.against, row.against_engine) == ("0.1.2", 3)
    assert row.low < row.ratio == 1.0 < row.high
    assert (row.turns, row.games, row.speed, row.against_speed) == (3, 1000, 100.0, 100.0)


@pytest.mark.parametrize(
    "line", ["", "2026-05-04", "2026-05-04,0.1,1,4,0,4,random,fast,1,1,9,1,1,1,x", ",,,,,,,,,,,,,,,,"]
)
def test_a_line_that_cannot_be_read_is_named(rows, tmp_path, line):
    path = tmp_path / "releases.csv"
    write_releases(path, rows)
    path.write_text(f"{path.read_text('utf-8')}{line}\n", "utf-8")
    with refused(path, "line 4"):
        read_releases(path)


def test_the_file_that_ships_begins_with_its_source_and_has_true_rows():
    assert SHIPPED.read_text("utf-8").startswith("# ")
    for row in read_releases(SHIPPED):
        assert 0 < row.low <= row.ratio <= row.high
        assert row.policy in policy_names()
        assert row.commit
        assert row.against != row.commit
        assert date.fromisoformat(row.date)
        assert row.turns >= 3
