"""The tables of a tournament as rows of text, and printed: ladder, pay-offs, cycles, correlations, assumptions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rich.console import Console
from rich.text import Text

from wallsim.analysis.tournament.agreement import MEASURES, Agreement
from wallsim.analysis.tournament.payoffs import Cycle, Payoffs, Upset
from wallsim.analysis.tournament.ratings import Rating, Ratings
from wallsim.analysis.tournament.results import Findings
from wallsim.analysis.tournament.skill import RESULTS, Skill
from wallsim.folder.address import Folder
from wallsim.folder.interim_analyses import looks_in_words
from wallsim.folder.tournament import TournamentRun
from wallsim.report.tables.columns import Sheet
from wallsim.report.tables.console import print_assumptions, print_sheet
from wallsim.report.tables.estimates import (
    NOTHING,
    bounded,
    count_of,
    ends,
    how_many,
    in_words,
    number,
    share,
    share_ends,
    share_of_resamples,
)
from wallsim.report.tables.summary import speed_line
from wallsim.rules.other_settings import SETUP_WORDS, settings_line, settings_of

LADDER = ("", "policy", "strength", "wins, %", "mean VP", "games", "above next")
CYCLES = ("policies", "against the ladder", "finishes before")
AGREEMENT = ("value", "simultaneous interval", "between")
SKILL = ("players", "component", "share, %", "simultaneous interval", "variance")

_EXACT = 1e-12  # a correlation nearer to 1 is 1 apart from rounding
_ARROWS = {"": "", "upwards": " ↑", "downwards": " ↓"}


def ladder_rows(ratings: Ratings) -> list[tuple[str, ...]]:
    """One row per policy under the headings LADDER, strongest first; an interval follows an estimate if it has one.

    An arrow follows a strength that results do not bound on that side. With too few blocks for intervals the column
    `above next` is empty.
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
    """A strength with the half-width of its interval, and an arrow where results do not bound it: `+0.42 ±0.03`."""
    return f"{in_words(rating.strength, rating.interval, 2, '+', mark=' ±')}{_ARROWS[rating.open]}"


def ladder_notes(ratings: Ratings) -> list[str]:
    """What the numbers of a ladder mean and assume, one line each."""
    sizes = " and ".join(map(str, ratings.players))
    notes = [
        f"{how_many(ratings.games, 'game')} of {sizes} players in {how_many(ratings.blocks, 'block')}; fair share "
        f"{ratings.fair:.2%}.",
        f"Strength: natural log units, {_mean_zero(ratings)}; a difference of 1 is odds of 2.7 to finish before the "
        "other.",
    ]
    if ratings.blocks < ratings.confidence.min_blocks:
        return [*notes, *ratings.notes]
    notes += [
        f"Intervals of a column hold for all {len(ratings.ladder)} policies simultaneously with {ratings.level:.0%} "
        f"confidence: for strengths by {ratings.resamples:,} bootstrap resamples of the blocks (seed {ratings.seed}), "
        "for wins and points by Bonferroni's correction, with Student's t over blocks.",
        "Above next: the share of resamples in which the next policy is weaker.",
    ]
    return [*notes, *_fit(ratings), *ratings.notes]


def _mean_zero(ratings: Ratings) -> str:
    """Of which policies the strengths have mean zero: of those that results bound on both sides."""
    if not any(rating.open for rating in ratings.ladder):
        return "mean zero"
    bounded_ones = [rating.policy for rating in ratings.ladder if not rating.open]
    whose = f"{bounded_ones[0]}, alone" if len(bounded_ones) == 1 else f"the mean of the {len(bounded_ones)} policies"
    return f"zero is {whose} without an arrow"


def payoff_headings(payoffs: Payoffs) -> tuple[str, ...]:
    """The headings of `payoff_rows`: the columns are numbers, since names would not fit."""
    return ("", "finishes before", *(str(place) for place in range(1, len(payoffs.policies) + 1)))


