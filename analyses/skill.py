"""Skill and luck: how much of the result is the better player?

    python analyses/skill.py results/skill docs/skill.png --into README.md

Method. For 3, 4 and 5 players two tournaments each at the table of `skill.toml`: one of a ladder of policies from weak
to strong (the policy tuned for that number of players, `balanced`, and `balanced` with ever larger misjudgements), one
of the zoo's styles, which lie closer together. In a block every company of policies plays every rotation over the
seats; all its games share their cards. The upper ladder is those games of the ladder where nobody of WEAKEST sits. (1)
The variance of victory points, and of wins, among the seats of a table is split into parts
(`wallsim.analysis.tournament.skill`).
(2) Wins by how much stronger a seat is than its table are held against the curve of Plackett and Luce; curve
and difference have intervals too, from resamples of the blocks that strengths and wins share. (3) From the
spread of the blocks follows how many games tell neighbours on a ladder apart. (4) The ladders of different numbers of
players are compared pair by pair, by the policies that stand on all three. Tournaments lie in folders below the one
named and are not played again if they are there; an interrupted study goes on. What is found is printed as Markdown,
and the short answer is put between the marks of the file named by --into. All games are with line-ups; the study
`ladder` shows a ladder in the draft.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from math import ceil, exp, floor, isinf, log10
from pathlib import Path
from typing import NamedTuple

import polars as pl

from wallsim.analysis.games.summary import table_assumptions
from wallsim.analysis.tournament.effects import BOTH, CARDS, CHANCE, LINEUP, POLICY, SEAT, SUITS
from wallsim.analysis.tournament.gaps import BINS, GapBin, wins_by_gap_of
from wallsim.analysis.tournament.order import Pair, SameOrder, same_order
from wallsim.analysis.tournament.ratings import RESAMPLES, Ratings, rate
from wallsim.analysis.tournament.sample_size import POWER, GamesNeeded, games_needed_by_neighbours
from wallsim.analysis.tournament.skill import RESULTS, Part, Skill, skill
from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import InputError
from wallsim.report.figures.skill_study import skill_of_fields
from wallsim.report.figures.style import save_picture
from wallsim.report.tables.estimates import bounded, ends, number, share, share_ends, tau_in_words
from wallsim.report.tables.marked import put_between_marks
from wallsim.report.tables.ratings import part_share
from wallsim.runs.components import identity_hash
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.tournament.design import Design
from wallsim.runs.tournament.folder import TournamentRun
from wallsim.runs.tournament.play import play_tournament
from wallsim.runs.tournament.tournament import Tournament, make_tournament
from wallsim.stats.intervals import LEVEL

EXPERIMENT = Path(__file__).with_suffix(".toml")
MARKS = "skill figures"
GAMES = 100_000  # a tournament, in whole cycles of its design
SIZES = (3, 4, 5)
TUNED = "tuned-{players}p"  # the ladder's strongest; {players} stands for the number of players
GRADES = tuple(f"balanced-noise-{grade}" for grade in ("02", "04", "08", "16", "32"))
WEAKEST = GRADES[-2:]  # not in the upper ladder
STYLES = ("balanced", "builder", "conqueror", "farmer", "banker", "turtle", "raider", "opportunist")
LADDER, UPPER, ZOO = "ladder", "upper ladder", "zoo"
PARTS = (POLICY, SUITS, LINEUP, SEAT, BOTH, CARDS, CHANCE)
DRAFT = "All of this is with line-ups; the study `ladder` shows a ladder in the draft beside one with line-ups."
ONE = 1.0  # log unit: seats about so far ahead of their table are spoken of
_SHARED = ("vp", "win")
_COLOURS = 256  # of the picture, so that parts with little room keep theirs


class Field(NamedTuple):
    """What a field of policies says at tables of one size; the upper ladder has no ratings and what rests on them."""

    name: str
    players: int
    skills: dict[str, Skill]
    ratings: Ratings | None
    bins: tuple[GapBin, ...]
    tellings: tuple[GamesNeeded, ...]


class Found(NamedTuple):
    """The fields by size, how alike the ladders of two sizes are, and the tournaments that all rests on."""

    fields: tuple[Field, ...]
    orders: dict[str, dict[tuple[int, int], SameOrder]]
    runs: dict[tuple[str, int], TournamentRun]


def main() -> None:
    """Play what is missing, print the answer, draw the picture."""
    wanted = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    wanted.add_argument("folder", type=Path, help="where the tournaments lie or shall lie")
    wanted.add_argument("picture", type=Path, help="the PNG to write")
    wanted.add_argument("--games", type=int, default=GAMES, help="games of a tournament, about (default: %(default)s)")
    wanted.add_argument(
        "--tuned", default=TUNED, help="the ladder's strongest; {players} is filled in (default: %(default)s)"
    )
    wanted.add_argument("--into", type=Path, help="a file whose marked lines are replaced by the short answer")
    given = wanted.parse_args()
    try:
        found = study(given.folder, given.games, given.tuned)
    except InputError as error:
        raise SystemExit(str(error)) from None
    more = [telling_table(found, players) for players in SIZES]
    print("\n\n".join([answer(found), *more]))
    figure = skill_of_fields(shares_of(found), bins_of(found), title(found))
    save_picture(figure, given.picture, colours=_COLOURS)
    if given.into:
        try:
            put_between_marks(
                given.into, MARKS, digest(given.games, given.tuned), "analyses/skill.py", answer(found) + "\n"
            )
        except ValueError as error:
            raise SystemExit(str(error)) from None


def tournaments(games: int = GAMES, tuned: str = TUNED) -> dict[tuple[str, int], Tournament]:
    """All tournaments of the study, by field and number of players. InputError for what cannot be played."""
    if games < 1:
        raise InputError(f"--games: {games} is not a whole number from 1")
    found = {}
    for players in SIZES:
        table = load_experiment(EXPERIMENT, {"players": players})
        ladder = (tuned.format(players=players), "balanced", *GRADES)
        for name, policies in ((LADDER, ladder), (ZOO, STYLES)):
            blocks = blocks_for(Design(len(policies), players), games)
            found[name, players] = make_tournament(table, policies, blocks)
    return found


def blocks_for(design: Design, games: int) -> int:
    """Blocks of `games` games at least: whole cycles of the design if they are one or more, else whole blocks."""
    a_cycle = design.cycle * design.games_per_block
    return ceil(games / a_cycle) * design.cycle if games >= a_cycle else ceil(games / design.games_per_block)


def digest(games: int = GAMES, tuned: str = TUNED) -> str:
    """The hash of all that decides the figures: engine, rules, board, tower, policies' weights, seed and blocks."""
    facts = [{**each.identity(), "blocks": each.blocks} for each in tournaments(games, tuned).values()]
    return identity_hash({"tournaments": facts, "resamples": RESAMPLES, "bins": BINS, "weakest": WEAKEST})


