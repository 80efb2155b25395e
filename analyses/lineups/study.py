"""Line-ups: which line-ups win, at which seats, and what makes them fair?

Method. A cell is a play (all seats alike, from weak to strong and scholar bots) under a tower calibration: every play
under the first tower, casual, strong and scholar bots under two more. Every game number is played in all arrangements
of the line-ups over the seats, the rotations and their mirror images: that is a block, the unit of all errors. Casual
and strong bots have fixes of their own for each number of players (`mends.toml`): a handicap in whole points, other
Thalers at the start, an exchange of counties or army groups, and two of these at once. `.ci/maker mends` found them on
games of another seed under three towers; here they are judged under the same towers, on the numbers of the printed
games. A handicap is added at the end of these. The imbalance is the standard deviation of the line-ups' shares of wins
around the fair one, less what chance adds. A table is fixed if its imbalance is at most 1.5 percentage points under
every tower, and no upper end of its intervals exceeds 2.5. All imbalances hold simultaneously, so the simplest fix may
be chosen in the same games. With --quick there are two cells of four players, and --games is the game numbers of each
cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from textwrap import wrap

import matplotlib.pyplot as plt
from matplotlib.figure import Figure as Picture
from matplotlib.lines import Line2D

from wallsim.analysis.claims.cells import CASUAL, STRONG, Cell, command_name, plays_in_words
from wallsim.escaping import toml_line
from wallsim.report.figures.style import COLOURS, FAINT, INK, styled
from wallsim.report.tables.estimates import NOTHING
from wallsim.rules.board import load_board
from wallsim.rules.ruleset import LETTERS
from wallsim.studies.figure import Figure, Figures, slug
from wallsim.studies.finding import Finding, bots_of, listed
from wallsim.studies.grids import Grid, Line, estimate, held_together, lines, value, with_ends
from wallsim.studies.scope import plays_for
from wallsim.studies.study import Choices, Judged, Study
from wallsim.studies.table_captions import QUICK

from ..robustness.answers import claims_table, differing, not_known
from . import games as it
from . import measure
from .games import AT_MOST, FIXED, FIXED_PLAYS, HEAD_SIZE, PRINTED, VERSIONS, Design, Fix, fixes_of, letters_of
from .measure import ALL, SEATS, WAYS, claims, groups_of, item, named
from .worth import FEATURES, OTHERS, in_skill, land_cells

NAMES = dict(zip(VERSIONS, ("the printed line-ups", "a handicap", "other Thalers", "an exchange", "two changes"),
                 strict=True))  # fmt: skip
PLAYERS = {3: "three", 4: "four", 5: "five"}  # in sentences
NO_FIX = "no simple fix"
IMBALANCE = ("Imbalance: the standard deviation of the line-ups' shares of wins around the fair one, in percentage "
             "points, without what chance adds; 0 is fair.")  # fmt: skip
RULE = f"A fix must bring it to {FIXED:g} or less under every tower, and each interval must end at {AT_MOST:g} or less."
SHARES, SIGNED, ENDS = estimate(1, top=100.0), estimate(2, "+"), with_ends(1)


def imbalances(figures: Figures, players: int, play: str, version: str) -> list[Figure]:
    """The imbalance of so many bots under each tower with a version of the line-ups; empty if it was not played."""
    return [each for cell, each in figures.cells("imbalance", version, players=players).items() if cell.play == play]


def is_fixed(spreads: Sequence[Figure]) -> bool:
    """Whether line-ups are fair under all towers, as RULE says; not without intervals."""
    return bool(spreads) and all(each.value <= FIXED and each.high <= AT_MOST for each in spreads)


def version_for(figures: Figures, players: int, play: str) -> str:
    """The simplest version of the line-ups that is fair for so many bots of a play; empty if there is none."""
    return next((each for each in VERSIONS if is_fixed(imbalances(figures, players, play, each))), "")


def nearest(figures: Figures, players: int, play: str) -> str:
    """The version of the line-ups with the least imbalance under its worst tower."""
    worst = {each: max(figure.value for figure in found)
             for each in VERSIONS if (found := imbalances(figures, players, play, each))}  # fmt: skip
    return min(worst, key=worst.__getitem__)


def sizes_of(figures: Figures) -> list[int]:
    """The numbers of players with imbalances, from few to many."""
    return [size for size in sorted(it.SIZES) if imbalances(figures, size, CASUAL, PRINTED)]


def finding(figures: Figures, design: Design) -> Finding:
    """What a table should do for its number of players."""
    fair = {play: {size: version_for(figures, size, play) for size in sizes_of(figures)} for play in FIXED_PLAYS}
    told = {}
    for good in (True, False):
        sizes = {play: [PLAYERS[size] for size in fair[play] if bool(fair[play][size]) == good] for play in FIXED_PLAYS}
        told[good] = listed([f"{listed(each)} {bots_in_words(play)}" for play, each in sizes.items() if each])
    title = f"A small change makes line-ups fair for {told[True]}" if told[True] else ""
    if told[False]:
        title += f"; {NO_FIX} for {told[False]}" if title else f"No simple fix makes line-ups fair for {told[False]}"
    many = "three towers" if len(design.towers) > 1 else "one tower"
    return Finding(
        f"{title} ({many})",
        advice_in_words(fair[CASUAL]),
        f"With line-ups: {advice_in_words(fair[STRONG], lower=True)}",
        not_known(figures, claims(HEAD_SIZE)),
        "Wins by line-up as printed and with the advised or nearest fix: casual and strong bots, 3 to 5 players",
        differing(figures, claims(HEAD_SIZE)),
    )


def bots_in_words(play: str) -> str:
    """The bots that have fixes of their own."""
    return "strong bots" if play == STRONG else bots_of(play)


def advice_in_words(fair: dict[int, str], *, lower: bool = False) -> str:
    """What to do by number of players, in a sentence."""
    told: dict[str, list[str]] = {}
    for size, version in fair.items():
        told.setdefault(version, []).append(PLAYERS[size])
    words = {PRINTED: "play as printed", "": NO_FIX}
    text = "; ".join(f"with {listed(sizes)} players {words.get(version) or NAMES[version]}"
                     for version, sizes in told.items())  # fmt: skip
    return f"{text if lower else text[0].upper() + text[1:]}."


def what_changes(players: int, play: str, version: str) -> str:
    """What a version changes, in words; a dash for the printed line-ups."""
    return NOTHING if version == PRINTED else fixes_of(players, play)[version].in_words(load_board())


def advice(figures: Figures, players: int, play: str) -> str:
    """What so many bots should do, in words."""
    if version := version_for(figures, players, play):
        return "play as printed" if version == PRINTED else what_changes(players, play, version)
    best = nearest(figures, players, play)
    return f"{NO_FIX}; nearest: {'as printed' if best == PRINTED else what_changes(players, play, best)}"


def fixes_by_table(figures: Figures, design: Design) -> Grid:
    """What each number and kind of bots should do, and the imbalances with it; without a fix those of the nearest."""
    tables_ = list(product(sizes_of(figures), FIXED_PLAYS))
    shown = {table: version_for(figures, *table) or nearest(figures, *table) for table in tables_}
    rows = [Line((f"{size} {bots_in_words(play)}", advice(figures, size, play)),
                 {"players": size, "play": play, "item": shown[size, play]}) for size, play in tables_]  # fmt: skip
    printed = [ENDS(max(imbalances(figures, *table, PRINTED), key=lambda each: each.value)) for table in tables_]
    return Grid(
        ("table", "what to do"), rows,
        (Line("as printed, worst tower", texts=printed), *lines("tower", design.towers)),
        {"quantity": "imbalance", "setup": "lineup"}, ENDS, held_together(
            f"{IMBALANCE} {RULE} In brackets the ends of {{family}} simultaneous {{level}} intervals; up to {{n}} "
            "blocks a cell."),
    )  # fmt: skip


def tables(figures: Figures, design: Design) -> Iterator[Grid | str]:
    """What to do, all fixes, printed line-ups in every cell, skill, seats, land and claims."""
    yield fixes_by_table(figures, design)
    yield games_played(figures, design)
    yield from (versions_of(figures, players, play) for players, play in product(design.sizes, FIXED_PLAYS))
    for players in design.sizes:
        for quantity, head, show in (("wins", "wins, %", SHARES), ("points", "VP above the table's mean", SIGNED)):
            yield Grid(f"{players} players, {head}", lines("cell", groups_of(design.cells), group_name),
                       lines("item", letters_of(players)), {"quantity": quantity, "players": players}, show,
                       under(design._replace(sizes=(players,))))  # fmt: skip
        yield Grid(f"{players} players", [Line("imbalance")], lines("cell", design.cells, group_name),
                   {"quantity": "imbalance", "item": PRINTED, "players": players}, ENDS, IMBALANCE)  # fmt: skip
    yield in_skill(figures, design)
    seats = [Line((str(players), head), {"quantity": f"seat-{what}", "players": players}, show)
             for players in design.sizes
             for what, head, show in (("wins", "wins, %", None), ("points", "VP above the mean", SIGNED))]  # fmt: skip
    yield Grid(("players", "all line-ups alike"), seats, lines("item", [f"seat {n}" for n in range(max(design.sizes))]),
               {"cell": ALL}, under=under(design, after=seat_words(figures, design)))  # fmt: skip
    yield _borders(figures, design)
    yield Grid("VP for one more of", lines("item", FEATURES, named), lines("cell", land_cells(design), group_name),
               {"quantity": "worth-of-land", "players": HEAD_SIZE}, SIGNED, held_together(
                   f"{HEAD_SIZE} players, tower `{design.towers[0]}`; every exchange of two counties between two "
                   "line-ups on the same {n} game numbers, one game each: a number is a block. The ± are half-widths "
                   "of {family} simultaneous {level} intervals."))  # fmt: skip
    for players in filter(claims, design.sizes):
        judged = claims_table(figures, claims(players), design.plays_of(players), players=players)
        yield f"{players} players, {len(design.cells)} cells.\n\n{judged}"


def versions_of(figures: Figures, players: int, play: str) -> Grid:
    """What each version changes for so many bots, the imbalance under each tower, and the wins under the first."""
    towers = [figure.tower for figure in imbalances(figures, players, play, PRINTED)]
    wins = [Line(f"{letter} wins, %", texts=[SHARES(figures.of("wins", item(letter, version), players=players,
                                                               cell=Cell(play, towers[0], "lineup")))
                                            for version in VERSIONS]) for letter in letters_of(players)]  # fmt: skip
    return Grid(
        (f"{players} {bots_in_words(play)}", "what changes"),
        [Line((NAMES[version], what_changes(players, play, version)), {"item": version}) for version in VERSIONS],
        (*lines("tower", towers), *wins),
        {"quantity": "imbalance", "players": players, "play": play, "setup": "lineup"}, ENDS, held_together(
            f"{IMBALANCE} Wins are those under {towers[0]}, fair is {100 / players:.1f}. {{n}} blocks; in brackets the "
            "ends of {family} simultaneous {level} intervals of all imbalances, ± are half-widths."),
    )  # fmt: skip


def ready_files(figures: Figures) -> dict[str, str]:
    """An experiment file for each table that a fix makes fair, by its name. KeyError for figures without imbalances."""
    files = {}
    for size, play in product(it.SIZES, FIXED_PLAYS):
        found = [figures.of("imbalance", PRINTED, players=size, cell=cell) for cell in it.cells_of(play)]
        if is_fixed(found) or not (version := version_for(figures, size, play)):
            continue
        said = ", ".join(f"{each.tower} {ENDS(each)}" for each in imbalances(figures, size, play, version))
        files[f"fair-{size}p-{play}.toml"] = ready_file(fixes_of(size, play)[version], said)
    return files


def ready_file(fix: Fix, said: str) -> str:
    """The text of an experiment with a fix; `said` are its imbalances by tower.

    A handicap is given in the last winter: bots that look at points would play otherwise if they had it before.
    """
    policy = next(each.policy for each in plays_for(fix.players) if each.name == fix.play)
    about = (f"Fair line-ups for {PLAYERS[fix.players]} {bots_in_words(fix.play)}: {fix.in_words(load_board())}.",
             f"Imbalance as the study `lineups` has it: {said}.", IMBALANCE,
             "Written by .ci/maker mends docs/examples --ready")  # fmt: skip
    text = [
        *(f"# {line}" for each in about for line in wrap(each, 118)),
        toml_line("players", fix.players), toml_line("policies", command_name(policy, fix.players)),
        toml_line("games", 2_000),
    ]  # fmt: skip
    if fix.thalers:
        text.append(toml_line("thalers", fix.changes(load_board())["thalers"]))
    if any(fix.points):
        text += ["interventions = [", *(
            f'    {{ do = "hand", vp = {points}, seat = "{letter}", round = "winter 2" }},'
            for letter, points in zip(letters_of(fix.players), fix.points, strict=True) if points), "]"]  # fmt: skip
    for letter, groups in fix.edited(load_board()).items():
        text += ["", f"[lineup.{letter}]", *(toml_line(*each) for each in groups.items())]
    return "\n".join(text) + "\n"


def _borders(figures: Figures, design: Design) -> Grid:
    """What each printed line-up has on the map, and its points."""

    def with_others(figure: Figure) -> str:
        keys = {other: figure.id.replace(slug(OTHERS), f"borders-with-{other}") for other in LETTERS}
        each = ", ".join(f"{other} {figures[key].value:.0f}" for other, key in keys.items() if key in figures)
        return f"{figure.value:.0f} ({each})"

    rows = [Line((str(players), letter), {"players": players, "item": letter})
            for players in design.sizes for letter in letters_of(players)]  # fmt: skip
    columns = [Line(named(name), {"quantity": "land", "item": name}, with_others if name == OTHERS else value(0))
               for name in FEATURES]  # fmt: skip
    last = Line("VP above the mean", {"quantity": "points-by-land"}, SIGNED)
    return Grid(("players", "line-up"), rows, (*columns, last),
                under=under(design, "The last column is the mean of all cells. "))  # fmt: skip


def group_name(group: Cell) -> str:
    """Cells whose mean is shown in words, as a row of a table begins."""
    if group.play:
        return f"{group.play}, `{group.tower}`" if group.tower else f"{group.play} play"
    return f"tower `{group.tower}`" if group.tower else "all cells"


def games_played(figures: Figures, design: Design) -> str:
    """What was played, and what the numbers rest on."""
    each = "; ".join(
        f"{players} players: {len(design.cells)} cells of {design.numbers(players):,} game numbers in "
        f"{2 * players} arrangements" for players in design.sizes
    )  # fmt: skip
    plays = "; ".join(
        f"with {players} players {plays_in_words(design.plays_of(players), players)}" for players in design.sizes
    )
    return (
        f"{QUICK * design.quick}{each}, and with each fix in the cells of its bots. Seed {STUDY.experiment().seed}, "
        f"engine version {figures.engine}. Plays: {plays}. Cells: {it.cells_in_words(design.cells)}. A mean of cells "
        "is that of these."
    )


def numbers(design: Design) -> str:
    """The game numbers of a cell by number of players."""
    return ", ".join(f"{design.numbers(players):,} with {players} players" for players in design.sizes)


def under(design: Design, before: str = "", after: str = "") -> Callable[[Sequence[Figure]], str]:
    """The line under a table: blocks, level, and the assumed data that it rests on."""
    words = [f"{players} players, {guess}" for players in design.sizes
             for guess in it.experiment_of(players, design.cells[0]).components().assumed()]  # fmt: skip
    assumed = f" Assumed, not printed: {'; '.join(words)}." if words else ""
    text = held_together(f"{before}Blocks in every cell: {numbers(design)}; the ± are half-widths of {{family}} "
                         f"simultaneous {{level}} intervals.{assumed}{after}")  # fmt: skip
    return lambda used: text([min(used, key=lambda figure: (-figure.family, figure.n))])


def seat_words(figures: Figures, design: Design) -> str:
    """Whether seats win alike, and whether it matters who sits where."""
    tests = [f"With {players} players, that seats win alike: {decided(figures, SEATS, players)}; that it does "
             "not matter for the wins of line-ups which of them sits where: "
             f"{decided(figures, WAYS, players)}." for players in design.sizes]  # fmt: skip
    return f" Two joint tests over all cells (Hotelling), each at 1 %. {' '.join(tests)}"


def decided(figures: Figures, quantity: str, players: int) -> str:
    """The result of a joint test at 1 %, in words."""
    if not figures.all_of(quantity, "F", players=players):
        return "too few blocks for this test"
    f, p, contrasts, degrees = (figures.of(quantity, name, players=players, cell=ALL).value for name in measure.TESTED)
    chance = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
    selected = "rejected" if p < 0.01 else "not rejected"
    return f"F = {f:.2f} with {contrasts:.0f} and {degrees:,.0f} degrees, {chance}, {selected}"


@styled
def picture(figures: Figures, design: Design) -> Picture:
    """Wins by line-up of casual and strong bots, as printed and with the fix of each table, or the nearest.

    A row is a number of players, a mark a tower.
    """
    marks = dict(zip(design.towers, "o^D", strict=False))
    shown = [(play, fixed) for play in FIXED_PLAYS for fixed in (False, True)]
    size = len(design.sizes), len(shown)
    drawn, grid = plt.subplots(*size, figsize=(2.5 * size[1] + 0.6, 2.4 * size[0] + 1.1), sharey="row", squeeze=False)
    drawn.suptitle(f"Wins by line-up, as printed and with a fix. A mark is a tower.\n"
                   f"Game numbers in every arrangement: {numbers(design)}", x=0.01, ha="left", fontsize=9)  # fmt: skip
    for (players, (play, fixed)), axes in zip(product(sorted(design.sizes), shown), grid.flat, strict=True):
        chosen = version_for(figures, players, play)
        version = chosen or nearest(figures, players, play)
        kind = version if fixed else PRINTED
        axes.axhline(100 / players, color=FAINT, linewidth=1)
        for (place, letter), (at, tower) in product(enumerate(letters_of(players)), enumerate(design.towers)):
            share = figures.of("wins", item(letter, kind), players=players, cell=Cell(play, tower, "lineup"))
            axes.plot(place + 0.2 * (at - (len(design.towers) - 1) / 2), share.value, marker=marks[tower],
                      color=COLOURS[fixed], markersize=5, linestyle="none", alpha=0.9)  # fmt: skip
        axes.set_xticks(range(players), letters_of(players))
        axes.set_xlim(-0.5, players - 0.5)
        told = NAMES[kind] if not fixed or chosen else f"{NO_FIX}: {NAMES[kind]}"
        axes.set_title(f"{players} {bots_in_words(play)}\n{told}", fontsize=8.5)
        if (play, fixed) == shown[0]:
            axes.set_ylabel("wins, %")
    for first, *_ in grid:
        first.set_ylim(bottom=0)  # once all panels of the row are drawn, which share their limits
    legend = partial(Line2D, [], [], linestyle="none", color=INK, markersize=5)
    handles = [legend(marker=mark, label=f"tower {name}") for name, mark in marks.items()]
    drawn.legend(handles=handles, loc="outside lower center", ncols=len(handles))
    return drawn


STUDY: Study = Study(
    __file__, __doc__, it.design_of, measure.identity, measure.play, finding=finding, tables=tables,
    picture=picture, quantities=measure.QUANTITIES,
    judged=(Judged(measure.CLAIMS, measure.claim_outcomes, setups=("lineup",), units=measure.UNITS),),
    games="game numbers in every cell instead of the study's",
    sample=Choices(games=960, quick=True), compared=("wins",),
)  # fmt: skip
