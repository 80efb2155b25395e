"""Skill and luck: how much of the result is the better player?

    .venv/bin/python -m analyses.skill results/skill docs/studies/skill.png --into docs/studies/skill.md

Method. For 3, 4 and 5 players two tournaments each at the table of `skill.toml`: one of a ladder of policies from weak
to strong (the lines of strong play for that number of players, `balanced`, `balanced` with ever larger misjudgements,
and casual play), one of the zoo's styles, which are closer in strength. In a block every table of policies plays every
rotation over the seats; all its games share their cards. The upper ladder is those games of the ladder where no policy
of WEAKEST sits.
(1) The variance of victory points, and of wins, among the seats of a table is split into parts
(`wallsim.analysis.tournament.skill`). (2) Wins by how much stronger a seat is than its opponents are compared with the
curve of Plackett and Luce; curve and difference have intervals too, from resamples of the blocks that strengths and
wins share. (3) The variation between blocks gives the number of games that distinguish neighbours on a ladder. (4) The
ladders of different numbers of players are compared pair by pair, by the policies that are on all three. Tournaments
lie in folders below the one named and are not played again if they are there; an interrupted study resumes. All tables
are printed; pages receive all but those of neighbours at three and five players. All games are with line-ups; the study
`ladder` shows a ladder in the draft.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from math import ceil, exp, floor, inf, isinf, log10
from pathlib import Path
from typing import NamedTuple

import polars as pl

from analyses import driver
from wallsim.analysis.claims.plays import CASUAL_POLICY, MIDDLING_POLICY, strong_lines
from wallsim.analysis.games.summary import table_assumptions
from wallsim.analysis.tournament.effects import BOTH, CARDS, CHANCE, LINEUP, POLICY, SEAT, SUITS
from wallsim.analysis.tournament.gaps import BINS, GapBin, wins_by_gap_of
from wallsim.analysis.tournament.order import SameOrder, same_order
from wallsim.analysis.tournament.ratings import RESAMPLES, Ratings, rate
from wallsim.analysis.tournament.sample_size import POWER, GamesNeeded, games_needed_by_neighbours
from wallsim.analysis.tournament.skill import RESULTS, Part, Skill, skill
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import markdown_table
from wallsim.report.figures.skill_study import skill_of_fields
from wallsim.report.tables.estimates import NOTHING, bounded, ends, number, share, share_ends, tau_in_words
from wallsim.report.tables.ratings import part_share
from wallsim.runs.components import identity_hash
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.tournament.design import Design
from wallsim.runs.tournament.folder import TournamentRun
from wallsim.runs.tournament.play import play_tournament
from wallsim.runs.tournament.tournament import Tournament, make_tournament
from wallsim.stats.intervals import LEVEL

EXPERIMENT = Path(__file__).with_name("experiment.toml")
MARKS = ("skill figures",)
GAMES = 50_000  # of each tournament, in whole cycles of its design
SIZES = (3, 4, 5)
GRADES = tuple(f"balanced-noise-{grade}" for grade in ("02", "04", "08", "32"))
COMMON = tuple(dict.fromkeys((MIDDLING_POLICY, *GRADES, CASUAL_POLICY)))  # of the ladders of all sizes
WEAKEST = (GRADES[-1], CASUAL_POLICY)  # not in the upper ladder
STYLES = ("balanced", "builder", "conqueror", "farmer", "banker", "turtle", "raider", "opportunist")
LADDER, UPPER, ZOO = "ladder", "upper ladder", "zoo"
PARTS = (POLICY, SUITS, LINEUP, SEAT, BOTH, CARDS, CHANCE)
DRAFT = "All of this is with line-ups; the study `ladder` shows a ladder in the draft beside one with line-ups."
ONE = 1.0  # log unit: seats about so far ahead of their table are spoken of
_SHARED = ("vp", "win")
_COLOURS = 256  # of the picture, so that parts with little room keep theirs


class Field(NamedTuple):
    """The results of a field of policies at tables of one size.

    The upper ladder has no separate ratings, so no bins and no neighbours.
    """

    name: str
    players: int
    skills: dict[str, Skill]
    ratings: Ratings | None
    bins: tuple[GapBin, ...]
    neighbours: tuple[GamesNeeded, ...]


class SkillStudy(NamedTuple):
    """The fields by size, the agreement of ladders of two sizes, and the tournaments that were played."""

    fields: tuple[Field, ...]
    orders: dict[str, dict[tuple[int, int], SameOrder]]
    runs: dict[tuple[str, int], TournamentRun]


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this study."""
    words = "games of each tournament, about (default: %(default)s)"
    parser.add_argument("--games", type=driver.count, default=GAMES, help=words)
    words = "the strongest of the ladder, comma-separated; {players} is filled in (default: the lines of strong play)"
    parser.add_argument("--strong", type=driver.names, help=words)


