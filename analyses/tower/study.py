"""The tower: which outcomes do nine dice towers change, and which conclusions are robust to them?

Method. A block is a game number: it has the same seed, so the same cards, events and openings, under every tower and in
every arrangement of seats. Under each of nine towers, with line-ups and in the draft, are played (1) tables of four
alike, from weak to two lines of strong play, `balanced` as in the experiment of `experiment.toml` among them; (2) for
two pairs of policies the six ways to give two seats to each, so that each policy has every seat equally often. A cell
is a play, or a pair, under a tower and a set-up; where only a tower is named, the outcome is that of `balanced`, or of
the pair, with line-ups. Estimates are means or ratios over blocks, with Student's t intervals from the spread of the
blocks, and differences between towers are paired by block. All intervals, of all outcomes, cells and pairs of towers,
hold simultaneously with 95 % (Bonferroni). Attacks of the first games are recast with one defender more. CLAIMS were
written down before a game of this seed was played, but after pilots with other seeds, of which those of the recasts saw
all nine towers. A claim is answered by all its cells at once; one about a pair of policies covers only these two. Runs
lie in folders PLAY/TOWER/SETUP below the one named and are not played again if they are there, and an interrupted study
resumes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import isnan, nan
from typing import Any, NamedTuple

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.answers import answers
from wallsim.analysis.claims.cells import SETUPS, TOWERS, Cell
from wallsim.analysis.claims.plays import CASUAL, MIDDLING, STRONG, Play, plays_in_words
from wallsim.analysis.claims.verdicts import Claim, judge
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import NOTHING, ends, in_words, number
from wallsim.report.tables.verdicts import verdict_table
from wallsim.stats.intervals import LEVEL, Interval
from wallsim.studies import two_lines
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import Finding
from wallsim.studies.grids import Grid, Show, estimate, sure_of, texts_of, towers_by_plays
from wallsim.studies.quantities import Key, Quantity, Value, add_values
from wallsim.studies.study import Choices, Page, Study

from ..lineups.measure import LEADER
from ..robustness.answers import answer_of, is_published
from ..robustness.answers import in_words as answer_in_words
from . import played
from .picture import Panel, outcomes_by_tower
from .played import CHANGING, LEAD, PAIR_POINTS, PAIR_WINS, PAIRS, PLAYERS_WON, RECAST_GAIN, Design

BASELINE, PLAYERS = "spielbyweb", 4
OUTCOME, DIFFERENCE, TO_DRAFT = "outcome", "difference", "draft-less-line-ups"
ARM_PAIRS = tuple(combinations(TOWERS, 2))
TABLES = {"casual table": (CASUAL, "lineup"), "experienced table": (STRONG, "draft")}  # strength and set-up


class Outcome(NamedTuple):
    """An outcome: its unit and its exact meaning."""

    unit: str
    meaning: str

    @property
    def top(self) -> float | None:
        """The maximum: 100 for a share in per cent, otherwise None."""
        return 100.0 if self.unit.startswith("% of ") else None

    @property
    def show(self) -> Show:
        """How its figures are written."""
        return estimate(2, top=self.top)


OUTCOMES = {
    played.ATTACKS: Outcome("per game", "attacks on players' counties, all seats"),
    PLAYERS_WON: Outcome("% of attacks", "attacks on players that took the county"),
    "success against neutrals": Outcome("% of attacks", "attacks on neutral counties that took the county"),
    CHANGING: Outcome("per game", "counties that seats lost, to attackers, by ties and in revolts"),
    LEAD: Outcome("VP", "victory points of the first seat above the last"),
    "line-up A": Outcome("% of wins", "wins of the seat with line-up A; the fair share is 25"),
    RECAST_GAIN: Outcome("% points", "how much more often an attacked county holds with one more defender"),
    played.GAIN_AS_MET: Outcome("% points", "held more often where one more defended; 3-8 attackers, same mix"),
    PAIR_WINS["watchful"]:
        Outcome("% of wins", "wins of the two `balanced` against two `heedless`; alike would be 50"),
    PAIR_POINTS["watchful"]: Outcome("VP", "points of a `balanced` seat above a `heedless` one at that table"),
    PAIR_WINS["fighting"]:
        Outcome("% of wins", "wins of the two `conqueror` against two `builder`; alike would be 50"),
}  # fmt: skip
CLAIMS = (
    Claim("An attack on a player succeeds more often than not.", PLAYERS_WON, 50),
    Claim("The four seats lose more than eight counties in a game.", CHANGING, 8),
    Claim("More than ten points lie between first and last.", LEAD, 10),
    Claim("Line-up A wins more than its fair share.", "line-up A", 25),
    Claim("One more defender holds the county in over 5 more of 100 attacks.", RECAST_GAIN, 5),
    Claim("Who minds danger wins more than who does not.", PAIR_WINS["watchful"], 50),
    Claim("Who minds danger scores more than who does not.", PAIR_POINTS["watchful"], 0),
    Claim("The fighting policy wins more than the building policy.", PAIR_WINS["fighting"], 50),
)
UNDER_BOTH = (
    "Means of tables of four equal players; at the experienced table of both lines of strong play, the first before "
    "the second. [All tables](tower-tables.md) has each with its interval."
)
ABOVE = {claim.outcome: claim.above for claim in CLAIMS}


def less_in_words(key: Key) -> str:
    """What a difference between two towers is."""
    outcome, one, _, other = key.item.rsplit(" ", 3)
    return f"{outcome} under {one} less that under {other}, line-ups"


TOGETHER: Any = {"together": (), "family": "all"}  # one family of intervals
QUANTITIES = (
    Quantity(OUTCOME, lambda key: f"{key.item}: {OUTCOMES[key.item].meaning}", lambda key: OUTCOMES[key.item].unit,
             lambda key: ABOVE.get(key.item, nan), **TOGETHER),
    Quantity(DIFFERENCE, less_in_words, lambda key: OUTCOMES[key.item.rsplit(" ", 3)[0]].unit, 0, **TOGETHER),
    # Of line-up A as well, which no draft has.
    Quantity(TO_DRAFT, "{item} in the draft less that with line-ups", lambda key: OUTCOMES[key.item].unit, 0, more=1,
             **TOGETHER),
)  # fmt: skip


def home(outcome: str, tower: str, setup: str = "lineup") -> Cell:
    """The cell of middling play, or of an outcome's pair of policies, under a tower."""
    pairs = (pair for pair in PAIRS if outcome in (PAIR_WINS[pair], PAIR_POINTS.get(pair)))
    return Cell(next(pairs, MIDDLING), tower, setup)


