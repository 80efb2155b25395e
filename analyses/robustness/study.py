"""Robustness: which findings of the studies stand under every play, tower, set-up and assumed figure?

Method. Every claim of the studies is judged anew, by the study's own code, in the cross of six pools of policies,
nine towers, and line-ups and draft. Five pools are the usual plays; in the sixth each seat of every
table has a policy drawn at random. A cell has so many rows of a few games; in that pool a row is what one table plays.
Rows are the units of all errors. On boards with another figure in place of an assumed one, all pools are played under
the default tower. The published claims are answered by these cells and those of their own studies together (see
`answers.py`), so that each has one answer; an outcome that was chosen by the figures of its study is judged by these
cells alone. These cells are a first stage. Where a claim is undecided, later stages add games in the cells that decide
it (`additions.csv`), and the answers allow for that (`wallsim.stats.stages`). The intervals of all claims, cells, means
and boards hold simultaneously (Bonferroni), with Student's t. With --quick there are few cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.answers import DEPENDS, FAILS, HOLDS, LITTLE, SAME, UNKNOWN, VARIES, Answer
from wallsim.analysis.claims.cells import SETUPS, TOWERS, Cell, grouped
from wallsim.analysis.claims.plays import CASUAL, STRONG, plays_in_words, unjudged
from wallsim.analysis.claims.verdicts import Side
from wallsim.analysis.games.setups import SETUP_WORDS
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import NOTHING
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.intervals import LEVEL
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import Figures
from wallsim.studies.finding import Finding
from wallsim.studies.grids import Grid, Line, estimate, sure_of, texts_of
from wallsim.studies.random_tables import zoo_of
from wallsim.studies.scope import plays_for as default_plays
from wallsim.studies.study import Page, Study

from .additions import STAGES, seed_of
from .answers import Asked, Judged, answers_in, claims_in, depends_on, margins_in_words, more_games, sides_of
from .boards import CASES, Case
from .estimates import EXPERIMENT, RANDOM, Scope, identity, place_of, play, plays_for, scope_of
from .figures import MEAN, OF_POOL, OF_SETUP, PLAYERS, QUANTITIES, add_figures, cells_of, item, move, verdict
from .picture import Place, Row, verdicts_at_a_glance
from .sources import Key, keys_of, source, sources

Claims = Mapping[Asked, Judged]
Answers = Mapping[Asked, Answer]
MEANINGS = {
    HOLDS: "in every cell of play, tower and set-up",
    VARIES: "in nearly every cell, and no cell is known to fail",
    LITTLE: "it holds, or the other way by less than what matters",
    DEPENDS: "it holds in some cell and fails in some cell",
    SAME: "in every cell the difference is too small to matter",
    FAILS: "the opposite holds in every cell",
    UNKNOWN: "none of these is shown",
}
SIZES = (PLAYERS, 3, 5)  # numbers of players
SIDES: tuple[Side, ...] = ("holds", "fails", "open")
BOARDS = [case for case in CASES if case.name != case.against]


def page(figures: Figures, scope: Scope) -> Page:
    """How many claims hold, and all tables."""
    claims, found = claims_in(figures), answers_in(figures)
    finding = None if scope.quick else finding_of(claims, found)
    return Page(finding, count_table(found), texts_of(figures, tables(figures, scope, claims, found)))


def finding_of(claims: Claims, found: Answers) -> Finding:
    """How many claims hold everywhere and at both tables, and how many are not known; with four players."""
    counts = Counter(answer.word for asked, answer in found.items() if asked[2] == PLAYERS)
    strong = [play.name for play in default_plays(PLAYERS) if play.strength == STRONG]
    casual, experienced = _holding(claims, found, [CASUAL], "lineup"), _holding(claims, found, strong, "draft")
    return Finding(
        f"{counts[HOLDS] + counts[VARIES]} of {counts.total()} claims hold in "
        f"{'all or nearly all' if counts[VARIES] else 'all'} kinds of play, towers and set-ups",
        f"{casual} claims are known to hold in casual play with the printed line-ups.",
        f"{experienced} claims are known to hold with both lines of strong play in the draft.",
        f"{counts[UNKNOWN]} claims are not known." if counts[UNKNOWN] else "",
        "Every claim in every cell of play, tower and set-up: whether it holds, fails or is open",
        f"{counts[DEPENDS]} claims hold in some kinds of play, towers and set-ups and fail in others."
        if counts[DEPENDS]
        else "",
    )


def _holding(claims: Claims, found: Answers, plays: list[str], setup: str) -> str:
    """In words how many of the claims that are judged in all these plays are known to hold there, under every tower."""
    holding = judged = 0
    for asked, each in claims.items():
        there = [cell for cell in each.cells() if cell.play in plays and cell.setup == setup]
        if asked[2] == PLAYERS and {cell.play for cell in there} == set(plays):
            judged += 1
            holding += set(there) <= set(found[asked].holds_in)
    return f"{holding} of {judged}"


def count_table(found: Answers) -> str:
    """One row an answer: what it says, and how many claims have it, by number of players."""
    counts = Counter((answer.word, asked[2]) for asked, answer in found.items())
    sizes = [size for size in SIZES if any(players == size for _, players in counts)]
    rows = [(word, words, *(str(counts[word, size]) for size in sizes)) for word, words in MEANINGS.items()]
    table = markdown_table(("answer", "what it says", *(f"claims, {size} players" for size in sizes)), rows)
    return (
        f"{table}\n\nAll answers are right together with {LEVEL:.0%}; each claim has one, on every page. What "
        f"matters at a table: {margins_in_words()}."
    )


def tables(figures: Figures, scope: Scope, claims: Claims, found: Answers) -> Iterator[Grid | str]:
    """What was played, the answers, where claims hold by factor, and means by pool, set-up and board."""
    yield played_words(figures, scope)
    turned = turned_cells(figures)
    yield answer_words(figures, found, turned)
    yield claim_table(figures, scope, claims, found)
    yield factor_table(figures, scope, claims, found, ("play", "setup"))
    yield factor_table(figures, scope, claims, found, ("tower",))
    keys, under = claims_of(figures), under_table(figures, scope)
    rows = [Line((key[1].words, f"> {key[1].above:g}"), {"item": item(key)}) for key in keys]
    pools = [Line(pool, {"quantity": OF_POOL, "play": pool}) for pool in scope.pools]
    setups = [Line(SETUP_WORDS[setup], {"quantity": OF_SETUP, "setup": setup}) for setup in SETUPS]
    renamed = {
        (row.head, pool): estimate(2)(figures.of(OF_POOL, item(key), players=PLAYERS, play=name))
        for row, key in zip(rows, keys, strict=True)
        for pool in scope.pools
        if (name := _named(pool, key)) != pool
    }
    yield Grid(
        ("mean of the cells", "claimed"), rows, [*pools, *setups], {"players": PLAYERS}, under=under, texts=renamed
    )
    boards = [case for case in BOARDS if any(cells_of(figures, key, case) for key in keys)]
    ends = {figures.of(move(case), item(key), players=case.players).id: text for (case, key), text in turned.items()}
    moves = [Line(case.name, {"quantity": move(case), "players": case.players},
                  lambda each: f"{estimate(2, '+')(each)}{ends.get(each.id, '')}") for case in boards]  # fmt: skip
    unplayed = {(key[1].words, case.name): NOTHING for key in keys for case in boards
                if not cells_of(figures, key, case)}  # fmt: skip
    words = (
        f"Under tower {scope.towers[0]}, in the pools and set-ups above (with 3 players, with line-ups alone); a move "
        "compares the same rows of games on both boards. Cells are turned where a claim holds on one board and fails "
        f"on the other, by these intervals. {under}"
    )
    rows = [Line(key[1].words, {"item": item(key)}) for key in keys]
    yield Grid("the mean moves by", rows, moves, under=words, texts=unplayed)


def claims_of(figures: Figures) -> list[Key]:
    """All claims, in the order of the studies."""
    return [key for each in sources() for key in keys_of(each) if cells_of(figures, key)]


def turned_cells(figures: Figures) -> dict[tuple[Case, Key], str]:
    """In how many cells a board turns a claim, for the end of a cell of the table; only where it turns any."""
    result = {}
    for case in BOARDS:
        before = next(each for each in CASES if each.name == case.against)
        for key in claims_of(figures):
            if cells := cells_of(figures, key, case):
                printed, other = verdict(key, cells_of(figures, key, before)), verdict(key, cells)
                turned = [cell for cell, side in other.sides.items() if {side, printed.sides[cell]} == {*SIDES[:2]}]
                if turned:
                    result[case, key] = f"; {len(turned)} of {len(cells)} cells turned"
    return result


def played_words(figures: Figures, scope: Scope) -> str:
    """What was played: pools, cells, games, seeds, engine version."""
    seed, keys = load_experiment(EXPERIMENT).seed, claims_of(figures)
    quick = "A quick look, in few cells: no claim is judged as the study does. " if scope.quick else ""
    games = "; ".join(f"{each.name} {each.games_a_row * scope.rows:,}" for each in sources())
    default = [play for play in plays_for(source("price"), 4).values() if play.name in scope.pools]
    expanding = source("expansions")
    fewer = {each.name: each.towers for each in sources() if not set(scope.towers) <= set(each.towers)}
    alone = "".join(f", those of {name} under the towers {', '.join(towers)} alone" for name, towers in fewer.items())
    with_all = [play for name, play in plays_for(expanding, 4).items() if place_of(name, expanding) in scope.pools]
    strange = [play for play in with_all if play not in default]
    text = (
        f"{quick}{len(keys)} claims in up to {max(len(cells_of(figures, key)) for key in keys)} cells: "
        f"{len(scope.pools)} pools × {len(scope.towers)} towers × line-ups and draft{alone}. Pools: "
        f"{plays_in_words(default)}, {RANDOM}; with expansions {plays_in_words(strange)} instead. The {RANDOM} are "
        f"{scope.rows} tables, each seat with a policy drawn from {len(zoo_of(4))} of the zoo. Every cell has "
        f"{scope.rows} rows of games, one a table there: the units of errors. Games of each comparison in a cell: "
        f"{games}; of line-ups each game number is played in all eight arrangements. Games from 0 on of seed "
        f"{seed}, from which the tables are drawn, too; engine version {ENGINE_VERSION}."
    )
    for stage in STAGES:
        if here := [each for each in scope.additions if each.stage == stage]:
            added = sum(each.parts * scope.rows * each.source.games_a_row for each in here)
            text += (
                f" Stage {stage} added {added:,} games of each comparison in {len(here)} cells of claims that were not "
                f"known (seeds from {seed_of(seed, stage, 0)} on)."
            )
    return text


def answer_words(figures: Figures, found: Answers, turned: Iterable[tuple[Case, Key]]) -> str:
    """Which claims depend and on what, and which another figure in place of an assumed one turns."""
    words = {(key[0], key[1].outcome): key[1].words.rstrip(".") for key in claims_of(figures)}
    depending = [
        f"{words[asked[:2]]} ({_study(asked)}; {depends_on(answer)})"
        for asked, answer in found.items()
        if answer.word == DEPENDS and asked[:2] in words
    ]
    moved = [f"{key[1].words.rstrip('.')} ({case.name})" for case, key in turned]
    return (
        f"What depends, and mostly on what: {'; '.join(depending) or 'nothing'}. What another figure for an assumed "
        f"one turns: {'; '.join(moved) or 'nothing'}."
    )


def claim_table(figures: Figures, scope: Scope, claims: Claims, found: Answers) -> str:
    """One row a claim: its answer, where it holds, what it depends on, and which seeds chose and judged it."""
    rows, limits = [], set()
    for asked, each in claims.items():
        answer, cells = found[asked], each.cells()
        limit, fails = _limit(asked, cells), answer.fails_in
        limits |= {limit} - {""}
        means = figures.all_of(MEAN, f"{asked[0]} {asked[1]}", players=PLAYERS) if asked[2] == PLAYERS else []
        rows.append((
            _study(asked), each.claim.words, answer.word + (" *" if limit else ""),
            *(f"{len(where)} of {len(cells)}" for where in (answer.holds_in, fails)),
            f"{estimate(2)(means[0]) if means else NOTHING} (> {each.claim.above:g})", depends_on(answer),
            "every cell" if len(fails) == len(cells) else grouped(fails, tuple(cells)) if fails else NOTHING,
            more_games(each, answer), *_seeds(asked, each),
        ))  # fmt: skip
    heads = ["study", "claim", "answer", "holds in", "fails in", "mean of all cells", "differs by", "fails where"]
    heads += ["games", "chosen by seed", "judged by seeds"]
    note = f" * {'; '.join(sorted(limits))}." if limits else ""
    words = (
        "Answers are right together with 95% (Holm); *holds in* and *fails in* count the cells where that is known of "
        "a claim by itself; the *mean* is that of the cells of this study. *Differs by* is the factor that explains "
        "most of the differences between cells, with its share. *Games* says how many more games of "
        "each comparison, in all cells together, would decide what is not known with a chance of 80 %, if values stay "
        f"as they are. What matters at a table: {margins_in_words()}. A claim that was *chosen* by the "
        "figures of one seed is judged by games of another."
    )
    return f"{markdown_table(heads, rows)}\n\n{words} {under_table(figures, scope)}{note}"


def _study(asked: Asked) -> str:
    return asked[0] if asked[2] == PLAYERS else f"{asked[0]}, {asked[2]} players"


def _limit(asked: Asked, cells: Mapping[Cell, object]) -> str:
    known = plays_for(source(asked[0]), asked[2])
    return unjudged(known[pool] for pool in dict.fromkeys(cell.play for cell in cells) if pool in known)


def _seeds(asked: Asked, judged: Judged) -> tuple[str, str]:
    own, seed = load_study(asked[0]).experiment().seed, load_experiment(EXPERIMENT).seed
    chosen = asked[1] in source(asked[0]).judged.chosen
    by = [str(own)] * bool(judged.own) + [str(seed)] * bool(judged.others) + ["later stages"] * bool(judged.later)
    return str(own) if chosen else NOTHING, ", ".join(by)


def factor_table(figures: Figures, scope: Scope, claims: Claims, found: Answers, fields: Sequence[str]) -> str:
    """One row a claim: by level of each of some factors in how many cells it holds, fails and is open."""
    sides = {asked: sides_of(each, found[asked]) for asked, each in claims.items()}
    there = {cell.setup for each in sides.values() for cell in each}
    levels = {"play": scope.pools, "tower": scope.towers, "setup": [each for each in SETUP_WORDS if each in there]}
    rows = []
    for asked, each in sides.items():
        placed = {cell: _placed(cell, asked) for cell in each}
        counts = (
            _counts([side for cell, side in each.items() if getattr(placed[cell], field) == level])
            for field in fields
            for level in levels[field]
        )
        rows.append((_study(asked), claims[asked].claim.words, *counts))
    words = [SETUP_WORDS[level] if field == "setup" else level for field in fields for level in levels[field]]
    return (
        f"{markdown_table(('study', 'holds / fails / open', *words), rows)}\n\n"
        "Of the cells of the table of claims, so the counts of a factor add up to those there. A tower counts with all "
        "its models, and with expansions second strong is play that was taught or tuned without them. "
        f"{rests_on(figures, scope)}"
    )


def _counts(sides: Sequence[Side]) -> str:
    counted = Counter(sides)
    return " / ".join(str(counted[side]) for side in SIDES) if sides else NOTHING


def _placed(cell: Cell, asked: Asked) -> Cell:
    # Under its pool's usual name, and the tower of which its tower is a model.
    return Cell(place_of(cell.play, source(asked[0])), TOWERS[cell.tower][0], cell.setup)


def _named(pool: str, key: Key) -> str:
    # With expansions a pool may have another name.
    own = source(key[0])
    return next(name for name in [*plays_for(own, 4), RANDOM] if place_of(name, own) == pool)


def under_table(figures: Figures, scope: Scope) -> str:
    """The line under a table of this study's own cells: their intervals, and what the table rests on."""
    count = sure_of([*figures.values()]).n_comparisons
    return f"{count:,} simultaneous {LEVEL:.0%} intervals of this study's games. {rests_on(figures, scope)}"


