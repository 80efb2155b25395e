"""Robustness: which findings of the studies stand under every play, tower, set-up and assumed figure?

Method. The studies judge their claims in the settings of bots, tower and set-up that all studies have. This study
judges every claim again, by the study's own code and with games of another seed: between the bots of the three tables,
and at random tables with line-ups and in the draft, where each seat of every table has a policy drawn at random. A cell
has so many rows of a few games; at random tables a row is what one table plays. Rows are the units of all errors. All
cells are played on boards with another figure in place of an assumed one as well. The answer to a claim is that of its
cells in both studies (see `answers.py`). Outcomes that were chosen by the figures of their study, or that it does not
publish, are played here in all settings. These cells are a first stage. Where a claim is undecided, later stages add
games in the cells that decide it (`additions.csv`), and the answers allow for that (`wallsim.stats.stages`). The
intervals of all claims, cells and boards hold simultaneously (Bonferroni), with Student's t. With --quick there are few
cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product

import matplotlib.pyplot as plt
from matplotlib.figure import Figure as Picture
from matplotlib.patches import Patch

from wallsim.analysis.claims.answers import DEPENDS, FAILS, HOLDS, LEAST_EFFECT, NEVER_WORSE, UNKNOWN, kinds_of_bots
from wallsim.analysis.claims.cells import SETUPS, grouped, plays_in_words, unjudged
from wallsim.experiment.file import load_experiment
from wallsim.markdown import markdown_table
from wallsim.report.figures.style import INK, styled
from wallsim.report.tables.estimates import NOTHING, number
from wallsim.rules.other_settings import SETUP_WORDS
from wallsim.stats.intervals import LEVEL
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import Figures
from wallsim.studies.finding import Finding
from wallsim.studies.grids import Grid, Line, estimate, sure_of
from wallsim.studies.random_tables import zoo_of
from wallsim.studies.register import register_file
from wallsim.studies.scope import PLAYERS
from wallsim.studies.shared_files import read_played
from wallsim.studies.study import Choices, Study
from wallsim.studies.table_captions import few

from . import estimates as it
from .answers import MARGINS, Found, answers_in, cells_of, claims_of, depends_on, is_published, more_games, sides_of
from .estimates import AS_PRINTED, BOARDS, RANDOM, SEED, STAGES, Asked, Case, Scope, replayed, source

MEANINGS = {
    HOLDS: "in every cell of play, tower and set-up",
    FAILS: "the opposite holds in every cell",
    DEPENDS: "it holds in some cell and fails in some cell",
    NEVER_WORSE: "in no cell the other way by as much as its margin",
    UNKNOWN: "none of these is shown",
}
CHECKS = "restate a rule or arithmetic"
SIZES = (PLAYERS, 3, 5)  # numbers of players
COLOURS = {"fails": "#c8553d", "open": "#f0e2b6", "holds": "#4f8fc0"}  # apart in light and dark, and for colour-blind
LONGEST = 92  # letters of a claim in the picture


def counted(found: Found) -> Counter[tuple[str, str | int]]:
    """How many claims have an answer, by answer, and by number of players for findings or CHECKS for checks."""
    return Counter(
        (answer.word, CHECKS if judged.claim.check else asked.players) for asked, (judged, answer) in found.items()
    )


def finding(figures: Figures, _: Scope) -> Finding:
    """How many findings hold everywhere, and how many have each other answer; with four players."""
    counts = counted(answers_in(figures))
    with_four = {word: counts[word, PLAYERS] for word in MEANINGS}
    failing = f" {with_four[FAILS]} fail everywhere." if with_four[FAILS] else ""
    bounded = f" {with_four[NEVER_WORSE]} more are never worse by more than a margin." if with_four[NEVER_WORSE] else ""
    return Finding(
        f"{with_four[HOLDS]} of {sum(with_four.values())} findings hold in all settings of bots, towers and set-ups "
        "(four players)",
        "",
        "",
        f"{with_four[UNKNOWN]} findings.{bounded}" if with_four[UNKNOWN] or bounded else "",
        "Every claim in every cell of play, tower and set-up: whether it holds, fails or is open",
        f"{with_four[DEPENDS]} findings hold for some bots, towers or set-ups and fail for others.{failing}",
    )


def first(figures: Figures, _: Scope) -> str:
    """One row an answer: what it says, and how many findings by number of players, and checks, have it."""
    counts = counted(answers_in(figures))
    kinds = [kind for kind in (*SIZES, CHECKS) if any(of == kind for _, of in counts)]
    rows = [(word, words, *(str(counts[word, kind]) for kind in kinds)) for word, words in MEANINGS.items()]
    heads = [CHECKS if kind == CHECKS else f"findings, {kind} players" for kind in kinds]
    return (
        f"{markdown_table(('answer', 'what it says', *heads), rows)}\n\nAll answers are right together with "
        f"{LEVEL:.0%}; each claim has one, on every page. {margin_words(figures)}"
    )


def margin_words(figures: Figures) -> str:
    """What margins are, and when the file that has them was committed."""
    played = read_played(figures.study, register_file(figures.study).parent) if is_published(figures) else {}
    since = "was committed on {date} ({commit})".format(**played["rules"]) if "rules" in played else "is not recorded"
    file = f"`analyses/{figures.study}/{MARGINS.name}`"
    return f"A margin is at most 1/{LEAST_EFFECT:g} of the mean effect. The file with all margins, {file}, {since}."


def tables(figures: Figures, scope: Scope) -> Iterator[Grid | str]:
    """What was played, the answers, where claims hold by factor, the cells of all boards, and what boards change."""
    here, turned, found = claims_of(figures), turned_cells(figures), answers_in(figures)
    yield played_words(figures, scope)
    yield answer_words(here, found, turned)
    yield claim_table(figures, scope, found)
    for fields in (("play", "setup"), ("tower",)):
        yield factor_table(figures, scope, found, fields)
    under = rests_on(figures, scope)
    pools = [pool for pool in scope.pools if any(cell.play == pool for cell in scope.tables)]
    yield Grid(
        ("as printed", "claimed"),
        [Line((each.claim.words, f"> {each.claim.above:g}"), {"item": each.item, "play": source(each.study).named})
         for each in here],
        [Line(f"{pool}, {SETUP_WORDS[setup]}", {"play": pool, "setup": setup}) for pool in pools for setup in SETUPS],
        {"players": PLAYERS, "quantity": AS_PRINTED, "tower": scope.towers[0]}, under=under, turned=True, gaps=True,
    )  # fmt: skip
    moved = estimate(2, "+")
    texts = {(each.claim.words, case.name): f"{moved(figures.of(case.move, each.item, players=case.players))}{text}"
             for (case, each), text in turned.items()}  # fmt: skip
    boards = [Line(case.name, {"quantity": case.move, "players": case.players}) for case in BOARDS
              if any(figures.all_of(case.move, each.item, players=case.players) for each in here)]  # fmt: skip
    yield Grid(
        "the mean moves by", [Line(each.claim.words, {"item": each.item}) for each in here], boards, show=moved,
        texts=texts, gaps=True,
        under=f"In the cells of the table above (with 3 players, with line-ups alone); a "
        "move compares the same rows of games on both boards. Cells are turned where a claim holds on one board and "
        f"fails on the other, by these intervals. {under}",
    )  # fmt: skip


def turned_cells(figures: Figures) -> dict[tuple[Case, Asked], str]:
    """In how many cells a board turns a claim, for the end of a cell of the table; only where it turns any."""
    result = {}
    for case, asked in product(BOARDS, claims_of(figures)):
        before, after = (figures.cells(quantity, asked.item, players=case.players)
                         for quantity in (AS_PRINTED, case.quantity))  # fmt: skip
        above = asked.claim.above
        turned = sum(
            before[cell].high < above < each.low or each.high < above < before[cell].low for cell, each in after.items()
        )
        if turned:
            result[case, asked] = f"; {turned} of {len(after)} cells turned"
    return result


def played_words(figures: Figures, scope: Scope) -> str:
    """What was played: pools, cells, games, seeds, engine version."""
    here = claims_of(figures)
    quick = "A quick look, in few cells: no claim is judged as the study does. " if scope.quick else ""
    games = "; ".join(f"{each.name} {each.judged.games_a_row * scope.rows:,}" for each in replayed())
    default, expanding = source("price").plays(), source("expansions")
    strange = [play for name, play in expanding.plays().items() if name not in default]
    at_tables = {cell.play for cell in scope.tables}
    beside = [each.name for each in replayed() if each.judged.unpublished and scope.settings]
    settings = (
        f" Of {' and '.join(beside)} claims are judged here in all settings that the studies have." if beside else ""
    )
    text = (
        f"{quick}{len(here)} claims in up to {max(len(cells_of(figures, each)) for each in here)} cells under tower "
        f"{scope.towers[0]}: {plays_in_words(play for play in default.values() if play.name in at_tables)}, each as at "
        f"its table, and {RANDOM}; with expansions {plays_in_words(strange)} instead.{settings} The {RANDOM} are "
        f"{scope.rows} tables, each seat with a policy drawn from {len(zoo_of(4))} of the zoo. Every cell has "
        f"{scope.rows} rows of games, one a table there: the units of errors. Games of each comparison in a cell: "
        f"{games}; of line-ups each game number is played in all eight arrangements. Games from 0 on of seed "
        f"{SEED}, from which the tables are drawn, too; engine version {figures.engine}."
    )
    for stage in STAGES:
        if more := [each for each in scope.additions if each.stage == stage]:
            added = sum(each.parts * scope.rows * source(each.study).judged.games_a_row for each in more)
            text += (
                f" Stage {stage} added {added:,} games of each comparison in {len(more)} cells of claims that were not "
                f"known (seeds from {it.seed_of(stage, 0)} on)."
            )
    return text


def answer_words(here: Sequence[Asked], found: Found, turned: Iterable[tuple[Case, Asked]]) -> str:
    """Which of these claims depend and on what, and which another figure in place of an assumed one turns."""
    depending = [
        f"{judged.claim.words.rstrip('.')} ({asked.title}; {depends_on(answer)})"
        for asked, (judged, answer) in found.items()
        if answer.word == DEPENDS and asked._replace(players=PLAYERS) in here
    ]
    moved = [f"{asked.claim.words.rstrip('.')} ({case.name})" for case, asked in turned]
    return (
        f"What depends, and mostly on what: {'; '.join(depending) or 'nothing'}. What another figure for an assumed "
        f"one turns: {'; '.join(moved) or 'nothing'}."
    )


def claim_table(figures: Figures, scope: Scope, found: Found) -> str:
    """One row a claim: its answer, where it holds, what it depends on, and which seeds chose and judged it."""
    heads = ("study", "claim", "answer", "holds in", "fails in", "means by bots", "differs by", "fails where",
             "games", "chosen by seed", "judged by seeds")  # fmt: skip
    rows, limits = [], set()
    for asked, (each, answer) in found.items():
        cells, by, fails = each.cells(), source(asked.study), answer.fails_in
        known = by.plays(asked.players)
        means = [kind.value for kind in kinds_of_bots(cells).values()]
        limit = unjudged(known[pool] for pool in dict.fromkeys(cell.play for cell in cells) if pool in known)
        limits |= {limit} - {""}
        own = str(load_study(asked.study).experiment().seed)
        seeds = {own: each.own, str(SEED): each.others, "later stages": each.later}
        rows.append((
            asked.title, each.claim.words, each.said(answer) + (" *" if limit else ""),
            *(f"{len(where)} of {len(cells)}" for where in (answer.holds_in, fails)),
            f"{number(min(means), 2)} to {number(max(means), 2)} (> {each.claim.above:g})", depends_on(answer),
            "every cell" if len(fails) == len(cells) else grouped(fails, tuple(cells)) if fails else NOTHING,
            more_games(each, answer), own if asked.outcome in by.judged.chosen else NOTHING,
            ", ".join(seed for seed, judging in seeds.items() if judging),
        ))  # fmt: skip
    note = f" * {'; '.join(sorted(limits))}." if limits else ""
    words = (
        "Answers are right together with 95% (Holm); *holds in* and *fails in* count the cells where that is known of "
        "a claim by itself; *means by bots* has the lowest and the highest mean of the cells of a kind of bots. "
        "*Differs by* is the factor that explains most of the differences between cells, with its share. *Games* says "
        "how many more games of each comparison, in all cells together, would decide what is not known with a chance "
        "of 80 %, if values stay as they are. A claim that was *chosen* by the figures of one seed is judged by games "
        f"of another. {margin_words(figures)}"
    )
    return f"{markdown_table(heads, rows)}\n\n{words} {rests_on(figures, scope)}{note}"


def factor_table(figures: Figures, scope: Scope, found: Found, fields: Sequence[str]) -> str:
    """One row a claim: by level of each of some factors in how many cells it holds, fails and is open."""
    sides = {asked: sides_of(asked, *each) for asked, each in found.items()}
    levels = {"play": scope.pools, "tower": scope.towers, "setup": SETUPS}
    columns = [(field, level) for field in fields for level in levels[field]]
    rows = []
    for asked, each in sides.items():
        counted = Counter((field, getattr(cell, field), side) for cell, side in each for field in fields)
        counts = ([counted[*column, side] for side in ("holds", "fails", "open")] for column in columns)
        rows.append((asked.title, asked.claim.words,
                     *(" / ".join(map(str, count)) if any(count) else NOTHING for count in counts)))  # fmt: skip
    words = [SETUP_WORDS[level] if field == "setup" else level for field, level in columns]
    return (
        f"{markdown_table(('study', 'holds / fails / open', *words), rows)}\n\n"
        "Of the cells of the table of claims, so the counts of a factor add up to those there. A tower counts with all "
        "its models, and with expansions second strong is play that was taught without them. "
        f"{rests_on(figures, scope, intervals=False)}"
    )


def rests_on(figures: Figures, scope: Scope, *, intervals: bool = True) -> str:
    """What a table rests on: this study's intervals, policies, towers, seed, n, and the assumed data behind it."""
    sure = sure_of([*figures.values()])
    first = f"{sure.n_comparisons:,} simultaneous {LEVEL:.0%} intervals of this study's games. " if intervals else ""
    favors = len(load_experiment(it.EXPERIMENT).changed(expansions=("court",)).components().assumed())
    return (
        f"{first}Pools {', '.join(scope.pools)}, with the policies named above; towers {', '.join(scope.towers)}; seed "
        f"{SEED}; n = {scope.rows} rows of games a cell.{few(sure, scope.rows, 'rows')} Assumed: the figures of "
        f"{favors} favors (study expansions), the county Anhalt (3 players), and a border that is least sure, "
        "Altmark–Vorpommern (all)."
    )