def values_of(measures: played.Measures) -> dict[Key, Value]:
    """Every outcome in every cell, its differences between towers, and from line-ups to the draft, if it has one."""
    values: dict[Key, Value] = {}
    for outcome in OUTCOMES:
        arms = {cell: found[outcome] for cell, found in measures.items() if outcome in found}
        values |= {Key(OUTCOME, outcome, PLAYERS, cell): arm for cell, arm in arms.items()}
        for one, other in ARM_PAIRS:
            first, second = home(outcome, one), home(outcome, other)
            key = Key(DIFFERENCE, f"{outcome} {one} less {other}", PLAYERS, Cell(first.play, "", ""))
            values[key] = arms[first] - arms[second]
        drafted, printed = home(outcome, BASELINE, "draft"), home(outcome, BASELINE)
        key = Key(TO_DRAFT, outcome, PLAYERS, Cell(printed.play, BASELINE, ""))
        if drafted in arms:
            values[key] = arms[drafted] - arms[printed]
    return values


def arms_of(figures: Figures, outcome: str) -> dict[Cell, Figure]:
    """An outcome by cell."""
    return figures.cells(OUTCOME, outcome, players=PLAYERS)


def by_tower(figures: Figures, outcome: str, setup: str = "lineup") -> dict[str, Figure]:
    """An outcome by tower, for middling play or for its pair, under one set-up; empty if it is not known."""
    arms = arms_of(figures, outcome)
    return {tower: arms[cell] for tower in TOWERS if (cell := home(outcome, tower, setup)) in arms}


def gap(figures: Figures, outcome: str, one: str, other: str) -> Figure:
    """An outcome under a tower less that under another."""
    play = home(outcome, BASELINE).play
    return figures.of(DIFFERENCE, f"{outcome} {one} less {other}", players=PLAYERS, play=play)


def at_table(figures: Figures, outcome: str, plays: Iterable[Play], table: str) -> dict[Cell, Figure]:
    """An outcome by cell at one of both tables, under all towers; of both lines of strong play at the experienced."""
    strength, setup = TABLES[table]
    names = {play.name for play in plays if play.strength == strength}
    return {at: arm for at, arm in arms_of(figures, outcome).items() if at.play in names and at.setup == setup}


def page(figures: Figures, design: Design) -> Page:
    """The finding with both tables under all towers, and all tables."""
    first, *others = tables(figures, design)
    return Page(finding_of(figures, design.plays), texts_of(figures, [first]), texts_of(figures, others))


