"""Tables of a tournament as rows of text, for `wallsim.report.tables.console.print_table`: ladder, pay-offs, cycles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wallsim.analysis.tournament.agreement import MEASURES, Agreement
from wallsim.analysis.tournament.payoffs import Cycle, Payoffs, Upset
from wallsim.analysis.tournament.ratings import Rating, Ratings
from wallsim.analysis.tournament.skill import RESULTS, Part, Skill
from wallsim.report.tables.estimates import (
    NOTHING,
    bounded,
    count_of,
    ends,
    in_words,
    number,
    share,
    share_ends,
    share_of_resamples,
)

LADDER = ("", "policy", "strength", "wins, %", "mean VP", "games", "above next")
CYCLES = ("who", "against the ladder", "how often before")
AGREEMENT = ("value", "simultaneous interval", "between")
SKILL = ("players", "part", "share, %", "simultaneous interval", "variance")

_EXACT = 1e-12  # a correlation as near to 1 is 1 but for rounding
_ARROWS = {"": "", "upwards": " ↑", "downwards": " ↓"}


def ladder_rows(ratings: Ratings) -> list[tuple[str, ...]]:
    """One row per policy under the headings LADDER, the strongest first; estimates without an interval stand alone.

    An arrow follows a strength that results do not bound on that side. In too few blocks for intervals nothing is said
    of who is above the next.
    """
    rows: list[tuple[str, ...]] = []
    known = ratings.blocks >= ratings.confidence.min_blocks
    for place, rating in enumerate(ratings.ladder, start=1):
        wins, points = share(rating.win_share), in_words(rating.vp, rating.vp_interval, 2, mark=" ±")
        if rating.win_interval is not None:
            wins += f" ({share_ends(rating.win_interval, between='–')})"
        above = ""
        if rating.above_next is not None and known:
            above = f"{share_of_resamples(rating.above_next, ratings.resamples)} %"
        rows.append((str(place), rating.policy, strength_of(rating), wins, points, f"{rating.games:,}", above))
    return rows


def strength_of(rating: Rating) -> str:
    """A strength with half the width of its interval, and an arrow where results do not bound it: `+0.42 ±0.03`."""
    return f"{in_words(rating.strength, rating.interval, 2, '+', mark=' ±')}{_ARROWS[rating.open]}"


def ladder_notes(ratings: Ratings) -> list[str]:
    """What the numbers of a ladder mean and depend on, a line each."""
    sizes = " and ".join(map(str, ratings.players))
    notes = [
        f"{ratings.games:,} games of {sizes} players in {ratings.blocks:,} blocks; fair share {ratings.fair:.2%}.",
        "Strength: natural log units, mean zero; a difference of 1 is odds of 2.7 to finish before the other.",
    ]
    if ratings.blocks < ratings.confidence.min_blocks:
        return [*notes, *ratings.notes]
    notes += [
        f"Intervals of a column hold for all {len(ratings.ladder)} policies simultaneously with {ratings.level:.0%} "
        f"confidence: of strengths by {ratings.resamples:,} bootstrap resamples of the blocks (seed {ratings.seed}), "
        "of wins and points by Bonferroni's correction, with Student's t over blocks.",
        "Above next: the share of resamples in which the next policy is weaker.",
    ]
    return [*notes, *_fit(ratings), *ratings.notes]


def payoff_headings(found: Payoffs) -> tuple[str, ...]:
    """The headings of `payoff_rows`: the columns are numbers, since names would not fit."""
    return ("", "finishes before", *(str(place) for place in range(1, len(found.policies) + 1)))


def payoff_rows(found: Payoffs) -> list[tuple[str, ...]]:
    """One row per policy: how often, in %, it finishes before that of each column; * where the interval excludes 50.

    A dot stands for a policy against itself, a dash where two never met.
    """
    rows: list[tuple[str, ...]] = []
    for i, name in enumerate(found.policies):
        cells = [_share(found, i, j) for j in range(len(found.policies))]
        rows.append((str(i + 1), name, *cells))
    return rows


def payoff_notes(found: Payoffs) -> list[str]:
    """What the numbers of a pay-off matrix mean and depend on, a line each."""
    met = found.games[np.triu(found.games > 0, 1)]
    if not len(met):
        return ["No two policies met."]
    games = f"{met.min():,}" if met.min() == met.max() else f"{met.min():,} to {met.max():,}"
    notes = [
        f"How often, in per cent, the row finishes before the column at one table, ties half; {games} games per pair."
    ]
    known = np.isfinite(found.before_low).any()
    if not known:
        return [*notes, found.confidence.too_few(int(found.blocks.max()), "blocks")]
    whose = (
        f"the intervals of all {found.pairs} pairs, over blocks, hold simultaneously with {found.level:.0%} confidence "
        "(Bonferroni)"
        if found.pairs > 1
        else f"the interval, over blocks, holds with {found.level:.0%} confidence"
    )
    return [*notes, f"* the interval excludes 50; {whose}."]


def cycle_rows(upsets: Sequence[Upset], cycles: Sequence[Cycle]) -> list[tuple[str, ...]]:
    """A row for each pair that runs against the ladder, then for each cycle of three, under the headings CYCLES."""
    rows: list[tuple[str, ...]] = [
        (
            f"{upset.lower} > {upset.higher}",
            "stands lower",
            f"{share(upset.before)} % ({share_ends(upset.interval, between='–')}) of {upset.games:,} games",
        )
        for upset in upsets
    ]
    for cycle in cycles:
        shares = ", ".join(f"{share(each)} %" for each in cycle.shares)
        rows.append((" > ".join((*cycle.policies, cycle.policies[0])), "cycle of three", shares))
    return rows


def agreement_rows(found: Sequence[Agreement]) -> list[tuple[str, ...]]:
    """One row per measure under the headings AGREEMENT; a dash where there is no interval."""
    rows: list[tuple[str, ...]] = []
    for each in found:
        certain = each.name != "slope" and 1 - abs(each.value) < _EXACT
        value = number(each.value, 0) if certain else _correlation(each)
        rows.append((value, ends(each.interval, 2), MEASURES[each.name]))
    return rows


def skill_rows(skills: Sequence[Skill]) -> list[tuple[str, ...]]:
    """A row a part of each number of players under the headings SKILL; a dash where there is no interval."""
    rows: list[tuple[str, ...]] = []
    for each in skills:
        for part in each.parts:
            variance = f"{part.variance:.3g}".replace("-", "−")
            rows.append(
                (str(each.players), part.name, share(part.share), ends(part.interval, 1, 100.0, 100.0), variance)
            )
    return rows


def skill_notes(found: Skill) -> list[str]:
    """What the parts of one number of players mean and depend on, a line each."""
    basis = "A part without influence is 0 but for chance."
    if found.blocks >= found.confidence.min_blocks:
        basis = (
            f"Intervals of the {len(found.parts)} parts hold simultaneously with {found.level:.0%} confidence, by "
            f"{found.resamples:,} bootstrap resamples of the blocks (seed {found.seed}). {basis}"
        )
    return [
        f"{found.games:,} games of {found.players} players in {found.blocks:,} blocks, {len(found.policies)} policies; "
        f"{RESULTS[found.result]}, variance among the seats of a table {found.total:.3g}.",
        basis,
        f"The parts miss the observed variance by {bounded(100 * found.overlap, 1)} %: a balanced design brings 0 "
        "but for chance.",
        *found.notes,
    ]


def _fit(ratings: Ratings) -> list[str]:
    fit = ratings.fit
    if fit.departure is None or len(ratings.ladder) < 3:  # the strengths of two follow any share
        return []
    pairs = "one pair" if fit.pairs == 1 else f"{fit.pairs} pairs"
    words = f"Fit: over {pairs}, shares of finishing before the other lie {bounded(100 * fit.departure, 1)}"
    words += " percentage points (root mean square, chance taken off) from what the strengths say"
    if fit.chance is not None:
        as_far = count_of(round(fit.chance * ratings.resamples), ratings.resamples)
        words += f"; as far by chance alone in {as_far} resamples"
    if fit.largest is None or fit.chance is None:
        return [words + "."]
    one, other, seen, expected = fit.largest
    return [f"{words}. Furthest: {one} before {other} {share(seen)} %, expected {share(expected)} %."]


def _share(found: Payoffs, i: int, j: int) -> str:
    if i == j:
        return "·"
    if not found.games[i, j]:
        return NOTHING
    known = found.before_low[i, j] > 0.5 or found.before_high[i, j] < 0.5
    return f"{share(float(found.before[i, j]), 0)}{'*' if known else ''}"


def _correlation(found: Agreement) -> str:
    # A correlation that is nearly 1 is not written as 1.
    sign = -1.0 if found.value < 0 else 1.0
    if found.name != "slope" and abs(number_of := round(found.value, 2)) == 1:
        return f"{'>' if number_of > 0 else '<'} {number(sign * 0.99, 2)}"
    return bounded(found.value, 2) if found.interval is None else number(found.value, 2)


def part_share(part: Part, mark: str = " ± ") -> str:
    """The share of one part of the variance in per cent, with half its interval; it may come out below nought."""
    return in_words(part.share, part.interval, 1, top=100.0, factor=100.0, mark=mark)
