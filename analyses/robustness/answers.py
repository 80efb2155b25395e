"""One answer to every claim of the project: by all cells that any study has played for it, here and in its own study.

A claim has one answer wherever it is shown. The cells of its own study and those of `robustness` are played on other
seeds; where both have a cell, its estimate is their mean, weighted by precision. Outcomes that were chosen by the
figures of their study are judged by `robustness` alone. That few of all cells lie on the other side is judged by the
cells of `robustness`, whose pools and towers were fixed beforehand and share their games.

These cells are the first stage. Where it leaves a claim undecided, later stages add games of their own
(`additions.py`), and the p-values of all cells allow for that (`wallsim.stats.stages`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import inf, isfinite
from typing import NamedTuple

from wallsim.analysis.claims.answers import DEPENDS, LITTLE, MARGINS, UNKNOWN, VARIES, Answer, Known, answers
from wallsim.analysis.claims.cells import TOWERS, Cell
from wallsim.analysis.claims.needs import Needs, needs_of
from wallsim.analysis.claims.plays import Play
from wallsim.analysis.claims.verdicts import Claim, Side
from wallsim.analysis.games.setups import SETUP_WORDS
from wallsim.report.tables.estimates import NOTHING, share
from wallsim.report.tables.verdicts import verdict_table
from wallsim.rules.files import data_folder, stamps_of
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.stats.stages import Stage, Staged, pooled
from wallsim.studies.claims import CLAIM, read_claims
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.published import published_studies
from wallsim.studies.register import ROOM, read_register
from wallsim.studies.scope import Scope
from wallsim.studies.table_captions import limits

from .boards import CASES, PRINTED, THREE
from .figures import MEAN, PLAYERS, cells_of, item, later
from .sources import OWN, Key, keys_of, source, sources

Asked = tuple[str, str, int]  # a study, an outcome of one of its claims, and the number of players
Stamps = tuple[tuple[str, int, int], ...]  # of files, as `stamps_of` gives them
SIZES = {case.players: case for case in CASES if case.name in (PRINTED, THREE)}  # by number of players
FACTORS = {"play": "play", "tower": "tower", "setup": "set-up"}
LEAST_SHARE = 0.1  # of the differences between cells, from which a factor is named


class Judged(NamedTuple):
    """All that a claim is answered by: the cells of its own study, if they judge it, and those of `robustness`.

    `mean` is that of the cells of `robustness`, paired by game. `later` are the games of later stages by cell. `row` is
    the variance of one row of games by cell, and `games` what a row has of each comparison.
    """

    claim: Claim
    unit: str
    own: Mapping[Cell, Known]
    others: Mapping[Cell, Known]
    mean: Known | None
    later: Mapping[Cell, tuple[Known, ...]]
    row: Mapping[Cell, float]
    games: int

    def cells(self) -> dict[Cell, Staged]:
        """All cells by their stages; in the first one those that both have are pooled."""
        every: dict[Cell, Stage] = dict(self.own)
        for cell, figure in self.others.items():
            every[cell] = pooled(every[cell], figure) if cell in every else figure
        return {cell: Staged((first, *self.later.get(cell, ()))) for cell, first in every.items()}

    def needs(self, answer: Answer) -> dict[str, Needs]:
        """How many times as many games each statement needs in each cell, for an answer that is not known."""
        return needs_of(self.claim, self.cells(), MARGINS.get(self.unit), answer.miss)

    def rows_for(self, needs: Needs) -> dict[Cell, float]:
        """The rows of games that cells need beyond those that they have; `inf` where no number is enough."""
        cells = self.cells()
        return {
            cell: (times - 1.0) * self.row[cell] / cells[cell].error ** 2 if isfinite(times) else inf
            for cell, times in needs.items()
            if times > 1.0
        }

    def games_needed(self, answer: Answer) -> float:
        """The games of each comparison, in all cells together, that would give an answer; `inf` if values show none."""
        return self.games * min(sum(self.rows_for(needs).values()) for needs in self.needs(answer).values())


def published_claims() -> Mapping[Asked, Judged]:
    """All claims of the published figures, with the cells that judge them."""
    return _published_claims(_stamps())


def _stamps() -> Stamps:
    # Those of the register: a study that is published changes the answers to come.
    return stamps_of(data_folder(ROOM)) if published_studies() else ()


@cache
def _published_claims(_: Stamps) -> Mapping[Asked, Judged]:
    known = published_studies()
    if OWN not in known:
        return {}
    everywhere, result = read_register(OWN), {}
    for each in sources():
        own = read_register(each.name) if each.name in known else Figures(each.name, [])
        for key in keys_of(each):
            outcome = key[1].outcome
            for players in (PLAYERS, 3, 5):
                played = {} if outcome in each.judged.chosen else own.cells(CLAIM, outcome, players=players)
                if played or (players in SIZES and cells_of(everywhere, key, SIZES[players])):
                    result[each.name, outcome, players] = judged_by(everywhere, key, players, played)
    return result


def judged_by(figures: Figures, key: Key, players: int, own: Mapping[Cell, Figure]) -> Judged:
    """What a claim is judged by: cells of its own study, and figures of `robustness`."""
    others = cells_of(figures, key, SIZES[players]) if players in SIZES else {}
    mean = figures.of(MEAN, item(key), players=PLAYERS) if players == PLAYERS and others else None
    row, each = row_variances({*own, *others}, others, cells_of(figures, key)), source(key[0])
    unit = each.unit(key[1].outcome)
    return Judged(key[1], unit, own, others, mean, later(figures, key, players), row, each.games_a_row)


def row_variances(
    cells: Iterable[Cell], here: Mapping[Cell, Estimate | Figure], there: Mapping[Cell, Estimate | Figure]
) -> dict[Cell, float]:
    """The variance of a row of games in each cell: by `here`, else by the largest of the cells `there` of that play.

    If there are none of that play, the largest of all; 0 without any.
    """
    result = {}
    for cell in cells:
        near = [here[cell]] if cell in here else [each for other, each in there.items() if other.play == cell.play]
        known = near or [*there.values()]
        result[cell] = max((each.error**2 * each.blocks for each in known), default=0.0)
    return result


def project_answers() -> Mapping[Asked, Answer]:
    """The answers to all claims of the published figures, corrected together."""
    return _project_answers(_stamps())


@cache
def _project_answers(stamps: Stamps) -> Mapping[Asked, Answer]:
    return answered(_published_claims(stamps))


def answered(claims: Mapping[Asked, Judged], *, alone: bool = False) -> dict[Asked, Answer]:
    """The answers to claims by all cells that judge them, corrected together; `alone` for those of one study."""
    means = {asked: each.mean for asked, each in claims.items() if each.mean is not None}
    return answers(
        {asked: each.claim for asked, each in claims.items()},
        {asked: each.cells() for asked, each in claims.items()},
        {asked: each.unit for asked, each in claims.items()},
        means, drawn=None if alone else {asked: claims[asked].others for asked in means},
    )  # fmt: skip


def claims_in(figures: Figures) -> Mapping[Asked, Judged]:
    """What figures of `robustness` answer claims by: the whole project, or these cells if they are not published."""
    if is_published(figures):
        return published_claims()
    keys = [key for each in sources() for key in keys_of(each) if cells_of(figures, key)]
    return {(key[0], key[1].outcome, PLAYERS): judged_by(figures, key, PLAYERS, {}) for key in keys}


def answers_in(figures: Figures) -> Mapping[Asked, Answer]:
    """The answers to `claims_in`: those of the project, or of these cells alone if they are not published."""
    return project_answers() if is_published(figures) else answered(claims_in(figures), alone=True)


def sides_of(judged: Judged, answer: Answer) -> dict[Cell, Side]:
    """Where a claim is known to hold, to fail, or neither: every cell that judges it, by set-up and tower.

    Tables and pictures count these cells, so that a claim that holds in k of them is shown to hold in k.
    """
    order = sorted(judged.cells(), key=lambda cell: ([*SETUP_WORDS].index(cell.setup), [*TOWERS].index(cell.tower)))
    known: dict[Cell, Side] = {**dict.fromkeys(answer.holds_in, "holds"), **dict.fromkeys(answer.fails_in, "fails")}
    return {cell: known.get(cell, "open") for cell in order}


def answer_of(study: str, outcome: str, players: int = 4) -> Answer:
    """The answer to a published claim. KeyError without one."""
    return project_answers()[study, outcome, players]


def in_words(answer: Answer, judged: Judged | None = None) -> str:
    """An answer in words, with what it depends on where it does, and with `judged` the games that it lacks."""
    if answer.word == UNKNOWN and judged is not None:
        return f"{answer.word} ({more_games(judged, answer)} more games)"
    if answer.word not in (DEPENDS, VARIES, LITTLE) or (factor := depends_on(answer)) == NOTHING:
        return answer.word
    return f"{answer.word} (mostly by {factor})"


def depends_on(answer: Answer) -> str:
    """The factor that explains most of the differences between cells, and its share; a dash if none explains any."""
    first = answer.factors[0] if answer.factors else None
    if first is None or first.share < LEAST_SHARE:
        return NOTHING
    return f"{FACTORS[first.name]}, {share(first.share, 0)} %"


def more_games(judged: Judged, answer: Answer) -> str:
    """How many more games would decide what is not known, with two digits; a dash where the answer is known."""
    if answer.word != UNKNOWN:
        return NOTHING
    games = judged.games_needed(answer)
    return f"{float(f'{games:.1e}'):,.0f}" if isfinite(games) else "no number"


def not_known(figures: Figures, claims: Sequence[Claim], players: int = 4) -> str:
    """What is not known of the claims of a study, as a sentence for its page; empty if all of them are answered."""
    if not is_published(figures):
        return "These games are not the published ones; claims are judged by them alone."
    return _first_of(figures, claims, players, UNKNOWN)


def differing(figures: Figures, claims: Sequence[Claim], players: int = 4) -> str:
    """What depends on play, tower or set-up of the claims of a study, as a sentence for its page; empty if nothing."""
    found = _first_of(figures, claims, players, DEPENDS) if is_published(figures) else ""
    return f"By play, tower or set-up: {found}" if found else ""


def _first_of(figures: Figures, claims: Sequence[Claim], players: int, word: str) -> str:
    # The first claim with an answer, and how many more there are.
    here = [claim.words for claim in claims if answer_of(figures.study, claim.outcome, players).word == word]
    if len(here) < 2:
        return "".join(here)
    return f"{here[0].rstrip('.')}, and {len(here) - 1} more claim{'s' if len(here) > 2 else ''}."


def is_published(figures: Figures) -> bool:
    """Whether figures are those of the register, and not of other games of a user."""
    if figures.study not in published_studies():
        return False
    return {figure.digest for figure in figures.values()} == _published_digests(figures.study, _stamps())


@cache
def _published_digests(study: str, _: Stamps) -> set[str]:
    return {figure.digest for figure in read_register(study).values()}


def claims_table(
    figures: Figures, claims: Sequence[Claim], plays: Sequence[Play], *, players: int = 4, decimals: int = 1,
    shares: Sequence[str] = (),
) -> str:  # fmt: skip
    """One row a claim: lowest and highest estimate of the study's own cells, and the answer of the whole project.

    Other games than the published ones get the verdict of their own cells.
    """
    judged = read_claims(figures, claims, plays, players=players)
    known, words = None, "The answer is that of these cells alone."
    if is_published(figures):
        asked = [(figures.study, claim.outcome, players) for claim in claims]
        known = {each[1]: in_words(answer_of(*each), published_claims()[each]) for each in asked}
        words = "The answer is that of all cells of the claim, in this study and in [Robustness](robustness.md)."
    table = verdict_table(judged.verdicts, judged.estimates, judged.confidence, decimals, shares, known)
    return f"{table}\n\n{words}"


def claims_text(figures: Figures, claims: Sequence[Claim], scope: Scope, *, players: int = 4, decimals: int = 2) -> str:
    """The table of claims, and in how many cells and with which intervals they are judged."""
    cells = len(scope.cells())
    table = claims_table(figures, claims, scope.plays, players=players, decimals=decimals)
    return f"{table}\n\n{limits(Confidence(LEVEL, len(claims) * cells), scope.others, cells)}"


def left_open(figures: Figures, claims: Sequence[Claim]) -> dict[str, str]:
    """The sentences of a finding on claims that are not known, and on those that differ."""
    return {"unknown": not_known(figures, claims), "differs": differing(figures, claims)}


def margins_in_words() -> str:
    """The differences that matter at a table."""
    count = MARGINS["counts a round"]
    return f"{MARGINS['VP']:g} VP, {MARGINS['%']:g} percentage point, {count:g} attacks a round"
