"""The page of the study `ladder`: sentences and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.plays import (
    CASUAL_POLICY,
    EARLIER_POLICIES,
    MASTER_POLICIES,
    SECOND_POLICY,
    STRONG_POLICY,
    default_plays,
)
from wallsim.analysis.games.setups import SETUP_WORDS
from wallsim.analysis.tournament.order import SameOrder
from wallsim.analysis.tournament.payoffs import cycles, upsets
from wallsim.analysis.tournament.ratings import Ratings
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import code, literal, markdown_table, paragraph
from wallsim.report.figures.ratings import ladder
from wallsim.report.tables.estimates import NOTHING, in_words, share, share_ends, tau_in_words
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
from wallsim.runs.tuning.evaluation import Finding as Result
from wallsim.stats.intervals import LEVEL, Confidence, Interval
from wallsim.studies.figure import Figures
from wallsim.studies.finding import MOST_ROWS, Finding
from wallsim.studies.study import Page

from .estimates import DRAFT, LINEUP, Design, Visit
from .figures import agreement_of, before_of, ladders_of, looks_of, order_of, payoffs_of, ratings_of, visits_of

LINES = (STRONG_POLICY, SECOND_POLICY)
STYLES = ("conqueror", "builder", "farmer", "banker")
KINDS = {
    **{play.policy: play.name for play in default_plays()},
    MASTER_POLICIES[4]: "taught by trials",
    **dict.fromkeys(STYLES, "a style"),
}
Results = Sequence[tuple[Visit, Result]]


def page(figures: Figures, design: Design) -> Page:
    """The finding with both ladders in short, and all tables; how often a ladder was looked at is always printed."""
    looks, ratings, results = looks_of(figures, design), ratings_of(figures, design), visits_of(figures, design)
    ladders = ladders_of(figures, design)
    parts = [games_played(ladders, design), *look_sentences(looks, repeated=True), ladder_table(ratings)]
    rest = [draft_table(ladders, order_of(figures, ladders, design)), points_table(figures, ratings, design)]
    text = "\n\n".join([*parts, *rest, visits_table(results), visits_words(results)])
    printed = "\n\n".join([text, *look_sentences(looks, repeated=False)])
    return Page(finding_of(figures, design, ladders, results), short_table(ladders), text, printed=printed)


def finding_of(figures: Figures, design: Design, ladders: Mapping[str, Ratings], results: Results) -> Finding | None:
    """What strong play wins against casual play, and the two lines against each other; None if they did not meet."""
    against_casual = _before_casual(figures, design)
    places = ((LINES[0], LINES[1]), (LINES[1], LINES[0]), (MASTER_POLICIES[4], LINES[0]))
    met = {(visit.name, visit.host): each for visit, each in results if (visit.players, visit.setup) == (4, DRAFT)}
    if against_casual is None or any(pair not in met for pair in places):
        return None
    shares = " and ".join(dict.fromkeys(share(value, 0) for value, _ in against_casual))
    each = [in_words(value, interval, 1, top=100.0, factor=100.0) for value, interval in against_casual]
    alone = [in_words(met[pair].share, (met[pair].low, met[pair].high), 1, factor=100.0) for pair in places]
    return Finding(
        f"Strong players finish before casual ones in {shares} % of games; {_between(ladders)}",
        f"Strong play finishes before casual play in {each[0]} and {each[1]} % of games.",
        f"Drafting, the first line wins {alone[0]} % among the second, in turn {alone[1]} %; 25 % is fair.",
        f"How good play can be: the taught policy wins {alone[2]} % among the first line.",
        "Strength of every policy with its interval, the strongest on top",
    )  # fmt: skip


def _before_casual(figures: Figures, design: Design) -> list[tuple[float, Interval]] | None:
    """How often each line of strong play finishes before casual play; None where one is not known."""
    found = [before_of(figures, design, line, CASUAL_POLICY) for line in LINES]
    known = [(value, interval) for value, interval in filter(None, found) if interval is not None]
    return known if len(known) == len(LINES) else None


def _between(ladders: Mapping[str, Ratings]) -> str:
    """Which line of strong play is known to win more where all policies meet, in words: as the short table has it."""
    sides = {setup: _winner(ratings) for setup, ratings in ladders.items()}
    known = {setup: line for setup, line in sides.items() if line is not None}
    if len(set(known.values())) > 1:
        return "which of their two lines wins more depends on the set-up"
    if not known:
        return "which of their two lines wins more is not known"
    where = "" if len(known) == len(sides) else f" ({', '.join(SETUP_WORDS[setup] for setup in known)})"
    line = ("first", "second")[LINES.index(next(iter(known.values())))]
    return f"where all policies meet, the {line} of their two lines wins more{where}"


def _winner(ratings: Ratings) -> str | None:
    """The line of strong play whose interval of wins lies above that of the other; None where that is not known."""
    wins = {each.policy: each.win_interval for each in ratings.ladder}
    for one, other in (LINES, LINES[::-1]):
        more, less = wins[one], wins[other]
        if more is not None and less is not None and more[0] > less[1]:
            return one
    return None


def short_table(ladders: Mapping[str, Ratings]) -> str:
    """One row per policy but the strong ones of before: place and wins, with line-ups and in the draft."""
    shown = [rating.policy for rating in ladders[LINEUP].ladder if rating.policy not in EARLIER_POLICIES[4]]
    by_name = {
        setup: {rating.policy: (place, rating) for place, rating in enumerate(result.ladder, start=1)}
        for setup, result in ladders.items()
    }
    rows = []
    for name in shown[:MOST_ROWS]:
        cells = []
        for each in by_name.values():
            place, rating = each[name]
            cells += [str(place), in_words(rating.win_share, rating.win_interval, 1, top=100.0, factor=100.0)]
        rows.append((code(name), KINDS.get(name, NOTHING), *cells))
    heads = (f"{what}, {SETUP_WORDS[setup]}" for setup in ladders for what in ("place", "wins, %"))
    few = "; too few blocks for intervals" if all("±" not in row[3] for row in rows) else ""
    return (
        f"{markdown_table(('policy', 'kind of play', *heads), rows)}\n\n"
        f"Places among {len(ladders[LINEUP].ladder)} policies, wins of a seat where all of them meet: "
        f"{100 * ladders[LINEUP].fair:.0f} % is fair. The ± are half-widths of simultaneous {LEVEL:.0%} intervals{few}."
    )


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


def visits_table(results: Results) -> str:
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


def visits_words(results: Results) -> str:
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
