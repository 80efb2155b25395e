"""Event cards forced into a round, cancelled, kept away, or kept for the winter: what they change, and claims on it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.rules.board import load_board
from wallsim.rules.terms import ROUND_NAMES, SEASON_NAMES
from wallsim.runs.experiment import Experiment
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.changes import Change, by_round, change
from wallsim.studies.games import Counted, Games
from wallsim.studies.quantities import Key
from wallsim.studies.scenarios import Lines, played_by_game

EXPERIMENT = Path(__file__).with_name("experiment.toml")
BOARD = load_board()
CARDS = BOARD.events
LOSSES = {card: int(loss) for card, loss in zip(CARDS, BOARD.event_loss, strict=True)}
WINTERS = {name: place for place, name in enumerate(SEASON_NAMES) if name not in ROUND_NAMES}
LAST_WINTER = list(WINTERS)[-1]
HUNGRIEST, _LEAST = max(LOSSES, key=LOSSES.__getitem__), min(LOSSES, key=LOSSES.__getitem__)  # by grain in winter
PLAYERS = 4
EVENT_COLUMNS = [  # of `games`, by year: the cards of the rounds in their order, and last that of the winter
    (*(f"event_{season}_year{year}" for season in ("spring", "summer", "fall")), f"winter_event_year{year}")
    for year in (1, 2)
]

# What is measured in the round of the card, of the whole table, and at the end of the game.
IN_ROUND = ("taxes", "grain", "attacks on players", "attacks on neutrals", "revolts", "armies deployed")
POINTS, SPREAD, MARGIN = "VP of a seat", "spread of VP", "margin of VP"
LEADER, LAST = "VP of year one's leader", "VP of year one's last"  # in rounds of the second year
AT_END = (POINTS, SPREAD, MARGIN, LEADER, LAST)
OUTCOMES = (*IN_ROUND, *AT_END)
SCREENED = OPEN_OUTCOMES = (*IN_ROUND, POINTS, SPREAD, MARGIN)
IN_WINTER = ("shortages", "counties lost to revolts")
WINTER_OUTCOMES = (*IN_WINTER, POINTS, SPREAD, MARGIN)
MEAN, YEAR_TWO = "all rounds", "year 2"
MOMENTS: dict[str, int | Sequence[int]] = {
    **{name: place for place, name in enumerate(ROUND_NAMES)}, "year 1": (0, 1, 2), YEAR_TWO: (3, 4, 5)
}  # fmt: skip
IN_FORCE, LYING_OPEN, WINTER_LOSS, BY_MOMENT, BY_ROUND = "in-force", "lying-open", "winter-loss", "points", "by-round"
SCREEN, GRAIN_LOST = "screen", "grain-lost"
FALSE = 0.05  # the share of false ones among the findings of the screen, at most, in expectation
# The sign that a player would guess before any game, by effect of the card.
GUESSES: dict[str, dict[str, int]] = {
    "trading_post_calms": {"revolts": -1},
    "palace_guard": {"attacks on players": -1},
    "tax_max": {"taxes": -1, "revolts": -1},
    "tax_min": {"taxes": 1},
    "grain_min": {"grain": 1},
    "grain_max": {"grain": -1},
    "neutral_guard": {"attacks on neutrals": -1, "attacks on players": 1},
    "church_peace": {"attacks on players": -1, "attacks on neutrals": 1},
    "small_levies": {"armies deployed": -1},
}
SHORTER, POORER = f"shortages of {HUNGRIEST} less those of {_LEAST}", f"VP of {_LEAST} less those of {HUNGRIEST}"
# The guess that the rule itself states is no finding: a test plays the cards of these effects, and the greatest loss.
RESTATED = ("tax_max", "tax_min", "grain_min", "grain_max", "small_levies", SHORTER)
# What each effect is guessed to do first, in words; judged in all cells for all cards of the effect.
CLAIMS = (
    Claim("Two peasants for one lower attacks on neutrals.", "neutral_guard", 0),
    Claim("Peace of churches lowers attacks on players.", "church_peace", 0),
    Claim("Guards of palaces lower attacks on players.", "palace_guard", 0),
    Claim("The greatest winter loss costs points against the least.", POORER, 0),
)
CLAIMED = tuple(claim.outcome for claim in CLAIMS)
UNITS = {name: "VP" if name == POORER else "counts a round" for name in CLAIMED}


def effect_of(card: str) -> str:
    """The effect of a card: its name without the number in which cards of one effect, or its amounts, differ."""
    return next(effect for effect in GUESSES if card.startswith(effect))


def guess(card: str, outcome: str) -> int:
    """The sign that a player would guess: 1, -1, or 0 for none."""
    return GUESSES[effect_of(card)].get(outcome, 0)


def in_force_at(outcome: str) -> str:
    """The moment of what a card in force changes: who led year one is reported for the rounds of year two alone."""
    return YEAR_TWO if outcome in (LEADER, LAST) else MEAN


def _event(to: str, when: str = "turn", **more: str) -> dict[str, str]:
    return {"do": "event", "to": to, "round": when, **more}


def forced_and_cancelled(card: str) -> dict[str, Lines]:
    """The scenarios in which a card is forced into the treated round, in force and cancelled."""
    return {f"{card} forced": (_event(card),), f"{card} cancelled": (_event(card), _event("cancelled"))}


def scenarios(*, few: bool = False) -> dict[str, Lines]:
    """The scenarios by name; with `few` those that the claims need, without cards kept away and most winters."""
    result: dict[str, Lines] = {}
    for card in CARDS:
        result |= forced_and_cancelled(card)
        if not few:
            result[f"{card} absent"] = (_event("absent", card=card), _event("cancelled"))
        if not few or card in (HUNGRIEST, _LEAST):
            result |= {f"{card} {winter}": (_event(card, winter),) for winter in WINTERS}
    return result


def count(games: Games) -> Mapping[str, np.ndarray]:
    """Sums over the table in the treated round and in both winters, and points at the end."""
    points, first = games.seats("vp"), games.seats("vp_year1")
    on_players = games.in_round("attacks_on_players").sum(axis=1)
    leads, lags = (first == end(first, axis=1, keepdims=True) for end in (np.max, np.min))
    counted = {
        "taxes": games.in_round("taxes").sum(axis=1),
        "grain": games.in_round("grain").sum(axis=1),
        "attacks on players": on_players,
        "attacks on neutrals": games.in_round("attacks").sum(axis=1) - on_players,
        "revolts": games.in_round("revolts").sum(axis=1),
        "armies deployed": games.in_round("armies_deployed").sum(axis=1),
        POINTS: points.mean(axis=1),
        SPREAD: points.std(axis=1),
        MARGIN: games.game("vp_margin"),
        LEADER: (points * leads).sum(axis=1) / leads.sum(axis=1),
        LAST: (points * lags).sum(axis=1) / lags.sum(axis=1),
    }
    for winter, place in WINTERS.items():
        here = np.full(len(points), place)
        for name, column in zip(IN_WINTER, ("shortages", "winter_revolts_lost"), strict=True):
            counted[f"{name}, {winter}"] = games.in_seasons(column, here).sum(axis=1)
    return counted


def changes_of(played: Mapping[str, Counted], table: Cell) -> dict[Key, Change]:
    """What every card changes at a table: in force, lying open, and as the loss of a winter against the mean card."""
    values = {}
    for card in CARDS:
        absent, cancelled, forced = (played[f"{card} {arm}"] for arm in ("absent", "cancelled", "forced"))
        in_force = [
            *((IN_FORCE, outcome, in_force_at(outcome)) for outcome in OUTCOMES),
            *((BY_MOMENT, POINTS, moment) for moment in MOMENTS),
            *((BY_ROUND, outcome, moment) for outcome in SCREENED for moment in ROUND_NAMES),
        ]
        for quantity, outcome, moment in in_force:
            key = Key(quantity, f"{card} {outcome}", PLAYERS, table, moment)
            values[key] = change(cancelled[outcome], forced[outcome], MOMENTS.get(moment))
        for outcome in OPEN_OUTCOMES:
            key = Key(LYING_OPEN, f"{card} {outcome}", PLAYERS, table, MEAN)
            values[key] = change(absent[outcome], cancelled[outcome])
    for winter in WINTERS:
        for outcome in WINTER_OUTCOMES:
            column = f"{outcome}, {winter}" if outcome in IN_WINTER else outcome
            mean = np.mean([played[f"{card} {winter}"][column] for card in CARDS], axis=0)
            for card in CARDS:
                key = Key(WINTER_LOSS, f"{card} {outcome}", PLAYERS, table, winter)
                values[key] = change(mean, played[f"{card} {winter}"][column])
    return values


def outcomes(played: Mapping[str, Counted], names: Collection[str] = CLAIMED) -> dict[str, Estimate]:
    """The outcomes with some names, by default those claimed: of an effect its first guess, in that direction."""
    result = {}
    for effect in (each for each in GUESSES if each in names):
        outcome, sign = next(iter(GUESSES[effect].items()))
        cards = [card for card in CARDS if effect_of(card) == effect]
        gains = [by_round(played[f"{card} forced"][outcome] - played[f"{card} cancelled"][outcome]) for card in cards]
        result[effect] = block_mean(sign * np.mean(gains, axis=0))
    if {SHORTER, POORER} & set(names):
        most, least = played[f"{HUNGRIEST} {LAST_WINTER}"], played[f"{_LEAST} {LAST_WINTER}"]
        short = f"shortages, {LAST_WINTER}"
        result[SHORTER] = block_mean(by_round(most[short] - least[short]))
        result[POORER] = block_mean(by_round(least[POINTS] - most[POINTS]))
    return {name: each for name, each in result.items() if name in names}


def claim_outcomes(
    experiment: Experiment, blocks: int, workers: int | None = None, names: Collection[str] = CLAIMED
) -> dict[str, Estimate]:
    """The outcomes of CLAIMS under any experiment, from blocks of 6 games a seat; the unit of errors is the game.

    With other `names`, such as those of RESTATED, there are these alone, and no more is played than they need.
    """
    needed = {f"{card} {arm}" for card in CARDS if effect_of(card) in names for arm in ("forced", "cancelled")}
    if {SHORTER, POORER} & set(names):
        needed |= {f"{HUNGRIEST} {LAST_WINTER}", f"{_LEAST} {LAST_WINTER}"}
    wanted = {name: lines for name, lines in scenarios(few=True).items() if name in needed}
    return outcomes(played_by_game(experiment, wanted, blocks, count, seasons=True, workers=workers), names)
