"""What was measured is recorded in the checkout that was measured: data files, and the pages that follow from them."""

import re
from datetime import date

import pytest
from benchmarks.recorded import RATIOS, SCALE, SPEEDS, read_record, record, refuse_unrecordable, source_of
from benchmarks.records import Machine, Scale
from benchmarks.releases import read_releases, rows_of, write_releases
from benchmarks.speed_ratio import Comparison, SpeedRatio
from benchmarks.speed_record import add_to_record, ratio_blocks, scale_blocks, speed_blocks
from benchmarks.speeds import Cost, SettingSpeed, Speeds

from tests.benchmarks.installations import git, installation, package
from tests.docs.pages import DOCS, ROOT
from tests.refusals import refused
from wallsim.play.speed import PlanCost, Speed
from wallsim.policies.catalogue import policy_names
from wallsim.report.tables.marked_blocks import differing_blocks


@pytest.fixture
def checkout(tmp_path):
    """The installation of a checkout with a page that has marks, and one release."""
    folder = package(tmp_path / "checkout")
    (folder / "data" / "speed").mkdir(parents=True)
    (folder / "docs").mkdir()
    places = "".join(f"<!-- {name} -->\n<!-- /{name} -->\n\n" for name in (*RATIOS.names, *SPEEDS.names))
    (folder / "docs" / "speed.md").write_text(f"# Speed\n\n{places}End.\n", "utf-8")
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


def test_the_ratios_that_ship_are_true():
    releases = read_releases(RATIOS.paths(ROOT)[0])
    assert releases
    for row in releases:
        assert 0 < row.low <= row.ratio <= row.high
        assert row.policy in policy_names()
        assert row.commit
        assert row.against != row.commit
        assert date.fromisoformat(row.date)
        assert row.turns >= 3


# ------------------------------------------------------------------------------------------------ the pages


def blocks_that_ship(place):
    """The blocks that follow from the data file of a page."""
    file, _ = place.paths(ROOT)
    if place is RATIOS:
        return ratio_blocks(read_releases(file))
    return speed_blocks(*read_record(file, Speeds)) if place is SPEEDS else scale_blocks(*read_record(file, Scale))


@pytest.mark.parametrize("place", [RATIOS, SPEEDS, SCALE], ids=lambda place: place.file)
def test_the_pages_that_ship_follow_from_their_files(place):
    blocks = blocks_that_ship(place)
    page = place.paths(ROOT)[1]
    assert blocks.keys() == set(place.names)
    assert all(f"<!-- /{name} -->" in page.read_text("utf-8") for name in blocks)
    assert differing_blocks(page, blocks, "", place.writer) == []


BLOCK = re.compile(r"^<!-- (\w+) .*?^<!-- /\1 -->$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`|\]\([^)]*\)", re.MULTILINE | re.DOTALL)
DEFINED = re.compile(r"\b95 %|10⁹ (games|draws)|xoshiro256\+\+")  # a level and amounts of work


def numbers_of(text):
    """The numbers of a page's own sentences that somebody could have measured."""
    return re.findall(r"\d[\d.,]*", DEFINED.sub("", CODE.sub("", BLOCK.sub("", text))))


def test_a_number_that_somebody_typed_is_found():
    assert numbers_of("<!-- a written by b -->\n5\n<!-- /a -->\n`6` 10⁹ draws, 95 %: 1.2 times\n") == ["1.2"]


@pytest.mark.parametrize("page", ["speed.md", "scale.md"])
def test_no_sentence_of_the_pages_has_a_measured_number(page):
    measured, _, _ = (DOCS / page).read_text("utf-8").partition("## Limits")
    assert numbers_of(measured) == []


# --------------------------------------------------------------------------------------------- the checkout


def test_rows_are_added_and_the_table_of_the_page_is_that_of_the_file(checkout):
    for times in (1, 2):
        refuse_unrecordable(checkout, ["random"], RATIOS)
        file, page = add_to_record(comparison(checkout, "random", "balanced"))
        assert len(read_releases(file)) == 2 * times
        assert differing_blocks(page, ratio_blocks(read_releases(file)), "", RATIOS.writer) == []
        lines = page.read_text("utf-8").splitlines()
        assert sum(line.startswith("| 20") for line in lines) == 2 * times
        assert lines[-1] == "End."


@pytest.fixture
def speeds():
    one = Speed("random", 1200.0, 1100.0, 1300.0, 900.0, 3)
    mixed = one._replace(policy="rollout, random, random, random")
    machine = Machine(2, "A fast one", "Linux", "3.11", 0.5, 4)
    plans = [PlanCost("random", 2.0, 1.5, 2.5, 24, 3)]
    settings = [SettingSpeed("draft", one), SettingSpeed("draft", one._replace(games_per_second=700.0))]
    return Speeds(machine, [one], plans, mixed, settings, [Cost("tables", "µs", 3.25, 3.0, 3.5, 3)])


def test_speeds_are_written_with_their_source_and_the_page_follows_from_the_file(checkout, speeds):
    refuse_unrecordable(checkout, (), SPEEDS)
    file, page = record(checkout, SPEEDS, ".ci/bench speed", speeds, speed_blocks)
    source, measured = read_record(file, Speeds)
    assert measured == speeds
    assert source == source_of(checkout, ".ci/bench speed")
    assert source.commit == checkout.commit
    assert differing_blocks(page, speed_blocks(source, measured), "", SPEEDS.writer) == []
    rows = [re.split(r" *\| *", line)[1:-1] for line in page.read_text("utf-8").splitlines() if line.startswith("| ")]
    assert ["`random`", "1,200", "1,100 to 1,300", "900", "2", "6%"] in rows  # 24 plans of 2 µs in 833 µs
    assert ["one `rollout` among 3 `random`", "1,200", "1,100 to 1,300", "900", "", ""] in rows
    assert ["draft", "1,200", "700"] in rows
    assert ["tables", "3.25 µs", "3.00 to 3.50", "3"] in rows


@pytest.mark.parametrize("text", ["", "{}", '{"source": {"date": "today"}, "measured": {}}'])
def test_a_file_without_measurements_is_named(tmp_path, text):
    (tmp_path / "speeds.json").write_text(text, "utf-8")
    with refused(tmp_path / "speeds.json"):
        read_record(tmp_path / "speeds.json", Speeds)


def test_what_could_not_be_recorded_is_rejected_before_it_is_measured(checkout, tmp_path):
    with refused("record", "./random.toml"):
        refuse_unrecordable(checkout, ["random", "./random.toml"], RATIOS)
    with refused("record", "git checkout"):
        refuse_unrecordable(installation(tmp_path), ["random"], RATIOS)
    (checkout.folder / "docs" / "speed.md").write_text("# Speed\n", "utf-8")
    with refused("speed.md"):
        refuse_unrecordable(checkout, ["random"], RATIOS)
    (checkout.folder / "wallsim" / "engine" / "version.py").write_text("ENGINE_VERSION = 5\n", "utf-8")
    with refused("record", "wallsim/engine/version.py"):
        refuse_unrecordable(checkout, ["random"], RATIOS)
