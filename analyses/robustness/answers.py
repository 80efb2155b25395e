"""One answer to every claim of the project: by all cells that any study has played for it, here and in its own study.

A claim has one answer wherever it is shown. The cells of its own study and those of `robustness` are played on other
seeds; where both have a cell, its estimate is their mean, weighted by precision. Outcomes that were chosen by the
figures of their study are judged by `robustness` alone. That few of all cells lie on the other side is judged by the
cells of `robustness`, whose pools and towers were fixed beforehand and share their games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt
from typing import NamedTuple

from wallsim.analysis.claims.answers import DEPENDS, UNKNOWN, VARIES, Answer, Known, answers
from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import Play
from wallsim.analysis.claims.verdicts import Claim
from wallsim.report.tables.estimates import NOTHING, share
from wallsim.report.tables.verdicts import verdict_table
from wallsim.rules.files import data_folder, stamps_of
from wallsim.stats.intervals import NO_ERROR, Confidence, Interval
from wallsim.studies.claims import CLAIM, read_claims
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.published import published_studies
from wallsim.studies.register import ROOM, read_register
from wallsim.studies.study import Choices

from .boards import PRINTED, THREE
from .estimates import Estimates, scope_of, source_of
from .figures import PLAYERS, estimates_in
from .sources import OWN, sources

Asked = tuple[str, str, int]  # a study, an outcome of one of its claims, and the number of players
Stamps = tuple[tuple[str, int, int], ...]  # of files, as `stamps_of` gives them
SIZES = {4: PRINTED, 3: THREE}  # the cases of `robustness` by number of players
FACTORS = {"play": "play", "tower": "tower", "setup": "set-up"}
LEAST_SHARE = 0.1  # of the differences between cells, from which a factor is named
MOST_TIMES = 100.0  # from here on more games are no way to know


@dataclass(frozen=True)
class Pooled:
    """The mean of two independent estimates of one outcome, weighted by precision."""

    value: float
    error: float
    blocks: int

    def interval(self, confidence: Confidence) -> Interval | None:
        """The interval with Student's t."""
        return confidence.students(self.value, self.error, self.blocks)


def pooled(one: Known, other: Known) -> Known:
    """Two independent estimates as one, with the degrees of freedom of Satterthwaite (1946)."""
    if not (one.error > NO_ERROR and other.error > NO_ERROR):
        return other if other.error > NO_ERROR else one
    weights = [each.error**-2 for each in (one, other)]
    shares = [weight / sum(weights) for weight in weights]
    parts = [(part * each.error) ** 2 for part, each in zip(shares, (one, other), strict=True)]
    error = sum(parts)
    degrees = error**2 / sum(part**2 / (each.blocks - 1) for part, each in zip(parts, (one, other), strict=True))
    value = sum(part * each.value for part, each in zip(shares, (one, other), strict=True))
    return Pooled(value, sqrt(error), int(degrees) + 1)


class Judged(NamedTuple):
    """All that a claim is answered by: the cells of its own study, if they judge it, and those of `robustness`.

    `mean` is that of the cells of `robustness`, paired by game.
    """

    claim: Claim
    unit: str
    own: Mapping[Cell, Known]
    others: Mapping[Cell, Known]
    mean: Known | None

    def cells(self) -> dict[Cell, Known]:
        """All cells, those that both have pooled."""
        every = dict(self.own)
        for cell, figure in self.others.items():
            every[cell] = pooled(every[cell], figure) if cell in every else figure
        return every


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
    everywhere = estimates_in(read_register(OWN), scope_of(Choices()))
    result = {}
    for each in sources():
        own = read_register(each.name) if each.name in known else Figures(each.name, [])
        for claim in each.claims:
            for players in (PLAYERS, 3, 5):
                played: Mapping[Cell, Figure] = (
                    {} if claim.outcome in each.judged.chosen else own.cells(CLAIM, claim.outcome, players=players)
                )
                others = everywhere.estimates[SIZES[players]].get((each.name, claim), {}) if players in SIZES else {}
                mean = everywhere.means.every[each.name, claim] if players == PLAYERS and others else None
                if played or others:
                    unit = each.unit(claim.outcome)
                    result[each.name, claim.outcome, players] = Judged(claim, unit, played, others, mean)
    return result


def project_answers() -> Mapping[Asked, Answer]:
    """The answers to all claims of the published figures, corrected together."""
    return _project_answers(_stamps())


@cache
def _project_answers(stamps: Stamps) -> Mapping[Asked, Answer]:
    return answered(_published_claims(stamps))