def answer(args: Namespace) -> driver.Answer:
    """Play the missing games, and make the tables."""
    found = study(args.folder, args.games, args.strong)
    text = figures(found)
    every = "\n\n".join([text, *(neighbours_table(found, players) for players in SIZES)])
    picture = skill_of_fields(shares_of(found), bins_of(found), title(found))
    return driver.Answer(digest(args.games, args.strong), dict.fromkeys(MARKS, text), every, picture, _COLOURS)


STUDY = driver.Study(__file__, __doc__, MARKS, add_arguments, answer)


def strongest(players: int, strong: Sequence[str] | None) -> list[str]:
    """The strongest policies of the ladder of so many players."""
    return [name.format(players=players) for name in strong or strong_lines(players)]


def tournaments(games: int = GAMES, strong: Sequence[str] | None = None) -> dict[tuple[str, int], Tournament]:
    """All tournaments of the study, by field and number of players. InputError for invalid tournaments."""
    found = {}
    for players in SIZES:
        table = load_experiment(EXPERIMENT, {"players": players})
        ladder = tuple(dict.fromkeys((*strongest(players, strong), *COMMON)))
        for name, policies in ((LADDER, ladder), (ZOO, STYLES)):
            blocks = blocks_for(Design(len(policies), players), games)
            found[name, players] = make_tournament(table, policies, blocks)
    return found


def blocks_for(design: Design, games: int) -> int:
    """Blocks with at least `games` games: whole cycles of the design if there is at least one, else whole blocks."""
    a_cycle = design.cycle * design.games_per_block
    return ceil(games / a_cycle) * design.cycle if games >= a_cycle else ceil(games / design.games_per_block)


def digest(games: int = GAMES, strong: Sequence[str] | None = None) -> str:
    """The hash of everything that decides the results: engine, rules, board, tower, weights, seed and blocks."""
    facts = [{**each.identity(), "blocks": each.blocks} for each in tournaments(games, strong).values()]
    return identity_hash({"tournaments": facts, "resamples": RESAMPLES, "bins": BINS, "weakest": WEAKEST})


def study(folder: str | Path, games: int = GAMES, strong: Sequence[str] | None = None) -> SkillStudy:
    """Play the missing tournaments in a folder and compute all results."""
    planned = tournaments(games, strong)
    runs = {
        (name, players): play_tournament(tournament, Path(folder) / f"{name}_{players}")
        for (name, players), tournament in planned.items()
    }
    rows = {key: run.rows() for key, run in runs.items()}
    rows |= {(UPPER, players): without(rows[LADDER, players], WEAKEST) for players in SIZES}
    rated = {key: (rows[key], rate(rows[key], level=joint(len(runs)))) for key in runs}
    gaps = wins_by_gap_of(rated, level=LEVEL)
    fields = []
    for name in (LADDER, UPPER, ZOO):
        for players in SIZES:
            seats = rows[name, players]
            # Simultaneous over both tables of shares, and over the win shares of all tournaments.
            shares = {result: skill(seats, result, level=joint(len(rows) * len(_SHARED))) for result in _SHARED}
            ratings = None if name == UPPER else rated[name, players][1]
            bins = gaps.get((name, players), ())
            neighbours = () if ratings is None else games_needed_by_neighbours(seats, ratings)
            fields.append(Field(name, players, shares, ratings, bins, neighbours))
    ladders = {(each.name, each.players): each.ratings for each in fields if each.ratings is not None}
    orders = {name: same_order({size: ladders[name, size] for size in SIZES}, joint(2)) for name in (LADDER, ZOO)}
    return SkillStudy(tuple(fields), orders, runs)


