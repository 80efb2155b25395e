"""The page of the study `robustness`: all tables, as Markdown, and the picture, made from the register."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.answers import DEPENDS, Answer
from wallsim.analysis.claims.cells import SETUPS, TOWERS, Cell, grouped
from wallsim.analysis.claims.plays import plays_in_words, unjudged
from wallsim.analysis.claims.verdicts import Side, Verdict
from wallsim.analysis.games.setups import SETUP_WORDS
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import NOTHING, in_words
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import LEVEL
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import Figures
from wallsim.studies.random_tables import zoo_of
from wallsim.studies.study import Page

from .additions import STAGES, seed_of
from .answers import Asked, Judged, answers_in, claims_in, depends_on, margins_in_words, more_games, sides_of
from .boards import CASES, PRINTED
from .estimates import EXPERIMENT, RANDOM, Estimates, Scope, flips, place_of, plays_for
from .figures import PLAYERS, estimates_in
from .finding import SIZES, count_table, finding_of
from .picture import Place, Row, verdicts_at_a_glance
from .sources import Key, keys_of, source, sources

SIDES: tuple[Side, ...] = ("holds", "fails", "open")


def page(figures: Figures, scope: Scope) -> Page:
    """How many claims hold, and all tables."""
    result = estimates_in(figures, scope)
    claims = claims_in(figures, result)
    found = answers_in(figures, claims)
    finding = None if scope.quick else finding_of(claims, found)
    return Page(finding, count_table(found), text_of(result, claims, found))


def picture(figures: Figures, scope: Scope) -> Picture:
    """Every claim in every cell that judges it."""
    claims = claims_in(figures, estimates_in(figures, scope))
    return verdicts_at_a_glance(*drawn(scope, claims, answers_in(figures, claims)))


def text_of(result: Estimates, claims: Mapping[Asked, Judged], found: Mapping[Asked, Answer]) -> str:
    """All tables."""
    return "\n\n".join(
        (
            played_words(result),
            answer_words(result, found),
            claim_table(result, claims, found),
            factor_table(result, claims, found, ("play", "setup")),
            factor_table(result, claims, found, ("tower",)),
            mean_table(result),
            board_table(result),
        )
    )


def drawn(
    scope: Scope, claims: Mapping[Asked, Judged], found: Mapping[Asked, Answer]
) -> tuple[list[Row], list[str], list[str], str]:
    """What the picture shows: a row a claim, first those of four players, the pools, the set-ups, and the title.

    Counties dealt at random count as a draft.
    """
    rows = []
    for asked in sorted(claims, key=lambda each: SIZES.index(each[2])):
        sides: dict[Place, list[Side]] = {}
        for cell, side in sides_of(claims[asked], found[asked]).items():
            setup = SETUP_WORDS[cell.setup if cell.setup in SETUPS else SETUPS[1]]
            sides.setdefault((place_of(cell.play, source(asked[0])), setup), []).append(side)
        rows.append(Row(_study(asked), claims[asked].claim.words, sides))
    title = (
        "Where each claim is known to hold and to fail: a row a claim, a column a kind of play and a set-up\n"
        f"The cells that judge a claim divide a column evenly, by tower: {', '.join(scope.towers)}; counties dealt at "
        "random count as a draft"
    )
    return rows, list(scope.pools), [SETUP_WORDS[setup] for setup in SETUPS], title


def claims_of(result: Estimates) -> list[Key]:
    """All claims, in the order of the studies."""
    return [key for each in sources() for key in keys_of(each) if key in result.estimates[PRINTED]]


def verdicts_of(result: Estimates, case: str) -> dict[Key, Verdict]:
    """The verdict on every claim that was judged on a board."""
    return {key: result.verdict(case, key) for key in claims_of(result) if key in result.estimates[case]}


def played_words(result: Estimates) -> str:
    """What was played: pools, cells, games, seeds, engine version."""
    scope, experiment = result.scope, load_experiment(EXPERIMENT)
    quick = "A quick look, in few cells: no claim is judged as the study does. " if scope.quick else ""
    games = "; ".join(f"{each.name} {each.games_a_row * scope.rows:,}" for each in sources())
    default = [play for play in plays_for(source("price"), 4).values() if play.name in scope.pools]
    expanding = source("expansions")
    fewer = {each.name: each.towers for each in sources() if not set(scope.towers) <= set(each.towers)}
    alone = "".join(f", those of {name} under the towers {', '.join(towers)} alone" for name, towers in fewer.items())
    with_all = [play for name, play in plays_for(expanding, 4).items() if place_of(name, expanding) in scope.pools]
    strange = [play for play in with_all if play not in default]
    return (
        f"{quick}{len(claims_of(result))} claims in up to {max(map(len, result.estimates[PRINTED].values()))} cells: "
        f"{len(scope.pools)} pools × {len(scope.towers)} towers × line-ups and draft{alone}. Pools: "
        f"{plays_in_words(default)}, {RANDOM}; with expansions {plays_in_words(strange)} instead. The {RANDOM} are "
        f"{scope.rows} tables, each seat with a policy drawn from {len(zoo_of(4))} of the zoo. Every cell has "
        f"{scope.rows} rows of games, one a table there: the units of errors. Games of each comparison in a cell: "
        f"{games}; of line-ups each game number is played in all eight arrangements. Games from 0 on of seed "
        f"{experiment.seed}, from which the tables are drawn, too; engine version {ENGINE_VERSION}."
        f"{_added_words(scope)}"
    )


def _added_words(scope: Scope) -> str:
    """What later stages added, as sentences for the end of a text."""
    texts, seed = [], load_experiment(EXPERIMENT).seed
    for stage in STAGES:
        here = [each for each in scope.additions if each.stage == stage]
        if here:
            games = sum(each.parts * scope.rows * each.source.games_a_row for each in here)
            texts.append(
                f" Stage {stage} added {games:,} games of each comparison in {len(here)} cells of claims that were not "
                f"known (seeds from {seed_of(seed, stage, 0)} on)."
            )
    return "".join(texts)


def answer_words(result: Estimates, found: Mapping[Asked, Answer]) -> str:
    """Which claims depend and on what, and which another figure in place of an assumed one turns."""
    words = {(key[0], key[1].outcome): key[1].words.rstrip(".") for key in claims_of(result)}
    depending = [
        f"{words[asked[:2]]} ({_study(asked)}; {depends_on(answer)})"
        for asked, answer in found.items()
        if answer.word == DEPENDS and asked[:2] in words
    ]
    moved = [
        f"{key[1].words.rstrip('.')} ({name})"
        for name, against in _compared(result)
        for key, verdict in verdicts_of(result, name).items()
        if flips(_same_cells(result, against, key, verdict), verdict)
    ]
    return (
        f"What depends, and mostly on what: {'; '.join(depending) or 'nothing'}. What another figure for an assumed "
        f"one turns: {'; '.join(moved) or 'nothing'}."
    )


def claim_table(result: Estimates, claims: Mapping[Asked, Judged], found: Mapping[Asked, Answer]) -> str:
    """One row a claim: its answer, where it holds, what it depends on, and which seeds chose and judged it."""
    means = {(key[0], key[1].outcome): _as_text(result, mean) for key, mean in result.means.every.items()}
    rows, limits = [], set()
    for asked, each in claims.items():
        answer, cells = found[asked], each.cells()
        limit, fails = _limit(asked, cells), answer.fails_in
        limits |= {limit} - {""}
        mean = means.get(asked[:2], NOTHING) if asked[2] == PLAYERS else NOTHING
        rows.append(
            (
                _study(asked),
                each.claim.words,
                answer.word + (" *" if limit else ""),
                *(f"{len(where)} of {len(cells)}" for where in (answer.holds_in, fails)),
                f"{mean} (> {each.claim.above:g})",
                depends_on(answer),
                "every cell" if len(fails) == len(cells) else grouped(fails, tuple(cells)) if fails else NOTHING,
                more_games(each, answer),
                *_seeds(asked, each),
            )
        )
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
    return f"{markdown_table(heads, rows)}\n\n{words} {under(result)}{note}"


def _study(asked: Asked) -> str:
    return asked[0] if asked[2] == PLAYERS else f"{asked[0]}, {asked[2]} players"


def _limit(asked: Asked, cells: Iterable[Cell]) -> str:
    known = plays_for(source(asked[0]), asked[2])
    return unjudged(known[pool] for pool in dict.fromkeys(cell.play for cell in cells) if pool in known)


def _seeds(asked: Asked, judged: Judged) -> tuple[str, str]:
    own, seed = load_study(asked[0]).experiment().seed, load_experiment(EXPERIMENT).seed
    chosen = asked[1] in source(asked[0]).judged.chosen
    by = [str(own)] * bool(judged.own) + [str(seed)] * bool(judged.others) + ["later stages"] * bool(judged.later)
    return str(own) if chosen else NOTHING, ", ".join(by)


def factor_table(
    result: Estimates, claims: Mapping[Asked, Judged], found: Mapping[Asked, Answer], fields: Iterable[str]
) -> str:
    """One row a claim: by level of each of some factors in how many cells it holds, fails and is open."""
    sides = {asked: sides_of(each, found[asked]) for asked, each in claims.items()}
    there = {cell.setup for each in sides.values() for cell in each}
    levels = [
        (field, level)
        for field in fields
        for level in ([each for each in SETUP_WORDS if each in there] if field == "setup" else _levels(result, field))
    ]
    rows = []
    for asked, each in sides.items():
        placed = {cell: _placed(cell, asked) for cell in each}
        counts = (
            _counts([side for cell, side in each.items() if getattr(placed[cell], field) == level])
            for field, level in levels
        )
        rows.append((_study(asked), claims[asked].claim.words, *counts))
    heads = ("study", "holds / fails / open", *(_head(field, level) for field, level in levels))
    words = (
        "Of the cells of the table of claims, so the counts of a factor add up to those there. A tower counts with all "
        "its models, and with expansions second strong is play that was taught or tuned without them."
    )
    return f"{markdown_table(heads, rows)}\n\n{words} {rests_on(result)}"


def mean_table(result: Estimates) -> str:
    """One row a claim: the mean of the cells of each pool and of each set-up."""
    levels = [(field, level) for field in ("play", "setup") for level in _levels(result, field)]
    rows = []
    for key in claims_of(result):
        means = []
        for field, level in levels:
            name = _named(level, key) if field == "play" else level
            mean = (result.means.pools if field == "play" else result.means.setups).get((key, name))
            means.append(NOTHING if mean is None else _as_text(result, mean))
        rows.append((key[1].words, f"> {key[1].above:g}", *means))
    heads = ("mean of the cells", "claimed", *(_head(field, level) for field, level in levels))
    return f"{markdown_table(heads, rows)}\n\n{under(result)}"


def board_table(result: Estimates) -> str:
    """One row a claim: how another figure moves the mean of the cells that are played with it, and which it turns."""
    compared = _compared(result)
    rows = [
        (key[1].words, *(_moved(result, name, against, key) for name, against in compared)) for key in claims_of(result)
    ]
    heads = ("the mean moves by", *(name for name, _ in compared))
    tower = result.scope.towers[0]
    words = (
        f"Under tower {tower}, in the pools and set-ups above (with 3 players, with line-ups alone); a move compares "
        "the same rows of games on both boards. Cells are turned where a claim holds on one board and fails on the "
        "other, by these intervals."
    )
    return f"{markdown_table(heads, rows)}\n\n{words} {under(result)}"


def under(result: Estimates) -> str:
    """The line under a table of this study's own cells: their intervals, and what the table rests on."""
    return f"{result.sure.n_comparisons:,} simultaneous {LEVEL:.0%} intervals of this study's games. {rests_on(result)}"