def answered(claims: Mapping[Asked, Judged], *, alone: bool = False) -> dict[Asked, Answer]:
    """The answers to claims by all cells that judge them, corrected together; `alone` for those of one study."""
    drawn = {asked: each.others for asked, each in claims.items() if each.mean is not None}
    return answers(
        {asked: each.claim for asked, each in claims.items()},
        {asked: each.cells() for asked, each in claims.items()},
        {asked: each.unit for asked, each in claims.items()},
        {asked: each.mean for asked, each in claims.items() if each.mean is not None},
        drawn=None if alone else drawn,
    )


def claims_in(figures: Figures, result: Estimates) -> Mapping[Asked, Judged]:
    """What figures of `robustness` answer claims by: the whole project, or these cells if they are not published."""
    return published_claims() if is_published(figures) else own_claims(result)


def own_claims(result: Estimates) -> dict[Asked, Judged]:
    """The claims with the cells of `robustness` alone."""
    return {
        (key[0], key[1].outcome, PLAYERS): Judged(
            key[1], source_of(key).unit(key[1].outcome), {}, cells, result.means.every[key]
        )
        for key, cells in result.estimates[PRINTED].items()
    }


def answers_in(figures: Figures, claims: Mapping[Asked, Judged]) -> Mapping[Asked, Answer]:
    """The answers to `claims_in`: those of the project, or of these cells alone if they are not published."""
    return project_answers() if is_published(figures) else answered(claims, alone=True)


def answer_of(study: str, outcome: str, players: int = 4) -> Answer:
    """The answer to a published claim. KeyError without one."""
    return project_answers()[study, outcome, players]


def in_words(answer: Answer) -> str:
    """An answer in words, with what it depends on where it does."""
    if answer.word not in (DEPENDS, VARIES) or (factor := depends_on(answer)) == NOTHING:
        return answer.word
    return f"{answer.word} (mostly by {factor})"


def depends_on(answer: Answer) -> str:
    """The factor that explains most of the differences between cells, and its share; a dash if none explains any."""
    first = answer.factors[0] if answer.factors else None
    if first is None or first.share < LEAST_SHARE:
        return NOTHING
    return f"{FACTORS[first.name]}, {share(first.share, 0)} %"


def more_games(answer: Answer) -> str:
    """How many times as many games would decide what is not known; a dash where the answer is known."""
    if answer.word != UNKNOWN:
        return NOTHING
    return f"× {max(1.1, answer.times):,.1f}" if answer.times < MOST_TIMES else "not to be seen"


def not_known(figures: Figures, claims: Sequence[Claim], players: int = 4) -> str:
    """What is not known of the claims of a study, as a sentence for its page: the first one, and how many more.

    If all are answered, what depends on play, tower or set-up; only for published figures.
    """
    if not is_published(figures):
        return "These games are not the published ones; claims are judged by them alone."
    found = {claim: answer_of(figures.study, claim.outcome, players) for claim in claims}
    for word in (UNKNOWN, DEPENDS):
        here = [claim.words.rstrip(".") for claim, answer in found.items() if answer.word == word]
        if here:
            more = f", and {len(here) - 1} more claim{'s' if len(here) > 2 else ''}" if len(here) > 1 else ""
            return f"{here[0]}{more}." if word == UNKNOWN else f"It depends on play, tower or set-up: {here[0]}{more}."
    return "All claims of this study are answered."


def is_published(figures: Figures) -> bool:
    """Whether figures are those of the register, and not of other games of a user."""
    if figures.study not in published_studies():
        return False
    return {figure.digest for figure in figures.values()} == _published_digests(figures.study, _stamps())


@cache
def _published_digests(study: str, _: Stamps) -> set[str]:
    return {figure.digest for figure in read_register(study).values()}


def claims_table(
    figures: Figures,
    claims: Sequence[Claim],
    plays: Sequence[Play],
    *,
    players: int = 4,
    decimals: int = 1,
    shares: Sequence[str] = (),
) -> str:
    """One row a claim: lowest and highest estimate of the study's own cells, and the answer of the whole project.

    Other games than the published ones get the verdict of their own cells.
    """
    judged = read_claims(figures, claims, plays, players=players)
    known, words = None, "The answer is that of these cells alone."
    if is_published(figures):
        known = {claim.outcome: in_words(answer_of(figures.study, claim.outcome, players)) for claim in claims}
        words = "The answer is that of all cells of the claim, in this study and in [Robustness](robustness.md)."
    table = verdict_table(judged.verdicts, judged.estimates, judged.confidence, decimals, shares, known)
    return f"{table}\n\n{words}"
