"""The study `skill` plays its tournaments, answers four questions, and writes the answers into the given page."""

import re
from dataclasses import replace
from math import inf

import polars as pl
import pytest

from tests.analyses.studies import files_of, look, table_of
from wallsim.analyses.skill import estimates as skill
from wallsim.analyses.skill import page
from wallsim.analyses.skill.sample_size import GamesNeeded
from wallsim.errors import InputError
from wallsim.runs.tournament.design import Design
from wallsim.runs.tournament.folder import open_tournament
from wallsim.studies.catalogue import load_study
from wallsim.studies.running import digest_of

GAMES = 300
LADDER = 1 + len(skill.COMMON)  # policies in the tests; the upper ladder lacks the weakest
SIZES_OF = {"ladder": LADDER, "upper ladder": LADDER - len(skill.WEAKEST), "zoo": len(skill.STYLES)}


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """The folder of a small study, and its result."""
    folder = tmp_path_factory.mktemp("skill")
    return folder, run(folder)


def run(folder):
    """The study on a few games."""
    return look("skill", folder, GAMES, quick=False, workers=None, strong="conqueror")


def test_two_fields_meet_at_tables_of_three_sizes(told):
    folder, _ = told
    runs = {path.name: open_tournament(path) for path in folder.iterdir() if (path / "journal.jsonl").is_file()}
    assert set(runs) == {f"{field}_{players}" for field in ("ladder", "zoo") for players in (3, 4, 5)}
    for name, met in runs.items():
        identity = met.manifest["experiment"]["identity"]
        assert (met.manifest["seed"], identity["players"]) == (2028, int(name[-1]))
        expected = skill.STYLES if name.startswith("zoo") else {"conqueror", *skill.COMMON}
        assert met.policies == tuple(sorted(expected))
        assert met.manifest["games"] >= GAMES


def test_the_page_lacks_the_neighbours_at_tables_of_all_sizes(told):
    printed = told[1].page.text
    assert printed.startswith("6 tournaments, ")
    end = "beside one with line-ups."
    assert list(told[1].page.blocks.values()) == [printed[: printed.index(end) + len(end)]]


def test_the_tables_have_a_row_for_every_field_and_size(told):
    printed = told[1].page.text
    heads = [line for line in printed.splitlines() if line.startswith("| share of the variance")]
    assert len(heads) == 2
    assert heads[0].endswith("| policy | policy × line-up | line-up | seat | cards | chance |")
    shares = re.findall(r"(?m)^\| (ladder|upper ladder|zoo) \| ([345]) \| (\d{1,2}) \|", printed)
    rows = [(name, size) for name in ("ladder", "upper ladder", "zoo") for size in "345"]
    assert [(name, size) for name, size, _ in shares] == rows * 2
    assert {(name, int(count)) for name, _, count in shares} == set(SIZES_OF.items())
    for size in (3, 4, 5):
        of_size = re.findall(rf"(?m)^\| (ladder|zoo), {size} players \|", printed)
        assert of_size == (["ladder"] * (LADDER - 1) + ["zoo"] * 7) * (2 if size == 4 else 1)
    assert re.findall(r"(?m)^\| (ladder|zoo), (\d) policies \| (\d and \d) \|", printed) == [
        (name, count, pair)
        for name, count in (("ladder", str(LADDER)), ("zoo", "8"))
        for pair in ("3 and 4", "3 and 5", "4 and 5")
    ]


def test_intervals_of_neighbours_are_said_to_be_joint_over_one_ladder(told):
    printed = told[1].page.text
    assert printed.count("before the next, % (interval simultaneous over the ladder)") == 4
    assert "before the next, % (joint interval)" not in printed


def test_leads_have_what_was_observed_the_curve_and_their_difference(told):
    printed = told[1].page.text
    rows = table_of(printed, "field")
    assert len(rows) == 6
    for row in rows:
        observed, curve, apart = (float(cell.split(" (")[0].replace("−", "-")) for cell in row[5:8])
        assert observed - curve == pytest.approx(apart, abs=0.11)


def test_shares_of_variance_add_up_to_all(told):
    printed = told[1].page.text
    rows = [line for line in printed.splitlines() if re.match(r"\| (upper )?(ladder|zoo) \| \d \| \d \|", line)]
    assert len(rows) == 18
    for row in rows:
        cells = [cell for cell in row.strip("| ").split(" | ")[5:] if cell != "–"]
        bounds = {"< 0.1": "0.05", "> -0.1": "-0.05"}  # what is less than a tenth lies somewhere below it
        values = [cell.replace("−", "-").split(" ± ")[0] for cell in cells]
        shares = [float(bounds.get(value, value)) for value in values]
        assert sum(shares) == pytest.approx(100, abs=0.35)


def test_a_study_that_is_there_is_not_played_again(told):
    folder, result = told
    before = files_of(folder)
    (folder / "zoo_4" / "manifest.json").unlink()  # an interrupted one resumes
    assert run(folder).page == result.page
    assert files_of(folder) == before


def test_the_upper_ladder_has_the_games_without_the_weakest():
    rows = pl.DataFrame({"game": [0, 0, 1, 1, 2, 2], "policy": ["a", "b", "b", "c", "a", "a"]})
    assert skill.without(rows, ["c"])["game"].to_list() == [0, 0, 2, 2]
    assert skill.without(rows, ["a", "c"]).is_empty()


def test_whole_cycles_are_played_where_the_games_make_one():
    four = Design(7, 4)  # 140 games a block, 24 blocks a cycle
    assert skill.blocks_for(four, 300) == 3
    assert skill.blocks_for(four, 24 * 140) == 24
    assert skill.blocks_for(four, 24 * 140 + 1) == 48


def test_the_digest_tells_another_policy_another_number_of_games_and_nothing_else():
    def digest(games, strong):
        return digest_of(load_study("skill"), skill.Chosen(games, (strong,)))

    assert len({digest(300, "conqueror"), digest(5_000, "conqueror"), digest(300, "heedless")}) == 3
    assert digest(300, "conqueror") == digest(301, "conqueror")  # as many blocks


def test_the_number_of_games_is_rounded_up_and_open_where_the_order_is_not_known():
    known = GamesNeeded("a", "b", 900, 90, 0.6, (0.55, 0.65), 321.0, 101.0, 1299.0)
    assert page.needed(known) == "330 (110 to 1,300)"
    assert page.needed(replace(known, most=inf)) == "over 110"
    assert page.needed(replace(known, needed=None, least=None, most=None)) == "–"
    assert page.rounded(7) == "7"


def test_what_cannot_be_played_is_named_before_anything_is(tmp_path):
    with pytest.raises(InputError, match="nobody"):
        look("skill", tmp_path / "runs", GAMES, quick=False, strong="nobody")
    assert not (tmp_path / "runs").exists()


def test_the_shipped_strong_policies_and_grades_exist():
    assert skill.tournaments()