def payoff_rows(payoffs: Payoffs) -> list[tuple[str, ...]]:
    """One row per policy: how often, in %, it finishes before each column's; * where the interval excludes 50.

    A dot marks a policy against itself, a dash two policies that never met.
    """
    return [
        (str(i + 1), name, *(_share(payoffs, i, j) for j in range(len(payoffs.policies))))
        for i, name in enumerate(payoffs.policies)
    ]


def payoff_notes(payoffs: Payoffs) -> list[str]:
    """What the numbers of a pay-off matrix mean and assume, one line each."""
    met = payoffs.games[np.triu(payoffs.games > 0, 1)]
    if not len(met):
        return ["No two policies met."]
    most = how_many(int(met.max()), "game")
    games = most if met.min() == met.max() else f"{met.min():,} to {most}"
    notes = [f"How often, in per cent, the row finishes before the column at one table, ties half; {games} per pair."]
    known = np.isfinite(payoffs.before_low).any()
    if not known:
        return [*notes, payoffs.confidence.too_few(int(payoffs.blocks.max()), "blocks")]
    whose = (
        f"the intervals of all {payoffs.pairs} pairs, over blocks, hold simultaneously with {payoffs.level:.0%} "
        "confidence (Bonferroni)"
        if payoffs.pairs > 1
        else f"the interval, over blocks, holds with {payoffs.level:.0%} confidence"
    )
    return [*notes, f"* the interval excludes 50; {whose}."]


def cycle_rows(upsets: Sequence[Upset], cycles: Sequence[Cycle]) -> list[tuple[str, ...]]:
    """One row per pair that contradicts the ladder, then one per cycle of three, under the headings CYCLES."""
    rows: list[tuple[str, ...]] = [
        (
            f"{upset.lower} > {upset.higher}",
            "ranked lower",
            f"{share(upset.before)} % ({share_ends(upset.interval, between='–')}) of {how_many(upset.games, 'game')}",
        )
        for upset in upsets
    ]
    for cycle in cycles:
        shares = ", ".join(f"{share(each)} %" for each in cycle.shares)
        rows.append((" > ".join((*cycle.policies, cycle.policies[0])), "cycle of three", shares))
    return rows


def agreement_rows(agreements: Sequence[Agreement]) -> list[tuple[str, ...]]:
    """One row per measure under the headings AGREEMENT; a dash where there is no interval."""
    rows: list[tuple[str, ...]] = []
    for each in agreements:
        certain = each.name != "slope" and 1 - abs(each.value) < _EXACT
        value = number(each.value, 0) if certain else _correlation(each)
        rows.append((value, ends(each.interval, 2), MEASURES[each.name]))
    return rows


def skill_rows(skills: Sequence[Skill]) -> list[tuple[str, ...]]:
    """One row per component and number of players under the headings SKILL; a dash where there is no interval."""
    return [
        (
            str(each.players), part.name, share(part.share), ends(part.interval, 1, 100.0, 100.0),
            f"{part.variance:.3g}".replace("-", "−"),
        )
        for each in skills for part in each.parts
    ]  # fmt: skip


def skill_notes(skill: Skill) -> list[str]:
    """What the components of variance of one number of players mean and assume, one line each."""
    basis = "A component without influence is 0 apart from chance."
    if skill.blocks >= skill.confidence.min_blocks:
        basis = (
            f"Intervals of the {len(skill.parts)} components hold simultaneously with {skill.level:.0%} confidence, by "
            f"{skill.resamples:,} bootstrap resamples of the blocks (seed {skill.seed}). {basis}"
        )
    return [
        f"{how_many(skill.games, 'game')} of {skill.players} players in {how_many(skill.blocks, 'block')}, "
        f"{len(skill.policies)} policies; "
        f"{RESULTS[skill.result]}, variance among the seats of a table {skill.total:.3g}.",
        basis,
        f"The components differ from the observed variance by {bounded(100 * skill.overlap, 1)} % in sum: 0 apart from "
        "chance in a balanced design.",
        *skill.notes,
    ]


