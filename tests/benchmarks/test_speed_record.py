"""A comparison is recorded in the checkout that was measured: rows of the file, and the table of the page."""

import subprocess

import pytest
from benchmarks.ratio_tables import BLOCK, releases_block
from benchmarks.releases import FILE, read_releases
from benchmarks.speed_ratio import Comparison, SpeedRatio
from benchmarks.speed_record import WRITER, add_to_record, refuse_unrecordable

from tests.benchmarks.installations import installation, package
from tests.docs.pages import DOCS
from tests.refusals import refused
from wallsim.report.tables.marked_blocks import differing_blocks


@pytest.fixture
def checkout(tmp_path):
    """The installation of a checkout with a page that has marks, and one release."""
    folder = package(tmp_path / "checkout")
    (folder / "data" / "speed").mkdir(parents=True)
    (folder / "docs").mkdir()
    (folder / "docs" / "speed.md").write_text(f"# Speed\n\n<!-- {BLOCK} -->\n<!-- /{BLOCK} -->\n\nEnd.\n", "utf-8")
    git(folder, "init")
    git(folder, "add", ".")
    git(folder, "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-m", "first")
    return installation(folder)._replace(commit="1234567")


def git(folder, *words):
    subprocess.run(["git", "-C", folder, "-c", "commit.gpgsign=false", *words], check=True, capture_output=True)


def comparison(running):
    ratios = [SpeedRatio(policy, 1000, [101.0, 99.0, 100.0], [99.0, 100.0, 101.0]) for policy in ("random", "balanced")]
    return Comparison(running, installation(running.folder), 4, 4, 3, tuple(ratios))


def test_rows_are_added_and_the_table_of_the_page_is_that_of_the_file(checkout):
    for times in (1, 2):
        refuse_unrecordable(checkout, ["random"])
        file, page = add_to_record(comparison(checkout))
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


def test_the_table_of_docs_speed_is_that_of_the_file():
    block = releases_block(read_releases(DOCS.parent / "data" / "speed" / FILE))
    assert differing_blocks(DOCS / "speed.md", {BLOCK: block}, "", WRITER) == []