def rests_on(result: Estimates) -> str:
    """What a table rests on: policies, towers, seed, n, and the assumed data behind it."""
    scope = result.scope
    few = f" {result.sure.too_few(scope.rows, 'rows')}" if scope.rows < result.sure.min_blocks else ""
    return (
        f"Pools {', '.join(scope.pools)}, with the policies named above; towers {', '.join(scope.towers)}; seed "
        f"{load_experiment(EXPERIMENT).seed}; n = {scope.rows} rows of games a cell.{few} Assumed: {assumed_words()}."
    )


def assumed_words() -> str:
    """The assumed figures behind the tables."""
    experiment = load_experiment(EXPERIMENT)
    favors = len(experiment.changed(expansions=("court",)).components().assumed())
    return (
        f"the figures of {favors} favors (study expansions), the county Anhalt (3 players), and a "
        "border that is least sure, Altmark–Vorpommern (all)"
    )


def _compared(result: Estimates) -> list[tuple[str, str]]:
    return [(case.name, case.against) for case in CASES if case.name != case.against and result.estimates[case.name]]


def _same_cells(result: Estimates, case: str, key: Key, verdict: Verdict) -> Verdict:
    judged = result.verdict(case, key)
    return Verdict(judged.claim, {cell: judged.sides[cell] for cell in verdict.sides})


