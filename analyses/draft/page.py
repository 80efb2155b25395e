"""The tables of the study `draft` about counties and neighbours, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import in_words, number
from wallsim.stats.blocks import Estimate, combined
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.stats.least_squares import Fit

from .cells import OTHERS, PLAYERS
from .deals import NEIGHBOURS
from .estimates import Draft
from .order import drafted, taken_when_open
from .worth import STEPS, Worths, printed

_FACTS = (("tax", "grain"), ("tax", "grain", "sites"), ("tax", "grain", "sites", "number of neighbours"), None)
_FACT_WORDS = ("tax and grain", "and sites", "and the number of neighbours", "and the region")
_PAIR, _BORDER, _REGION = NEIGHBOURS
_ORDER = (PLAYERS, *OTHERS)
_INSTEAD = "an own neighbour instead of another's"


def told(each: Estimate, sure: Confidence, decimals: int = 2) -> str:
    """An estimate with its sign and half-width."""
    return in_words(each.value, each.interval(sure), decimals, "+")


def beneath(sure: Confidence, units: int, what: str, unit: str = "games") -> str:
    """The line under a table: what it rests on, and the level of its intervals."""
    few = f" {sure.too_few(units, unit)}" if units < sure.min_blocks else ""
    return (
        f"{what}; {units:,} {unit}; the ± are half-widths of {sure.n_comparisons:,} simultaneous {LEVEL:.0%} "
        f"intervals, with errors by game.{few}"
    )


def plays_of(found: Draft) -> list[str]:
    """The names of the plays."""
    return [play.name for play in found.scope.plays]


def by_worth(found: Worths) -> list[str]:
    """The counties in play, the best first."""
    return sorted(found.ground.names, key=lambda name: -found.county(found.pooled, name).value)


def sides_of(found: Worths) -> dict[str, list[int]]:
    """On which side of the mean county each county is known to lie in each cell: 1, -1, or 0 where it is not known."""
    sure = Confidence(LEVEL, found.count * len(found.fits))
    sides: dict[str, list[int]] = {}
    for name in found.ground.names:
        intervals = [found.county(fit, name).interval(sure) or (-1.0, 1.0) for fit in found.fits.values()]
        sides[name] = [int(low > 0) - int(high < 0) for low, high in intervals]
    return sides


def agreed(found: Worths, side: int) -> list[str]:
    """The counties known to lie on one side of the mean county in every cell, the farthest first."""
    sides, order = sides_of(found), by_worth(found)
    return [name for name in (order if side > 0 else reversed(order)) if set(sides[name]) == {side}]


def pick_table(found: Draft) -> str:
    """One row a county: its worth, shrunken worth, what the printed numbers say, an army more, and each play."""
    main = found.main
    shrunk, sides = main.shrunk(main.pooled), sides_of(main)
    sure, board, rows = Confidence(LEVEL, 2 * main.count), main.ground.board, []
    each = {play: main.of_play(play) for play in plays_of(found)}
    for name in by_worth(main):
        place = main.ground.names.index(name)
        above, below = (sides[name].count(side) for side in (1, -1))
        rows.append(
            (
                name,
                board.regions[board.region[board.counties.index(name)]],
                told(main.county(main.pooled, name), sure),
                number(shrunk.values[place], 2, "+"),
                number(shrunk.predicted[place], 2, "+"),
                told(main.army(main.pooled, name), sure),
                *(number(main.county(fit, name).value, 2, "+") for fit in each.values()),
                f"{above} / {below}",
            )
        )
    heads = ("county", "region", "worth, VP", "shrunken", "by the print", "an army more", *each, "above / below")
    what = (
        f"Worth in VP of a seat above the table's mean, against the mean county, over all plays and towers; 4 players, "
        f"counties dealt at random. Above / below: in how many of {len(main.fits)} cells of play and tower the county "
        f"is known to lie above or below the mean county ({main.count * len(main.fits)} simultaneous intervals)"
    )
    return f"{markdown_table(heads, rows)}\n\n{beneath(sure, found.scope.deals, what, 'games in each cell')}"


def neighbour_table(found: Draft) -> str:
    """What a neighbour more is worth, over all plays and in each."""
    main, plays = found.main, plays_of(found)
    sure = Confidence(LEVEL, (len(NEIGHBOURS) + 1) * (1 + len(plays)))
    fits = [main.pooled, *(main.of_play(play) for play in plays)]
    rows = [(name, *(told(main.neighbour(fit, name), sure) for fit in fits)) for name in NEIGHBOURS]
    rows.append((_INSTEAD, *(told(instead(main, fit), sure) for fit in fits)))
    what = "VP of a seat above the table's mean for one more at the start, of the fit that gives the worths of counties"
    return (
        markdown_table(("one more", "all plays", *plays), rows)
        + "\n\n"
        + beneath(sure, found.scope.deals, what, "games in each cell")
    )


def instead(found: Worths, fit: Fit) -> Estimate:
    """What it is worth to hold a county's neighbour oneself rather than leave it to another seat."""
    return combined((1.0, -1.0), (found.neighbour(fit, _PAIR), found.neighbour(fit, _BORDER)))


