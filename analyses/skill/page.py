"""The page of the study `skill`: sentences, tables and the picture, made from the register."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, floor, inf, isinf, log10

from matplotlib.figure import Figure as Picture

from wallsim.analysis.games.summary import table_assumptions
from wallsim.analysis.tournament.effects import CHANCE, LINEUP, POLICY, SEAT
from wallsim.analysis.tournament.gaps import GapBin
from wallsim.analysis.tournament.ratings import RESAMPLES
from wallsim.analysis.tournament.skill import RESULTS, notes_of
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import NOTHING, bounded, ends, number, share, share_ends, tau_in_words
from wallsim.report.tables.ratings import part_share
from wallsim.runs.folder.layout import AS_SHIPPED
from wallsim.runs.folder.manifest import facts_of
from wallsim.runs.tournament.tournament import Tournament
from wallsim.stats.intervals import LEVEL
from wallsim.studies.figure import Figures
from wallsim.studies.finding import Finding
from wallsim.studies.study import Page

from .estimates import COMMON, LADDER, PARTS, SHARED, SIZES, STYLES, UPPER, WEAKEST, ZOO, Chosen, tournaments
from .figures import GAMES, FieldFigures, PartShare, Shares, before_one, fields_of, orders_of
from .picture import skill_of_fields
from .sample_size import POWER, GamesNeeded

DRAFT = "All of this is with line-ups; the study `ladder` shows a ladder in the draft beside one with line-ups."
ONE = 1.0  # log unit: seats about so far ahead of their table are spoken of


def page(figures: Figures, design: Chosen) -> Page:
    """The finding with the shares in short, and all tables with the sentences around them."""
    parts = [games_played(figures, design), *(shares_table(figures, design, result) for result in SHARED)]
    parts += [shares_words(figures, design), gap_sentence(figures, design), gap_table(figures, design)]
    parts += [neighbours_table(figures, design, players) for players in SIZES]
    parts += [neighbours_words(figures, design), order_table(figures, design), assumptions(figures, design)]
    return Page(finding_of(figures, design), short_table(figures, design), "\n\n".join(parts))


def finding_of(figures: Figures, design: Chosen) -> Finding | None:
    """How much of the result who plays explains, at tables of four; None for other strong policies or few blocks."""
    by_name = {each.name: each for each in fields_of(figures, design) if each.players == 4}
    policy = {(name, result): part_of(each, result, POLICY) for name, each in by_name.items() for result in SHARED}
    if design.strong or any(part is None or part.interval is None for part in policy.values()):
        return None
    shown = {key: part_share(part) for key, part in policy.items() if part is not None}
    whole, styles = (_much(policy[name, "vp"]) for name in (LADDER, ZOO))
    return Finding(
        f"Skill explains {whole} of the differences in points where weak meet strong players, {styles} among styles",
        f"Where casual players meet stronger ones, skill explains {shown[LADDER, 'vp']} % of points and "
        f"{shown[LADDER, 'win']} % of wins.",
        f"With the printed line-ups, skill explains {shown[UPPER, 'vp']} % of points from middling to strong play, "
        f"{shown[ZOO, 'vp']} % among styles.",
        "How far people differ in strength, and what a draft changes.",
        "Shares of skill, line-up, seat, cards and chance in points and wins, a bar for each group of players; "
        "below, wins by lead in strength",
    )


def _much(part: PartShare | None) -> str:
    """A share for the title, if it is known to be above zero."""
    if part is None or part.interval is None or part.interval[0] <= 0:
        return "no known part"
    return f"{share(part.share, 0)} %"


def part_of(field: FieldFigures, result: str, name: str) -> PartShare | None:
    """A part of a result's variance in a field; None where it is not estimated."""
    return next((part for part in parts(field, result) if part.name == name), None)


def short_table(figures: Figures, design: Chosen) -> str:
    """One row per field and number of players: skill and chance in points and wins, in per cent."""
    rows = []
    for each in fields_of(figures, design):
        cells = [part_of(each, result, name) for name in (POLICY, LINEUP, CHANCE) for result in SHARED]
        rows.append((each.name, str(each.players), *(NOTHING if cell is None else part_share(cell) for cell in cells)))
    heads = (f"{what} of {result}" for what in ("skill", "line-up", "chance") for result in ("points", "wins"))
    return (
        f"{markdown_table(('players of', 'seats', *heads), rows)}\n\n"
        "Shares of the variance among the seats of a table, in %, with line-ups. *Ladder* goes from weak to strong "
        "play, *upper ladder* is the same without weak and casual play, *zoo* has styles of play. The ± are "
        f"half-widths of simultaneous {LEVEL:.0%} intervals over blocks."
    )


