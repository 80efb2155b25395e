"""A first look: which printed line-up wins, and does the answer hold for other players, towers, seats and set-ups?

Method. A block is a game number, played in all eight arrangements of the line-ups over the four seats: the rotations of
A B C D and of its mirror image. A cell is a play (four seats alike, from weak to two lines of strong play) under a
tower; every play is combined with every tower. `experiment.toml` is the baseline cell and sets its number of games;
everything else, including the seed, is the same in every cell. Estimates are means over blocks, with Student's t
intervals from the spread of the blocks. CLAIMS are judged in all cells, with intervals that hold simultaneously; a
claim is robust if it holds in every one. That no seat is better than another is tested jointly and paired by block, in
the baseline cell. Drafted games have no line-ups: they are played for every play under the baseline's tower, and the
answer says what can be compared. Every run lies in a folder PLAY/TOWER/ARRANGEMENT below the one named, and is not
played again if it is there. Whether line-up A wins more than its share in every cell is asked by the study `lineups`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import polars as pl
from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import TOWERS, Cell
from wallsim.analysis.claims.plays import STRONG as STRONG_PLAY
from wallsim.analysis.claims.plays import plays_in_words
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import code
from wallsim.report.tables.estimates import bounded, ends, in_words, number
from wallsim.report.tables.verdicts import counted_sides, extreme
from wallsim.runs.experiment_file import load_experiment
from wallsim.studies.claims import CLAIM, add_claims, read_claims
from wallsim.studies.figure import Figure, Figures, Rows
from wallsim.studies.finding import Finding
from wallsim.studies.grids import Grid, Line, estimate, held_together, lines, sure_of, texts_of, towers_by_plays
from wallsim.studies.quantities import Key, Quantity, add_values
from wallsim.studies.scope import CASUAL_TABLE
from wallsim.studies.study import Choices, Judged, Page, Study
from wallsim.studies.two_lines import SECOND, STRONG

from ..robustness.answers import claims_table, left_open
from .estimates import (
    AHEAD,
    ALL,
    ARRANGEMENTS,
    CLAIMS,
    EXPERIMENT,
    FAIR,
    LETTERS,
    PLAYERS,
    POINTS,
    SEATS,
    TESTED,
    Design,
    Measured,
    baseline_cell,
    claim_outcomes,
    design,
    identity,
    play,
)  # fmt: skip
from .picture import first_look

HEAD = "headline"  # the mark of the table in the README
SHOWN, OVER = "A", "B"  # the line-ups of the claim
LINES = tuple(CASUAL_TABLE._replace(play=play) for play in (STRONG_PLAY, f"second {STRONG_PLAY}"))
GAPS = [
    (letter, one, other) for letter in LETTERS for one, other in combinations(["".join(way) for way in ARRANGEMENTS], 2)
]
UNITS = {AHEAD: "% points"}  # of the claims
_OF_TEST = "of the joint paired test that no line-up's wins depend on the arrangement"


def _is_draft(key: Key) -> bool:
    return key.cell.setup == "draft"


def _source_words(key: Key) -> str:
    letter, _, source = key.item.partition(" ")
    return f"victory points of line-up {letter} from {source} in the winter of year {key.moment[-1]}"


def _gap_words(key: Key) -> str:
    letter, one, _, other = key.item.split()
    return f"wins of line-up {letter} in the arrangement {one} (seats 0 to 3) less those in {other}"


QUANTITIES = (
    Quantity("headline", "wins of line-up {item}", "%", FAIR, family="baseline"),
    Quantity("points", "victory points at the end of line-up {item}", family="baseline"),
    Quantity("points-deviation", "standard deviation between games of the victory points at the end of line-up {item}"),
    Quantity("points-by-source", _source_words, shown="picture"),
    Quantity(
        "seat-wins", lambda key: f"wins of {key.item}{' in the draft' if _is_draft(key) else ', all line-ups alike'}",
        "%", FAIR, lambda key: "drafts" if _is_draft(key) else "seats",
        n_unit=lambda key: "games" if _is_draft(key) else "blocks",
    ),
    Quantity("difference-by-arrangement", _gap_words, "% points", 0),
    Quantity("test-of-arrangements", lambda key: f"{TESTED[key.item]} {_OF_TEST}", "number"),
    Quantity("wins", "wins of line-up {item}", "%", FAIR, ("players",)),
    Quantity("first-above-last", "victory points of the first seat above the last", together=lambda _: "drafts",
             n_unit=lambda key: "games" if _is_draft(key) else "blocks"),
)  # fmt: skip


def add_figures(result: Measured, rows: Rows) -> None:
    """Add every figure, and the claims in all cells."""
    add_values(rows, QUANTITIES, result.values)
    add_claims(rows, CLAIMS, result.claims, result.design.plays, UNITS, players=PLAYERS)


def page(figures: Figures, design: Design) -> Page:
    """The finding, all tables with the sentences around them, and the headline."""
    finding = None if design.blocks is not None else finding_of(figures)
    more = {HEAD: headline(figures, design)}
    return Page(finding, first(figures).text(figures), texts_of(figures, tables(figures, design)), more)


def finding_of(figures: Figures) -> Finding:
    """Which line-up wins most at the casual table, and how the first two do at the experienced one."""
    casual = {letter: wins(figures, letter)[CASUAL_TABLE] for letter in LETTERS}
    most, least = (chosen(casual, key=lambda letter: casual[letter].value) for chosen in (max, min))
    by_line = {letter: [wins(figures, letter)[cell].value for cell in LINES] for letter in (most, SHOWN, OVER)}
    both = {letter: " and ".join(number(value, 1) for value in each) for letter, each in by_line.items()}
    shown, ranged = estimate(1, top=ALL), dict.fromkeys(number(value, 0) for value in sorted(by_line[most]))
    return Finding(
        f"Line-up {most} wins {number(casual[most].value, 0)} % of casual games and {' to '.join(ranged)} % of games "
        f"of experienced players; {FAIR:.0f} % is fair",
        f"Line-up {most} wins {shown(casual[most])} %, the most, and line-up {least} {shown(casual[least])} %, the "
        "least.",
        f"They draft. With the printed line-ups, {SHOWN} wins {both[SHOWN]} % in two lines of play, {OVER} "
        f"{both[OVER]} %.",
        picture="Wins by line-up, victory points by source, and wins in every kind of play under every tower",
        **left_open(figures, CLAIMS),
    )  # fmt: skip


def wins(figures: Figures, letter: str) -> dict[Cell, Figure]:
    """A line-up's share of wins by cell, one of those of all line-ups in all cells."""
    return figures.cells("wins", letter, players=PLAYERS)


