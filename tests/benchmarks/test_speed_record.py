"""A comparison is recorded in the checkout that was measured: rows of the file, and the table of the page."""

from datetime import date

import pytest
from benchmarks.ratio_tables import BLOCK, releases_block
from benchmarks.releases import FILE, read_releases, rows_of, write_releases
from benchmarks.speed_ratio import Comparison, SpeedRatio
from benchmarks.speed_record import WRITER, add_to_record, refuse_unrecordable

from tests.benchmarks.installations import git, installation, package
from tests.docs.pages import DOCS
from tests.refusals import refused
from wallsim.policies.catalogue import policy_names
from wallsim.report.tables.marked_blocks import differing_blocks

SHIPPED = DOCS.parent / "data" / "speed" / FILE


@pytest.fixture
def checkout(tmp_path):
    """The installation of a checkout with a page that has marks, and one release."""
    folder = package(tmp_path / "checkout")
    (folder / "data" / "speed").mkdir(parents=True)
    (folder / "docs").mkdir()
    (folder / "docs" / "speed.md").write_text(f"# Speed\n\n<!-- {BLOCK} -->\n<!-- /{BLOCK} -->\n\nEnd.\n", "utf-8")
    git(folder, "init")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "first")
    return installation(folder)._replace(commit="1234567")


def comparison(running, *policies):
    """Three turns of a thousand games, in which both are as fast."""
    ratios = [SpeedRatio(policy, 1000, [101.0, 99.0, 100.0], [99.0, 100.0, 101.0]) for policy in policies]
    return Comparison(running, installation(running.folder), 4, 3, 3, tuple(ratios))


@pytest.fixture
def rows(tmp_path):
    running = installation(tmp_path)._replace(commit="1234567")
    return rows_of(comparison(running, "random"), 'A "fast", one', date(2026, 5, 4))


def test_rows_are_read_as_they_were_written(rows, tmp_path):
    path = tmp_path / "releases.csv"
    assert read_releases(path) == []
    write_releases(path, rows)
    write_releases(path, [*read_releases(path), *rows])
    assert read_releases(path) == rows * 2


# ------------------------------------------------------------------------------------------------- the file


def test_a_row_has_the_versions_the_estimate_and_the_medians(rows):
    [row] = rows
    assert (row.date, row.version, row.commit, row.engine) == ("2026-05-04", "0.1.2", "1234567", 4)
    assert (row.against, row.against_engine) == ("0.1.2", 3)
    assert row.low < row.ratio == 1.0 < row.high
    assert (row.turns, row.games, row.speed, row.against_speed) == (3, 1000, 100.0, 100.0)


@pytest.mark.parametrize("line", ["2026-05-04", "2026-05-04,0.1,1,4,0,4,random,fast,1,1,9,1,1,1,x"])
def test_a_line_that_cannot_be_read_is_named(rows, tmp_path, line):
    path = tmp_path / "releases.csv"
    write_releases(path, rows)
    path.write_text(f"{path.read_text('utf-8')}{line}\n", "utf-8")
    with refused(path, "line 4"):
        read_releases(path)


def test_the_file_that_ships_begins_with_its_source_has_true_rows_and_is_the_table_of_docs_speed():
    assert SHIPPED.read_text("utf-8").startswith("# ")
    block = releases_block(read_releases(SHIPPED))
    assert differing_blocks(DOCS / "speed.md", {BLOCK: block}, "", WRITER) == []
    for row in read_releases(SHIPPED):
        assert 0 < row.low <= row.ratio <= row.high
        assert row.policy in policy_names()
        assert row.commit
        assert row.against != row.commit
        assert date.fromisoformat(row.date)
        assert row.turns >= 3


# --------------------------------------------------------------------------------------------- the checkout


def test_rows_are_added_and_the_table_of_the_page_is_that_of_the_file(checkout):
    for times in (1, 2):
        refuse_unrecordable(checkout, ["random"])
        file, page = add_to_record(comparison(checkout, "random", "balanced"))
        assert len(read_releases(file)) == 2 * times
        assert differing_blocks(page, {BLOCK: releases_block(read_releases(file))}, "", WRITER) == []
        lines = page.read_text("utf-8").splitlines()
        assert sum(line.startswith("| 20") for line in lines) == 2 * times
        assert lines[-1] == "End."


def test_what_could_not_be_recorded_is_rejected_before_it_is_measured(checkout, tmp_path):
    with refused("record", "./random.toml"):
        refuse_unrecordable(checkout, ["random", "./random.toml"])
    with refused("record", "git checkout"):
        refuse_unrecordable(installation(tmp_path), ["random"])
    (checkout.folder / "docs" / "speed.md").write_text("# Speed\n", "utf-8")
    with refused("speed.md"):
        refuse_unrecordable(checkout, ["random"])
    (checkout.folder / "wallsim" / "engine" / "version.py").write_text("ENGINE_VERSION = 5\n", "utf-8")
    with refused("record", "wallsim/engine/version.py"):
        refuse_unrecordable(checkout, ["random"])
