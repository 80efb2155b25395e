"""Skill and luck: how much of the result is the better player?

Method. For 3, 4 and 5 players two tournaments each at the table of `experiment.toml`: one of a ladder of policies from
weak to strong (the lines of strong play for that number of players, `balanced`, `balanced` with ever larger
misjudgements, and casual play), one of the zoo's styles, which are closer in strength. In a block every table of
policies plays every rotation over the seats; all its games share their cards. The upper ladder is those games of the
ladder where no policy of WEAKEST sits. (1) The variance of victory points, and of wins, among the seats of a table is
split into parts (`wallsim.analysis.tournament.skill`). (2) Wins by how much stronger a seat is than its opponents are
compared with the curve of Plackett and Luce; curve and difference have intervals too, from resamples of the blocks that
strengths and wins share. (3) The variation between blocks gives the number of games that distinguish neighbours on a
ladder. (4) The ladders of different numbers of players are compared pair by pair, by the policies that are on all
three. Tournaments lie in folders below the one named and are not played again if they are there; an interrupted study
resumes. All games are with line-ups; the study `ladder` shows a ladder in the draft.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise, product
from math import ceil, exp, floor, isinf, log10

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import named, strong_lines
from wallsim.analysis.games.summary import table_assumptions
from wallsim.analysis.tournament.gaps import BINS
from wallsim.analysis.tournament.ratings import RESAMPLES
from wallsim.analysis.tournament.skill import BOTH, CARDS, CHANCE, LINEUP, POLICY, RESULTS, SEAT, SUITS, notes_of
from wallsim.folder.layout import AS_SHIPPED
from wallsim.folder.run_store import facts_of
from wallsim.markdown import code, markdown_table
from wallsim.report.figures.skill import skill_of_fields
from wallsim.report.tables.estimates import NOTHING, bounded, ends, share, tau_in_words
from wallsim.stats.intervals import LEVEL
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import RESTS_ON, Finding
from wallsim.studies.grids import Grid, Line, estimate, with_ends
from wallsim.studies.orders import read_order
from wallsim.studies.scope import SIZES
from wallsim.studies.study import Choices, Study

from . import estimates as it
from .estimates import FIELDS, LADDER, SHARE, UPPER, WEAKEST, ZOO, Planned

PARTS = (POLICY, SUITS, LINEUP, SEAT, BOTH, CARDS, CHANCE)
PLACES = {(field, players): {"item": field, "players": players} for field, players in product(FIELDS, SIZES)}
GROUP = ("lead", "lead-at-least", "lead-at-most", "wins-by-lead", "wins-by-curve", "wins-less-curve")  # quantities
ONE = 1.0  # log unit: seats about so far ahead of their table are spoken of
SHOW = estimate(1, top=100.0)


def parts_of(figures: Figures, field: str, players: int, result: str) -> dict[str, Figure]:
    """The shares of a result's variance in a field, in per cent, by part."""
    return {part: each for part in PARTS
            for each in figures.all_of(SHARE[result], f"{field} {part}", players=players)}  # fmt: skip


def groups_of(figures: Figures, field: str, players: int) -> list[dict[str, Figure]]:
    """The figures of the groups of a field by quantity, in their order; none of the upper ladder."""
    items = [f"{field} group {place}" for place in range(1, BINS + 1)]
    groups = [{name: each for name in GROUP for each in figures.all_of(name, item, players=players)} for item in items]
    return [group for group in groups if group]


def finding(figures: Figures, planned: Planned) -> Finding | None:
    """How much of the result who plays explains, at tables of four; None for other strong policies or few blocks."""
    ladder, _, styles = policy = [figures.of(SHARE["vp"], f"{field} {POLICY}", players=4) for field in FIELDS]
    others = {*policies_of(planned, LADDER, 4)} != {*strong_lines(4), *it.COMMON}
    if others or any(each.ends is None for each in policy):
        return None
    # Shares for the title, if they are known to be above zero.
    whole, among = (
        f"{bounded(each.value, 0, 100.0)} %" if each.low > 0 else "no known part" for each in (ladder, styles)
    )
    return Finding(
        f"Skill explains {whole} of the differences in points where weak meet strong bots, {among} among styles "
        f"{RESTS_ON}",
        "Where casual bots meet stronger ones, skill explains {share-of-points.4p.ladder-policy} % of points and "
        "{share-of-wins.4p.ladder-policy} % of wins.",
        "With the printed line-ups, skill explains {share-of-points.4p.upper-ladder-policy} % of points from middling "
        "to strong bots, {share-of-points.4p.zoo-policy} % among styles.",
        "How far people differ in strength, and what a draft changes.",
        "Shares of skill, line-up, seat, cards and chance in points and wins, a bar for each group of players; "
        "below, wins by lead in strength",
    )


