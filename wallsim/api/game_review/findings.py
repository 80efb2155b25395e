"""All that is said of a game, before it is put into words."""

from __future__ import annotations

from dataclasses import dataclass

from wallsim.api.game_review.chances import SeasonChances
from wallsim.api.game_review.luck import BattleChance, Luck
from wallsim.api.game_review.not_noted import Gap
from wallsim.api.game_review.regret import ComparedPlan
from wallsim.api.game_review.standing import Standing
from wallsim.api.game_review.start import Start
from wallsim.trace.game_text.model import GameText
from wallsim.trace.game_text.points import Points


@dataclass(frozen=True)
class Findings:
    """What is said of a game; `wallsim.api.review.Review` says what each field has."""

    game: GameText
    points: dict[str, list[Points]]
    winners: tuple[int, ...]
    chances: list[SeasonChances]
    without_chances: str
    battles: list[BattleChance]
    luck: dict[int, Luck]
    start: Start
    standing: Standing
    gaps: list[Gap]
    plans: list[ComparedPlan]
    samples: int
    seed: int