@styled
def picture(figures: Figures, scope: Scope) -> Picture:
    """A row a claim, a column a pool and a set-up: the cells that a claim has there divide the column evenly."""
    rows, columns = drawn(answers_in(figures)), list(product(scope.pools, SETUPS))
    figure, axes = plt.subplots(figsize=(13.0, 0.2 * len(rows) + 1.9))
    figure.suptitle(
        "Where each claim is known to hold and to fail: a row a claim, a column a kind of play and a set-up\n"
        f"The cells that judge a claim divide a column evenly, by tower: {', '.join(scope.towers)}; counties dealt at "
        "random count as a draft", x=0.01, ha="left", fontsize=9,
    )  # fmt: skip
    bars = [
        (row, column + place / len(sides), 1 / len(sides), COLOURS[side])
        for row, (_, _, by_place) in enumerate(rows)
        for column, sides in enumerate(by_place.get(each, []) for each in columns)
        for place, side in enumerate(sides)
    ]
    heights, lefts, widths, colours = zip(*bars, strict=True)
    axes.barh(heights, widths, 1.0, lefts, color=colours, edgecolor="#ffffff", linewidth=0.4, align="center")
    axes.set_xlim(0, len(columns))
    axes.set_ylim(len(rows) - 0.5, -0.5)
    middles = [place + 0.5 for place in range(len(columns))]
    axes.set_xticks(middles, [SETUP_WORDS[setup] for _, setup in columns], fontsize=7.5, rotation=0)
    axes.tick_params(length=0)
    above = axes.secondary_xaxis("top")
    above.set_xticks([len(SETUPS) * each for each in middles[: len(scope.pools)]],
                     [pool.replace(" ", "\n", 1) for pool in scope.pools])  # fmt: skip
    above.tick_params(length=0)
    above.spines["top"].set_visible(False)
    for place in range(0, len(columns) + 1, len(SETUPS)):
        axes.axvline(place, color=INK, linewidth=1.2)
    for place, ((before, *_), (study, *_)) in enumerate(pairwise(rows)):
        if study != before:
            axes.axhline(place + 0.5, color=INK, linewidth=0.8)
    texts = [words.rstrip(".") for _, words, _ in rows]
    texts = [text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()}…" for text in texts]
    axes.set_yticks(
        range(len(rows)), [f"{row[0]}: {text}" for row, text in zip(rows, texts, strict=True)], fontsize=7.5
    )
    for spine in axes.spines.values():
        spine.set_visible(False)
    marks = [Patch(facecolor=colour, edgecolor=INK, linewidth=0.4, label=label)
             for label, colour in {**COLOURS, "not judged there": "#ffffff"}.items()]  # fmt: skip
    figure.legend(handles=marks, loc="outside lower center", ncols=len(marks))
    return figure


def drawn(found: Found) -> list[tuple[str, str, dict[tuple[str, str], list[str]]]]:
    """Study and words of each claim, first with four players, and its sides by pool and set-up, by tower."""
    rows = []
    for asked in sorted(found, key=lambda each: SIZES.index(each.players)):
        sides: dict[tuple[str, str], list[str]] = {}
        for cell, side in sides_of(asked, *found[asked]):
            sides.setdefault((cell.play, cell.setup), []).append(side)
        rows.append((asked.title, asked.claim.words, sides))
    return rows


STUDY = Study(
    __file__, __doc__, it.scope_of, it.identity, it.play, finding=finding, first=first, tables=tables, picture=picture,
    quantities=it.QUANTITIES, games="games of each comparison of prices in a cell",
    sample=Choices(games=432, quick=True), compared=(it.AS_PRINTED,),
    colours=256,  # so that a colour that stands in few squares is kept
    rules=MARGINS.name,
)  # fmt: skip
