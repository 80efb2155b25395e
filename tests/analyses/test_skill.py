"""The study `skill` plays its tournaments, answers four questions, and writes the answers into the given page."""

import re
from dataclasses import replace
from math import inf

import polars as pl
import pytest

from analyses import skill
from tests.analyses.studies import files_of, filled, is_png, names_in, page_for, run_study, table_of
from wallsim.analysis.tournament.sample_size import GamesNeeded
from wallsim.errors import InputError
from wallsim.runs.tournament.design import Design
from wallsim.runs.tournament.folder import open_tournament

GAMES = 300
LADDER = 1 + len(skill.COMMON)  # policies in the tests; the upper ladder lacks the weakest
SIZES_OF = {"ladder": LADDER, "upper ladder": LADDER - len(skill.WEAKEST), "zoo": len(skill.STYLES)}


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """The folder of a small study, and what it printed."""
    folder = tmp_path_factory.mktemp("skill")
    return folder, run(folder, *page_for(skill, folder))


def run(folder, *words):
    """Run the study on a few games; what it printed."""
    status, printed, errors = run_study(skill, folder, "--games", str(GAMES), "--strong", "conqueror", *words)
    assert (status, errors) == (0, "")
    return printed


def test_two_fields_meet_at_tables_of_three_sizes(told):
    folder, _ = told
    runs = {path: open_tournament(folder / "runs" / path) for path in names_in(skill, folder / "runs")}
    assert set(runs) == {f"{field}_{players}" for field in ("ladder", "zoo") for players in (3, 4, 5)}
    for name, met in runs.items():
        identity = met.manifest["experiment"]["identity"]
        assert (met.manifest["seed"], identity["players"]) == (2028, int(name[-1]))
        expected = skill.STYLES if name.startswith("zoo") else {"conqueror", *skill.COMMON}
        assert met.policies == tuple(sorted(expected))
        assert met.manifest["games"] >= GAMES


def test_the_answer_lies_between_the_marks_with_a_digest_of_all_tournaments(told):
    folder, printed = told
    assert printed.startswith("6 tournaments, ")
    end = "beside one with line-ups."
    figures = printed[: printed.index(end) + len(end)]  # without the neighbours at tables of three sizes
    assert (folder / "page.md").read_text("utf-8") == filled(skill, (skill.digest(GAMES, ["conqueror"]), figures))
    assert is_png(folder / "it.png")


def test_the_tables_have_a_row_for_every_field_and_size(told):
    _, printed = told
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
    _, printed = told
    assert printed.count("before the next, % (interval simultaneous over the ladder)") == 4
    assert "before the next, % (joint interval)" not in printed


def test_leads_have_what_was_observed_the_curve_and_their_difference(told):
    _, printed = told
    rows = table_of(printed, "field")
    assert len(rows) == 6
    for row in rows:
        observed, curve, apart = (float(cell.split(" (")[0].replace("−", "-")) for cell in row[5:8])
        assert observed - curve == pytest.approx(apart, abs=0.11)


def test_shares_of_variance_add_up_to_all(told):
    _, printed = told
    rows = [line for line in printed.splitlines() if re.match(r"\| (upper )?(ladder|zoo) \| \d \| \d \|", line)]
    assert len(rows) == 18
    for row in rows:
        cells = [cell for cell in row.strip("| ").split(" | ")[5:] if cell != "–"]
        bounds = {"< 0.1": "0.05", "> -0.1": "-0.05"}  # what is less than a tenth lies somewhere below it
        values = [cell.replace("−", "-").split(" ± ")[0] for cell in cells]
        shares = [float(bounds.get(value, value)) for value in values]
        assert sum(shares) == pytest.approx(100, abs=0.35)


def test_a_study_that_is_there_is_not_played_again(told):
    folder, printed = told
    before = files_of(folder)
    (folder / "runs" / "zoo_4" / "manifest.json").unlink()  # an interrupted one resumes
    assert run(folder) == printed
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
    digests = {skill.digest(300, ["conqueror"]), skill.digest(5_000, ["conqueror"]), skill.digest(300, ["heedless"])}
    assert len(digests) == 3
    assert skill.digest(300, ["conqueror"]) == skill.digest(301, ["conqueror"])  # as many blocks


def test_the_number_of_games_is_rounded_up_and_open_where_the_order_is_not_known():
    known = GamesNeeded("a", "b", 900, 90, 0.6, (0.55, 0.65), 321.0, 101.0, 1299.0)
    assert skill.needed(known) == "330 (110 to 1,300)"
    assert skill.needed(replace(known, most=inf)) == "over 110"
    assert skill.needed(replace(known, needed=None, least=None, most=None)) == "–"
    assert skill.rounded(7) == "7"


def test_what_cannot_be_played_is_named_before_anything_is(tmp_path):
    with pytest.raises(InputError, match="nobody"):
        skill.study(tmp_path / "runs", GAMES, ["nobody"])
    status, _, errors = run_study(skill, tmp_path, "--strong", "nobody")
    assert status == 2
    assert "nobody" in errors
    assert not (tmp_path / "runs").exists()


def test_the_shipped_strong_policies_and_grades_exist():
    assert skill.tournaments()
