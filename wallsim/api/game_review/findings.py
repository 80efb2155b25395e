"""All that is said of a game, before it is put into words, and what its text does not note."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from wallsim.api.game_review.chances import SeasonChances, why_without_season
from wallsim.api.game_review.luck import BattleChance, Luck
from wallsim.api.game_review.plans import ComparedPlan
from wallsim.api.game_review.standing import Standing, is_printed, undecided_of
from wallsim.api.game_review.start import Start
from wallsim.policies.value.features import MOMENTS
from wallsim.report.tables.estimates import how_many
from wallsim.rules.ruleset import LETTERS
from wallsim.studies.finding import listed
from wallsim.trace.game_text.model import END, START, GameText, time_word
from wallsim.trace.game_text.points import WINTERS, Points


class Gap(NamedTuple):
    """What is not noted, what it would add to the page, and such a line of the text."""

    what: str
    adds: str
    line: str


def gaps_of(
    game: GameText, standing: Standing, start: Start, points: dict[str, list[Points]], chances: list[SeasonChances]
) -> list[Gap]:
    """Everything that is not noted and would add something, in the order of the page."""
    return [
        *_of_result(game, standing), *_of_start(game, start), *_of_tables(game, points, chances), *_of_battles(game),
        *_of_plans(game),
    ]  # fmt: skip


def _of_result(game: GameText, standing: Standing) -> list[Gap]:
    found, compared = [], not standing.missing
    scored = {each.seat for each in standing.scores}
    missing = [seat for seat in range(game.players) if seat not in scored]
    if missing:
        which = "final scores" if len(missing) == game.players else f"final scores of {_names(game, missing)}"
        adds = "places and the margin" + (", and where they stand among other games" if compared else "")
        found.append(Gap(which, adds, "scores: 45 38 36"))
    tied = undecided_of(game)
    if tied:
        found.append(Gap(f"the Thalers of {_names(game, list(tied))} at the end", "who won", "won: A"))
    if standing.leader is None and compared:
        found.append(Gap("who led after year one", "how often such a leader wins", "led: A"))
    elif standing.leader is not None and standing.leader.lead is None:
        adds = "how often leaders with such a lead win"
        found.append(Gap("the points after year one", adds, "winter 1, and below it A 21v"))
    return found


def _of_start(game: GameText, start: Start) -> list[Gap]:
    found = []
    if not start.counties and not start.seats:
        found.append(Gap("counties, or line-ups", "their start values", "owned: A Bremen, or below start: A line-up A"))
    elif len(start.seats) < game.players and not _ruled_out(start):
        missing = [seat for seat in range(game.players) if seat not in start.seats]
        found.append(Gap(f"the start of {_names(game, missing)}", "the values of all starts", "A line-up A"))
    return [] if _ruled_out(start) else found


def _ruled_out(start: Start) -> bool:
    return bool(start.missing) and not start.missing.startswith("no start")


def _of_tables(game: GameText, points: dict[str, list[Points]], chances: list[SeasonChances]) -> list[Gap]:
    found = []
    boards = [time_word(time) for time in WINTERS if time not in points]
    if boards and not game.changed:
        adds = "points by source, and what ties cost"
        found.append(Gap(f"all counties and buildings at {listed(boards)}", adds, "A 47v 8g 3t Alt1 Brem1c"))
    rated = {each.time for each in chances}
    times = [time for time in MOMENTS[MOMENTS.index("fall 1") :] if time not in rated]
    if times and is_printed(game) and not game.unequal:
        seen = [time for time in times if time in game.sections]
        partly = "; ".join(f"{time} has {why_without_season(game, time)}" for time in seen)
        what = f"the tables after {listed(times)}" + (f" ({partly})" if partly else "")
        found.append(Gap(what, "win probabilities", "A 21v 0g 5t Hol4pc Lün5"))
    unknown = sum(section.unknown() for time, section in game.sections.items() if time not in (START, END))
    if unknown and chances:
        found.append(Gap(f"{how_many(unknown, 'number')} of the tables", "narrower bands of win probabilities", "Lau5"))
    return found


def _of_battles(game: GameText) -> list[Gap]:
    if not game.battles:
        return [Gap("battles", "their odds, and how many went well", "fall 1 B x C Salzburg 4:3 lost")]
    found = []
    without = {
        "armies of both sides": (sum(None in (each.attackers, each.defenders) for each in game.battles), "their odds"),
        "a result": (sum(not each.result for each in game.battles), "whether it went well"),
        "an attacker": (
            sum(each.attacker is None and each.kind != "revolt" for each in game.battles),
            "whose luck it was",
        ),
    }
    for what, (count, adds) in without.items():
        if count:
            found.append(Gap(f"{how_many(count, 'battle')} without {what}", adds, "fall 1 B x C Salzburg 4:3 lost"))
    return found


def _of_plans(game: GameText) -> list[Gap]:
    if game.plans or game.changed:
        return []
    return [Gap("plans", "how they compare with those that a search finds", "fall 1 B palace=Lau, bid=2")]


def _names(game: GameText, seats: list[int]) -> str:
    return listed([LETTERS[seat] for seat in seats])


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
