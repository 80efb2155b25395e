"""The ladder: how strong is every bot, how do master and scholar bots meet, and does a search beat them?

Method. The policies play a tournament at the table of `experiment.toml`: in every block each set of them that fills the
table plays in all rotations over the seats, and strengths are fitted to the rankings (Plackett and Luce), with
intervals from resampled blocks. They play as many blocks in the draft, and the two ladders are compared. Then, with
three, four and five players, the taught policy and each line of strong play sit alone among copies of each other, under
three towers; under the first also among `balanced`, and with four players among an earlier strong policy. The search
sits among copies of the policy whose weights it plays with. Last, one seat each of the taught policy, the lines and
earlier strong ones meet. All play in every seat in turn, with line-ups and in the draft; a block is a game number.
Games lie in the folder named and are not played again if they are there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, permutations

import numpy as np
from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims import cells as plays
from wallsim.analysis.claims.cells import SETUPS, named
from wallsim.analysis.tournament.agreement import MEASURES, Agreement
from wallsim.analysis.tournament.payoffs import Payoffs, cycles, upsets
from wallsim.analysis.tournament.ratings import RESAMPLES, Fit, Rating, Ratings
from wallsim.folder.interim_analyses import looks_in_words
from wallsim.markdown import literal, markdown_table, paragraph
from wallsim.report.figures.ratings import ladder
from wallsim.report.tables import tournament
from wallsim.report.tables.estimates import NOTHING, bounded, tau_in_words
from wallsim.rules.other_settings import SETUP_WORDS
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import BOTS, MOST_ROWS, RESTS_ON, Finding
from wallsim.studies.grids import Grid, Line, estimate, held_together, lines
from wallsim.studies.orders import read_order
from wallsim.studies.study import Choices, Study
from wallsim.studies.table_captions import few
from wallsim.studies.two_lines import SECOND

from . import estimates as it
from .estimates import BOTH, DRAFT, LEVEL_OF_BOTH, LINEUP, SEATS, TOWERS, Design, times

LINES = (plays.STRONG_POLICY, plays.SECOND_POLICY)
KINDS = {
    **{each.policy: BOTS.get(each.name, each.name) for each in plays.default_plays()},
    plays.EARLIER_POLICIES[4][0]: "tuned weights",
    **dict.fromkeys(("conqueror", "builder", "farmer", "banker"), "a style"),
}
_PLACES = [{"tower": tower, "setup": setup} for tower in TOWERS for setup in SETUPS]
BY_TOWER = (  # columns of wins
    Line("games", _PLACES[0], lambda each: f"{each.n * each.players:,}"),
    Line("fair", _PLACES[0], lambda each: bounded(each.null, 1)),
    *(Line(f"`{at['tower']}`, {SETUP_WORDS[at['setup']]}", at) for at in _PLACES),
)
_SEED = 1  # of the resamples, that of `rate`


def find(figures: Figures, quantity: str, item: str = "", setup: str = "", tower: str = "") -> Figure | None:
    """A figure of the tournaments, or of the tables beside them under a tower; None without it."""
    return figures.find(quantity, item, players=SEATS, setup=setup, tower=tower)


def ratings_of(figures: Figures, design: Design, setup: str = LINEUP, quantity: str = "strength") -> Ratings:
    """A ladder without the strengths of the resamples, with its own intervals or those of BOTH ladders."""
    names = [policy.name for policy in design.tournaments[LINEUP].policies]

    def of(quantity: str, name: str = "") -> Figure:
        return figures.of(quantity, name, players=SEATS, setup=setup)

    def rating(name: str) -> Rating:
        strength, wins, points, games = (of(each, name) for each in (quantity, "wins", "points", "policy-games"))
        above, side = (find(figures, each, name, setup) for each in ("above-next", "open-strength"))
        return Rating(
            policy=name, games=int(games.value), seats=int(games.value), blocks=wins.n,
            strength=strength.value, interval=strength.ends,
            open="" if side is None else next(word for word, sign in it.SIDES.items() if sign == side.value),
            win_share=wins.value / 100, win_interval=times(0.01, wins.ends), vp=points.value, vp_interval=points.ends,
            above_next=None if above is None else above.value / 100,
        )  # fmt: skip

    largest = None
    for one, other in permutations(names, 2):
        seen, expected = (find(figures, each, f"{one} {other}") for each in ("seen", "expected"))
        if seen is not None and expected is not None:
            largest = one, other, seen.value / 100, expected.value / 100
    departure, chance = (None if each is None else each.value / 100
                         for each in (find(figures, "departure"), find(figures, "departure-by-chance")))  # fmt: skip
    fitted = figures.of("fitted-pairs", players=SEATS)
    return Ratings(
        ladder=tuple(map(rating, sorted(names, key=lambda name: of("rank", name).value))),
        games=int(of("games").value), blocks=of(quantity, names[0]).n, players=(SEATS,), fair=1 / SEATS,
        level=LEVEL if quantity == "strength" else LEVEL_OF_BOTH, resamples=RESAMPLES, seed=_SEED,
        fit=Fit(int(fitted.value), departure, largest, chance), unbounded=of("unbounded-resamples").value,
        samples=np.zeros((0, len(names))),
    )  # fmt: skip


def payoffs_of(figures: Figures, ratings: Ratings) -> Payoffs:
    """Who finishes before whom, in the order of the ladder; without points and numbers of blocks."""
    names, size = ratings.policies, len(ratings.policies)
    before, low, high, none = (np.full((size, size), np.nan) for _ in range(4))
    games = np.zeros((size, size), np.int64)
    for i, j in combinations(range(size), 2):
        row, met = (find(figures, each, f"{names[i]} {names[j]}") for each in ("before", "games-with-both"))
        if row is not None and met is not None:
            before[i, j], low[i, j], high[i, j] = (each / 100 for each in (row.value, row.low, row.high))
            before[j, i], low[j, i], high[j, i] = (1 - each[i, j] for each in (before, high, low))
            games[[i, j], [j, i]] = met.value
    return Payoffs(names, before, low, high, none, none, none, games, 0 * games, 0, ratings.level)


def looks_of(figures: Figures, design: Design, *, repeated: bool) -> list[str]:
    """A sentence for each ladder that was looked at more than once, or for each that was looked at only once."""
    sentences = []
    for setup in design.tournaments:
        looks: list[int] = []
        while (look := find(figures, "look", f"{len(looks) + 1}", setup)) is not None:
            looks.append(int(look.value))
        if looks and (len(looks) > 1) == repeated:
            sentences.append(f"{SETUP_WORDS[setup].capitalize()}: {looks_in_words(tuple(looks))}")
    return sentences


def finding(figures: Figures, design: Design) -> Finding | None:
    """What strong play wins against casual play, and the two lines against each other; None if they did not meet."""
    casual = [_before(figures, line, plays.CASUAL_POLICY) for line in LINES]
    places = (LINES, LINES[::-1], (plays.SEARCH_POLICY, plays.SEARCHED_POLICY))
    met = [find(figures, "wins-alone", " among ".join(place), DRAFT, TOWERS[0]) for place in places]
    found = [each for each in (*casual, *met) if each is not None]
    if len(found) < len(casual) + len(met):
        return None
    shares = " and ".join(dict.fromkeys(bounded(each.value, 0, 100.0) for each in found[: len(casual)]))
    won = [estimate(1, top=100.0)(each) for each in found]
    return Finding(
        f"Master and scholar bots finish before casual ones in {shares} % of games; {_between(figures)} {RESTS_ON}",
        f"Master bots finish before them in {won[0]} % of games, scholar bots in {won[1]} %.",
        f"Drafting, one master wins {won[2]} % among scholar bots{_elsewhere(figures, LINES)}; one scholar wins "
        f"{won[3]} % among master bots.",
        f"How good bots can be: one that searches wins {won[4]} % among master bots; 25 % is fair.",
        "Strength of every policy with its interval, the strongest on top",
    )


def _elsewhere(figures: Figures, place: Sequence[str]) -> str:
    """The tower under which one seat among others is known to win most unlike under the first, in words, or nothing."""
    first, *others = (find(figures, "wins-alone", " among ".join(place), DRAFT, tower) for tower in TOWERS)
    if first is None:
        return ""
    unlike = [each for each in others if each and (each.low > first.high or each.high < first.low)]
    most = max(unlike, key=lambda each: abs(each.value - first.value), default=None)
    return f", and {estimate(1, top=100.0)(most)} % under the tower {most.tower}" if most else ""


def _before(figures: Figures, one: str, other: str) -> Figure | None:
    """How often a policy finishes before another, in per cent; None where that is not known."""
    row = find(figures, "before", f"{one} {other}")
    if (turned := find(figures, "before", f"{other} {one}")) is not None:
        row = replace(turned, value=100 - turned.value, low=100 - turned.high, high=100 - turned.low)
    return None if row is None or row.ends is None else row


def _between(figures: Figures) -> str:
    """Which line of strong play is known to win more where all policies meet, in words: as the short table has it."""
    known = {}
    for setup in SETUPS:
        one, other = (find(figures, "wins", line, setup) for line in LINES)
        if one is not None and other is not None and (one.low > other.high or other.low > one.high):
            more, fewer = ("master", "scholar") if one.low > other.high else ("scholar", "master")
            known[setup] = f"{more} bots win more than {fewer} bots"
    if len(set(known.values())) > 1:
        return "which of the two wins more depends on the set-up"
    if not known:
        return "which of the two wins more is not known"
    where = "" if len(known) == len(SETUPS) else f" ({', '.join(SETUP_WORDS[setup] for setup in known)})"
    return f"among all bots, {next(iter(known.values()))}{where}"


def first(figures: Figures, design: Design) -> Grid:
    """One row per policy but the strong ones of before: place and wins, with line-ups and in the draft."""
    names = ratings_of(figures, design).policies
    shown = [name for name in names if name not in plays.EARLIER_POLICIES[4]][:MOST_ROWS]
    shows = {"place": ("rank", lambda each: f"{int(each.value)}"), "wins, %": ("wins", estimate(1, top=100.0))}
    columns = [Line(f"{what}, {SETUP_WORDS[setup]}", {"quantity": quantity, "setup": setup}, show)
               for setup in SETUPS for what, (quantity, show) in shows.items()]  # fmt: skip

    def under(used: Sequence[Figure]) -> str:
        few = "" if any(each.ends for each in used) else "; too few blocks for intervals"
        return (
            f"Places among {len(names)} policies, wins of a seat where all of them meet: {100 / SEATS:.0f} % is "
            f"fair. The ± are half-widths of simultaneous {LEVEL:.0%} intervals{few}."
        )

    kinds = Line("kind of bot", texts=[KINDS.get(name, NOTHING) for name in shown])
    return Grid("policy", lines("item", shown, named), [kinds, *columns], {"players": SEATS}, under=under)


def tables(figures: Figures, design: Design) -> Iterator[Grid | str]:
    """Both ladders and how far they agree, what contradicts them, and the tables beside the tournaments."""
    ratings = ratings_of(figures, design)
    ladders = {setup: ratings_of(figures, design, setup, BOTH) for setup in SETUPS}
    yield games_played(figures, ladders, design)
    yield from looks_of(figures, design, repeated=True)
    rows = tournament.ladder_rows(ratings)
    yield markdown_table(tournament.LADDER, [(place, literal(name), *rest) for place, name, *rest in rows])
    yield from tournament.ladder_notes(ratings)
    cells: dict[str, list[str]] = {name: [literal(name)] for name in ratings.policies}
    for result in ladders.values():
        for place, each in enumerate(result.ladder, start=1):
            cells[each.policy] += str(place), tournament.strength_of(each)
    heads = ("policy", *(f"{what}, {SETUP_WORDS[setup]}" for setup in ladders for what in ("rank", "strength")))
    yield markdown_table(heads, list(cells.values()))
    yield draft_words(figures, ladders)
    matrix = payoffs_of(figures, ratings)
    against = tournament.cycle_rows(upsets(matrix, ratings.policies), cycles(matrix, ratings.policies))
    agreed = {name: find(figures, "agreement", name) for name in MEASURES}
    rows = tournament.agreement_rows([Agreement(name, each.value, each.ends) for name, each in agreed.items() if each])
    yield "\n".join([
        "Known to run against the ladder:" if against else "No pair and no cycle of three is known to run against it.",
        *(f"- {paragraph('; '.join(filter(None, row)))}" for row in against), "",
        markdown_table(tournament.AGREEMENT, rows),
    ])  # fmt: skip
    meetings = dict.fromkeys((each.players, each.name, each.host) for each in design.visits)
    yield Grid(("players", "one seat of", "among"), [
        Line((str(players), named(name), f"{players - 1} × {named(host)}"),
             {"item": f"{name} among {host}", "players": players}) for players, name, host in meetings
    ], BY_TOWER, {"quantity": "wins-alone"}, estimate(1, top=100.0),
        f"Wins in %, of one seat among copies of another bot. The ± are half-widths of {LEVEL:.0%} intervals; all "
        f"{len(design.visits)} hold simultaneously. The tower `rulebook` is left out, as a stress case that clashes "
        "with nearly all reports of real games.")  # fmt: skip
    yield Grid(("players", "one seat of"), [
        Line((str(players), named(name)), {"item": name, "players": players})
        for players in dict.fromkeys(at.players for at in design.company) for name in it.COMPANY[players]
    ], BY_TOWER, {"quantity": "wins-in-company"}, estimate(1, top=100.0), held_together(
        "Wins in %, where one each of the bots for this number of players meet. The ± are half-widths of {level} "
        "intervals; all {family} hold simultaneously."))  # fmt: skip


def games_played(figures: Figures, ladders: Mapping[str, Ratings], design: Design) -> str:
    """What was played."""
    table, result = design.tournaments[LINEUP].table, ladders[LINEUP]
    return (
        f"{len(result.policies)} policies, {result.blocks:,} blocks of {result.games // result.blocks:,} games: "
        f"{result.games:,} games with line-ups, and {ladders[DRAFT].games:,} in the draft; "
        f"{table.players} players, tower {table.tower}, seed {table.seed}, engine version {figures.engine}. All is "
        "with line-ups where the draft is not named, and under this tower where no other is. Intervals hold for all "
        f"policies simultaneously with {LEVEL:.0%}."
    )


def picture(figures: Figures, design: Design) -> Picture:
    """The ladder with line-ups; policies have the names that commands know."""
    ratings = ratings_of(figures, design)
    return ladder(replace(ratings, ladder=tuple(
        replace(each, policy=plays.command_name(each.policy, SEATS)) for each in ratings.ladder
    )))  # fmt: skip


def draft_words(figures: Figures, ladders: Mapping[str, Ratings]) -> str:
    """What the draft's ladder rests on, and how far both ladders are in the same order."""
    drafted, blocks = ladders[DRAFT], min(each.blocks for each in ladders.values())
    strengths = {rating.policy: rating.strength for rating in ladders[LINEUP].ladder}
    order = read_order(figures, it.ORDER, strengths, players=SEATS)
    notes = [f"Of the draft: {drafted.games:,} games in {drafted.blocks:,} blocks."]
    if all(result.blocks >= result.confidence.min_blocks for result in ladders.values()):
        notes.append(f"Here ± hold for all strengths of both ladders simultaneously with {LEVEL:.0%}.")
    notes += dict.fromkeys(note for result in ladders.values() for note in result.notes)
    notes.append(
        f"Kendall's tau between the two ladders is {tau_in_words(order)}: of {order.pairs} pairs {len(order.same)} are "
        f"known to be in the same order on both, {len(order.turned)} in opposite order, and of {len(order.open)} it is "
        "not known."
    )
    needed = Confidence(LEVEL, order.pairs * len(ladders))
    return " ".join(notes) + few(needed, blocks)


STUDY = Study(
    __file__, __doc__, it.design, it.identity, it.play, finding=finding, first=first, tables=tables,
    printed=partial(looks_of, repeated=False),  # how often a ladder was looked at is always printed
    picture=picture, quantities=it.QUANTITIES,
    options=(it.NAMES, it.OF_BLOCKS, it.OF_SEARCHES, SECOND), games="games of each table with a strong policy",
    quick=Choices(games=120, options={"blocks": "8", "searches": "4"}),
    sample=Choices(games=120, options={"blocks": "8", "searches": "2"}),
)  # fmt: skip