def study(folder: str | Path, games: int = GAMES, tuned: str = TUNED) -> Found:
    """Play what is missing below a folder and answer all questions."""
    planned = tournaments(games, tuned)
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
            told = () if ratings is None else games_needed_by_neighbours(seats, ratings)
            fields.append(Field(name, players, shares, ratings, bins, told))
    ladders = {(each.name, each.players): each.ratings for each in fields if each.ratings is not None}
    orders = {name: same_order({size: ladders[name, size] for size in SIZES}, joint(2)) for name in (LADDER, ZOO)}
    return Found(tuple(fields), orders, runs)


def joint(count: int) -> float:
    """The level of one of `count` families of intervals that shall hold simultaneously (Bonferroni)."""
    return 1 - (1 - LEVEL) / count


def without(rows: pl.DataFrame, names: Iterable[str]) -> pl.DataFrame:
    """The games in which none of some policies sits."""
    return rows.filter(~pl.col("policy").cast(pl.String).is_in(list(names)).any().over("game"))


def answer(found: Found) -> str:
    """The short answer, as Markdown."""
    parts = [headline(found), *(shares_table(found, result) for result in _SHARED)]
    parts += [gap_sentence(found), gap_table(found), telling_table(found, 4), order_table(found), rests_on(found)]
    return "\n\n".join(parts)


def headline(found: Found) -> str:
    """What was played, and what the numbers are held against."""
    strongest = dict.fromkeys(name for key, run in found.runs.items() if key[0] == LADDER for name in run.policies)
    first = [name for name in strongest if name not in ("balanced", *GRADES)]
    return (
        f"{played(found)}, engine version {ENGINE_VERSION}. Ladder: {code(first)}, {code(('balanced', *GRADES))}; "
        f"upper ladder: its games without {code(WEAKEST)}; zoo: {code(STYLES)}. ± are half-widths of intervals over "
        f"blocks ({RESAMPLES:,} bootstrap resamples), which hold for both tables of shares simultaneously with "
        f"{LEVEL:.0%}. A "
        "part without influence is 0 but for chance, so it may come out below."
    )


def played(found: Found) -> str:
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


def shares_table(found: Found, result: str) -> str:
    """A row a field and number of players: the shares of the variance of a result, in per cent."""
    there = [name for name in PARTS if any(name == part.name for each in found.fields for part in parts(each, result))]
    rows = []
    for each in found.fields:
        by_name = {part.name: part for part in parts(each, result)}
        cells = [part_share(by_name[name]) if name in by_name else "–" for name in there]
        facts = each.skills[result]
        rows.append(
            f"| {each.name} | {each.players} | {len(facts.policies)} | {facts.games:,} | {facts.blocks:,} | "
            + " | ".join(cells)
            + " |"
        )
    head = f"| share of the variance of {RESULTS[result]}, % | players | policies | games | blocks | " + " | ".join(
        there
    )
    return "\n".join([f"{head} |", "|---" * (5 + len(there)) + "|", *rows])


def parts(field: Field, result: str) -> tuple[Part, ...]:
    """The parts of a result's variance in a field."""
    return field.skills[result].parts


def one_ahead(field: Field) -> GapBin:
    """The seats of a field whose lead is nearest to ONE."""
    return min(field.bins, key=lambda each: abs(each.gap - ONE))


def gap_sentence(found: Found) -> str:
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