def tables(figures: Figures, design: Design) -> Iterator[Grid | str]:
    """First the outcomes of four equal players at both tables; then what moves, the claims, and every outcome."""
    both, moves = [], []
    for outcome, measured in OUTCOMES.items():
        arms, head = arms_of(figures, outcome), f"{outcome}, {measured.unit}"
        tables = [at_table(figures, outcome, design.plays, table) for table in TABLES]
        if any(tables):
            both.append((head, *(words for each in tables for words in _default_and_all(each, measured.top))))
        cells = f"{span(arms.values(), 2, measured.top)} ({len(arms)} cells)"
        largest = (_largest_move(figures, outcome, same) for same in (1, 0))
        moves.append((head, span(by_tower(figures, outcome).values(), 2, measured.top), cells, *largest))
    heads = (f"{table}, {what}" for table in TABLES for what in ("default tower", "all towers"))
    yield f"{markdown_table(('outcome', *heads), both)}\n\n{UNDER_BOTH}"
    yield games_played(figures, design)
    yield markdown_table(("outcome", "over all towers", "over all cells", "another calibration, same model",
                          "another model, same calibration"), moves)  # fmt: skip
    yield claims_of_tower(figures)
    for outcome, measured in OUTCOMES.items():
        towers, drafted = by_tower(figures, outcome), by_tower(figures, outcome, "draft")
        named = {f"`{tower}`": (arm, _less_baseline(figures, outcome, tower)) for tower, arm in towers.items()}
        if BASELINE in drafted:
            play = home(outcome, BASELINE).play
            change = figures.of(TO_DRAFT, outcome, players=PLAYERS, play=play, tower=BASELINE)
            named[f"`{BASELINE}`, draft"] = drafted[BASELINE], in_words(change.value, change.ends, 2, "+")
        rows = [(name, f"{arm.n:,}", measured.show(arm), less) for name, (arm, less) in named.items()]
        table = markdown_table(("tower", "blocks", outcome, f"minus `{BASELINE}`"), rows)
        yield f"**{outcome}**, {measured.unit}: {measured.meaning}\n\n{table}"
    for outcome in ABOVE:
        for setup in dict.fromkeys(cell.setup for cell in arms_of(figures, outcome)):
            if home(outcome, BASELINE).play == MIDDLING:
                head = f"{outcome}, {OUTCOMES[outcome].unit}, {setup}"
                yield towers_by_plays(head, TOWERS, [play.name for play in design.plays], OUTCOMES[outcome].show,
                                      quantity=OUTCOME, item=outcome, players=PLAYERS, setup=setup)  # fmt: skip


def _default_and_all(arms: dict[Cell, Figure], top: float | None) -> tuple[str, str]:
    # Under the default tower, and the range over all towers.
    default = " and ".join(number(arm.value, 2) for cell, arm in arms.items() if cell.tower == BASELINE)
    return default or NOTHING, span(arms.values(), 2, top)


def _less_baseline(figures: Figures, outcome: str, tower: str) -> str:
    # Pairs of towers begin with the baseline, which is subtracted here.
    if tower == BASELINE:
        return "baseline"
    less = gap(figures, outcome, BASELINE, tower)
    return in_words(-less.value, less.ends, 2, "+")


def _largest_move(figures: Figures, outcome: str, same: int) -> str:
    # The largest difference between towers that have one part in common: 0 for the calibration, 1 for the model.
    pairs = [towers for towers in ARM_PAIRS if TOWERS[towers[0]][same] == TOWERS[towers[1]][same]]
    known = {towers: each for towers in pairs if not isnan((each := gap(figures, outcome, *towers)).value)}
    if not known:
        return NOTHING
    towers, largest = max(known.items(), key=lambda each: abs(each[1].value))
    high, low = towers if largest.value >= 0 else towers[::-1]
    return f"{in_words(abs(largest.value), largest.ends, 2)} (`{high}` above `{low}`)"


def span(arms: Iterable[Figure], decimals: int, top: float | None = None) -> str:
    """The least and the largest of some estimates, or a dash where none is known."""
    return ends(_range(arms), decimals, top=top)


def _range(arms: Iterable[Figure]) -> Interval | None:
    values = [arm.value for arm in arms if not isnan(arm.value)]
    return (min(values), max(values)) if values else None


def games_played(figures: Figures, design: Design) -> str:
    """What was played, and what the intervals mean."""
    blocks = {cell: arm.n for cell, arm in arms_of(figures, CHANGING).items()}
    recast = arms_of(figures, RECAST_GAIN)
    base = Cell(MIDDLING, BASELINE, "lineup")
    other = next(cell for cell in blocks if cell.play != MIDDLING)
    pairs = sum(len(played.seatings(*pair)) for pair in PAIRS.values())
    games = sum(blocks.values()) + pairs * blocks[base] * len(TOWERS) * len(SETUPS)
    sure, fewest = sure_of([*recast.values()]), min(arm.n for arm in recast.values())
    few = f" {sure.too_few(fewest, 'blocks in every cell')}" if fewest < sure.min_blocks else ""
    return (
        f"{blocks[base]:,} blocks under each of {len(TOWERS)} towers, with line-ups and in the draft, of middling play "
        f"and of both pairs ({1 + pairs} games per block), {blocks[other]:,} of the other plays: {games:,} games; "
        f"engine version {ENGINE_VERSION}. Plays: {plays_in_words(design.plays)}. Attacks of the first "
        f"{recast[base].n:,} blocks were recast, of the other plays {recast[other].n:,}. The ± are half-widths of "
        f"intervals that hold for all outcomes, cells and pairs of towers simultaneously with {LEVEL:.0%}.{few}"
    )