def explained_table(found: Draft) -> str:
    """What each step of the regression explains of points, and what printed numbers explain of worths."""
    main, plays = found.main, plays_of(found)
    rows = [
        (f"points: {step}", "–", *(_percent(found.steps[step][play].explained) for play in plays)) for step in STEPS
    ]
    fits = [main.pooled, *(main.of_play(play) for play in plays)]
    for words, facts in zip(_FACT_WORDS, _FACTS, strict=True):
        rows.append((f"worths: {words}", *(_percent(main.shrunk(fit, facts).explained) for fit in fits)))
    weights = [main.shrunk(fit).weights for fit in fits]
    for place, name in enumerate(list(printed(main.ground))[:4]):
        rows.append((f"VP for one more: {name}", *(number(each[place], 2, "+") for each in weights)))
    words = (
        f"The share, in per cent, of the variance of a seat's VP above the table's mean in single games that the start "
        f"explains ({found.scope.deals:,} games of each play, tower {found.scope.towers[0]}); the share of the "
        "variance of the true worths of counties that a regression on printed numbers explains; and the weights of the "
        "last regression, towards which worths are shrunken (restricted likelihood, errors removed)."
    )
    return markdown_table(("what explains, %", "all plays", *plays), rows) + "\n\n" + words


def region_table(found: Draft) -> str:
    """One row a region: the mean worth of its counties and of an army more there, with 4 players, and with 3 and 5."""
    main, first = found.main, found.scope.towers[0]
    sure = Confidence(LEVEL, len(main.ground.board.regions) * 5)
    others = [found.worths[players] for players in OTHERS]
    home = [main.of_tower(first), *(each.pooled for each in others)]
    rows = []
    for place, region in enumerate(main.ground.board.regions):
        cells = [told(main.region(main.pooled, place, armies), sure) for armies in (False, True)]
        cells += [told(each.region(fit, place), sure) for each, fit in zip((main, *others), home, strict=True)]
        rows.append((region, *cells))
    heads = ("mean of a region", "worth", "an army more", *(f"{players} players, worth" for players in _ORDER))
    what = f"All plays; first two columns all towers with 4 players, the others tower {first}"
    return f"{markdown_table(heads, rows)}\n\n{beneath(sure, found.scope.deals, what, 'games in each cell')}"


def county_table(found: Draft) -> str:
    """One row a county: its worth by number of players, and how often the default picks it."""
    main, first = found.main, found.scope.towers[0]
    drafts = list(found.drafts.values())
    taken, opened = drafted(drafts), taken_when_open(drafts, found.cards)
    sure = Confidence(LEVEL, sum(each.count for each in found.worths.values()))
    rows = []
    for name in by_worth(main):
        cells = [told(main.county(main.of_tower(first), name), sure)]
        for players in OTHERS:
            each = found.worths[players]
            there = name in each.ground.names
            cells.append(told(each.county(each.pooled, name), sure) if there else "not in play")
        place = main.ground.board.counties.index(name)
        rows.append((name, *cells, number(taken[place], 0), number(opened[place], 0)))
    heads = ("county", *(f"{players} players" for players in _ORDER), "drafted, %", "taken when open, %")
    what = (
        f"Worth in VP, all plays, tower {first}, strong play by the policies of each number of players. Drafted: share "
        "of drafts of 4 in which anybody takes the county; taken when open: by the first to pick; both without "
        f"intervals, {found.scope.drafts:,} drafts in each of {len(drafts)} cells. Worths"
    )
    return f"{markdown_table(heads, rows)}\n\n{beneath(sure, found.scope.deals, what, 'games in each cell')}"


def pick_rates(found: Draft) -> list[tuple[str, float, float]]:
    """By play, the correlation of a county's worth with how often it is drafted, and taken first when open."""
    main, rows = found.main, []
    there = main.ground.counties
    for play in plays_of(found):
        worth, drafts = main.of_play(play).values[: main.count], found.of_play(play)
        whole = float(np.corrcoef(worth, drafted(drafts)[there])[0, 1])
        rows.append((play, whole, float(np.corrcoef(worth, taken_when_open(drafts, found.cards)[there])[0, 1])))
    return rows


def agreement(found: Draft) -> str:
    """How the worths of plays, and of numbers of players, go together."""
    main, plays = found.main, plays_of(found)
    values = np.array([main.of_play(play).values[: main.count] for play in plays])
    among = np.corrcoef(values)[np.triu_indices(len(plays), 1)]
    rates = pick_rates(found)
    told_rates = ", ".join(f"{play} {number(whole, 2)} and {number(opened, 2)}" for play, whole, opened in rates)
    return (
        f"Worths of two plays correlate with {number(among.min(), 2)} to {number(among.max(), 2)}. The correlation of "
        f"a county's worth with how often the default drafts it, and with how often the first to pick takes it when "
        f"it lies open, is {told_rates}: what is picked most is not what is worth most."
    )


def _percent(share: float) -> str:
    return number(100 * share, 1)


def listed(names: Sequence[str]) -> str:
    """Names with commas, or `none`."""
    return ", ".join(names) or "none"