def policies_of(planned: Planned, field: str, players: int) -> list[str]:
    """The policies of a field at tables of so many players."""
    names = [each.name for each in planned[ZOO if field == ZOO else LADDER, players].policies]
    return [name for name in names if field != UPPER or name not in WEAKEST]


def tables(figures: Figures, planned: Planned) -> Iterator[Grid | str]:
    """Shares of the variance, first in short, wins by lead, the games that neighbours take, and how ladders agree."""
    yield Grid(
        ("players of", "seats"), [Line((field, f"{players}"), at) for (field, players), at in PLACES.items()],
        [Line(f"{words} of {'points' if result == 'vp' else 'wins'}", {"quantity": SHARE[result], "item": part})
         for words, part in (("skill", POLICY), ("line-up", LINEUP), ("chance", CHANCE)) for result in SHARE],
        show=SHOW, gaps=True,
        under="Shares of the variance among the seats of a table, in %, with line-ups. *Ladder* goes from weak to "
        "strong play, *upper ladder* is the same without weak and casual play, *zoo* has styles of play. The ± are "
        f"half-widths of simultaneous {LEVEL:.0%} intervals over blocks.",
    )  # fmt: skip
    yield games_played(figures, planned)
    rows = [Line((field, f"{players}", f"{len(policies_of(planned, field, players))}"), at)
            for (field, players), at in PLACES.items()]  # fmt: skip
    for result in SHARE:
        there = [part for part in PARTS if any(part in parts_of(figures, *place, result) for place in PLACES)]
        yield Grid((f"share of the variance of {RESULTS[result]}, %", "players", "policies"), rows, [
            Line("games", {"quantity": "games"}, lambda each: f"{each.value:,.0f}"),
            Line("blocks", {"quantity": SHARE[result], "item": PARTS[0]}, lambda each: f"{each.n:,}"),
            *(Line(part, {"quantity": SHARE[result], "item": part}) for part in there),
        ], show=SHOW)  # fmt: skip
    yield shares_words(figures)
    yield gap_sentence(figures)
    yield Grid(("field", "players"), [
        Line((field, f"{players}"), {"item": _ahead(figures, field, players), "players": players})
        for field, players in PLACES if field != UPPER
    ], [
        Line("seats", {"quantity": "lead"}, lambda each: f"{each.n:,}"),
        Line("blocks", {"quantity": "wins-by-lead"}, lambda each: f"{each.n:,}"),
        Line("ahead by, log units", {"quantity": "lead"}, lambda each: f"{each.value:.2f}"),
        Line("wins, % (interval)", {"quantity": "wins-by-lead"}, _with_ends),
        Line("curve, % (interval)", {"quantity": "wins-by-curve"}, _with_ends),
        Line("wins minus curve, points (interval)", {"quantity": "wins-less-curve"}, _difference),
        Line("fair, %", {"quantity": "wins-by-lead"}, lambda each: f"{each.null:.1f}"),
    ])  # fmt: skip
    for players in SIZES:
        yield Grid(("ladder of", "policy", "next"), [
            Line((f"{field}, {players} players", *(named(each, players) for each in pair)),
                 {"item": f"{field} {' '.join(pair)}"})
            for field in (LADDER, ZOO) for pair in _neighbours(figures, planned, field, players)
        ], [
            Line("games with both", {"quantity": "games-with-both"}, lambda each: f"{each.value:,.0f}"),
            Line("before the next, % (interval simultaneous over the ladder)", {"quantity": "before-next"}, _with_ends),
            Line(f"games needed to separate them ({LEVEL:.0%}, in {it.POWER:.0%} of studies)",
                 {"quantity": "games-needed"}, needed),
        ], {"players": players})  # fmt: skip
    yield neighbours_words(figures, planned)
    yield order_table(figures, planned)
    yield assumptions(figures, planned)