def rests_on(figures: Figures, scope: Scope) -> str:
    """What a table rests on: policies, towers, seed, n, and the assumed data behind it."""
    sure, experiment = sure_of([*figures.values()]), load_experiment(EXPERIMENT)
    few = f" {sure.too_few(scope.rows, 'rows')}" if scope.rows < sure.min_blocks else ""
    favors = len(experiment.changed(expansions=("court",)).components().assumed())
    return (
        f"Pools {', '.join(scope.pools)}, with the policies named above; towers {', '.join(scope.towers)}; seed "
        f"{experiment.seed}; n = {scope.rows} rows of games a cell.{few} Assumed: the figures of {favors} favors "
        "(study expansions), the county Anhalt (3 players), and a border that is least sure, Altmark–Vorpommern (all)."
    )


def picture(figures: Figures, scope: Scope) -> Picture:
    """Every claim in every cell that judges it: a row a claim, first those of four players."""
    title = (
        "Where each claim is known to hold and to fail: a row a claim, a column a kind of play and a set-up\n"
        f"The cells that judge a claim divide a column evenly, by tower: {', '.join(scope.towers)}; counties dealt at "
        "random count as a draft"
    )
    rows = drawn(claims_in(figures), answers_in(figures))
    return verdicts_at_a_glance(rows, list(scope.pools), [SETUP_WORDS[setup] for setup in SETUPS], title)


def drawn(claims: Claims, found: Answers) -> list[Row]:
    """The rows of the picture. Counties dealt at random count as a draft."""
    rows = []
    for asked in sorted(claims, key=lambda each: SIZES.index(each[2])):
        sides: dict[Place, list[Side]] = {}
        for cell, side in sides_of(claims[asked], found[asked]).items():
            setup = SETUP_WORDS[cell.setup if cell.setup in SETUPS else SETUPS[1]]
            sides.setdefault((place_of(cell.play, source(asked[0])), setup), []).append(side)
        rows.append(Row(_study(asked), claims[asked].claim.words, sides))
    return rows


STUDY = Study(
    __file__, __doc__, scope_of, identity, play, add_figures, page, picture, quantities=QUANTITIES,
    games="games of each comparison of prices in a cell", colours=256,  # a colour that stands in few squares is kept
)  # fmt: skip