def joint(count: int) -> float:
    """The level of one of `count` families of intervals that hold simultaneously (Bonferroni)."""
    return 1 - (1 - LEVEL) / count


def without(rows: pl.DataFrame, names: Iterable[str]) -> pl.DataFrame:
    """The games without any of some policies."""
    return rows.filter(~pl.col("policy").cast(pl.String).is_in(list(names)).any().over("game"))


def figures(found: SkillStudy) -> str:
    """The tables for pages with the sentences around them, as Markdown."""
    parts = [games_played(found), *(shares_table(found, result) for result in _SHARED)]
    parts += [shares_words(found), gap_sentence(found), gap_table(found), neighbours_table(found, 4)]
    parts += [neighbours_words(found), order_table(found), assumptions(found)]
    return "\n\n".join(parts)


def games_played(found: SkillStudy) -> str:
    """What was played by whom, and what the intervals mean."""
    played_by = dict.fromkeys(name for key, run in found.runs.items() if key[0] == LADDER for name in run.policies)
    first = [name for name in played_by if name not in COMMON]
    return (
        f"{played(found)}, engine version {ENGINE_VERSION}. Ladder: {code(first)}, {code(COMMON)}; "
        f"upper ladder: its games without {code(WEAKEST)}; zoo: {code(STYLES)}. ± are half-widths of intervals over "
        f"blocks ({RESAMPLES:,} bootstrap resamples), which hold for both tables of shares simultaneously with "
        f"{LEVEL:.0%}. A "
        "part without influence is 0 but for chance, so it may come out below."
    )


def played(found: SkillStudy) -> str:
    """How many games in how many blocks, with which tower and seed."""
    manifests = [run.manifest for run in found.runs.values()]
    blocks = [manifest["blocks"] for manifest in manifests]
    games = sum(manifest["games"] for manifest in manifests)
    return (
        f"{len(manifests)} tournaments, {games:,} games in {min(blocks):,} to {max(blocks):,} blocks each; tower "
        f"{manifests[0]['tower']['name']}, seed {manifests[0]['seed']}"
    )


def code(names: Iterable[str]) -> str:
    """Names as Markdown shows them."""
    return ", ".join(f"`{name}`" for name in names)


def shares_table(found: SkillStudy, result: str) -> str:
    """One row per field and number of players: the shares of the variance of a result, in per cent."""
    there = [name for name in PARTS if any(name == part.name for each in found.fields for part in parts(each, result))]
    rows = []
    for each in found.fields:
        by_name, facts = {part.name: part for part in parts(each, result)}, each.skills[result]
        shares = [part_share(by_name[name]) if name in by_name else NOTHING for name in there]
        counts = (each.players, len(facts.policies), facts.games, facts.blocks)
        rows.append((each.name, *(f"{count:,}" for count in counts), *shares))
    first = f"share of the variance of {RESULTS[result]}, %"
    return markdown_table((first, "players", "policies", "games", "blocks", *there), rows)


