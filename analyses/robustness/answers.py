"""One answer to every claim of the project: by all cells that any study has played for it, here and in its own study.

A claim has one answer wherever it is shown. Its own study judges it in the settings of all studies, `robustness` at
random tables, and on another seed at the three tables; where both have a cell, its estimate is their mean, weighted by
precision. Outcomes that were chosen by the figures of their study are judged by `robustness` alone. Counties dealt at
random count as a draft.

These cells are the first stage. Where it leaves a claim undecided, later stages add games of their own
(`additions.csv`), and the p-values of all cells allow for that (`wallsim.stats.stages`). `margins.csv` has the margins
of claims, with the mean effects that were known when it was written, and reasons; it is older than the games it judges.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from math import inf, isfinite, nan
from pathlib import Path
from typing import NamedTuple

from wallsim.analysis.claims.answers import DEPENDS, LEAST_EFFECT, NEVER_WORSE, UNKNOWN, Answer, answers, needs_of
from wallsim.analysis.claims.cells import MIDDLING, SETUPS, TOWERS, WEAK, Cell, Play
from wallsim.analysis.claims.verdicts import Claim, Side
from wallsim.errors import InputError
from wallsim.report.tables.estimates import NOTHING, share
from wallsim.report.tables.verdicts import verdict_table
from wallsim.rules.files import data_folder, stamps_of
from wallsim.rules.other_settings import SETUP_WORDS
from wallsim.stats.blocks import Known
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.stats.stages import Staged, pooled
from wallsim.studies.claims import read_claims
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import BOTS, listed
from wallsim.studies.published import published_studies
from wallsim.studies.register import ROOM, read_register
from wallsim.studies.scope import PLAYERS, Scope
from wallsim.studies.shared_files import rows_of
from wallsim.studies.table_captions import limits

from .estimates import AS_PRINTED, OWN, STAGES, Asked, source, sources

NO_NUMBER = "no number"  # of games would decide, if values stay as they are
LEAST_SHARE = 0.1  # of the differences between cells, from which a factor is named


class Judged(NamedTuple):
    """All that a claim is answered by: the cells of its own study, if they judge it, and those of `robustness`.

    `later` are the games of later stages by cell. `row` is the variance of one row of games by cell, and `games` what a
    row has of each comparison. `margin` is that of `margins.csv`.
    """

    claim: Claim
    unit: str
    own: Mapping[Cell, Known]
    others: Mapping[Cell, Known]
    later: Mapping[Cell, tuple[Known, ...]]
    row: Mapping[Cell, float]
    games: int
    margin: float | None = None

    def cells(self) -> dict[Cell, Staged]:
        """All cells by their stages; in the first one those that both have are pooled."""
        every: dict[Cell, Known] = dict(self.own)
        for cell, figure in self.others.items():
            every[cell] = pooled(every[cell], figure) if cell in every else figure
        return {cell: Staged((first, *self.later.get(cell, ()))) for cell, first in every.items()}

    def said(self, answer: Answer) -> str:
        """The answer as a sentence has it: its word, with the margin."""
        return (
            f"{answer.word} by more than {answer.margin:g} {self.unit}" if answer.word == NEVER_WORSE else answer.word
        )

    def rows_needed(self, answer: Answer) -> dict[str, dict[Cell, float]]:
        """By statement the rows that cells need beyond theirs to show it; `inf` where no number is enough."""
        cells = self.cells()
        return {
            word: {
                cell: (times - 1.0) * self.row[cell] / cells[cell].error ** 2 if isfinite(times) else inf
                for cell, times in needs.items()
                if times > 1.0
            }
            for word, needs in needs_of(self.claim, cells, answer.margin, answer.miss).items()
        }

    def games_needed(self, answer: Answer) -> float:
        """The games of each comparison, in all cells together, that would give an answer; `inf` if values show none."""
        return self.games * min(sum(rows.values()) for rows in self.rows_needed(answer).values())


MARGINS = Path(__file__).with_name("margins.csv")


@cache
def margins(path: Path = MARGINS) -> dict[tuple[str, str], float]:
    """The margins of a file, by default those of the study, by study and outcome.

    InputError that names file, line and field, also for a margin above a third of the effect that was known.
    """
    found = {}
    for line, (study, outcome, *numbers, _) in rows_of(path, ("study", "outcome", "effect", "margin", "reason"))[1:]:
        effect, margin = (float(text) if re.fullmatch(r"\d+(\.\d+)?", text) else nan for text in numbers)
        if not 0.0 < margin <= effect / LEAST_EFFECT + 1e-9:
            raise InputError(f"{path}: line {line}: margin: {numbers[1]!r} with effect {numbers[0]!r}; allowed is more "
                             f"than 0, and at most 1/{LEAST_EFFECT:g} of the effect")  # fmt: skip
        found[study, outcome] = margin
    return found


Found = Mapping[Asked, tuple[Judged, Answer]]


def claims_of_the_register() -> dict[Asked, Judged]:
    """All claims of the published figures, with the cells that judge them."""
    known = published_studies()
    if OWN not in known:
        return {}
    everywhere, result = read_register(OWN), {}
    for each in sources():
        own = read_register(each.name) if each.name in known else Figures(each.name, [])
        for asked in (Asked(each.name, outcome, players) for outcome in each.claims for players in (PLAYERS, 3, 5)):
            chosen = asked.outcome in each.judged.chosen
            cells = {} if chosen else own.cells(each.judged.quantity, asked.outcome, players=asked.players)
            played = {cell._replace(setup=cell.setup if cell.setup in SETUPS else SETUPS[1]): figure
                      for cell, figure in cells.items()}  # fmt: skip
            if played or cells_of(everywhere, asked):
                result[asked] = judged_by(everywhere, asked, played)
    return result


@cache
def _judged_once(_: object) -> Found:
    # For as long as the files of the register are the same.
    return answered(claims_of_the_register())


def project_answers() -> Found:
    """All claims of the published figures, and their answers, corrected together."""
    return _judged_once(stamps_of(data_folder(ROOM)) if published_studies() else ())


def cells_of(figures: Figures, asked: Asked) -> dict[Cell, Figure]:
    """The estimates of a claim on the printed board, by cell."""
    return figures.cells(AS_PRINTED, asked.item, players=asked.players)


def claims_of(figures: Figures) -> list[Asked]:
    """The claims that have figures with four players, in the order of the studies."""
    every = (Asked(each.name, outcome) for each in sources() for outcome in each.claims)
    return [asked for asked in every if cells_of(figures, asked)]


def judged_by(figures: Figures, asked: Asked, own: Mapping[Cell, Figure]) -> Judged:
    """What a claim is judged by: cells of its own study, and figures of `robustness`.

    The variance of a row of games is that here, else the largest of the same play with four players, else of all.
    """
    others, usual = cells_of(figures, asked), cells_of(figures, asked._replace(players=PLAYERS))
    later: dict[Cell, tuple[Figure, ...]] = {}
    for stage in STAGES:
        for cell, each in figures.cells(f"stage-{stage}", asked.item, players=asked.players).items():
            later[cell] = (*later.get(cell, ()), each)
    row = {}
    for cell in {**own, **others}:
        near = [others[cell]] if cell in others else [each for at, each in usual.items() if at.play == cell.play]
        row[cell] = max((each.error**2 * each.blocks for each in near or usual.values()), default=inf)
    games = source(asked.study).judged.games_a_row
    return Judged(asked.claim, asked.unit, own, others, later, row, games, margins().get((asked.study, asked.outcome)))


def answered(claims: Mapping[Asked, Judged]) -> Found:
    """Claims with their answers by all cells that judge them, corrected together."""
    found = answers(
        {asked: each.claim for asked, each in claims.items()},
        {asked: each.cells() for asked, each in claims.items()},
        {asked: each.margin for asked, each in claims.items() if each.margin is not None},
    )
    return {asked: (each, found[asked]) for asked, each in claims.items()}


def answers_in(figures: Figures) -> Found:
    """The claims that figures of `robustness` answer, and the answers: of the whole project if they are published."""
    if is_published(figures):
        return project_answers()
    return answered({asked: judged_by(figures, asked, {}) for asked in claims_of(figures)})


def sides_of(asked: Asked, judged: Judged, answer: Answer) -> list[tuple[Cell, Side]]:
    """Where a claim is known to hold, to fail, or neither: every cell that judges it, by set-up and tower.

    Tables and pictures count these cells, so that a claim that holds in k of them is shown to hold in k. A cell has its
    pool's usual name, and the tower of which its tower is a model.
    """
    order = sorted(judged.cells(), key=lambda cell: ([*SETUP_WORDS].index(cell.setup), [*TOWERS].index(cell.tower)))
    known: dict[Cell, Side] = {**dict.fromkeys(answer.holds_in, "holds"), **dict.fromkeys(answer.fails_in, "fails")}
    pool = source(asked.study).place_of
    return [(Cell(pool(cell.play), TOWERS[cell.tower][0], cell.setup), known.get(cell, "open")) for cell in order]


def answer_of(study: str, outcome: str, players: int = 4) -> Answer:
    """The answer to a published claim. KeyError without one."""
    return project_answers()[Asked(study, outcome, players)][1]


def in_words(judged: Judged, answer: Answer) -> str:
    """An answer in words, with what it depends on or the games that it lacks."""
    if answer.word == UNKNOWN and (games := more_games(judged, answer)) != NO_NUMBER:
        return f"{answer.word} ({games} more games)"
    if answer.word != DEPENDS or (factor := depends_on(answer)) == NOTHING:
        return judged.said(answer)
    return f"{answer.word} (mostly by {factor})"


def depends_on(answer: Answer) -> str:
    """The factor that explains most of the differences between cells, and its share; a dash if none explains any."""
    if not answer.factors or answer.factors[0].share < LEAST_SHARE:
        return NOTHING
    factor = answer.factors[0]
    return f"{factor.name.replace('setup', 'set-up')}, {share(factor.share, 0)} %"


def more_games(judged: Judged, answer: Answer) -> str:
    """How many more games would decide what is not known, with two digits; a dash where the answer is known."""
    if answer.word != UNKNOWN:
        return NOTHING
    games = judged.games_needed(answer)
    return f"{float(f'{games:.1e}'):,.0f}" if isfinite(games) else NO_NUMBER


def is_published(figures: Figures) -> bool:
    """Whether figures are those of the register, and not of other games of a user."""
    if figures.study not in published_studies():
        return False
    here, published = ({each.digest for each in of.values()} for of in (figures, read_register(figures.study)))
    return here == published


def claims_table(
    figures: Figures, claims: Sequence[Claim], plays: Sequence[Play], *, players: int = 4, decimals: int = 1
) -> str:
    """One row a claim: lowest and highest estimate of the study's own cells, and the answer of the whole project.

    Other games than the published ones get the verdict of their own cells.
    """
    quantity = source(figures.study).judged.quantity
    read = read_claims(figures, claims, plays, players=players, quantity=quantity)
    known, words = None, "The answer is that of these cells alone."
    if is_published(figures):
        here = {claim.outcome: project_answers()[Asked(figures.study, claim.outcome, players)] for claim in claims}
        known = {outcome: in_words(*each) for outcome, each in here.items()}
        words = "The answer is that of all cells of the claim, in this study and in [Robustness](robustness.md)."
    table = verdict_table(read.verdicts, read.estimates, read.confidence, decimals, answers=known)
    return f"{table}\n\n{words}"


def claims_text(figures: Figures, claims: Sequence[Claim], scope: Scope) -> str:
    """The table of claims, and in how many cells and with which intervals they are judged."""
    cells = len(scope.cells())
    table = claims_table(figures, claims, scope.plays, decimals=2)
    return f"{table}\n\n{limits(Confidence(LEVEL, len(claims) * cells), scope.others, cells)}"


def left_open(figures: Figures, claims: Sequence[Claim]) -> dict[str, str]:
    """The sentence of a finding on claims that differ; without any, that on claims that are not known."""
    differs = differing(figures, claims)
    return {"unknown": "" if differs else not_known(figures, claims), "differs": differs}


def not_known(figures: Figures, claims: Sequence[Claim]) -> str:
    """What is not known of the findings of a study, as a sentence for its page; empty if all of them are answered."""
    if not is_published(figures):
        return "These games are not the published ones; claims are judged by them alone."
    return _first_of(_with(figures, claims, UNKNOWN))


def differing(figures: Figures, claims: Sequence[Claim]) -> str:
    """For which bots the first claim that differs holds and fails, and how many more differ; empty if none does."""
    here = _with(figures, claims, DEPENDS) if is_published(figures) else []
    said = [_by_bots(claim, answer_of(figures.study, claim.outcome)) for claim in here[:1]]
    more = len(here) - 1
    others = [f"{'Another claim differs' if more == 1 else f'{more} more claims differ'}, too."] if more > 0 else []
    return " ".join([*said, *others])


def _by_bots(claim: Claim, answer: Answer) -> str:
    # The bots of the three tables by where a claim is known to hold or to fail; weaker ones where those are all alike.
    holds, fails = ({cell.play for cell in cells} for cells in (answer.holds_in, answer.fails_in))
    found = {"for": holds - fails, "not for": fails - holds, "only in some settings for": holds & fails}
    for words in (BOTS, {**BOTS, MIDDLING: MIDDLING, WEAK: WEAK}):
        named = {head: [words[play] for play in words if play in plays] for head, plays in found.items()}
        parts = [f"{head} {listed(bots)} bots" for head, bots in named.items() if bots]
        if len(parts) > 1:
            break
    return f"{claim.words.rstrip('.')} {', '.join(parts)}."


def _with(figures: Figures, claims: Sequence[Claim], word: str) -> list[Claim]:
    # Findings alone: the first screen does not speak of checks.
    found = (claim for claim in claims if not claim.check)
    return [claim for claim in found if answer_of(figures.study, claim.outcome).word == word]


def _first_of(claims: Sequence[Claim]) -> str:
    # The first claim in words, and how many more there are.
    if len(claims) < 2:
        return "".join(claim.words for claim in claims)
    return f"{claims[0].words.rstrip('.')}, and {len(claims) - 1} more claim{'s' if len(claims) > 2 else ''}."
