"""The study `skill` plays its tournaments, and answers four questions; so many games tell two policies apart."""

from dataclasses import replace
from math import inf, isnan, nan, sqrt

import numpy as np
import polars as pl
import pytest
from scipy.stats import nct, t

from tests.analyses.studies import assert_resumed, figures_in, look
from tests.analysis.planted import planted_rows
from wallsim.analyses.skill import estimates as skill
from wallsim.analyses.skill import study
from wallsim.analyses.skill.estimates import blocks_needed
from wallsim.analysis.tournament import skill as variance
from wallsim.analysis.tournament.ratings import rate
from wallsim.folder.tournament import TournamentRun
from wallsim.folder.tournament_design import Design
from wallsim.stats.intervals import Confidence
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import quantity_of
from wallsim.studies.orders import SAME, TAU
from wallsim.studies.running import digest_of
from wallsim.studies.study import Choices

GAMES = 20  # one block of each tournament, of which there are no intervals
STRONG = {"strong": "conqueror"}
PLANNED = skill.design(Choices(GAMES))


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """The folder of a small study, and its result; it has few blocks, and still a page."""
    folder = tmp_path_factory.mktemp("skill")
    return folder, look("skill", folder, GAMES, quick=False, workers=None, **STRONG)


@pytest.mark.one_in(4, "file")
def test_two_fields_meet_at_tables_of_three_sizes(reported):
    folder, result = reported
    runs = {path.name: TournamentRun.open(path) for path in folder.iterdir() if (path / "journal.jsonl").is_file()}
    assert set(runs) == {f"{field}_{players}" for field in ("ladder", "zoo") for players in (3, 4, 5)}
    for name, met in runs.items():
        identity = met.manifest["experiment"]["identity"]
        assert (met.manifest["seed"], identity["players"]) == (2028, int(name[-1]))
        expected = skill.STYLES if name.startswith("zoo") else {"conqueror", *skill.COMMON}
        assert met.policies == tuple(sorted(expected))
        assert met.manifest["games"] >= GAMES
        assert result.figures.of("games", name[:-2], players=int(name[-1])).value == met.manifest["games"]


@pytest.mark.one_in(4, "file")
def test_a_study_that_is_there_is_not_played_again(reported):
    assert_resumed("skill", *reported, Choices(GAMES, options=STRONG))


def test_a_number_of_games_that_makes_as_many_blocks_is_the_same_study():
    study = load_study("skill")
    one, other = (digest_of(study, skill.design(Choices(games, options=STRONG))) for games in (300, 301))
    assert one == other


def test_the_upper_ladder_has_the_games_without_the_weakest():
    rows = pl.DataFrame({"game": [0, 0, 1, 1, 2, 2], "policy": ["a", "b", "b", "c", "a", "a"]})
    assert skill.without(rows, ["c"])["game"].to_list() == [0, 0, 2, 2]
    assert skill.without(rows, ["a", "c"]).is_empty()


def test_whole_cycles_are_played_where_the_games_make_one():
    four = Design(7, 4)  # 140 games a block, 24 blocks a cycle
    assert [skill.blocks_for(four, games) for games in (300, 24 * 140, 24 * 140 + 1)] == [3, 24, 48]


@pytest.fixture(scope="module")
def planted():
    """Results of planted strengths by field and size, the ranking of the zoo with five turned; and the figures."""
    strengths, rows = np.linspace(1.5, -1.5, 8), {}
    for (name, size), tournament in PLANNED.items():
        names = {f"p{number}": policy.name for number, policy in enumerate(tournament.policies)}
        turned = strengths[::-1] if (name, size) == (skill.ZOO, 5) else strengths
        played = planted_rows(turned, 240, size, games=16, players=size, lineups=True, noise=0.5)
        lineup = (pl.col("seat") + pl.col("game")) % size
        rows[name, size] = played.with_columns(pl.col("policy").replace(names), lineup=lineup.cast(pl.String))
    return rows, figures_in("skill", skill.estimate(rows, resamples=60))


def test_shares_groups_and_ranks_are_those_of_the_rows(planted):
    rows, figures = planted
    for (field, size), played in rows.items():
        split = variance.skill(played, "vp", level=skill.joint(18), resamples=60)
        shares = study.parts_of(figures, field, size, "vp")
        assert {name: each.value for name, each in shares.items()} == pytest.approx(
            {part.name: 100 * part.share for part in split.parts}
        )
        assert [ends for each in split.parts for ends in shares[each.name].ends] == pytest.approx(
            [100 * end for each in split.parts for end in each.interval]
        )
        assert sum(each.value for each in shares.values()) == pytest.approx(100)
        names = study.policies_of(PLANNED, field, size)
        ranks = [figures.of("rank", f"{field} {name}", players=size).value for name in names]
        assert ranks == (list(range(8, 0, -1)) if (field, size) == (skill.ZOO, 5) else list(range(1, 9)))
        groups = study.groups_of(figures, field, size)
        assert sum(each["lead"].n for each in groups) == len(played)
        for each in groups:
            least, lead, most = (each[name].value for name in ("lead-at-least", "lead", "lead-at-most"))
            assert least <= lead <= most
            wins, curve, apart = (each[name].value for name in ("wins-by-lead", "wins-by-curve", "wins-less-curve"))
            assert wins - curve == pytest.approx(apart)
    assert not study.groups_of(figures, skill.UPPER, 4)
    assert study.parts_of(figures, skill.UPPER, 4, "win")


