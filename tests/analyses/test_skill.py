"""The study `skill` plays its tournaments, answers four questions, and writes the answers into the given page."""

import re
from dataclasses import replace
from itertools import combinations
from math import inf, isnan

import numpy as np
import polars as pl
import pytest

from tests.analyses.studies import files_of, look, table_of
from tests.analysis.planted import planted_rows
from wallsim.analyses.skill import estimates as skill
from wallsim.analyses.skill import figures as registered
from wallsim.analyses.skill import page
from wallsim.analyses.skill.sample_size import GamesNeeded
from wallsim.errors import InputError
from wallsim.runs.tournament.design import Design
from wallsim.runs.tournament.folder import open_tournament
from wallsim.stats.intervals import Confidence
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import Rows
from wallsim.studies.orders import TAU
from wallsim.studies.register import read_register, register_text
from wallsim.studies.running import digest_of
from wallsim.studies.study import TABLES

GAMES = 300
LADDER = 1 + len(skill.COMMON)  # policies in the tests; the upper ladder lacks the weakest
SIZES_OF = {"ladder": LADDER, "upper ladder": LADDER - len(skill.WEAKEST), "zoo": len(skill.STYLES)}


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """The folder of a small study, and its result."""
    folder = tmp_path_factory.mktemp("skill")
    return folder, run(folder)


def run(folder):
    """The study on a few games."""
    return look("skill", folder, GAMES, quick=False, workers=None, strong="conqueror")


def test_two_fields_meet_at_tables_of_three_sizes(reported):
    folder, _ = reported
    runs = {path.name: open_tournament(path) for path in folder.iterdir() if (path / "journal.jsonl").is_file()}
    assert set(runs) == {f"{field}_{players}" for field in ("ladder", "zoo") for players in (3, 4, 5)}
    for name, met in runs.items():
        identity = met.manifest["experiment"]["identity"]
        assert (met.manifest["seed"], identity["players"]) == (2028, int(name[-1]))
        expected = skill.STYLES if name.startswith("zoo") else {"conqueror", *skill.COMMON}
        assert met.policies == tuple(sorted(expected))
        assert met.manifest["games"] >= GAMES


def test_the_page_of_tables_says_what_was_played_and_ends_with_the_assumptions(reported):
    tables = reported[1].blocks()[TABLES]
    assert reported[1].text.endswith(tables)
    assert tables.startswith("6 tournaments, ")
    assert tables.endswith("beside one with line-ups.")


def test_the_tables_have_a_row_for_every_field_and_size(reported):
    printed = reported[1].text
    heads = [line for line in printed.splitlines() if line.startswith("| share of the variance")]
    assert len(heads) == 2
    assert heads[0].endswith("| policy | policy × line-up | line-up | seat | cards | chance |")
    shares = re.findall(r"(?m)^\| (ladder|upper ladder|zoo) \| ([345]) \| (\d{1,2}) \|", printed)
    rows = [(name, size) for name in ("ladder", "upper ladder", "zoo") for size in "345"]
    assert [(name, size) for name, size, _ in shares] == rows * 2
    assert {(name, int(count)) for name, _, count in shares} == set(SIZES_OF.items())
    for size in (3, 4, 5):
        of_size = re.findall(rf"(?m)^\| (ladder|zoo), {size} players \|", printed)
        assert of_size == ["ladder"] * (LADDER - 1) + ["zoo"] * 7
    assert re.findall(r"(?m)^\| (ladder|zoo), (\d) policies \| (\d and \d) \|", printed) == [
        (name, count, pair)
        for name, count in (("ladder", str(LADDER)), ("zoo", "8"))
        for pair in ("3 and 4", "3 and 5", "4 and 5")
    ]


def test_intervals_of_neighbours_are_said_to_be_joint_over_one_ladder(reported):
    printed = reported[1].text
    assert printed.count("before the next, % (interval simultaneous over the ladder)") == 3
    assert "before the next, % (joint interval)" not in printed


def test_leads_have_what_was_observed_the_curve_and_their_difference(reported):
    printed = reported[1].text
    rows = table_of(printed, "field")
    assert len(rows) == 6
    for row in rows:
        observed, curve, apart = (float(cell.split(" (")[0].replace("−", "-")) for cell in row[5:8])
        assert observed - curve == pytest.approx(apart, abs=0.11)


def test_shares_of_variance_add_up_to_all(reported):
    printed = reported[1].text
    rows = [line for line in printed.splitlines() if re.match(r"\| (upper )?(ladder|zoo) \| \d \| \d \|", line)]
    assert len(rows) == 18
    for row in rows:
        cells = [cell for cell in row.strip("| ").split(" | ")[5:] if cell != "–"]
        bounds = {"< 0.1": "0.05", "> -0.1": "-0.05"}  # what is less than a tenth lies somewhere below it
        values = [cell.replace("−", "-").split(" ± ")[0] for cell in cells]
        shares = [float(bounds.get(value, value)) for value in values]
        assert sum(shares) == pytest.approx(100, abs=0.35)


def test_a_study_that_is_there_is_not_played_again(reported):
    folder, result = reported
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


