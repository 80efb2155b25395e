"""Draft: what is each county worth as a pick, who should pick first, and does a table of worths draft well?

Method. Counties and army groups are dealt at random, so that holding a county says nothing else about a seat. Least
squares of a seat's VP above the table's mean on the counties it was dealt, on their armies, and on neighbours (own
pairs, borders with other seats, pairs of a region) gives the worth of each, with errors by game; the worths of all
counties add to 0. Worths are shrunken towards what tax, grain, sites, neighbours and region predict (empirical Bayes).
Counties are dealt to every kind of bot under the first tower, to casual, master and scholar bots also under two others.
All these cells have the same deals, and a mean gives each of them the same weight. The pairs of counties that bring
most and least together, by these games, are judged by games of another seed. Drafts of another seed say what each place
in the order of picks brings; and in them one seat picks at random, by the printed yields or by the table of worths
against three that pick by default, in every seat in turn. Drafts of further seeds say what the table brings where
others draft by it, too, and what a response to it brings. CLAIMS are judged in all cells. Beside the picture,
`picks.pdf` is the table on one page. With --quick there are few cells and games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations

from wallsim.analysis.claims.cells import CASUAL, Cell, plays_in_words
from wallsim.experiment.file import load_experiment
from wallsim.report.tables.estimates import NOTHING, ends, number
from wallsim.stats.intervals import LEVEL, side_of
from wallsim.studies.claims import read_claims
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import MOST_NAMED, OVER_TOWERS, Finding, best_first, bots_of, either, listed, said
from wallsim.studies.grids import Grid, Line, estimate, held_together, lines, sure_of, value
from wallsim.studies.study import Choices, Judged, Study
from wallsim.studies.table_captions import QUICK, few

from ..lineups.games import cells_in_words
from ..robustness.answers import claims_table, differing, not_known
from . import deals, pairs
from . import drafters as by
from . import estimates as est
from .deals import DEAL, DRAFT, LINES, NEIGHBOURS, PLAYERS, SIZES, STEPS, Scope, ground_of, in_cell
from .estimates import ABOUT, CHOSEN, CLAIMS
from .picture import files, picture

_counties = partial(either, what="counties")
SHOWN = 10  # counties, the best ones
JOINT = 0.01  # the level of the joint tests that places, and seats, are equal
SIGNED, IN_TENTHS = estimate(2, "+"), estimate(1, "+")
_ALONE, _IN_HUNDREDTHS = value(2, "+"), value(2)
_CORRELATIONS = ("correlation-drafted", "correlation-taken")  # with the worths of counties


def finding_of(figures: Figures, scope: Scope) -> Finding:
    """The best pick of casual and of experienced players."""
    casual, experienced = (candidates(figures, scope, plays) for plays in ([CASUAL], LINES))
    title = f"{_counties(experienced)} is worth most to master and scholar bots, {_counties(casual)} to casual bots"
    if casual == experienced:
        title = f"{_counties(casual)} is worth most to casual, master and scholar bots"
    first, *others = casual
    unknown = not_known(figures, CLAIMS)
    told = f", {_not_from(others)}" if others else ""
    return Finding(
        f"{title[0].upper()}{title[1:]} {OVER_TOWERS}",
        f"When they draft, {first} is worth most ({_worth(figures, first, CASUAL)} VP){told}.",
        _experienced(figures, scope), unknown,
        "Map of the counties, coloured by value to strong bots who draft, mean of master and scholar bots",
        "" if unknown else differing(figures, CLAIMS),  # there is room for one of the two
    )  # fmt: skip


def best_of(figures: Figures, scope: Scope, play: str) -> list[str]:
    """The county that is worth most in a play, and after it those that are not distinguishable from it."""
    worths = est.worths_of(figures, scope, play)
    return best_first(worths, sure_of(list(worths.values())), largest=True)


def candidates(figures: Figures, scope: Scope, plays: Sequence[str]) -> list[str]:
    """The counties that may be worth most in all of some plays, in the order of the first; else the best of each."""
    best = [best_of(figures, scope, play) for play in plays]
    common = [name for name in best[0] if all(name in each for each in best)]
    return common or list(dict.fromkeys(each[0] for each in best))


def _experienced(figures: Figures, scope: Scope) -> str:
    (one, *near), (other, *close) = (best_of(figures, scope, play) for play in LINES)
    first, second = (_worth(figures, name, play) for name, play in zip((one, other), LINES, strict=True))
    if one != other:
        one, other = (f"{name}{f' ({_not_from(others)})' if others else ''}"
                      for name, others in ((one, near), (other, close)))  # fmt: skip
        return f"{one} is worth most to master bots ({first} VP), {other} to scholar bots ({second} VP)."
    bots = "" if near and close else f"for {'master' if near else 'scholar'} bots "
    told = f", {bots}{_not_from(list(dict.fromkeys([*near, *close])))}" if near or close else ""
    return f"{one} is worth most ({first} VP to master, {second} to scholar bots){told}."


def _worth(figures: Figures, name: str, play: str) -> str:
    return IN_TENTHS(figures.of(est.BY_PLAY, name, players=PLAYERS, play=play))


def _not_from(names: Sequence[str]) -> str:
    return f"not distinguishable from {listed(names, 'or') if len(names) <= MOST_NAMED else f'{len(names)} others'}"


def best_picks(figures: Figures, scope: Scope) -> Grid:
    """The ten best picks of casual players, and of experienced ones by the lower of its worths in their two lines.

    In a quick look those of the plays there are.
    """
    columns: list[Line] = []
    for name, plays in scope.players.items():
        worths = {play: est.worths_of(figures, scope, play) for play in plays}
        least = {county: min(one[county].value for one in worths.values()) for county in ground_of(scope).names}
        best = sorted(least, key=lambda county: -least[county])[:SHOWN]
        columns += [Line(name, texts=best)]
        columns += [Line(f"VP, {bots_of(play)}", texts=[SIGNED(one[county]) for county in best])
                    for play, one in worths.items()]  # fmt: skip
    under = beneath(
        f"Value in VP of its owner above the table's mean, against the mean county; {PLAYERS} players, mean of "
        f"{len(scope.towers)} towers, counties dealt at random; strong bots in the order of the lower value of "
        "master and scholar bots"
    )
    return Grid("pick", lines("", range(1, SHOWN + 1)), columns,
                under=under(list(est.worths_of(figures, scope, scope.names[0]).values())))  # fmt: skip


def beneath(what: str, units: str = "games in each cell") -> Callable[[Sequence[Figure]], str]:
    """The text under a table: what it rests on, and the level of its intervals."""
    sure = "the ± are half-widths of {family} simultaneous {level} intervals, with errors by game."
    return held_together(f"{what}; {{n}} {units}; {sure}", units)


def tables(figures: Figures, scope: Scope) -> Iterator[Grid | str]:
    """Counties, neighbours, pairs, what explains worths, regions, drafters, the order of picks, and the claims."""
    first, whole, plays = scope.towers[0], {"players": PLAYERS}, lines("play", scope.names)
    order = sorted(ground_of(scope).names, key=lambda name: -figures.of(est.WORTH, name, players=PLAYERS).value)
    yield scope_words(figures, scope)
    yield over_all_plays(figures, scope, order)
    yield _picks(figures, scope, order)
    what = "VP of a seat above the table's mean for one more at the start, of the fit that gives the worths of counties"
    yield Grid("one more", lines("item", (*NEIGHBOURS, deals.INSTEAD)), (Line("all plays"), *plays),
               {**whole, "quantity": est.NEIGHBOUR}, SIGNED, beneath(what))  # fmt: skip
    yield from _pairs(figures, scope)
    yield Grid("what explains, %", (
        *lines("item", STEPS, "points: {}".format, quantity="points-explained", tower=first, show=value(1)),
        *lines("item", est.FACTS, "worths: {}".format, quantity="worths-explained", show=value(1)),
        *lines("item", est.WEIGHTS, "VP for one more: {}".format, quantity="weight", show=_ALONE),
    ), (Line("all plays"), *plays), whole, under=(
        f"The share, in per cent, of the variance of a seat's VP above the table's mean in single games that the start "
        f"explains ({scope.deals:,} games of each play, tower {first}); the share of the "
        "variance of the true worths of counties that a regression on printed numbers explains; and the weights of the "
        "last regression, towards which worths are shrunken (restricted likelihood, errors removed)."
    ))  # fmt: skip
    what = f"First two columns all cells with 4 players, the others all plays, tower {first}"
    yield Grid("mean of a region", lines("item", ground_of(scope).board.regions), (
        Line("worth", {"quantity": "region"}), Line("an army more", {"quantity": "region-army"}),
        *lines("players", SIZES, "{} players, worth".format, quantity="region-by-players", tower=first),
    ), whole, SIGNED, beneath(what))  # fmt: skip
    there = {size: ground_of(scope, size).names for size in SIZES}
    yield Grid("county", lines("item", order), (
        *lines("players", SIZES, "{} players".format, quantity="worth-by-players", tower=first, show=SIGNED),
        *(Line(head, {"quantity": quantity, "players": PLAYERS, "setup": DRAFT}, value(0))
          for head, quantity in (("drafted, %", est.TAKEN), ("taken when open, %", est.WHEN_OPEN))),
    ), under=beneath(
        f"Worth in VP, all plays, tower {first}, strong play by the policies of each number of players. Drafted: share "
        "of drafts of 4 in which anybody takes the county; taken when open: by the first to pick; both without "
        f"intervals, {scope.drafts:,} drafts in each of {len(scope.cells(DRAFT))} cells. Worths"
    ), texts={(name, f"{size} players"): "not in play" for size in SIZES for name in order if name not in there[size]}
    )  # fmt: skip
    yield agreement(figures, scope)
    units = {"points": "VP above the table's mean", "wins": "wins above the fair share, % points"}
    for result, unit in units.items():
        what = (
            f"{unit[0].upper()}{unit[1:]} of one seat that picks so against three of the default, over all seats and "
            "the play's towers; the default itself brings 0. Fresh drafts, not of the seed that the tables were "
            "estimated on"
        )
        yield Grid(f"one seat picks by, {unit}", lines("item", by.DRAFTERS), plays,
                   {**whole, "quantity": est.GAIN[result], "setup": DRAFT}, SIGNED,
                   beneath(what, f"drafts of each drafter in each cell, each in {PLAYERS} seats"))  # fmt: skip
    yield from rival_tables(figures, scope)
    heads, wins = ("picks first, VP", *est.ORDINALS[1:]), est.PLACE["wins"]
    yield Grid("play", plays, (
        *(Line(head, {"quantity": est.PLACE["points"], "item": item})
          for head, item in zip(heads, est.ORDINALS, strict=True)),
        Line("wins of the first, % points", {"quantity": wins, "item": "first"}, IN_TENTHS),
        Line("wins of the last", {"quantity": wins, "item": "last"}, IN_TENTHS),
        Line("places equal, p", {"quantity": "places-equal"}, estimate(4)),
        Line("seats equal, p", {"quantity": "seats-equal"}, estimate(4)),
        Line(f"first less last, Thalers ({first})",
             {"quantity": "first-less-last", "item": est.THALERS, "tower": first}, IN_TENTHS),
    ), {**whole, "setup": DRAFT}, SIGNED, beneath(
        "VP above the table's mean and wins above the fair share by place in the order of picks, the default in all "
        "seats, `draft_start = random`, mean of the play's towers; p of Hotelling's joint test, judged at "
        f"{JOINT:g}; Thalers at the price of the study `price` in the same cell, mean of all rounds",
        "drafts in each cell"), gaps=True)  # fmt: skip
    yield _claims(figures, scope)


def scope_words(figures: Figures, scope: Scope) -> str:
    """What was played: games, plays, towers, seeds, engine version, and what is assumed."""
    experiment = load_experiment(deals.EXPERIMENT)
    assumed = ", ".join(experiment.components().assumed())
    return (
        f"{QUICK * scope.quick}{scope.deals:,} games with counties dealt at random in each of "
        f"{len(scope.cells(DRAFT))} cells of play and tower, games from 0 on of seed {experiment.seed}; "
        f"{scope.drafts:,} drafts in each, of seed {in_cell(scope.home(DRAFT)).seed}, {scope.matches:,} of them again "
        f"with each drafter in each seat; {PLAYERS} players, where nothing else is said; engine version "
        f"{figures.engine}. Plays: {plays_in_words(scope.plays)}. Cells: {cells_in_words(scope.cells(DRAFT))}. Assumed "
        f"figures in use: {assumed or 'none'}; least certain on the board is the border of Altmark and Vorpommern."
    )


def over_all_plays(figures: Figures, scope: Scope, order: Sequence[str]) -> str:
    """What the tables say of all plays: counties, neighbours, the drafter by the table, and who picks first."""
    first, last = (SIGNED(figures.of(est.WORTH, name, players=PLAYERS)) for name in (order[0], order[-1]))
    tests = {play: figures.find("places-equal", players=PLAYERS, play=play, setup=DRAFT) for play in scope.names}
    unequal = [play for play, test in tests.items() if test is not None and test.value < JOINT]
    gains = (figures.of("headline", est.GAIN_OF_TABLE, players=PLAYERS, play=play, setup=DRAFT) for play in scope.names)
    price = figures.of("headline", est.THALERS, players=PLAYERS, cell=scope.home(DRAFT))
    thalers = f"{number(price.value, 1, '+')} Thalers" + (f" ({ends(price.ends, 1)})" if price.ends else "")
    return said(
        f"Mean of all cells: the worths of counties go from {first} VP ({order[0]}) to {last} ({order[-1]}) "
        "against the mean county. Each border with another seat's county at the start brings "
        "{headline.4p.border-with-another-seat|2 +} VP, and to hold a neighbour oneself instead "
        "{headline.4p.an-own-neighbour-instead-of-another-s|2 +}. Printed numbers, neighbours and region explain "
        "{worths-explained.4p.and-the-region|0 value} % of the variance of worths. One seat that picks by the table "
        f"against three of the default gains {', '.join(f'{SIGNED(gain)} VP in {gain.play} play' for gain in gains)}. "
        f"Places in the order of picks are known to be unequal in {', '.join(unequal) or 'none'} play; in strong play, "
        f"tower {scope.towers[0]}, the first to pick ends with "
        f"{{headline.4p.first-less-last/strong/{scope.towers[0]}/draft|2 +}} VP, which is {thalers}, more than the "
        "last.", figures)  # fmt: skip


def sides_of(figures: Figures, scope: Scope) -> dict[str, list[int]]:
    """On which side of the mean county each county is known to lie in each cell: 1, -1, or 0 where it is not known."""
    return {
        name: [side_of(each.ends) for each in figures.cells(est.BY_CELL, name, players=PLAYERS).values()]
        for name in ground_of(scope).names
    }


def _picks(figures: Figures, scope: Scope, order: Sequence[str]) -> Grid:
    """One row a county: its worth, shrunken worth, what the printed numbers say, an army more, and each play."""
    sides, board, cells = sides_of(figures, scope), ground_of(scope).board, len(scope.cells(DEAL))
    known = [NOTHING if name in ABOUT else f"{sides[name].count(1)} / {sides[name].count(-1)}" for name in order]
    what = (
        f"Worth in VP of a seat above the table's mean, against the mean county, mean of all cells; 4 players, "
        f"counties dealt at random. Above / below: in how many of {cells} cells of play and tower the county "
        f"is known to lie above or below the mean county ({len(order) * cells} simultaneous intervals); –: games of "
        "another seed judge a claim about the county, in the table of claims"
    )
    return Grid("county", lines("item", order), (
        Line("region", texts=[board.regions[board.region[board.counties.index(name)]] for name in order]),
        Line("worth, VP", {"quantity": est.WORTH}, SIGNED), Line("shrunken", {"quantity": est.PICK}),
        Line("by the print", {"quantity": "by-the-print"}), Line("an army more", {"quantity": "army"}, SIGNED),
        *lines("play", scope.names, quantity=est.BY_PLAY), Line("above / below", texts=known),
    ), {"players": PLAYERS}, _ALONE, beneath(what))  # fmt: skip


def _pairs(figures: Figures, scope: Scope) -> Iterator[Grid | str]:
    """The pairs that were chosen for each kind of table: those of one seat, and those that border."""
    family = 0
    for kind, by_group in pairs.judged_pairs(figures, scope).items():
        chosen = [(deals.GROUPS[group], each) for group, found in by_group.items() for each in found]
        at = {"quantity": pairs.EFFECT[kind], "players": PLAYERS, "tower": scope.towers[0], "setup": DEAL}
        rows = [Line((" and ".join(each.pair), group), {"item": " and ".join(each.pair)}) for group, each in chosen]
        family = max(family, *(figure.family for _, each in chosen for figure in each.effects.values()))
        yield Grid(("both of one seat" if kind == pairs.TOGETHER else "one of each of two seats", "chosen for"), rows, (
            *lines("play", scope.at_tables, lambda play: f"VP, {bots_of(play)}"),
            Line("in all of these plays", texts=[each.verdict for _, each in chosen]),
        ), at, SIGNED)  # fmt: skip
    seed = in_cell(scope.home(DEAL)).seed
    yield (
        "Pairs of counties: VP of a seat beyond the worths of both counties, counties dealt at random. The "
        f"{pairs.CHOSEN} pairs at each end, and the {pairs.CHOSEN} borders that cost most, are chosen by the "
        f"{scope.deals:,} games of seed {seed} and judged by {scope.pairs:,} of seed {seed + pairs.SEEDS}, tower "
        f"{scope.towers[0]}; the ± are half-widths of {family:,} simultaneous {LEVEL:.0%} intervals over "
        "blocks of games."
    )


def agreement(figures: Figures, scope: Scope) -> str:
    """How the worths of plays, and of numbers of players, go together."""
    of = partial(figures.of, players=PLAYERS)
    among = [of("correlation-of-plays", f"{one} {other}").value for one, other in combinations(scope.names, 2)]
    rates = (f"{play} {' and '.join(_IN_HUNDREDTHS(of(what, play=play, setup=DRAFT)) for what in _CORRELATIONS)}"
             for play in scope.names)  # fmt: skip
    return (
        f"Worths of two plays correlate with {number(min(among), 2)} to {number(max(among), 2)}. The correlation of "
        f"a county's worth with how often the default drafts it, and with how often the first to pick takes it when "
        f"it lies open, is {', '.join(rates)}."
    )


def rival_tables(figures: Figures, scope: Scope) -> Iterator[Grid | str]:
    """What one more table drafter gains by how many others there are, and the responses, with a sentence on both."""
    plays, where = scope.at_tables, {"tower": scope.towers[0], "setup": DRAFT}
    rows = [Line((str(players), f"{others} of {players - 1}"), {"players": players, "item": f"{others} others"})
            for players in scope.rivals for others in range(players)]  # fmt: skip
    yield Grid(("players", "others who draft by the table"), rows, (
        *lines("play", plays, lambda play: f"VP, {bots_of(play)}", quantity=by.ONE_MORE["points"], show=SIGNED),
        *lines("play", plays, "wins, {}, % points".format, quantity=by.ONE_MORE["wins"], show=IN_TENTHS),
    ), where)  # fmt: skip
    yield Grid("one seat picks by the response, three by the table", lines("play", plays), (
        Line("VP", {"quantity": by.RESPONSE["points"]}, SIGNED),
        Line("wins, % points", {"quantity": by.RESPONSE["wins"]}, IN_TENTHS),
        Line("correlation of the worths of counties", {"quantity": by.SAME_WORTHS}, _IN_HUNDREDTHS),
        *lines("item", by.TABLES, "VP for a border, in {}".format, quantity=by.BORDERS, show=_ALONE),
    ), {**where, "players": PLAYERS})  # fmt: skip
    cells = [Cell(name, scope.towers[0], DRAFT) for name in plays]
    less = [figures.of(by.ALL_LESS_NONE, players=PLAYERS, cell=cell) for cell in cells]
    judged, fitted = (by.in_table(scope, plays[0], PLAYERS, shift).seed for shift in (by.JUDGED, by.FITTED))
    sure, fewest = sure_of(less), min(scope.rivals.values())
    yield (
        f"The table is that of the same play and number of players. {_verdicts(figures, scope)} Where all {PLAYERS} "
        "seats draft by it instead of none, a seat's mean result changes by "
        f"{', '.join(f'{SIGNED(each)} ({each.play})' for each in less)} VP. VP in the tables are above the table's "
        "mean. Of each draft number every set of seats drafts by the table: "
        f"{', '.join(f'{count:,} blocks with {players} players' for players, count in scope.rivals.items())}, seed "
        f"{judged}, tower {scope.towers[0]}. The response is estimated from {scope.deals:,} drafts of seed {fitted} in "
        f"which all seats go by the table. The ± are half-widths of {sure.n_comparisons} simultaneous {LEVEL:.0%} "
        f"intervals.{few(sure, fewest)}"
    )


def _verdicts(figures: Figures, scope: Scope) -> str:
    """In which plays the table is known to gain, or to cost, however many others draft by it."""
    sides = {name: side_among(figures, scope, name) for name in scope.at_tables}
    told = {side: " and ".join(name for name in sides if sides[name] == side) for side in (1, -1, None, 0)}
    known = [f"{verb} points in {told[side]} play" for side, verb in ((1, "gains"), (-1, "costs")) if told[side]]
    words = [f"With {PLAYERS} players it {' and '.join(known)}, however many others draft by it."] if known else []
    if told[None]:
        words.append(f"Whether it gains with {PLAYERS} players depends on the others in {told[None]} play.")
    if told[0]:
        words.append(f"Whether it always gains with {PLAYERS} players is not known for {told[0]} play.")
    return " ".join(words)


def side_among(figures: Figures, scope: Scope, play: str) -> int | None:
    """1 if the table is known to gain however many others draft by it, -1 if it is known to cost, None where it turns.

    0 where neither is known for each number of others. With four players.
    """
    cell = Cell(play, scope.towers[0], DRAFT)
    sides = {side_of(figures.of(by.ONE_MORE["points"], f"{others} others", players=PLAYERS, cell=cell).ends)
             for others in range(PLAYERS)}  # fmt: skip
    return None if {1, -1} <= sides else sides.pop() if len(sides) == 1 else 0


def _claims(figures: Figures, scope: Scope) -> str:
    """Every claim with its extremes over the cells, and the answer."""
    sure = read_claims(figures, CLAIMS, scope.plays, players=PLAYERS).confidence
    least = min(scope.deals, scope.drafts, scope.matches)
    words = (
        f"Lowest and highest are of {len(scope.cells(DRAFT))} cells of play and tower, dealt or drafted, by "
        f"{sure.n_comparisons:,} simultaneous {LEVEL:.0%} intervals.{few(sure, least, 'games')} The "
        f"{len(CHOSEN)} claims about single counties were chosen by the tables of this study, so only games of another "
        "seed judge them."
    )
    return f"{claims_table(figures, CLAIMS, scope.plays, players=PLAYERS, decimals=2)}\n\n{words}"


STUDY = Study(
    __file__, __doc__, deals.scope_of, est.identity, est.play, picture=picture, finding=finding_of, first=best_picks,
    tables=tables, files=files, quantities=est.QUANTITIES,
    judged=(Judged(CLAIMS, est.claim_outcomes, games_a_row=2, setups=("draft",),
                   given=lambda: est.read_picks()._asdict(), chosen=CHOSEN),),
    games="games dealt in each play and tower instead of the experiment's", colours="shades",
    sample=Choices(games=320),
)  # fmt: skip