def test_orders_are_those_of_the_rows_and_every_estimate_has_an_interval(planted):
    figures = planted[1]
    taus = [figures.all_of(TAU, item)[0].value for item in ("ladder 3 and 4", "zoo 3 and 5")]
    assert taus == [1, -1]
    [turned] = [
        row for key, row in figures.items() if quantity_of(key) == SAME and "zoo-3-and-5-balanced-turtle" in key
    ]
    assert turned.value == -1
    for row in figures.values():
        if quantity_of(row.id) in {*skill.SHARE.values(), "strength", "wins-by-lead", "before-next", TAU}:
            low, high = row.interval(Confidence(0.95, row.family))
            assert low <= row.value <= high


@pytest.mark.one_in(4, "file")
def test_what_has_no_interval_has_none_in_the_register(reported):
    figures, text = reported[1].figures, reported[1].text
    assert "nan" not in text
    assert "line-up and seat" in text  # with one line-up for each seat there is no part of line-ups alone
    assert isnan(figures["skill.share-of-points.4p.ladder-policy"].low)
    needed = [row for row in figures.values() if quantity_of(row.id) == "games-needed"]
    assert needed
    assert all(isnan(row.value) and row.ends is None for row in needed)


def test_the_number_of_games_is_rounded_up_and_open_where_the_order_is_not_known(planted):
    known = replace(next(iter(planted[1].values())), value=321.0, low=101.0, high=1299.0)
    assert study.needed(known) == "330 (110 to 1,300)"
    assert study.needed(replace(known, high=inf)) == "over 110"
    assert study.needed(replace(known, value=nan, low=nan, high=nan)) == "–"
    assert study.rounded(7) == "7"


def neighbours(rows):
    """By pair the values of how often it finishes in order, the games with both, and those needed."""
    values = list(skill.neighbours((skill.ZOO, 4), rows, rate(rows, resamples=20)))
    return {key.item: [each for other, each in values if other.item == key.item] for key, _ in values}


@pytest.mark.parametrize("gap", [0.5, 0.4, 0.2])
def test_students_t_test_of_so_many_blocks_has_the_power(gap):
    """By the noncentral t distribution; what normal quantiles plan for few blocks falls short of it."""

    def power(blocks):
        far, near = t.ppf(0.975, blocks - 1), gap * sqrt(blocks)
        return nct.sf(far, blocks - 1, near) + nct.cdf(-far, blocks - 1, near)

    assert power(blocks_needed(gap, 1.0)) == pytest.approx(0.8, abs=0.002)
    if gap > 0.3:
        assert power(((1.959964 + 0.841621) / gap) ** 2) < 0.79
    assert blocks_needed(0.01, 2.0) == pytest.approx(((1.959964 + 0.841621) * 200) ** 2, rel=1e-4)  # of the textbook
    assert blocks_needed(-gap, 2.0) == blocks_needed(gap, 2.0)
    assert (blocks_needed(0.0, 2.0), blocks_needed(100.0, 0.01)) == (inf, 2)


def test_independent_games_need_what_a_coin_needs():
    """Blocks of one game of two: finishing before the other is a coin, and the number of games is that of coins."""
    [[before, games, needed]] = neighbours(planted_rows([0.4, 0.0], 4000, 1, games=1, players=2)).values()
    share = 1 / (1 + np.exp(-0.4))
    coins = (2.80158 * sqrt(share * (1 - share)) / (share - 0.5)) ** 2
    assert before.value == pytest.approx(100 * share, abs=3)
    assert before.ends[0] < 100 * share < before.ends[1]
    assert needed.value == pytest.approx(coins, rel=0.35)
    assert needed.ends[0] < coins < needed.ends[1]
    assert (games.value, before.blocks, needed.blocks) == (4000, 4000, 4000)


def test_games_are_those_where_both_sit():
    rows = planted_rows([1.0, 0, -1.0, -2.0, -3.0], 60, 3, games=6, players=3)
    seats = rows.group_by("game").agg(pl.col("policy"))["policy"].to_list()
    found = neighbours(rows)
    assert list(found) == [f"zoo p{place} p{place + 1}" for place in range(4)]
    for item, (_, games, _) in found.items():
        assert games.value == sum({*item.split()[1:]} <= set(table) for table in seats)


def test_policies_that_are_alike_may_need_any_number_and_few_blocks_plan_nothing():
    found = (((0.0, 0.0), 200, 4), ((4.0, 0.0), 200, 5), ((0.5, 0.0), 20, 6))
    alike, apart, few = (
        next(iter(neighbours(planted_rows(strengths, blocks, seed, games=6, players=2)).values()))
        for strengths, blocks, seed in found
    )
    assert alike[2].ends[0] < alike[2].value < alike[2].ends[1] == inf
    assert alike[0].ends[0] < 50 < alike[0].ends[1]
    assert 2 * 6 <= apart[2].ends[0] <= apart[2].value <= apart[2].ends[1] < 30 * 6
    assert (few[0].ends, few[2].ends) == (None, None)
    assert isnan(few[2].value)