def picture(figures: Figures, design: Chosen) -> Picture:
    """The picture of the page: shares of the variance, and wins by lead."""
    fields = fields_of(figures, design)
    title = (
        f"Skill and luck among wallsim's policies: {played(figures, design)}, engine version {ENGINE_VERSION}.\nThe ± "
        f"of all bars hold simultaneously with {LEVEL:.0%}, and so do all intervals of seats and curves below."
    )
    return skill_of_fields(shares_of(fields), bins_of(fields), title)


def games_played(figures: Figures, design: Chosen) -> str:
    """What was played by whom, and what the intervals mean."""
    ladders = [tournament for key, tournament in tournaments(*design).items() if key[0] == LADDER]
    played_by = dict.fromkeys(policy.name for tournament in ladders for policy in tournament.policies)
    first = [name for name in played_by if name not in COMMON]
    return (
        f"{played(figures, design)}, engine version {ENGINE_VERSION}. Ladder: {code(first)}, {code(COMMON)}; "
        f"upper ladder: its games without {code(WEAKEST)}; zoo: {code(STYLES)}. ± are half-widths of intervals over "
        f"blocks ({RESAMPLES:,} bootstrap resamples), which hold for both tables of shares simultaneously with "
        f"{LEVEL:.0%}. A "
        "part without influence is 0 but for chance, so it may come out below."
    )


def played(figures: Figures, design: Chosen) -> str:
    """How many games in how many blocks, with which tower and seed."""
    planned = list(tournaments(*design).values())
    blocks, table = [tournament.blocks for tournament in planned], planned[0].table
    games = figures.of(GAMES).value
    return (
        f"{len(planned)} tournaments, {games:,.0f} games in {min(blocks):,} to {max(blocks):,} blocks each; "
        f"tower {table.tower}, seed {table.seed}"
    )


def code(names: Iterable[str]) -> str:
    """Names as Markdown shows them."""
    return ", ".join(f"`{name}`" for name in names)


def shares_table(figures: Figures, design: Chosen, result: str) -> str:
    """One row per field and number of players: the shares of the variance of a result, in per cent."""
    fields, rows = fields_of(figures, design), []
    there = [name for name in PARTS if any(name == part.name for each in fields for part in parts(each, result))]
    for each in fields:
        by_name = {part.name: part for part in parts(each, result)}
        shares = [part_share(by_name[name]) if name in by_name else NOTHING for name in there]
        counts = (each.players, len(each.policies), each.games, each.blocks)
        rows.append((each.name, *(f"{count:,}" for count in counts), *shares))
    first = f"share of the variance of {RESULTS[result]}, %"
    return markdown_table((first, "players", "policies", "games", "blocks", *there), rows)


def shares_words(figures: Figures, design: Chosen) -> str:
    """What the tables of shares say of policy, line-up, seat and chance, in sentences."""
    fields = fields_of(figures, design)

    def spoken(name: str, result: str, players: int = 4) -> str:
        of_size = [each for each in fields if each.players == players]
        cells = [part_share(part) for each in of_size for part in parts(each, result) if part.name == name]
        return f"{', '.join(cells[:-1])} and {cells[-1]} %"

    def spread(name: str, result: str) -> str:
        shares = [part.share for each in fields for part in parts(each, result) if part.name == name]
        return share_ends((min(shares), max(shares)), 0)

    names = ", ".join(each.name for each in fields if each.players == 4)
    return (
        f"At tables of four ({names}) the policy accounts for {spoken(POLICY, 'vp')} of the variance of points and for "
        f"{spoken(POLICY, 'win')} of that of wins, the line-up for {spoken(LINEUP, 'vp')} of points. Over all fields "
        f"and numbers of players chance is {spread(CHANCE, 'vp')} % of points and {spread(CHANCE, 'win')} % of wins, "
        f"and the seat {spread(SEAT, 'vp')} % of points."
    )


def neighbours_words(figures: Figures, design: Chosen) -> str:
    """How many games neighbours on the ladders of all sizes take, in sentences."""
    fields, words = fields_of(figures, design), []
    for name in (LADDER, ZOO):
        pairs = [pair for each in fields if each.name == name for pair in each.neighbours]
        known = [pair.needed for pair in pairs if pair.needed is not None and not isinf(pair.most or inf)]
        size = f"from {rounded(min(known))} to {rounded(max(known))} games" if known else "no known number of games"
        words.append(f"{name} {size} ({len(known)} of {len(pairs)} pairs; the order of the others is not known)")
    return f"Over all three numbers of players neighbours take: {'; '.join(words)}."