def claims_of_tower(figures: Figures) -> str:
    """Every claim with its lowest and highest estimate and its answer, as Markdown.

    The answers are about the cells of this study, all at once; that about line-up A is the one of all studies.
    """
    claims = {claim.outcome: claim for claim in CLAIMS}
    arms = {outcome: arms_of(figures, outcome) for outcome in claims}
    sure = sure_of([*arms[CHANGING].values()])
    units = {outcome: OUTCOMES[outcome].unit for outcome in claims}
    found = answers(claims, arms, units, drawn={}).items()
    known = {outcome: f"{answer_in_words(answer)}; {len(arms[outcome])} cells" for outcome, answer in found}
    if is_published(figures):
        known["line-up A"] = answer_in_words(answer_of("lineups", LEADER))
    judged = [judge(claim, arms[claim.outcome], sure) for claim in CLAIMS]
    shares = [outcome for outcome, measured in OUTCOMES.items() if measured.top]
    pairs = " and of ".join(f"`{one}` and `{other}`" for one, other in PAIRS.values())
    table = verdict_table(judged, arms, sure, shares=shares, answers=known)
    return f"{table}\n\nClaims that are measured by wins or points of {pairs} are about these two policies alone."


def finding_of(figures: Figures, plays: Iterable[Play]) -> Finding | None:
    """Whether success depends on the tower, and between what ends; None with too few blocks for intervals."""
    casual, experienced = (at_table(figures, PLAYERS_WON, plays, table) for table in TABLES)
    lead = at_table(figures, LEAD, plays, "casual table")
    if any(each.ends is None for arms in (casual, experienced, lead) for each in arms.values()):
        return None
    every = {**casual, **experienced}
    depends, succeed = _depends(every), span(every.values(), 0, 100.0)
    return Finding(
        f"How often an attack on a player succeeds {depends}: in {succeed} % of cases",
        f"By tower, {span(casual.values(), 0, 100.0)} % of attacks on players succeed, and {span(lead.values(), 0)} "
        "points lie between first and last.",
        f"In the draft, {span(experienced.values(), 0, 100.0)} % of attacks of both strong lines succeed, by tower.",
        "Which tower is most like a real one: nobody has published a series of casts.",
        "Outcomes of the game, a panel for each, under every dice tower",
    )


def _depends(arms: dict[Cell, Figure]) -> str:
    """Whether an outcome is known to differ between towers in each play, by intervals that do not meet."""
    apart = []
    for play in dict.fromkeys(cell.play for cell in arms):
        known = [arm.ends for cell, arm in arms.items() if cell.play == play and arm.ends is not None]
        apart.append(max(low for low, _ in known) > min(high for _, high in known))
    if all(apart):
        return "depends on the dice tower"
    return f"{'may depend' if any(apart) else 'is not known to depend'} on the dice tower"


def picture(figures: Figures, design: Design) -> Picture:
    """One panel per outcome with the nine towers, and the range over the plays and set-ups of each."""
    panels = {}
    for outcome, measured in OUTCOMES.items():
        arms = arms_of(figures, outcome)
        rows = {tower: (arm, _range(each for cell, each in arms.items() if cell.tower == tower))
                for tower, arm in by_tower(figures, outcome).items()}  # fmt: skip
        panels[outcome] = Panel(measured.unit, rows, ABOVE.get(outcome))
    blocks = arms_of(figures, CHANGING)[Cell(MIDDLING, BASELINE, "lineup")].n
    title = (
        f"Outcomes of the game under {len(TOWERS)} dice towers\n"
        f"Middling play and pairs with line-ups, {blocks:,} blocks per tower; all intervals hold simultaneously"
    )
    return outcomes_by_tower(panels, TOWERS, BASELINE, title)


STUDY = Study(
    __file__, __doc__, played.design, played.identity,
    play=lambda design, storage: values_of(played.measure(design, storage)),
    figures=lambda values, rows: add_values(rows, QUANTITIES, values),
    page=page, picture=picture, quantities=QUANTITIES, options=(two_lines.STRONG, two_lines.SECOND),
    games="blocks instead of the experiment's games", quick=Choices(games=64),
)  # fmt: skip
