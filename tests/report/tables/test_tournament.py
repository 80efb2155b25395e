"""Tables of a tournament say what was found, with intervals, baseline and their assumptions."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from tests.analysis.planted import planted_rows
from tests.refusals import assert_names
from wallsim.analysis.tournament.agreement import MEASURES, agreement
from wallsim.analysis.tournament.payoffs import Cycle, Upset, payoffs
from wallsim.analysis.tournament.ratings import rate
from wallsim.analysis.tournament.skill import skill
from wallsim.report.tables import tournament as tables
from wallsim.report.tables.estimates import bounded


@pytest.fixture(scope="module")
def rows():
    """80 blocks of 4 games of three among four policies."""
    return planted_rows([1.0, 0.2, -0.2, -1.0], 80, seed=4, players=3, noise=0.5)


@pytest.fixture(scope="module")
def ratings(rows):
    """Their ladder."""
    return rate(rows, resamples=60)


def test_a_ladder_has_a_row_a_policy_with_its_numbers(ratings):
    rows = tables.ladder_rows(ratings)
    assert [row[1] for row in rows] == list(ratings.policies)
    assert all(len(row) == len(tables.LADDER) for row in rows)
    best = ratings.ladder[0]
    low, high = best.win_interval
    reach = best.interval[1] - best.strength
    assert rows[0] == (
        "1", "p0", f"{best.strength:+.2f} ±{reach:.2f}",
        f"{100 * best.win_share:.1f} ({100 * low:.1f}–{100 * high:.1f})",
        f"{best.vp:.2f} ±{best.vp_interval[1] - best.vp:.2f}", str(best.games), "> 98.3 %",  # 60 resamples tell no more
    )  # fmt: skip
    assert rows[-1][-1] == ""
    assert rows[-1][2].startswith(f"−{-ratings.ladder[-1].strength:.2f} ±")


def test_notes_of_a_ladder_name_games_blocks_baseline_and_fit(ratings):
    text = " ".join(tables.ladder_notes(ratings))
    assert_names(text, "320 games of 3", "80 blocks", "33.33%", "mean zero", "60 bootstrap resamples", "seed 1")
    assert_names(text, f"over {ratings.fit.pairs} pairs", f"{100 * ratings.fit.departure:.1f} percentage points")


def test_nothing_on_a_ladder_is_nought_give_or_take_nought(ratings):
    small = replace(
        ratings.ladder[1], strength=0.0004, interval=(-0.0006, 0.0014), vp=-0.0004, vp_interval=(-0.001, 0.0002)
    )
    row = tables.ladder_rows(replace(ratings, ladder=(ratings.ladder[0], small)))[1]
    assert (row[2], row[4]) == ("< +0.01 ±< 0.01", "> −0.01 ±< 0.01")


def test_few_blocks_leave_estimates_alone_and_say_so():
    ratings = rate(planted_rows([1.0, 0.0], 12, seed=4, players=2), resamples=10)
    row = tables.ladder_rows(ratings)[0]
    assert not any("±" in cell or "–" in cell for cell in row)
    assert row[-1] == ""
    notes = tables.ladder_notes(ratings)
    assert_names(notes[-1], "2 simultaneous intervals", "at least 45 blocks", "these are 12")
    assert len(notes) == 3
    assert not any(word in " ".join(notes) for word in ("confidence", "Above next", "Fit", "resamples"))
    rows = planted_rows([1.0, 0.0, 0.5, 0.2], 12, seed=4, players=3)
    [note] = tables.payoff_notes(payoffs(rows))[1:]
    assert_names(note, "6 simultaneous intervals", "at least 74 blocks", "these are 12")
    assert "confidence" not in " ".join(tables.skill_notes(skill(rows, resamples=5)))


def test_two_policies_are_one_pair_with_nothing_to_fit():
    rows = planted_rows([0.5, 0.0], 60, seed=4, players=2)
    ratings = rate(rows, resamples=20)
    assert ratings.fit.departure is not None
    assert "Fit" not in " ".join(tables.ladder_notes(ratings))
    note = tables.payoff_notes(payoffs(rows))[1]
    assert_names(note, "* the interval", "50", "95% confidence")
    assert "pairs" not in note


@pytest.mark.parametrize(("chance", "words"), [(0.0, "fewer than 1 of 1,000"), (0.25, "in 250 of 1,000")])
def test_how_often_chance_goes_as_far_is_reported_in_resamples(ratings, chance, words):
    changed = replace(ratings, fit=replace(ratings.fit, chance=chance), resamples=1000)
    assert_names(" ".join(tables.ladder_notes(changed)), "chance alone", words)


def test_a_strength_without_bound_has_an_arrow_and_a_note_and_who_bounds_it_is_named_if_it_is_one():
    ratings = rate(planted_rows([60.0, 0.0], 50, seed=6, players=2), resamples=20)
    assert any(note.startswith("p1 never finished before p0; results bound") for note in ratings.notes)
    ratings = rate(planted_rows([60.0, 0.5, 0, -0.5], 70, seed=6, players=3), resamples=20)
    assert tables.ladder_rows(ratings)[0][2].endswith("↑")
    assert "p0 never finished behind" in tables.ladder_notes(ratings)[-1]


def test_payoffs_have_a_number_a_pair_and_a_star_where_the_interval_excludes_half(rows, ratings):
    result = payoffs(rows, ratings.policies)
    table = tables.payoff_rows(result)
    assert tables.payoff_headings(result) == ("", "finishes before", "1", "2", "3", "4")
    for i, row in enumerate(table):
        assert row[:2] == (str(i + 1), ratings.policies[i])
        for j, cell in enumerate(row[2:]):
            if i == j:
                assert cell == "·"
                continue
            star = "*" if result.before_low[i, j] > 0.5 or result.before_high[i, j] < 0.5 else ""
            assert cell == f"{100 * result.before[i, j]:.0f}{star}"
    assert table[0][5].endswith("*")
    met = result.games[result.games > 0]
    assert_names(" ".join(tables.payoff_notes(result)), "all 6 pairs", f"{met.min()} to {met.max()} games per pair")


def test_pairs_that_never_met_have_a_dash():
    one = planted_rows([0, 0], 40, seed=1, players=2)
    other = one.with_columns(pl.col("policy").replace({"p0": "p1", "p1": "p2"}), pl.col("game") + 999)
    alone = tables.payoff_rows(payoffs(one))[0][3]
    assert tables.payoff_rows(payoffs(pl.concat([one, other])))[0][2:] == ("·", alone, "–")


def test_upsets_and_cycles_are_named_with_their_shares():
    upset = Upset("farmer", "tuned", 0.6123, (0.55, 0.671), 1234)
    ring = Cycle(("a", "b", "c"), (0.6, 0.65, 0.7))
    assert tables.cycle_rows([upset], [ring]) == [
        ("farmer > tuned", "ranked lower", "61.2 % (55.0–67.1) of 1,234 games"),
        ("a > b > c > a", "cycle of three", "60.0 %, 65.0 %, 70.0 %"),
    ]
    assert tables.cycle_rows([], []) == []


def test_agreement_has_a_row_a_measure(rows, ratings):
    table = tables.agreement_rows(agreement(rows, ratings))
    assert [row[2] for row in table] == list(MEASURES.values())
    for row in table:  # an order that no resample changes has no interval: it is the same for all pairs
        assert " to " in row[1] or row[:2] == ("1", "–")


def test_skill_has_a_row_a_part_and_notes_on_the_design(rows):
    result = skill(rows, resamples=20)
    table = tables.skill_rows([result])
    assert [row[:2] for row in table] == [("3", part.name) for part in result.parts]
    assert sum(float(row[2].replace("−", "-")) for row in table) == pytest.approx(100, abs=0.3)
    assert np.isclose(float(table[0][4].replace("−", "-")), result.parts[0].variance, rtol=0.01)
    text = " ".join(tables.skill_notes(result))
    assert_names(text, "320 games of 3", "80 blocks, 4 policies", f"by {bounded(100 * result.overlap, 1)} %")
