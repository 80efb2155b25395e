"""The tables of the study `draft` about counties and neighbours, made from the register, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import NOTHING, in_words, number
from wallsim.stats.intervals import LEVEL, Confidence, side_of
from wallsim.studies.figure import Figure, Figures

from .cells import DEAL, DRAFT, PLAYERS, Scope
from .claims import ABOUT
from .deals import NEIGHBOURS
from .figures import (
    ARMY,
    BY_CELL,
    BY_PLAY,
    BY_PLAYERS,
    BY_THE_PRINT,
    CORRELATION,
    EXPLAINED,
    FACTS,
    INSTEAD,
    PICKED,
    PICKED_OPEN,
    PRINT,
    REGION,
    REGION_ARMY,
    REGION_BY_PLAYERS,
    SIZES,
    TAKEN,
    WEIGHT,
    WEIGHTS,
    WHEN_OPEN,
    WORTH,
    ground_of,
    sure_of_cells,
    sure_of_neighbours,
    sure_of_players,
    sure_of_regions,
    sure_of_worths,
)
from .picks import NEIGHBOUR, PICK
from .worth import STEPS


def as_text(each: Figure, sure: Confidence, decimals: int = 2) -> str:
    """A figure with its sign and half-width."""
    return in_words(each.value, each.interval(sure), decimals, "+")


def beneath(sure: Confidence, units: int, what: str, unit: str = "games") -> str:
    """The line under a table: what it rests on, and the level of its intervals."""
    few = f" {sure.too_few(units, unit)}" if units < sure.min_blocks else ""
    return (
        f"{what}; {units:,} {unit}; the ± are half-widths of {sure.n_comparisons:,} simultaneous {LEVEL:.0%} "
        f"intervals, with errors by game.{few}"
    )


def plays_of(scope: Scope) -> list[str]:
    """The names of the plays."""
    return [play.name for play in scope.plays]


def by_worth(figures: Figures, scope: Scope) -> list[str]:
    """The counties in play, the best first."""
    return sorted(ground_of(scope).names, key=lambda name: -figures.of(WORTH, name, players=PLAYERS).value)


def sides_of(figures: Figures, scope: Scope) -> dict[str, list[int]]:
    """On which side of the mean county each county is known to lie in each cell: 1, -1, or 0 where it is not known."""
    sure, sides = sure_of_cells(scope), {}
    for name in ground_of(scope).names:
        cells = figures.cells(BY_CELL, name, players=PLAYERS).values()
        sides[name] = [side_of(each.interval(sure)) for each in cells]
    return sides


def pick_table(figures: Figures, scope: Scope) -> str:
    """One row a county: its worth, shrunken worth, what the printed numbers say, an army more, and each play."""
    sides, sure, plays, rows = sides_of(figures, scope), sure_of_worths(scope), plays_of(scope), []
    board, count, cells = ground_of(scope).board, len(sides), len(scope.cells(DEAL))
    for name in by_worth(figures, scope):
        above, below = (sides[name].count(side) for side in (1, -1))
        worth, pick, by_print, army = (
            figures.of(quantity, name, players=PLAYERS) for quantity in (WORTH, PICK, PRINT, ARMY)
        )
        rows.append(
            (
                name,
                board.regions[board.region[board.counties.index(name)]],
                as_text(worth, sure),
                number(pick.value, 2, "+"),
                number(by_print.value, 2, "+"),
                as_text(army, sure),
                *(number(figures.of(BY_PLAY, name, players=PLAYERS, play=play).value, 2, "+") for play in plays),
                NOTHING if name in ABOUT else f"{above} / {below}",
            )
        )
    heads = ("county", "region", "worth, VP", "shrunken", "by the print", "an army more", *plays, "above / below")
    what = (
        f"Worth in VP of a seat above the table's mean, against the mean county, over all plays and towers; 4 players, "
        f"counties dealt at random. Above / below: in how many of {cells} cells of play and tower the county "
        f"is known to lie above or below the mean county ({count * cells} simultaneous intervals); –: games of another "
        "seed judge a claim about the county, in the table of claims"
    )
    return f"{markdown_table(heads, rows)}\n\n{beneath(sure, scope.deals, what, 'games in each cell')}"


def neighbour_table(figures: Figures, scope: Scope) -> str:
    """What a neighbour more is worth, over all plays and in each."""
    plays, sure = plays_of(scope), sure_of_neighbours(scope)
    rows = [
        (name, *(as_text(figures.of(NEIGHBOUR, name, players=PLAYERS, play=play), sure) for play in ("", *plays)))
        for name in (*NEIGHBOURS, INSTEAD)
    ]
    what = "VP of a seat above the table's mean for one more at the start, of the fit that gives the worths of counties"
    return (
        markdown_table(("one more", "all plays", *plays), rows)
        + "\n\n"
        + beneath(sure, scope.deals, what, "games in each cell")
    )


def explained_table(figures: Figures, scope: Scope) -> str:
    """What each step of the regression explains of points, and what printed numbers explain of worths."""
    plays, first = plays_of(scope), scope.towers[0]
    at: list[dict[str, Any]] = [{"players": PLAYERS, "play": play} for play in plays]
    rows = [
        (f"points: {step}", "–", *(number(figures.of(EXPLAINED, step, tower=first, **each).value, 1) for each in at))
        for step in STEPS
    ]
    at = [{"players": PLAYERS, "play": ""}, *at]
    for words in FACTS:
        rows.append((f"worths: {words}", *(number(figures.of(BY_THE_PRINT, words, **each).value, 1) for each in at)))
    for name in WEIGHTS:
        weights = (number(figures.of(WEIGHT, name, **each).value, 2, "+") for each in at)
        rows.append((f"VP for one more: {name}", *weights))
    words = (
        f"The share, in per cent, of the variance of a seat's VP above the table's mean in single games that the start "
        f"explains ({scope.deals:,} games of each play, tower {first}); the share of the "
        "variance of the true worths of counties that a regression on printed numbers explains; and the weights of the "
        "last regression, towards which worths are shrunken (restricted likelihood, errors removed)."
    )
    return markdown_table(("what explains, %", "all plays", *plays), rows) + "\n\n" + words


def region_table(figures: Figures, scope: Scope) -> str:
    """One row a region: the mean worth of its counties and of an army more there, with 4 players, and with 3 and 5."""
    sure, first, rows = sure_of_regions(scope), scope.towers[0], []
    for region in ground_of(scope).board.regions:
        cells = [as_text(figures.of(quantity, region, players=PLAYERS), sure) for quantity in (REGION, REGION_ARMY)]
        cells += [
            as_text(figures.of(REGION_BY_PLAYERS, region, players=players, tower=first), sure) for players in SIZES
        ]
        rows.append((region, *cells))
    heads = ("mean of a region", "worth", "an army more", *(f"{players} players, worth" for players in SIZES))
    what = f"All plays; first two columns all towers with 4 players, the others tower {first}"
    return f"{markdown_table(heads, rows)}\n\n{beneath(sure, scope.deals, what, 'games in each cell')}"


def county_table(figures: Figures, scope: Scope) -> str:
    """One row a county: its worth by number of players, and how often the default picks it."""
    first, sure, rows = scope.towers[0], sure_of_players(scope), []
    there = {players: ground_of(scope, players).names for players in SIZES}
    for name in by_worth(figures, scope):
        worths = [
            as_text(figures.of(BY_PLAYERS, name, players=players, tower=first), sure)
            if name in there[players]
            else "not in play"
            for players in SIZES
        ]
        shares = (figures.of(quantity, name, players=PLAYERS, setup=DRAFT) for quantity in (TAKEN, WHEN_OPEN))
        rows.append((name, *worths, *(number(share.value, 0) for share in shares)))
    heads = ("county", *(f"{players} players" for players in SIZES), "drafted, %", "taken when open, %")
    what = (
        f"Worth in VP, all plays, tower {first}, strong play by the policies of each number of players. Drafted: share "
        "of drafts of 4 in which anybody takes the county; taken when open: by the first to pick; both without "
        f"intervals, {scope.drafts:,} drafts in each of {len(scope.cells(DRAFT))} cells. Worths"
    )
    return f"{markdown_table(heads, rows)}\n\n{beneath(sure, scope.deals, what, 'games in each cell')}"


def agreement(figures: Figures, scope: Scope) -> str:
    """How the worths of plays, and of numbers of players, go together."""
    plays = plays_of(scope)
    among = [
        figures.of(CORRELATION, f"{one} {other}", players=PLAYERS).value
        for place, one in enumerate(plays)
        for other in plays[place + 1 :]
    ]
    rates = []
    for play in plays:
        whole, opened = (
            figures.of(quantity, players=PLAYERS, play=play, setup=DRAFT).value for quantity in (PICKED, PICKED_OPEN)
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
