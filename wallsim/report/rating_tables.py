"""Tables of a tournament as rows of text, for `wallsim.report.console.print_table`: ladder, pay-offs, cycles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wallsim.analysis.agreement import MEASURES, Agreement
from wallsim.analysis.intervals import FEWEST, Interval
from wallsim.analysis.payoffs import Cycle, Payoffs, Upset
from wallsim.analysis.ratings import Ratings
from wallsim.analysis.skill import RESULTS, Skill

LADDER = ("", "policy", "strength", "wins, %", "mean VP", "games", "above next")
CYCLES = ("who", "against the ladder", "how often before")
AGREEMENT = ("value", "joint interval", "between")
SKILL = ("players", "part", "share, %", "joint interval", "variance")

_ARROWS = {"": "", "upwards": " ↑", "downwards": " ↓"}


def ladder_rows(ratings: Ratings) -> list[tuple[str, ...]]:
    """A row a policy under the headings LADDER, the strongest first; estimates without an interval stand alone.

    An arrow follows a strength that results do not bound on that side. Below FEWEST blocks nothing is said of who is
    above the next.
    """
    rows: list[tuple[str, ...]] = []
    known = ratings.blocks >= FEWEST
    for place, rating in enumerate(ratings.ladder, start=1):
        strength = f"{_signed(rating.strength, '+.2f')}{_ARROWS[rating.open]}"
        if rating.interval is not None:
            strength += f" ±{rating.interval[1] - rating.strength:.2f}"
        wins, points = f"{100 * rating.win_share:.1f}", _signed(rating.vp, ".2f")
        if rating.win_interval is not None:
            wins += f" ({_ends(rating.win_interval, 1)})"
        if rating.vp_interval is not None:
            points += f" ±{rating.vp_interval[1] - rating.vp:.2f}"
        above = "" if rating.above_next is None or not known else f"{rating.above_next:.1%}"
        rows.append((str(place), rating.policy, strength, wins, points, f"{rating.games:,}", above))
    return rows


def ladder_notes(ratings: Ratings) -> list[str]:
    """What the numbers of a ladder mean and rest on, a line each."""
    sizes = " and ".join(map(str, ratings.players))
    notes = [
        f"{ratings.games:,} games of {sizes} players in {ratings.blocks:,} blocks; fair share {ratings.fair:.2%}.",
        "Strength: natural log units, mean zero; a difference of 1 is odds of 2.7 to finish before the other.",
    ]
    if ratings.blocks < FEWEST:
        return [*notes, *ratings.notes]
    notes += [
        f"Intervals of a column hold for all {len(ratings.ladder)} policies at once with {ratings.level:.0%} "
        f"confidence: of strengths by {ratings.resamples:,} bootstrap resamples of the blocks (seed {ratings.seed}), "
        "of wins and points by Bonferroni's correction.",
        "Above next: the share of resamples in which the next policy is weaker.",
    ]
    return [*notes, *_fit(ratings), *ratings.notes]


def payoff_headings(found: Payoffs) -> tuple[str, ...]:
    """The headings of `payoff_rows`: the columns are numbers, since names would not fit."""
    return ("", "finishes before", *(str(place) for place in range(1, len(found.policies) + 1)))


def payoff_rows(found: Payoffs) -> list[tuple[str, ...]]:
    """A row a policy: how often, in per cent, it finishes before that of each column; * where the interval excludes 50.

    A dot stands for a policy against itself, a dash where two never met.
    """
    rows: list[tuple[str, ...]] = []
    for i, name in enumerate(found.policies):
        cells = [_share(found, i, j) for j in range(len(found.policies))]
        rows.append((str(i + 1), name, *cells))
    return rows


def payoff_notes(found: Payoffs) -> list[str]:
    """What the numbers of a pay-off matrix mean and rest on, a line each."""
    met = found.games[np.triu(found.games > 0, 1)]
    if not len(met):
        return ["No two policies met."]
    games = f"{met.min():,}" if met.min() == met.max() else f"{met.min():,} to {met.max():,}"
    notes = [
        f"How often, in per cent, the row finishes before the column at one table, ties half; {games} games a pair."
    ]
    known = np.isfinite(found.before_low).any()
    if not known:
        return [*notes, f"Fewer than {FEWEST} blocks a pair: no intervals."]
    whose = (
        f"the intervals of all {found.pairs} pairs, over blocks, hold at once with {found.level:.0%} confidence "
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
            f"{upset.before:.1%} ({_ends(upset.interval, 1)}) of {upset.games:,} games",
        )
        for upset in upsets
    ]
    for cycle in cycles:
        shares = ", ".join(f"{share:.1%}" for share in cycle.shares)
        rows.append((" > ".join((*cycle.policies, cycle.policies[0])), "cycle of three", shares))
    return rows


def agreement_rows(found: Sequence[Agreement]) -> list[tuple[str, ...]]:
    """A row a measure under the headings AGREEMENT; a dash where there is no interval."""
    rows: list[tuple[str, ...]] = []
    for each in found:
        interval = "–" if each.interval is None else " to ".join(_signed(end, ".2f") for end in each.interval)
        rows.append((_signed(each.value, ".2f"), interval, MEASURES[each.name]))
    return rows


def skill_rows(skills: Sequence[Skill]) -> list[tuple[str, ...]]:
    """A row a part of each number of players under the headings SKILL; a dash where there is no interval."""
    rows: list[tuple[str, ...]] = []
    for each in skills:
        for part in each.parts:
            ends = "–" if part.interval is None else " to ".join(_signed(100 * end, ".1f") for end in part.interval)
            share, variance = _signed(100 * part.share, ".1f"), _signed(part.variance, ".3g")
            rows.append((str(each.players), part.name, share, ends, variance))
    return rows


def skill_notes(found: Skill) -> list[str]:
    """What the parts of one number of players mean and rest on, a line each."""
    basis = "A part without influence is 0 but for chance."
    if found.blocks >= FEWEST:
        basis = (
            f"Intervals of the {len(found.parts)} parts hold at once with {found.level:.0%} confidence, by "
            f"{found.resamples:,} bootstrap resamples of the blocks (seed {found.seed}). {basis}"
        )
    return [
        f"{found.games:,} games of {found.players} players in {found.blocks:,} blocks, {len(found.policies)} policies; "
        f"{RESULTS[found.result]}, variance among the seats of a table {found.total:.3g}.",
        basis,
        f"The parts miss the observed variance by {found.overlap:.1%}: a balanced design brings 0 but for chance.",
        *found.notes,
    ]


def _fit(ratings: Ratings) -> list[str]:
    fit = ratings.fit
    if fit.departure is None or len(ratings.ladder) < 3:  # the strengths of two follow any share
        return []
    pairs = "one pair" if fit.pairs == 1 else f"{fit.pairs} pairs"
    words = f"Fit: over {pairs}, shares of finishing before the other lie {100 * fit.departure:.1f}"
    words += " percentage points (root mean square, chance taken off) from what the strengths say"
    if fit.chance is not None:
        as_far = round(fit.chance * ratings.resamples)
        many = f"{as_far:,}" if as_far else "fewer than 1"
        words += f"; as far by chance alone in {many} of {ratings.resamples:,} resamples"
    if fit.largest is None or fit.chance is None:
        return [words + "."]
    one, other, seen, expected = fit.largest
    return [f"{words}. Furthest: {one} before {other} {seen:.1%}, expected {expected:.1%}."]


def _share(found: Payoffs, i: int, j: int) -> str:
    if i == j:
        return "·"
    if not found.games[i, j]:
        return "–"
    known = found.before_low[i, j] > 0.5 or found.before_high[i, j] < 0.5
    return f"{100 * found.before[i, j]:.0f}{'*' if known else ''}"


def _ends(interval: Interval, digits: int) -> str:
    return "–".join(f"{100 * end:.{digits}f}" for end in interval)


def _signed(number: float, form: str) -> str:
    text = f"{number:{form}}"
    return f"−{text[1:]}" if text.startswith("-") else text