def gap_table(found: Found) -> str:
    """A row a field and number of players: what a lead of about ONE, or the largest there is, wins."""
    rows = []
    for field in (each for each in found.fields if each.bins):
        lead = one_ahead(field)
        rows.append(
            f"| {field.name} | {field.players} | {lead.seats:,} | {lead.blocks:,} | {lead.gap:.2f} "
            f"| {share(lead.observed)} ({share_ends(lead.interval)}) "
            f"| {share(lead.expected)} ({share_ends(lead.expected_interval)}) | {difference(lead)} "
            f"| {100 / field.players:.1f} |"
        )
    head = (
        "| field | players | seats | blocks | ahead by, log units | wins, % (interval) | curve, % (interval) "
        "| wins minus curve, points (interval) | fair, % |"
    )
    return "\n".join([head, "|---" * 9 + "|", *rows])


def difference(lead: GapBin) -> str:
    """How far the wins of a bin lie above the curve, in percentage points, with its interval."""
    if lead.difference_interval is None:
        return bounded(100 * lead.difference, 1, sign="+")
    return f"{number(100 * lead.difference, 1, '+')} ({ends(lead.difference_interval, 1, 100.0)})"


def telling_table(found: Found, players: int) -> str:
    """A row a pair of neighbours on the ladders of one size: who is how often before, and what tells them apart.

    The intervals hold simultaneously for the neighbours of one ladder, not for those of all.
    """
    rows = [
        f"| {field.name}, {players} players | `{each.one}` | `{each.other}` | {each.games:,} "
        f"| {share(each.before)} ({share_ends(each.interval)}) | {needed(each)} |"
        for field in found.fields
        if field.players == players
        for each in field.tellings
    ]
    head = (
        f"| ladder of | policy | next | games with both | before the next, % (interval simultaneous over the ladder) "
        f"| games that tell them apart ({LEVEL:.0%}, in {POWER:.0%} of studies) |"
    )
    return "\n".join([head, "|---" * 6 + "|", *rows])


def needed(telling: GamesNeeded) -> str:
    """How many games with the range that the interval of the share leaves, to two digits.

    Where the interval includes 50 % it is not known who is stronger, so there is a lower bound alone.
    """
    if telling.needed is None or telling.least is None or telling.most is None:
        return "–"
    if isinf(telling.most):
        return f"over {rounded(telling.least)}"
    return f"{rounded(telling.needed)} ({rounded(telling.least)} to {rounded(telling.most)})"


def rounded(number: float) -> str:
    """A number of games rounded up to two digits."""
    step = 10 ** max(0, floor(log10(number)) - 1)
    return f"{ceil(number / step) * step:,}"


def order_table(found: Found) -> str:
    """A row a field and pair of sizes: which pairs are known to stand in one order on both, or not."""
    rows = []
    for name, orders in found.orders.items():
        for (one, other), each in orders.items():
            turned = ", ".join(f"`{first}` – `{second}`" for first, second in pairs_of(each.turned)) or "none"
            rows.append(
                f"| {name}, {len(each.policies)} policies | {one} and {other} | {tau_in_words(each)} "
                f"| {len(each.same)} of {each.pairs} | {turned} | {len(each.open)} |"
            )
    head = "| ladders | players | Kendall's tau (interval) | in one order | in the other | not known |"
    return "\n".join([head, "|---" * 6 + "|", *rows])


def pairs_of(pairs: Iterable[Pair]) -> list[Pair]:
    """Pairs in order of their names."""
    return sorted(pairs)


def rests_on(found: Found) -> str:
    """What all numbers rest on, in a paragraph: first what is true of all tables, then of those of one size."""
    of = {players: table_assumptions(found.runs[LADDER, players].manifest) for players in SIZES}
    same = [line for line in of[SIZES[0]] if all(line in lines for lines in of.values())]
    own = [f"{players} players: {line}" for players, lines in of.items() for line in lines if line not in same]
    own += [
        f"{each.name.capitalize()}, {each.players} players: {note}"
        for each in found.fields
        for note in each.skills["vp"].notes
    ]
    return " ".join([*same, *own, "In every block each policy has every seat and line-up equally often.", DRAFT])


def shares_of(found: Found) -> dict[str, dict[str, list[Skill]]]:
    """The parts of all fields, by result and field, for the picture."""
    names = (LADDER, UPPER, ZOO)
    return {
        result: {name: [each.skills[result] for each in found.fields if each.name == name] for name in names}
        for result in _SHARED
    }


def bins_of(found: Found) -> dict[int, dict[str, tuple[GapBin, ...]]]:
    """Wins by strength gap, by number of players and field, for the picture."""
    return {
        players: {each.name: each.bins for each in found.fields if each.players == players and each.bins}
        for players in SIZES
    }


def title(found: Found) -> str:
    """What the picture shows."""
    return (
        f"Skill and luck among wallsim's policies: {played(found)}, engine version {ENGINE_VERSION}.\nThe ± of all "
        f"bars hold simultaneously with {LEVEL:.0%}, and so do all intervals of seats and curves below."
    )


if __name__ == "__main__":
    main()