STRENGTHS = np.linspace(1.5, -1.5, 8)


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """Results of planted strengths, the figures as they are read from a file, and the design."""
    design, rows = skill.Chosen(GAMES, ()), {}
    for (name, size), tournament in skill.tournaments(*design).items():
        names = {f"p{number}": policy.name for number, policy in enumerate(tournament.policies)}
        turned = STRENGTHS[::-1] if (name, size) == (skill.ZOO, 5) else STRENGTHS
        played = planted_rows(turned, 240, size, games=16, players=size, lineups=True, noise=0.5)
        lineup = (pl.col("seat") + pl.col("game")) % size
        rows[name, size] = played.with_columns(pl.col("policy").replace(names), lineup=lineup.cast(pl.String))
    estimated, collected = skill.estimate(rows, resamples=60), Rows("skill", 2028, "0")
    registered.add_figures(estimated, collected)
    file = tmp_path_factory.mktemp("register") / "skill.csv"
    file.write_text(register_text(collected.done()), "utf-8")
    return estimated, read_register("skill", file), design


def test_the_register_has_what_was_estimated(planted):
    estimated, figures, design = planted
    for field, read in zip(estimated.fields, registered.fields_of(figures, design), strict=True):
        facts = field.skills["vp"]
        assert (read.name, read.players, read.games, read.blocks) == (
            field.name, field.players, facts.games, facts.blocks,
        )  # fmt: skip
        assert read.policies == facts.policies
        for result, of_field in field.skills.items():
            parts = {part.name: part for part in of_field.parts}
            assert {part.name for part in read.shares[result].parts} == set(parts)
            for part in read.shares[result].parts:
                assert part.share == pytest.approx(parts[part.name].share)
                assert part.interval == pytest.approx(parts[part.name].interval)
        for ours, theirs in ((read.groups, field.bins), (read.neighbours, field.neighbours)):
            assert len(ours) == len(theirs)
            for one, other in zip(ours, theirs, strict=True):
                assert list(vars(one)) == list(vars(other))
                for value, expected in zip(vars(one).values(), vars(other).values(), strict=True):
                    assert value == expected or value == pytest.approx(expected)
        assert page.notes_of([part.name for part in facts.parts]) == facts.notes
    orders = registered.orders_of(figures, registered.fields_of(figures, design))
    for name, by_sizes in estimated.orders.items():
        for sizes, order in by_sizes.items():
            read = orders[name][sizes]
            assert (read.policies, set(read.same), set(read.turned), set(read.open)) == (
                order.policies, set(order.same), set(order.turned), set(order.open),
            )  # fmt: skip
            assert (read.tau, *read.interval) == pytest.approx((order.tau, *order.interval))
    assert orders["zoo"][3, 5].turned


def test_the_page_is_about_what_was_estimated(planted):
    estimated, figures, design = planted
    text = page.page(figures, design).text(load_study("skill"))
    ladder = next(each for each in estimated.fields if (each.name, each.players) == ("ladder", 4))
    lead = min(ladder.bins, key=lambda each: abs(each.gap - 1))
    assert f"ahead of its table by {lead.gap:.2f} log units, in the mean of {lead.seats:,} seats" in text
    assert f"before one opponent in {100 / (1 + np.exp(-lead.gap)):.0f} % of games" in text
    policy = ladder.skills["vp"].parts[0]
    half = (policy.interval[1] - policy.interval[0]) / 2
    assert f"the policy accounts for {100 * policy.share:.1f} ± {100 * half:.1f}, " in text
    for one, other in estimated.orders["zoo"][4, 5].turned:
        assert f"`{one}` – `{other}`" in text


def test_every_estimate_has_an_interval_of_its_family(planted):
    estimated, figures, _ = planted
    shares = sum(len(each.parts) for field in estimated.fields for each in field.skills.values())
    groups = sum(len(field.bins) for field in estimated.fields)
    for quantities, family in (
        (registered.SHARE.values(), shares),
        ((registered.STRENGTH,), 2 * 3 * 8),
        ((registered.WINS, registered.CURVE, registered.DIFFERENCE), 3 * groups),
        ((registered.BEFORE, registered.NEEDED), 7),
        ((TAU,), 6),
    ):
        for quantity in quantities:
            rows = [row for key, row in figures.items() if key.startswith(f"skill.{quantity}.")]
            assert rows
            for row in rows:
                assert row.family == family
                assert row.ends is not None, (row.id, row.n)
                low, high = row.interval(Confidence(0.95, family))
                assert low <= row.value <= high
    assert len(figures) == len(set(figures))


def test_ids_are_readable(planted):
    estimated, figures, _ = planted
    chance = figures["skill.share-of-wins.4p.upper-ladder-chance"]
    field = next(each for each in estimated.fields if (each.name, each.players) == ("upper ladder", 4))
    assert chance.value == pytest.approx(100 * field.skills["win"].share("chance"))
    assert (chance.unit, chance.n, chance.n_unit) == ("%", field.skills["win"].blocks, "blocks")
    assert figures["skill.games"].value == 6 * 240 * 16
    assert figures["skill.rank.3p.zoo-balanced"].value in range(1, 9)
    assert figures["skill.lead.5p.ladder-group-1"].value < figures["skill.lead.5p.ladder-group-2"].value
    assert figures["skill.tau.zoo-3-and-4"].value > 0 > figures["skill.tau.zoo-3-and-5"].value
    signs = {
        figures[f"skill.same-order.zoo-3-and-5-{one}-{other}"].value
        for one, other in combinations(sorted(skill.STYLES), 2)
    }
    assert signs <= {1.0, -1.0, 0.0}


def test_what_has_no_interval_has_none_in_the_register(reported):
    figures = reported[1].figures
    assert isnan(figures["skill.share-of-points.4p.ladder-policy"].low)
    needed = [row for key, row in figures.items() if key.startswith("skill.games-needed.")]
    assert needed
    assert all(isnan(row.value) and row.ends is None for row in needed)


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