def _shares(head: str, rows: Sequence[Line], under: str = "") -> Grid:
    """A table with a column for each line-up's share of wins."""
    below = held_together(under) if under else ""
    return Grid(
        head, rows, lines("item", LETTERS), {"quantity": "wins", "players": PLAYERS}, estimate(1, top=ALL), below
    )


def first(figures: Figures) -> Grid:
    """The shares of all line-ups at the casual table, and with the printed line-ups in both lines of strong play."""
    names = ("casual table", "experienced players, strong play", "experienced players, second strong play")
    cells = dict(zip((CASUAL_TABLE, *LINES), names, strict=True))
    games = min(wins(figures, SHOWN)[cell].n for cell in cells) * len(ARRANGEMENTS)
    return _shares(
        "wins, % of games with line-ups", lines("cell", cells, cells.__getitem__),
        f"{games:,} games each, tower {CASUAL_TABLE.tower}; the ± are half-widths of {{family}} simultaneous {{level}} "
        "intervals. [Line-ups](lineups.md) answers whether line-up A wins more than its share in all play, and what "
        "makes the line-ups fairer.",
    )  # fmt: skip


def by_line_up(columns: int = 6) -> Grid:
    """Wins and points of the line-ups over all arrangements of the baseline cell."""
    heads = (
        ("wins, %", "headline", lambda one: bounded(one.value, 2, ALL)),
        ("95% interval", "headline", lambda one: ends(one.ends, 2, top=ALL)),
        ("mean VP", "points", lambda one: bounded(one.value, 2)),
        ("95% interval", "points", lambda one: ends(one.ends, 2)),
        ("standard deviation per game", "points-deviation", lambda one: f"{one.value:.1f}"),
    )
    shown = [Line(head, {"quantity": quantity}, show) for head, quantity, show in heads[:columns]]
    return Grid("line-up", lines("item", LETTERS), shown, {"players": PLAYERS, "cell": baseline_cell()})


def headline(figures: Figures, design: Design) -> str:
    """The answer as a table of four rows and three sentences, with its assumptions."""
    low, high = (_extreme(figures, "A", largest=largest) for largest in (False, True))
    return (
        f"{by_line_up(2).text(figures)}\n\n{baseline_games(figures):,} games with line-ups, not the draft: "
        f"{baseline_facts()}, engine version {ENGINE_VERSION}. All four seats play alike and every line-up has every "
        f"seat equally often, so {FAIR:.0f} % is fair. The intervals hold simultaneously. Over "
        f"{len(wins(figures, 'A'))} combinations of {len(design.plays)} plays and {len(TOWERS)} towers line-up A wins "
        f"from {low} to {high} per cent."
    )