def shares_words(found: SkillStudy) -> str:
    """What the tables of shares say of policy, line-up, seat and chance, in sentences."""

    def spoken(name: str, result: str, players: int = 4) -> str:
        fields = [each for each in found.fields if each.players == players]
        cells = [part_share(part) for each in fields for part in parts(each, result) if part.name == name]
        return f"{', '.join(cells[:-1])} and {cells[-1]} %"

    def spread(name: str, result: str) -> str:
        shares = [part.share for each in found.fields for part in parts(each, result) if part.name == name]
        return share_ends((min(shares), max(shares)), 0)

    names = ", ".join(each.name for each in found.fields if each.players == 4)
    return (
        f"At tables of four ({names}) the policy accounts for {spoken(POLICY, 'vp')} of the variance of points and for "
        f"{spoken(POLICY, 'win')} of that of wins, the line-up for {spoken(LINEUP, 'vp')} of points. Over all fields "
        f"and numbers of players chance is {spread(CHANCE, 'vp')} % of points and {spread(CHANCE, 'win')} % of wins, "
        f"and the seat {spread(SEAT, 'vp')} % of points."
    )


def neighbours_words(found: SkillStudy) -> str:
    """How many games neighbours on the ladders of all sizes take, in sentences."""
    words = []
    for name in (LADDER, ZOO):
        pairs = [pair for each in found.fields if each.name == name for pair in each.neighbours]
        known = [pair.needed for pair in pairs if pair.needed is not None and not isinf(pair.most or inf)]
        told = f"from {rounded(min(known))} to {rounded(max(known))} games" if known else "no known number of games"
        words.append(f"{name} {told} ({len(known)} of {len(pairs)} pairs; the order of the others is not known)")
    return f"Over all three numbers of players neighbours take: {'; '.join(words)}."


def parts(field: Field, result: str) -> tuple[Part, ...]:
    """The parts of a result's variance in a field."""
    return field.skills[result].parts


def one_ahead(field: Field) -> GapBin:
    """The seats of a field whose lead is nearest to ONE."""
    return min(field.bins, key=lambda each: abs(each.gap - ONE))


def gap_sentence(found: SkillStudy) -> str:
    """What a lead is worth at the ladder's tables of four, in a sentence."""
    field = next(each for each in found.fields if (each.name, each.players) == (LADDER, 4))
    lead = one_ahead(field)
    within = "" if lead.interval is None else f" ({share_ends(lead.interval)})"
    curve = "" if lead.expected_interval is None else f" ({share_ends(lead.expected_interval)})"
    before = share(1 / (1 + exp(-lead.gap)), 0)
    return (
        f"A policy of the ladder that was ahead of its table by {lead.gap:.2f} log units, in the mean of "
        f"{lead.seats:,} seats, won {share(lead.observed)} %{within} of tables of four, where 25 % is fair. By "
        f"Plackett and Luce such a lead means to finish before one opponent in {before} % "
        f"of games, and to win {share(lead.expected)} %{curve} of tables; the difference is {difference(lead)} "
        "percentage points. In the same way, with intervals that hold simultaneously for all bins of all fields:"
    )


def gap_table(found: SkillStudy) -> str:
    """One row per field and number of players: what a lead of about ONE, or the largest there is, wins."""
    rows = []
    for field in (each for each in found.fields if each.bins):
        lead = one_ahead(field)
        rows.append((
            field.name, f"{field.players}", f"{lead.seats:,}", f"{lead.blocks:,}", f"{lead.gap:.2f}",
            f"{share(lead.observed)} ({share_ends(lead.interval)})",
            f"{share(lead.expected)} ({share_ends(lead.expected_interval)})", difference(lead),
            f"{100 / field.players:.1f}",
        ))  # fmt: skip
    headings = (
        "field", "players", "seats", "blocks", "ahead by, log units", "wins, % (interval)", "curve, % (interval)",
        "wins minus curve, points (interval)", "fair, %",
    )  # fmt: skip
    return markdown_table(headings, rows)


def difference(lead: GapBin) -> str:
    """How far the wins of a bin lie above the curve, in percentage points, with its interval."""
    if lead.difference_interval is None:
        return bounded(100 * lead.difference, 1, sign="+")
    return f"{number(100 * lead.difference, 1, '+')} ({ends(lead.difference_interval, 1, 100.0)})"


