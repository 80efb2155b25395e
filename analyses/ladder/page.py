"""The page of the study `ladder`: sentences and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure as Picture

from wallsim.analysis.games.setups import SETUP_WORDS
from wallsim.analysis.tournament.order import SameOrder
from wallsim.analysis.tournament.payoffs import cycles, upsets
from wallsim.analysis.tournament.ratings import Ratings
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import literal, markdown_table, paragraph
from wallsim.report.figures.ratings import ladder
from wallsim.report.tables.estimates import share, share_ends, tau_in_words
from wallsim.report.tables.ratings import (
    AGREEMENT,
    LADDER,
    agreement_rows,
    cycle_rows,
    ladder_notes,
    ladder_rows,
    strength_of,
)
from wallsim.runs.tournament.interim_analyses import looks_in_words
from wallsim.runs.tuning.evaluation import Finding
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Figures
from wallsim.studies.study import Page

from .estimates import DRAFT, LINEUP, Design, Visit
from .figures import agreement_of, ladders_of, looks_of, order_of, payoffs_of, ratings_of, visits_of

MARK = "ladder figures"


def page(figures: Figures, design: Design) -> Page:
    """All tables; how often a ladder was looked at is printed in any case."""
    looks, ratings, results = looks_of(figures, design), ratings_of(figures, design), visits_of(figures, design)
    ladders = ladders_of(figures, design)
    parts = [games_played(ladders, design), *look_sentences(looks, repeated=True), ladder_table(ratings)]
    rest = [draft_table(ladders, order_of(figures, ladders, design)), points_table(figures, ratings, design)]
    text = "\n\n".join([*parts, *rest, visits_table(results), visits_words(results)])
    printed = "\n\n".join([text, *look_sentences(looks, repeated=False)])
    return Page({MARK: text}, printed)


def picture(figures: Figures, design: Design) -> Picture:
    """The ladder with line-ups."""
    return ladder(ratings_of(figures, design))


def games_played(ladders: Mapping[str, Ratings], design: Design) -> str:
    """What was played."""
    tournament, result = design.tournaments[LINEUP], ladders[LINEUP]
    table = tournament.table
    return (
        f"{len(tournament.policies)} policies, {result.blocks:,} blocks of {result.games // result.blocks:,} games: "
        f"{result.games:,} games with line-ups, and {ladders[DRAFT].games:,} in the draft; "
        f"{table.players} players, tower {table.tower}, seed {table.seed}, engine version {ENGINE_VERSION}. All is "
        "with line-ups where the draft is not named. Intervals hold for all policies simultaneously with "
        f"{LEVEL:.0%}."
    )


def look_sentences(looks: Mapping[str, tuple[int, ...]], *, repeated: bool) -> list[str]:
    """A sentence for each ladder that was looked at more than once, or for each that was looked at only once."""
    return [
        f"{SETUP_WORDS[setup].capitalize()}: {looks_in_words(at)}"
        for setup, at in looks.items()
        if (len(at) > 1) == repeated
    ]


def ladder_table(ratings: Ratings) -> str:
    """The ladder, and what is known about its order."""
    rows = [(place, literal(policy), *rest) for place, policy, *rest in ladder_rows(ratings)]
    return "\n\n".join([markdown_table(LADDER, rows), *ladder_notes(ratings)])


def draft_table(ladders: Mapping[str, Ratings], order: SameOrder) -> str:
    """One row per policy: rank and strength with line-ups and in the draft; and how far the two ladders agree."""
    names = ladders[LINEUP].policies
    places = {
        setup: {rating.policy: (str(place), strength_of(rating)) for place, rating in enumerate(result.ladder, start=1)}
        for setup, result in ladders.items()
    }
    rows = [(literal(name), *(cell for result in places.values() for cell in result[name])) for name in names]
    headings = ("policy", *(f"{what}, {SETUP_WORDS[setup]}" for setup in ladders for what in ("rank", "strength")))
    drafted = ladders[DRAFT]
    notes = [f"Of the draft: {drafted.games:,} games in {drafted.blocks:,} blocks."]
    if all(result.blocks >= result.confidence.min_blocks for result in ladders.values()):
        notes.append(f"Here ± hold for all strengths of both ladders simultaneously with {LEVEL:.0%}.")
    notes += dict.fromkeys(note for result in ladders.values() for note in result.notes)
    return "\n\n".join([markdown_table(headings, rows), f"{' '.join(notes)} {order_words(ladders, order)}"])


def order_words(ladders: Mapping[str, Ratings], order: SameOrder) -> str:
    """How far the ladders with line-ups and in the draft are in the same order, in a sentence or two."""
    fewest = Confidence(LEVEL, order.pairs * len(ladders))
    blocks = min(ladder.blocks for ladder in ladders.values())
    few = f" {fewest.too_few(blocks, 'blocks')}" if blocks < fewest.min_blocks else ""
    return (
        f"Kendall's tau between the two ladders is {tau_in_words(order)}: of {order.pairs} pairs {len(order.same)} are "
        f"known to be in the same order on both, {len(order.turned)} in opposite order, and of {len(order.open)} it is "
        f"not known.{few}"
    )


def points_table(figures: Figures, ratings: Ratings, design: Design) -> str:
    """Results that contradict the ladder, and its agreement with victory points."""
    matrix = payoffs_of(figures, ratings, design)
    against = cycle_rows(upsets(matrix, ratings.policies), cycles(matrix, ratings.policies))
    words = (
        "Known to run against the ladder:" if against else "No pair and no cycle of three is known to run against it."
    )
    lines = [words, *(f"- {paragraph('; '.join(filter(None, row)))}" for row in against)]
    return "\n".join(lines) + "\n\n" + markdown_table(AGREEMENT, agreement_rows(agreement_of(figures, design)))


def visits_table(results: Sequence[tuple[Visit, Finding]]) -> str:
    """One row per visit."""
    rows = [
        (
            f"`{visit.name}`", f"{visit.players - 1} × `{visit.host}`", SETUP_WORDS[visit.setup], f"{finding.games:,}",
            share(finding.share), share_ends((finding.low, finding.high)), share(1 / visit.players),
        )
        for visit, finding in results
    ]  # fmt: skip
    interval = f"{LEVEL:.0%} interval, all simultaneously"
    return markdown_table(("one seat of", "among", "set-up", "games", "wins, %", interval, "fair share, %"), rows)


def visits_words(results: Sequence[tuple[Visit, Finding]]) -> str:
    """Which visits are known to win more than their fair share, and which less, in sentences."""
    sides: dict[str, list[str]] = {"more": [], "less": [], "": []}
    for visit, finding in results:
        fair = 1 / visit.players
        side = "more" if finding.low > fair else "less" if finding.high < fair else ""
        sides[side].append(f"`{visit.name}` among `{visit.host}` ({SETUP_WORDS[visit.setup]}, {visit.players} players)")
    words = [f"More than the fair share is won in {len(sides['more'])} of {len(results)} rows."]
    for side, start in (("less", "Less"), ("", "Not known to be more or less")):
        words += [f"{start}: {'; '.join(sides[side])}."] if sides[side] else []
    return " ".join(words)