def tables(figures: Figures, design: Design) -> Iterator[Grid | str]:
    """Line-ups and seats of the baseline, wins in all cells, the claim, and drafts."""
    yield games_played(figures, design)
    yield by_line_up()
    yield seats_words(figures)
    shown = {"quantity": "seat-wins", "players": PLAYERS}
    whole = (Line("share of wins, %", {"cell": baseline_cell()}),)
    yield Grid("all line-ups alike", whole, lines("item", SEATS), shown, estimate(2, top=ALL))
    yield _shares("share of wins, %", list(_rows_of_shares(figures, design)))
    judged = read_claims(figures, CLAIMS, design.plays, players=PLAYERS)
    plays = list(dict.fromkeys(cell.play for cell in wins(figures, SHOWN)))
    towers = list(dict.fromkeys(cell.tower for cell in wins(figures, SHOWN)))
    for quantity, item, head, top in (("wins", SHOWN, f"line-up {SHOWN}", ALL), (CLAIM, AHEAD, AHEAD, None)):
        yield towers_by_plays(f"{head}, % of wins", towers, plays, estimate(1, top=top), quantity=quantity, item=item,
                              players=PLAYERS, setup="lineup")  # fmt: skip
    yield claims_table(figures, CLAIMS, design.plays)
    ahead, by_letter = judged.estimates[AHEAD], {letter: (wins(figures, letter), FAIR) for letter in LETTERS}
    yield f"Of {len(ahead)} cells, those in which the share of a line-up lies above and below {FAIR:.0f} %:"
    yield counted_sides(by_letter, sure_of(list(by_letter[SHOWN][0].values())), "cells of line-up")
    yield f"Of {len(TOWERS)} towers, those under which line-up A lies above and below line-up B, by play:"
    by_play = {
        f"{play.name} ({code(play.policy)})": ({cell: ahead[cell] for cell in ahead if cell.play == play.name}, 0.0)
        for play in design.plays
    }
    yield counted_sides(by_play, judged.confidence, "towers under")
    yield (
        "In a draft, the books' normal set-up, there are no line-ups, which are their set-up for beginners: nothing "
        "above speaks of drafted games. What can be compared, under the baseline's tower:"
    )
    spread = {"quantity": "first-above-last"}
    columns = [Line(f"{seat}, wins %", {"quantity": "seat-wins", "item": seat, "setup": "draft"}, estimate(1, top=ALL))
               for seat in SEATS]  # fmt: skip
    columns += [Line("first above last, VP", {**spread, "setup": "draft"}),
                Line("the same with line-ups", {**spread, "setup": "lineup"})]  # fmt: skip
    rows = [Line(f"{play.name}, draft", {"play": play.name}) for play in design.plays]
    yield Grid("play", rows, columns, {"players": PLAYERS, "tower": baseline_cell().tower})


def _rows_of_shares(figures: Figures, design: Design) -> Iterator[Line]:
    # One factor changed at a time, the baseline first, and the extremes over all cells.
    base, policies = baseline_cell(), {play.name: play.policy for play in design.plays}
    cells = list(wins(figures, SHOWN))
    for cell in sorted(cells, key=lambda each: each != base):
        if cell == base or cell.play == base.play:
            yield Line("baseline" if cell == base else f"tower `{cell.tower}`", {"cell": cell})
        elif cell.tower == base.tower:
            yield Line(f"{cell.play} play ({code(policies[cell.play])})", {"cell": cell})
    for name, largest in (("lowest", False), ("highest", True)):
        texts = [_extreme(figures, letter, largest=largest) for letter in LETTERS]
        yield Line(f"{name} of {len(cells)} cells", texts=texts)


def _extreme(figures: Figures, letter: str, *, largest: bool) -> str:
    arms = wins(figures, letter)
    return extreme(arms, sure_of(list(arms.values())), 1, largest=largest, top=ALL)


def baseline_games(figures: Figures) -> int:
    """The number of games of the baseline cell."""
    return figures.of("headline", "A", players=PLAYERS, cell=baseline_cell()).n * len(ARRANGEMENTS)


def baseline_facts() -> str:
    """The table of the baseline cell in words."""
    table = load_experiment(EXPERIMENT)
    return f"{table.players} players, policy {table.policies[0]}, tower {table.tower}, seed {table.seed}"