def parts(field: FieldFigures, result: str) -> tuple[PartShare, ...]:
    """The parts of a result's variance in a field."""
    return field.shares[result].parts


def one_ahead(field: FieldFigures) -> GapBin:
    """The seats of a field whose lead is nearest to ONE."""
    return min(field.groups, key=lambda each: abs(each.gap - ONE))


def gap_sentence(figures: Figures, design: Chosen) -> str:
    """What a lead is worth at the ladder's tables of four, in a sentence."""
    field = next(each for each in fields_of(figures, design) if (each.name, each.players) == (LADDER, 4))
    lead = one_ahead(field)
    within = "" if lead.interval is None else f" ({share_ends(lead.interval)})"
    curve = "" if lead.expected_interval is None else f" ({share_ends(lead.expected_interval)})"
    before = bounded(before_one(figures, field, lead).value, 0, 100.0)
    return (
        f"A policy of the ladder that was ahead of its table by {lead.gap:.2f} log units, in the mean of "
        f"{lead.seats:,} seats, won {share(lead.observed)} %{within} of tables of four, where 25 % is fair. By "
        f"Plackett and Luce such a lead means to finish before one opponent in {before} % "
        f"of games, and to win {share(lead.expected)} %{curve} of tables; the difference is {difference(lead)} "
        "percentage points. In the same way, with intervals that hold simultaneously for all bins of all fields:"
    )


def gap_table(figures: Figures, design: Chosen) -> str:
    """One row per field and number of players: what a lead of about ONE, or the largest there is, wins."""
    rows = []
    for field in (each for each in fields_of(figures, design) if each.groups):
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


def neighbours_table(figures: Figures, design: Chosen, players: int) -> str:
    """One row per pair of neighbours on the ladders of one size: how often one ranks before the other, games needed.

    The intervals hold simultaneously for the neighbours of one ladder, not for those of all.
    """
    rows = [
        (
            f"{field.name}, {players} players", f"`{each.one}`", f"`{each.other}`", f"{each.games:,}",
            f"{share(each.before)} ({share_ends(each.interval)})", needed(each),
        )
        for field in fields_of(figures, design)
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


def order_table(figures: Figures, design: Chosen) -> str:
    """One row per field and pair of sizes: which pairs are known to have the same order on both."""
    rows = []
    for name, orders in orders_of(figures, fields_of(figures, design)).items():
        for (one, other), each in orders.items():
            turned = ", ".join(f"`{first}` – `{second}`" for first, second in sorted(each.turned)) or "none"
            ladder = f"{name}, {len(each.policies)} policies"
            same = f"{len(each.same)} of {each.pairs}"
            rows.append((ladder, f"{one} and {other}", tau_in_words(each), same, turned, f"{len(each.open)}"))
    headings = ("ladders", "players", "Kendall's tau (interval)", "same order", "opposite order", "not known")
    return markdown_table(headings, rows)


def assumptions(figures: Figures, design: Chosen) -> str:
    """The assumptions of all numbers in a paragraph: first those of all tables, then those of one size."""
    planned, fields = tournaments(*design), fields_of(figures, design)
    of = {players: _of_table(planned[LADDER, players]) for players in SIZES}
    same = [line for line in of[SIZES[0]] if all(line in lines for lines in of.values())]
    own = [f"{players} players: {line}" for players, lines in of.items() for line in lines if line not in same]
    own += [
        f"{each.name.capitalize()}, {each.players} players: {note}"
        for each in fields
        for note in notes_of([part.name for part in parts(each, "vp")])
    ]
    return " ".join([*same, *own, "In every block each policy has every seat and line-up equally often.", DRAFT])


def _of_table(tournament: Tournament) -> list[str]:
    facts = facts_of(tournament.components(), AS_SHIPPED)
    return table_assumptions({"experiment": {"identity": tournament.identity()}, **facts})


def shares_of(fields: Sequence[FieldFigures]) -> dict[str, dict[str, list[Shares]]]:
    """The shares of all fields, by result and field, for the picture."""
    names = (LADDER, UPPER, ZOO)
    return {
        result: {name: [each.shares[result] for each in fields if each.name == name] for name in names}
        for result in SHARED
    }


def bins_of(fields: Sequence[FieldFigures]) -> dict[int, dict[str, tuple[GapBin, ...]]]:
    """Wins by strength gap, by number of players and field, for the picture."""
    return {
        players: {each.name: each.groups for each in fields if each.players == players and each.groups}
        for players in SIZES
    }