def _moved(result: Estimates, case: str, against: str, key: Key) -> str:
    if key not in result.estimates[case]:
        return NOTHING
    verdict = result.verdict(case, key)
    turned = flips(_same_cells(result, against, key, verdict), verdict)
    words = f"; {len(turned)} of {len(verdict.sides)} cells turned" if turned else ""
    return f"{_as_text(result, result.means.moves[case, key], '+')}{words}"


def _levels(result: Estimates, field: str) -> tuple[str, ...]:
    scope = result.scope
    return {"play": scope.pools, "tower": scope.towers, "setup": SETUPS}[field]


def _placed(cell: Cell, asked: Asked) -> Cell:
    # Under its pool's usual name, and the tower of which its tower is a model.
    return Cell(place_of(cell.play, source(asked[0])), TOWERS[cell.tower][0], cell.setup)


def _named(pool: str, key: Key) -> str:
    # With expansions a pool may have another name.
    own = source(key[0])
    return next(name for name in [*plays_for(own, 4), RANDOM] if place_of(name, own) == pool)


def _counts(sides: Sequence[Side]) -> str:
    counted = Counter(sides)
    return " / ".join(str(counted[side]) for side in SIDES) if sides else NOTHING


def _head(field: str, level: str) -> str:
    return SETUP_WORDS[level] if field == "setup" else level


def _as_text(result: Estimates, estimate: Measured, sign: str = "") -> str:
    return in_words(estimate.value, estimate.interval(result.sure), 2, sign)