def games_played(figures: Figures, design: Design) -> str:
    """What was played, and what the intervals mean."""
    shares = wins(figures, "A")
    blocks, sure = {cell: share.n for cell, share in shares.items()}, sure_of(list(shares.values()))
    fewest = min(count for cell, count in blocks.items() if cell != baseline_cell())
    few = f" {sure.too_few(fewest, 'blocks per cell')}" if fewest < sure.min_blocks else ""
    games = sum(blocks.values()) * len(ARRANGEMENTS) + sum(
        spread.n for cell, spread in figures.cells("first-above-last", players=PLAYERS).items() if cell.setup == "draft"
    )
    return (
        f"{baseline_games(figures):,} games, {baseline_facts()}, engine version {ENGINE_VERSION}; the fair share is "
        f"{FAIR:.0f} %. {len(blocks) - 1} more cells have {fewest * len(ARRANGEMENTS):,} games each, and with the "
        f"drafts there are {games:,}. Plays: {plays_in_words(design.plays)}. The intervals of a table hold "
        f"simultaneously with {sure.level:.0%}.{few}"
    )


def furthest_apart(figures: Figures) -> tuple[str, str, str, Figure]:
    """The largest difference of a line-up's share between two arrangements, whichever of the two is higher.

    Returns the line-up, the arrangement with the higher share, the other, and the figure.
    """
    gaps = {
        (letter, one, other): figures.of("difference-by-arrangement", f"{letter} {one} less {other}", players=PLAYERS,
                                         cell=baseline_cell())
        for letter, one, other in GAPS
    }  # fmt: skip
    (letter, high, low), gap = max(gaps.items(), key=lambda each: abs(each[1].value))
    return (letter, low, high, gap) if gap.value < 0 else (letter, high, low, gap)


def seats_words(figures: Figures) -> str:
    """Whether a line-up's wins depend on where it sits, in two sentences."""
    letter, high, low, gap = furthest_apart(figures)
    gap_words = in_words(abs(gap.value), gap.ends, 2)
    joint, test = "cannot be made with so few blocks", "test-of-arrangements"
    if figures.cells(test, "p", players=PLAYERS):
        t_squared, f, first, second, p = (
            figures.of(test, name, players=PLAYERS, cell=baseline_cell()).value for name in TESTED
        )
        chance = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
        joint = f"gives T² = {t_squared:.1f}, F = {f:.2f} with {first:.0f} and {second:,.0f} degrees, {chance}"
    return (
        f"Seat: of the {gap.family} differences of a line-up's share between two arrangements the largest is that of "
        f"line-up {letter}, {gap_words} percentage points from `{low}` (seats 0 to 3) to `{high}`. The joint paired "
        f"test that no line-up's share depends on the arrangement (Hotelling) {joint}."
    )


def picture(figures: Figures, design: Design) -> Picture:
    """The baseline cell above; below, the share of line-up A and its lead over B in all cells."""
    rows = []
    for letter in LETTERS:
        share = figures.of("headline", letter, players=PLAYERS, cell=baseline_cell())
        rows.append((letter, *(None if each != each else each / 100 for each in (share.value, share.low, share.high))))
    numbers = dict.fromkeys(("mean", "low", "high"), pl.Float64)
    frame = pl.DataFrame(rows, schema={"group": pl.String, **numbers}, orient="row")
    maps = {f"line-up {SHOWN}, % of wins": _heat(wins(figures, SHOWN).values())}
    maps[f"{AHEAD}, % of wins"] = _heat(figures.cells(CLAIM, AHEAD, players=PLAYERS).values())
    return first_look(
        frame, points_by_source(figures), maps, "Wins of the four printed line-ups\n"
        f"Upper panels: {baseline_games(figures):,} games, {baseline_facts()}. Lower panels: kinds of play (columns) "
        "by tower (rows)",
    )  # fmt: skip


def points_by_source(figures: Figures) -> pl.DataFrame:
    """Mean victory points by line-up, winter and source in the baseline cell, for the picture."""
    shown = {
        (letter, year, source): figures.of("points-by-source", f"{letter} {source}", players=PLAYERS,
                                           cell=baseline_cell(), moment=f"winter {year}").value
        for letter, source, year in POINTS
    }  # fmt: skip
    rows = [(*key, value) for key, value in shown.items()]
    schema = {"player": pl.String, "year": pl.Int64, "source": pl.String, "vp": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _heat(arms: Iterable[Figure]) -> pl.DataFrame:
    # Its level is the number of the claim.
    words = dict.fromkeys(("play", "tower"), pl.String)
    rows = [(arm.play, arm.tower, arm.value, arm.null) for arm in arms]
    return pl.DataFrame(rows, schema={**words, "value": pl.Float64, "level": pl.Float64}, orient="row")


STUDY = Study(
    __file__, __doc__, design, identity, play, add_figures, page, picture, (HEAD,), quantities=QUANTITIES,
    options=(STRONG, SECOND), judged=(Judged(CLAIMS, claim_outcomes, setups=("lineup",), units=UNITS),),
    games="blocks per cell, of 8 games each, instead of the study's", quick=Choices(games=64),
    colours=256,  # a scale of colours needs many
)  # fmt: skip