def _with_ends(figure: Figure) -> str:
    return f"{share(figure.value / 100)} ({ends(figure.ends, 1, top=100.0)})"


def _difference(figure: Figure) -> str:
    return bounded(figure.value, 1, sign="+") if figure.ends is None else with_ends(1, "+")(figure)


def _ahead(figures: Figures, field: str, players: int) -> str:
    """The item of the group of a field whose lead is nearest to ONE."""
    far = [abs(each["lead"].value - ONE) for each in groups_of(figures, field, players)]
    return f"{field} group {far.index(min(far)) + 1}"


def _neighbours(figures: Figures, planned: Planned, field: str, players: int) -> Iterable[tuple[str, str]]:
    """The policies of a ladder and the next ones, in its order."""
    names = policies_of(planned, field, players)
    return pairwise(sorted(names, key=lambda name: figures.of("rank", f"{field} {name}", players=players).value))


def needed(figure: Figure) -> str:
    """The number of games, with its range by the interval of the share, to two digits.

    Where the interval includes 50 % it is not known who is stronger, so there is a lower bound alone.
    """
    if figure.ends is None:
        return NOTHING
    least, most = figure.ends
    return f"over {rounded(least)}" if isinf(most) else f"{rounded(figure.value)} ({rounded(least)} to {rounded(most)})"


def rounded(number: float) -> str:
    """A number of games rounded up to two digits."""
    step = 10 ** max(0, floor(log10(number)) - 1)
    return f"{ceil(number / step) * step:,}"


def games_played(figures: Figures, planned: Planned) -> str:
    """What was played by whom, and what the intervals mean."""
    ladders = dict.fromkeys(each.name for players in SIZES for each in planned[LADDER, players].policies)
    strongest, common, weakest, styles = (", ".join(map(code, names)) for names in (
        [name for name in ladders if name not in it.COMMON], it.COMMON, WEAKEST, it.STYLES
    ))  # fmt: skip
    return (
        f"{played(figures, planned)}, engine version {figures.engine}. Ladder: {strongest}, {common}; "
        f"upper ladder: its games without {weakest}; zoo: {styles}. ± are half-widths of intervals "
        f"over blocks ({RESAMPLES:,} bootstrap resamples), which hold for both tables of shares simultaneously with "
        f"{LEVEL:.0%}. A part without influence is 0 but for chance, so it may come out below."
    )


def played(figures: Figures, planned: Planned) -> str:
    """How many games in how many blocks, with which tower and seed."""
    blocks, table = [each.blocks for each in planned.values()], planned[LADDER, 4].table
    return (
        f"{len(blocks)} tournaments, {figures.of('games').value:,.0f} games in {min(blocks):,} to {max(blocks):,} "
        f"blocks each; tower {table.tower}, seed {table.seed}"
    )


def shares_words(figures: Figures) -> str:
    """What the tables of shares say of policy, line-up, seat and chance, in sentences."""

    def spoken(part: str, result: str) -> str:
        shares = (parts_of(figures, field, 4, result).get(part) for field in FIELDS)
        *cells, last = (SHOW(each) if each else NOTHING for each in shares)
        return f"{', '.join(cells)} and {last} %"

    def spread(part: str, result: str) -> str:
        every = (parts_of(figures, *place, result).get(part) for place in PLACES)
        values = [each.value for each in every if each]
        return ends((min(values), max(values)), 0, top=100.0) if values else NOTHING

    return (
        f"At tables of four ({', '.join(FIELDS)}) the policy accounts for {spoken(POLICY, 'vp')} of the variance of "
        f"points and for {spoken(POLICY, 'win')} of that of wins, the line-up for {spoken(LINEUP, 'vp')} of points. "
        f"Over all fields and numbers of players chance is {spread(CHANCE, 'vp')} % of points and "
        f"{spread(CHANCE, 'win')} % of wins, and the seat {spread(SEAT, 'vp')} % of points."
    )