def neighbours_table(found: SkillStudy, players: int) -> str:
    """One row per pair of neighbours on the ladders of one size: how often one ranks before the other, games needed.

    The intervals hold simultaneously for the neighbours of one ladder, not for those of all.
    """
    rows = [
        (
            f"{field.name}, {players} players", f"`{each.one}`", f"`{each.other}`", f"{each.games:,}",
            f"{share(each.before)} ({share_ends(each.interval)})", needed(each),
        )
        for field in found.fields
        if field.players == players
        for each in field.neighbours
    ]  # fmt: skip
    headings = (
        "ladder of", "policy", "next", "games with both", "before the next, % (interval simultaneous over the ladder)",
        f"games needed to separate them ({LEVEL:.0%}, in {POWER:.0%} of studies)",
    )  # fmt: skip
    return markdown_table(headings, rows)


def needed(pair: GamesNeeded) -> str:
    """The number of games, with its range by the interval of the share, to two digits.

    Where the interval includes 50 % it is not known who is stronger, so there is a lower bound alone.
    """
    if pair.needed is None or pair.least is None or pair.most is None:
        return "–"
    if isinf(pair.most):
        return f"over {rounded(pair.least)}"
    return f"{rounded(pair.needed)} ({rounded(pair.least)} to {rounded(pair.most)})"


def rounded(number: float) -> str:
    """A number of games rounded up to two digits."""
    step = 10 ** max(0, floor(log10(number)) - 1)
    return f"{ceil(number / step) * step:,}"


def order_table(found: SkillStudy) -> str:
    """One row per field and pair of sizes: which pairs are known to have the same order on both."""
    rows = []
    for name, orders in found.orders.items():
        for (one, other), each in orders.items():
            turned = ", ".join(f"`{first}` – `{second}`" for first, second in sorted(each.turned)) or "none"
            ladder = f"{name}, {len(each.policies)} policies"
            same = f"{len(each.same)} of {each.pairs}"
            rows.append((ladder, f"{one} and {other}", tau_in_words(each), same, turned, f"{len(each.open)}"))
    headings = ("ladders", "players", "Kendall's tau (interval)", "same order", "opposite order", "not known")
    return markdown_table(headings, rows)


def assumptions(found: SkillStudy) -> str:
    """The assumptions of all numbers in a paragraph: first those of all tables, then those of one size."""
    of = {players: table_assumptions(found.runs[LADDER, players].manifest) for players in SIZES}
    same = [line for line in of[SIZES[0]] if all(line in lines for lines in of.values())]
    own = [f"{players} players: {line}" for players, lines in of.items() for line in lines if line not in same]
    own += [
        f"{each.name.capitalize()}, {each.players} players: {note}"
        for each in found.fields
        for note in each.skills["vp"].notes
    ]
    return " ".join([*same, *own, "In every block each policy has every seat and line-up equally often.", DRAFT])


def shares_of(found: SkillStudy) -> dict[str, dict[str, list[Skill]]]:
    """The parts of all fields, by result and field, for the picture."""
    names = (LADDER, UPPER, ZOO)
    return {
        result: {name: [each.skills[result] for each in found.fields if each.name == name] for name in names}
        for result in _SHARED
    }


def bins_of(found: SkillStudy) -> dict[int, dict[str, tuple[GapBin, ...]]]:
    """Wins by strength gap, by number of players and field, for the picture."""
    return {
        players: {each.name: each.bins for each in found.fields if each.players == players and each.bins}
        for players in SIZES
    }


def title(found: SkillStudy) -> str:
    """The title of the picture."""
    return (
        f"Skill and luck among wallsim's policies: {played(found)}, engine version {ENGINE_VERSION}.\nThe ± of all "
        f"bars hold simultaneously with {LEVEL:.0%}, and so do all intervals of seats and curves below."
    )


if __name__ == "__main__":
    sys.exit(driver.run(STUDY))
