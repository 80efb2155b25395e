"""The page of the study `draft`: all tables, with a summary above them, made from the register."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import CASUAL, plays_in_words
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import NOTHING, ends, number
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.intervals import LEVEL, side_of
from wallsim.studies.claims import read_claims
from wallsim.studies.figure import Figure, Figures, figure_id
from wallsim.studies.grids import Grid, Line, lines, sure_of, texts_of, value
from wallsim.studies.study import Page

from ..robustness.answers import claims_table
from . import figures as fig
from .cells import DEAL, DRAFT, EXPERIMENT, PLAYERS, Scope, in_cell
from .claims import ABOUT, CHOSEN, CLAIMS
from .deals import BORDER, NEIGHBOURS
from .drafters import DRAFTERS, TABLE
from .figures import SIZES, ground_of
from .finding import beneath, best_picks, finding_of, plays_of, signed
from .pair_figures import judged_pairs
from .pairs import CHOSEN as CHOSEN_PAIRS
from .pairs import SEEDS, TOGETHER, groups_of
from .picks import NEIGHBOUR, PICK
from .rivals import FITTED, JUDGED, blocks_of_rivals, in_table, plays_of_rivals, sizes_of_rivals
from .worth import STEPS

JOINT = 0.01  # the level of the joint tests that places, and seats, are equal
_SIGNED = value(2, "+")
_SIDES = {1: "gains", -1: "costs"}


def page(figures: Figures, scope: Scope) -> Page:
    """The finding with the ten best picks, and all tables."""
    return Page(finding_of(figures, scope), best_picks(figures, scope), texts_of(figures, tables(figures, scope)))


def tables(figures: Figures, scope: Scope) -> Iterator[Grid | str]:
    """Counties, neighbours, pairs, what explains worths, regions, drafters, the order of picks, and the claims."""
    plays, first, games = plays_of(scope), scope.towers[0], (scope.deals, "games in each cell")
    whole = {"players": PLAYERS}
    yield scope_words(scope)
    yield over_all_plays(figures, scope)
    yield _picks(figures, scope)
    what = "VP of a seat above the table's mean for one more at the start, of the fit that gives the worths of counties"
    yield Grid("one more", lines("item", (*NEIGHBOURS, fig.INSTEAD)), (Line("all plays"), *lines("play", plays)),
               {**whole, "quantity": NEIGHBOUR}, signed(2), beneath(*games, what))  # fmt: skip
    yield from _pairs(figures, scope)
    yield _explained(scope)
    columns = [Line("worth", {"quantity": fig.REGION}), Line("an army more", {"quantity": fig.REGION_ARMY})]
    columns += [Line(f"{size} players, worth", {"quantity": fig.REGION_BY_PLAYERS, "players": size, "tower": first})
                for size in SIZES]  # fmt: skip
    what = f"All plays; first two columns all towers with 4 players, the others tower {first}"
    yield Grid("mean of a region", lines("item", ground_of(scope).board.regions), columns, whole, signed(2),
               beneath(*games, what))  # fmt: skip
    yield _counties(figures, scope)
    yield agreement(figures, scope)
    units = {"points": "VP above the table's mean", "wins": "wins above the fair share, % points"}
    for result, unit in units.items():
        what = (
            f"{unit[0].upper()}{unit[1:]} of one seat that picks so against three of the default, over all seats and "
            "towers; the default itself brings 0. Fresh drafts, not of the seed that the tables were estimated on"
        )
        below = beneath(scope.matches, f"drafts of each drafter in each cell, each in {PLAYERS} seats", what)
        yield Grid(f"one seat picks by, {unit}", lines("item", DRAFTERS), lines("play", plays),
                   {**whole, "quantity": fig.GAIN[result], "setup": DRAFT}, signed(2), below)  # fmt: skip
    yield from rival_tables(figures, scope)
    yield _order(scope)
    yield _claims(figures, scope)


def scope_words(scope: Scope) -> str:
    """What was played: games, plays, towers, seeds, engine version, and what is assumed."""
    experiment = load_experiment(EXPERIMENT)
    quick = "A quick look, in few cells and games: no claim is judged as the study does. " if scope.quick else ""
    assumed = experiment.components().assumed()
    drafts = in_cell(scope.home(DRAFT))
    return (
        f"{quick}{scope.deals:,} games with counties dealt at random in each of {len(scope.cells(DRAFT))} cells of "
        f"play and tower, games from 0 on of seed {experiment.seed}; {scope.drafts:,} drafts in each, of seed "
        f"{drafts.seed}, {scope.matches:,} of them again with each drafter in each seat; {PLAYERS} players, where "
        f"nothing else is said; engine version {ENGINE_VERSION}. Plays: {plays_in_words(scope.plays)}; towers: "
        f"{', '.join(scope.towers)}. Assumed figures in use: {listed(assumed)}; least certain on the board is the "
        "border of Altmark and Vorpommern."
    )


def over_all_plays(figures: Figures, scope: Scope) -> str:
    """What the tables say of all plays: counties, neighbours, the drafter by the table, and who picks first."""
    best, *_, worst = by_worth(figures, scope)
    first, last = (figures.of(fig.WORTH, name, players=PLAYERS) for name in (best, worst))
    border, instead = (figures.of(fig.HEADLINE, name, players=PLAYERS) for name in (BORDER, fig.INSTEAD))
    explained = figures.of(fig.BY_THE_PRINT, list(fig.FACTS)[-1], players=PLAYERS)
    gains = {
        play: figures.of(fig.HEADLINE, f"gain of {TABLE}", players=PLAYERS, play=play, setup=DRAFT)
        for play in plays_of(scope)
    }
    tests = {play: _test(figures, play) for play in plays_of(scope)}
    unequal = [play for play, test in tests.items() if test is not None and test.value < JOINT]
    home, shown = scope.home(DRAFT), signed(2)
    apart, price = (
        figures.of(fig.HEADLINE, item, players=PLAYERS, cell=home) for item in ("first less last", "Thalers")
    )
    thalers = f"{number(price.value, 1, '+')} Thalers" + (f" ({ends(price.ends, 1)})" if price.ends else "")
    return (
        f"Mean of all plays and towers: the worths of counties go from {shown(first)} VP ({best}) to "
        f"{shown(last)} ({worst}) against the mean county. Each border with another "
        f"seat's county at the start brings {shown(border)} VP, and to hold a neighbour oneself instead"
        f" {shown(instead)}. Printed numbers, neighbours and "
        f"region explain {number(explained.value, 0)} % of the variance of worths. One seat that picks by the table "
        f"against three of the default gains "
        + ", ".join(f"{shown(gain)} VP in {play} play" for play, gain in gains.items())
        + f". Places in the order of picks are known to be unequal in {listed(unequal)} play; "
        f"in strong play, tower {scope.towers[0]}, the first to pick ends with {shown(apart)} VP, which is {thalers}, "
        "more than the last."
    )


def by_worth(figures: Figures, scope: Scope) -> list[str]:
    """The counties in play, the best first."""
    return sorted(ground_of(scope).names, key=lambda name: -figures.of(fig.WORTH, name, players=PLAYERS).value)


def sides_of(figures: Figures, scope: Scope) -> dict[str, list[int]]:
    """On which side of the mean county each county is known to lie in each cell: 1, -1, or 0 where it is not known."""
    return {
        name: [side_of(each.ends) for each in figures.cells(fig.BY_CELL, name, players=PLAYERS).values()]
        for name in ground_of(scope).names
    }


def _picks(figures: Figures, scope: Scope) -> Grid:
    """One row a county: its worth, shrunken worth, what the printed numbers say, an army more, and each play."""
    sides, board, names = sides_of(figures, scope), ground_of(scope).board, by_worth(figures, scope)
    region = {name: board.regions[board.region[board.counties.index(name)]] for name in names}
    known = [NOTHING if name in ABOUT else f"{sides[name].count(1)} / {sides[name].count(-1)}" for name in names]
    columns = [Line("region", texts=[region[name] for name in names])]
    columns += [Line("worth, VP", {"quantity": fig.WORTH}, signed(2)), Line("shrunken", {"quantity": PICK})]
    columns.append(Line("by the print", {"quantity": fig.PRINT}))
    columns += [
        Line("an army more", {"quantity": fig.ARMY}, signed(2)),
        *lines("play", plays_of(scope), quantity=fig.BY_PLAY),
    ]
    columns.append(Line("above / below", texts=known))
    cells = len(scope.cells(DEAL))
    what = (
        f"Worth in VP of a seat above the table's mean, against the mean county, over all plays and towers; 4 players, "
        f"counties dealt at random. Above / below: in how many of {cells} cells of play and tower the county "
        f"is known to lie above or below the mean county ({len(names) * cells} simultaneous intervals); –: games of "
        "another seed judge a claim about the county, in the table of claims"
    )
    return Grid("county", lines("item", names), columns, {"players": PLAYERS}, _SIGNED,
                beneath(scope.deals, "games in each cell", what))  # fmt: skip


def _pairs(figures: Figures, scope: Scope) -> Iterator[str]:
    """The pairs that were chosen for each kind of table: those of one seat, and those that border."""
    judged, groups = judged_pairs(figures, scope), groups_of(scope)
    plays = [play for group in groups.values() for play in group]
    families = {0}
    for kind, by_group in judged.items():
        rows = []
        for group, pairs in by_group.items():
            for each in pairs:
                families |= {figure.family for figure in each.effects.values()}
                effects = (signed(2)(each.effects[play]) for play in plays)
                rows.append((" and ".join(each.pair), group_words(group), *effects, each.verdict))
        head = "both of one seat" if kind == TOGETHER else "one of each of two seats"
        heads = (head, "chosen for", *(f"VP, {play}" for play in plays), "in all of these plays")
        yield markdown_table(heads, rows)
    seed = in_cell(scope.home(DEAL)).seed
    yield (
        "Pairs of counties: VP of a seat beyond the worths of both counties, counties dealt at random. The "
        f"{CHOSEN_PAIRS} pairs at each end, and the {CHOSEN_PAIRS} borders that cost most, are chosen by the "
        f"{scope.deals:,} games of seed {seed} and judged by {scope.pairs:,} of seed {seed + SEEDS}, tower "
        f"{scope.towers[0]}; the ± are half-widths of {max(families):,} simultaneous {LEVEL:.0%} intervals over "
        "blocks of games."
    )


def group_words(group: str) -> str:
    """The players of a group, by the first of its plays."""
    return "casual players" if group == CASUAL else "experienced players"


def _explained(scope: Scope) -> Grid:
    """What each step of the regression explains of points, and what printed numbers explain of worths."""
    first, rows = scope.towers[0], []
    for step in STEPS:
        rows.append(Line(f"points: {step}", {"quantity": fig.EXPLAINED, "item": step, "tower": first}, value(1)))
    rows += [Line(f"worths: {words}", {"quantity": fig.BY_THE_PRINT, "item": words}, value(1)) for words in fig.FACTS]
    rows += [Line(f"VP for one more: {name}", {"quantity": fig.WEIGHT, "item": name}, _SIGNED) for name in fig.WEIGHTS]
    words = (
        f"The share, in per cent, of the variance of a seat's VP above the table's mean in single games that the start "
        f"explains ({scope.deals:,} games of each play, tower {first}); the share of the "
        "variance of the true worths of counties that a regression on printed numbers explains; and the weights of the "
        "last regression, towards which worths are shrunken (restricted likelihood, errors removed)."
    )
    return Grid("what explains, %", rows, (Line("all plays"), *lines("play", plays_of(scope))), {"players": PLAYERS},
                under=words)  # fmt: skip


def _counties(figures: Figures, scope: Scope) -> Grid:
    """One row a county: its worth by number of players, and how often the default picks it."""
    first, names = scope.towers[0], by_worth(figures, scope)
    there = {size: ground_of(scope, size).names for size in SIZES}
    columns = [Line(f"{size} players", {"quantity": fig.BY_PLAYERS, "players": size, "tower": first}, signed(2))
               for size in SIZES]  # fmt: skip
    columns += [Line(head, {"quantity": quantity, "players": PLAYERS, "setup": DRAFT}, value(0))
                for head, quantity in (("drafted, %", fig.TAKEN), ("taken when open, %", fig.WHEN_OPEN))]  # fmt: skip
    absent = {(name, f"{size} players"): "not in play" for size in SIZES for name in names if name not in there[size]}
    what = (
        f"Worth in VP, all plays, tower {first}, strong play by the policies of each number of players. Drafted: share "
        "of drafts of 4 in which anybody takes the county; taken when open: by the first to pick; both without "
        f"intervals, {scope.drafts:,} drafts in each of {len(scope.cells(DRAFT))} cells. Worths"
    )
    return Grid("county", lines("item", names), columns, texts=absent,
                under=beneath(scope.deals, "games in each cell", what))  # fmt: skip


def agreement(figures: Figures, scope: Scope) -> str:
    """How the worths of plays, and of numbers of players, go together."""
    plays = plays_of(scope)
    among = [
        figures.of(fig.CORRELATION, f"{one} {other}", players=PLAYERS).value for one, other in combinations(plays, 2)
    ]
    rates = []
    for play in plays:
        whole, opened = (
            figures.of(quantity, players=PLAYERS, play=play, setup=DRAFT).value
            for quantity in (fig.PICKED, fig.PICKED_OPEN)
        )
        rates.append(f"{play} {number(whole, 2)} and {number(opened, 2)}")
    return (
        f"Worths of two plays correlate with {number(min(among), 2)} to {number(max(among), 2)}. The correlation of "
        f"a county's worth with how often the default drafts it, and with how often the first to pick takes it when "
        f"it lies open, is {', '.join(rates)}."
    )


def listed(names: Sequence[str]) -> str:
    """Names with commas, or `none`."""
    return ", ".join(names) or "none"


def rival_tables(figures: Figures, scope: Scope) -> Iterator[Grid | str]:
    """What one more table drafter gains by how many others there are, and the responses, with a sentence on both."""
    plays, where = plays_of_rivals(scope), {"tower": scope.towers[0], "setup": DRAFT}
    rows = [
        Line((str(players), f"{others} of {players - 1}"), {"players": players, "item": f"{others} others"})
        for players in sizes_of_rivals(scope)
        for others in range(players)
    ]
    points = lines("play", plays, "VP, {}".format, quantity=fig.ONE_MORE["points"], show=signed(2))
    wins = lines("play", plays, "wins, {}, % points".format, quantity=fig.ONE_MORE["wins"], show=signed(1))
    yield Grid(("players", "others who draft by the table"), rows, (*points, *wins), where)
    columns = [
        Line("VP", {"quantity": fig.RESPONSE["points"]}, signed(2)),
        Line("wins, % points", {"quantity": fig.RESPONSE["wins"]}, signed(1)),
        Line("correlation of the worths of counties", {"quantity": fig.SAME_WORTHS}, value(2)),
        *lines("item", fig.TABLES, "VP for a border, in {}".format, quantity=fig.BORDERS, show=_SIGNED),
    ]
    yield Grid("one seat picks by the response, three by the table", lines("play", plays), columns,
               {**where, "players": PLAYERS})  # fmt: skip
    cells = [Cell(play, scope.towers[0], DRAFT) for play in plays]
    all_less_none = [figures.of(fig.ALL_LESS_NONE, players=PLAYERS, cell=cell) for cell in cells]
    sure, blocks = sure_of(all_less_none), {size: blocks_of_rivals(scope, size) for size in sizes_of_rivals(scope)}
    means = ", ".join(f"{signed(2)(each)} ({each.play})" for each in all_less_none)
    judged, fitted = (in_table(scope, plays[0], PLAYERS, shift).seed for shift in (JUDGED, FITTED))
    few = min(blocks.values())
    yield (
        f"The table is that of the same play and number of players. {_verdicts(figures, scope)} Where all {PLAYERS} "
        f"seats draft by it instead of none, a seat's mean result changes by {means} VP. VP in the "
        "tables are above the table's mean. "
        f"Of each draft number every set of seats drafts by the table: "
        f"{', '.join(f'{count:,} blocks with {players} players' for players, count in blocks.items())}, seed {judged}, "
        f"tower {scope.towers[0]}. The response is estimated from {scope.deals:,} drafts of seed {fitted} in which "
        f"all seats go by the table. The ± are half-widths of {sure.n_comparisons} simultaneous {LEVEL:.0%} intervals."
        + (f" {sure.too_few(few, 'blocks')}" if few < sure.min_blocks else "")
    )


def _verdicts(figures: Figures, scope: Scope) -> str:
    """In which plays the table is known to gain, or to cost, however many others draft by it."""
    plays: dict[int | None, list[str]] = {}
    for play in plays_of_rivals(scope):
        plays.setdefault(side_among(figures, scope, play), []).append(play)
    told = {side: f"{' and '.join(names)} play" for side, names in plays.items()}
    known = [f"{verb} points in {told[side]}" for side, verb in _SIDES.items() if side in told]
    words = [f"With {PLAYERS} players it {' and '.join(known)}, however many others draft by it."] if known else []
    if None in told:
        words.append(f"Whether it gains with {PLAYERS} players depends on the others in {told[None]}.")
    if 0 in told:
        words.append(f"Whether it always gains with {PLAYERS} players is not known for {told[0]}.")
    return " ".join(words)


def side_among(figures: Figures, scope: Scope, play: str) -> int | None:
    """1 if the table is known to gain however many others draft by it, -1 if it is known to cost, None where it turns.

    0 where neither is known for each number of others. With four players.
    """
    cell = Cell(play, scope.towers[0], DRAFT)
    each = (
        figures.of(fig.ONE_MORE["points"], f"{others} others", players=PLAYERS, cell=cell) for others in range(PLAYERS)
    )
    sides = {side_of(figure.ends) for figure in each}
    if {1, -1} <= sides:
        return None
    return sides.pop() if len(sides) == 1 else 0


def _order(scope: Scope) -> Grid:
    """One row a play: points and wins by place in the order of picks, joint tests, and the price of going first."""
    first = scope.towers[0]
    heads = ("picks first, VP", *fig.ORDINALS[1:])
    columns = [Line(head, {"quantity": fig.PLACE["points"], "item": item})
               for head, item in zip(heads, fig.ORDINALS, strict=True)]  # fmt: skip
    columns += [Line(head, {"quantity": fig.PLACE["wins"], "item": item}, signed(1))
                for head, item in (("wins of the first, % points", "first"), ("wins of the last", "last"))]  # fmt: skip
    columns += [Line("places equal, p", {"quantity": fig.EQUAL_PLACES}, _probability),
                Line("seats equal, p", {"quantity": fig.EQUAL_SEATS}, _probability)]  # fmt: skip
    price = {"quantity": fig.PRICE, "item": "Thalers", "tower": first}
    columns.append(Line(f"first less last, Thalers ({first})", price, signed(1)))
    what = (
        "VP above the table's mean and wins above the fair share by place in the order of picks, the default in all "
        "seats, `draft_start = random`, mean of all towers; p of Hotelling's joint test, judged at "
        f"{JOINT:g}; Thalers at the price of the study `price` in the same cell, mean of all rounds"
    )
    return Grid("play", lines("play", plays_of(scope)), columns, {"players": PLAYERS, "setup": DRAFT}, signed(2),
                beneath(scope.drafts, "drafts in each cell", what), gaps=True)  # fmt: skip


def _test(figures: Figures, play: str) -> Figure | None:
    # Without enough drafts there is no test.
    return figures.get(figure_id(figures.study, fig.EQUAL_PLACES, players=PLAYERS, play=play, setup=DRAFT))


def _probability(test: Figure) -> str:
    return "< 0.0001" if test.value < 1e-4 else number(test.value, 4)


def _claims(figures: Figures, scope: Scope) -> str:
    """Every claim with its extremes over the cells, and the answer."""
    sure = read_claims(figures, CLAIMS, scope.plays, players=PLAYERS).confidence
    least = min(scope.deals, scope.drafts, scope.matches)
    few = f" {sure.too_few(least, 'games')}" if least < sure.min_blocks else ""
    words = (
        f"Lowest and highest are of {len(scope.cells(DRAFT))} cells of play and tower, dealt or drafted, by "
        f"{sure.n_comparisons:,} simultaneous {LEVEL:.0%} intervals.{few} The {len(CHOSEN)} claims about single "
        "counties were chosen by the tables of this study, so only games of another seed judge them."
    )
    return f"{claims_table(figures, CLAIMS, scope.plays, players=PLAYERS, decimals=2)}\n\n{words}"