def _fit(ratings: Ratings) -> list[str]:
    fit = ratings.fit
    if fit.departure is None or len(ratings.ladder) < 3:  # the strengths of two follow any share
        return []
    pairs = "one pair" if fit.pairs == 1 else f"{fit.pairs} pairs"
    words = f"Fit: over {pairs}, shares of finishing before the other differ by {bounded(100 * fit.departure, 1)}"
    words += " percentage points (root mean square, less the share of chance) from those predicted by the strengths"
    if fit.chance is not None:
        as_far = count_of(round(fit.chance * ratings.resamples), ratings.resamples)
        words += f"; by as much through chance alone in {as_far} resamples"
    if fit.largest is None or fit.chance is None:
        return [words + "."]
    one, other, seen, expected = fit.largest
    return [f"{words}. Largest: {one} before {other} {share(seen)} %, expected {share(expected)} %."]


def _share(payoffs: Payoffs, i: int, j: int) -> str:
    if i == j:
        return "·"
    if not payoffs.games[i, j]:
        return NOTHING
    known = payoffs.before_low[i, j] > 0.5 or payoffs.before_high[i, j] < 0.5
    return f"{share(float(payoffs.before[i, j]), 0)}{'*' if known else ''}"


def _correlation(agreement: Agreement) -> str:
    # A correlation that is nearly 1 is not written as 1.
    sign = -1.0 if agreement.value < 0 else 1.0
    if agreement.name != "slope" and abs(number_of := round(agreement.value, 2)) == 1:
        return f"{'>' if number_of > 0 else '<'} {number(sign * 0.99, 2)}"
    return bounded(agreement.value, 2) if agreement.interval is None else number(agreement.value, 2)


def sheets_of(findings: Findings, looks: tuple[int, ...]) -> list[Sheet]:
    """All tables of a tournament; `looks` are the numbers of blocks at which the ladder was checked."""
    payoffs, against = findings.payoffs, cycle_rows(findings.upsets, findings.cycles)
    none = "No pair is known to contradict the ladder, and there is no known cycle of three."
    ladder = Sheet(
        "The ladder", LADDER, ladder_rows(findings.ratings), [*ladder_notes(findings.ratings), looks_in_words(looks)]
    )
    return [
        ladder,
        Sheet("Who finishes before whom", payoff_headings(payoffs), payoff_rows(payoffs), payoff_notes(payoffs)),
        Sheet("Against the ladder", CYCLES, against, [] if against else [none]),
        Sheet("Strength, wins and points", AGREEMENT, agreement_rows(findings.agreement)),
        Sheet("Skill and luck", SKILL, skill_rows([findings.skill]), skill_notes(findings.skill)),
    ]


def print_tournament(
    console: Console, run: TournamentRun, findings: Findings, looks: tuple[int, ...], written: Sequence[Folder] = ()
) -> None:
    """Print the results of a tournament, its speed, its assumptions, and the files that hold the results.

    `looks` are the numbers of blocks at which the ladder was checked.
    """
    console.print(Text(title_of(run), style="bold"), soft_wrap=True)
    if line := settings_line(settings_of(run.manifest)):
        console.print(Text(line), soft_wrap=True)
    console.print()
    for sheet in sheets_of(findings, looks):
        print_sheet(console, sheet)
    time = run.manifest["time"]
    console.print(speed_line(run.manifest["games"], {name: time[name] for name in ("wall", "cpu")}))
    print_assumptions(console, findings.assumptions)
    names = "".join(f"{', ' if place else '; '}{path.name}" for place, path in enumerate(written))
    console.print(f"\nFiles: {run.folder} (results {run.manifest['rows']['results']:,} rows{names})", soft_wrap=True)


def title_of(run: TournamentRun) -> str:
    """What was played, in one line: games, blocks, players, set-up, tower, seed and engine version."""
    facts, manifest = run.manifest["experiment"]["identity"], run.manifest
    setup = SETUP_WORDS[facts["setup"]]
    return (
        f"Tournament of {len(run.policies)} policies: {how_many(manifest['games'], 'game')} in "
        f"{how_many(manifest['blocks'], 'block')} of {manifest['games_a_block']}, {facts['players']} players, "
        f"{setup}, tower {manifest['tower']['name']}, seed {manifest['seed']}, "
        f"engine version {manifest['engine_version']}"
    )