def gap_sentence(figures: Figures) -> str:
    """What a lead is worth at the ladder's tables of four, in a sentence."""
    names, item = ("lead", "wins-less-curve", "wins-by-lead", "wins-by-curve"), _ahead(figures, LADDER, 4)
    lead, apart, *wins = (figures.of(name, item, players=4) for name in names)
    won, by_curve = (
        f"{bounded(each.value, 1, 100.0)} %{'' if each.ends is None else f' ({ends(each.ends, 1, top=100.0)})'}"
        for each in wins
    )
    return (
        f"A policy of the ladder that was ahead of its table by {lead.value:.2f} log units, in the mean of {lead.n:,} "
        f"seats, won {won} of tables of four, where 25 % is fair. By Plackett and Luce such a lead means to finish "
        f"before one opponent in {share(1 / (1 + exp(-lead.value)), 0)} % of games, and to win {by_curve} of tables; "
        f"the difference is {_difference(apart)} percentage points. In the same way, with intervals "
        "that hold simultaneously for all bins of all fields:"
    )


def neighbours_words(figures: Figures, planned: Planned) -> str:
    """How many games neighbours on the ladders of all sizes take, in sentences."""
    words = []
    for field in (LADDER, ZOO):
        pairs = [figures.of("games-needed", f"{field} {' '.join(pair)}", players=players)
                 for players in SIZES for pair in _neighbours(figures, planned, field, players)]  # fmt: skip
        known = [each.value for each in pairs if each.ends is not None and not isinf(each.ends[1])]
        size = f"from {rounded(min(known))} to {rounded(max(known))} games" if known else "no known number of games"
        words.append(f"{field} {size} ({len(known)} of {len(pairs)} pairs; the order of the others is not known)")
    return f"Over all three numbers of players neighbours take: {'; '.join(words)}."


def order_table(figures: Figures, planned: Planned) -> str:
    """One row per field and pair of sizes: which pairs are known to have the same order on both."""
    rows = []
    for field in (LADDER, ZOO):
        names = set.intersection(*(set(policies_of(planned, field, players)) for players in SIZES))
        for one, other in combinations(SIZES, 2):
            strengths = {name: -figures.of("rank", f"{field} {name}", players=one).value for name in names}
            order = read_order(figures, f"{field} {one} and {other}", strengths)
            turned = ", ".join(f"{named(first)} – {named(second)}" for first, second in sorted(order.turned)) or "none"
            rows.append((f"{field}, {len(names)} policies", f"{one} and {other}", tau_in_words(order),
                         f"{len(order.same)} of {order.pairs}", turned, f"{len(order.open)}"))  # fmt: skip
    heads = ("ladders", "players", "Kendall's tau (interval)", "same order", "opposite order", "not known")
    return markdown_table(heads, rows)


def assumptions(figures: Figures, planned: Planned) -> str:
    """The assumptions of all numbers in a paragraph: first those of all tables, then those of one size."""
    of = {}
    for players in SIZES:
        each = planned[LADDER, players]
        facts = {"experiment": {"identity": each.identity()}, **facts_of(each.components(), AS_SHIPPED)}
        of[players] = table_assumptions(facts)
    same = [line for line in of[SIZES[0]] if all(line in lines for lines in of.values())]
    own = [f"{players} players: {line}" for players, lines in of.items() for line in lines if line not in same]
    own += [f"{field.capitalize()}, {players} players: {note}" for field, players in PLACES
            for note in notes_of(list(parts_of(figures, field, players, "vp")))]  # fmt: skip
    return " ".join([
        *same, *own, "In every block each policy has every seat and line-up equally often. All of this is with "
        "line-ups; the study `ladder` shows a ladder in the draft beside one with line-ups.",
    ])  # fmt: skip


def picture(figures: Figures, planned: Planned) -> Picture:
    """The picture of the page: shares of the variance, and wins by lead."""
    title = (
        f"Skill and luck among wallsim's policies: {played(figures, planned)}, engine version {figures.engine}.\nThe ± "
        f"of all bars hold simultaneously with {LEVEL:.0%}, and so do all intervals of seats and curves below."
    )
    shares = {result: {place: parts_of(figures, *place, result) for place in PLACES} for result in SHARE}
    groups = {place: groups_of(figures, *place) for place in PLACES if place[0] != UPPER}
    return skill_of_fields(shares, groups, title)


STUDY = Study(
    __file__, __doc__, it.design, it.identity, it.play, finding=finding, tables=tables, picture=picture,
    quantities=it.QUANTITIES, options=(it.STRONG,), games="games of each tournament, about",
    quick=Choices(games=2_000), sample=Choices(games=8_000), colours=256,  # so that parts with little room keep theirs
)  # fmt: skip
