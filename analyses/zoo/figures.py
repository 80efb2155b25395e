"""The figures of the study `zoo` in the register."""

from __future__ import annotations

from collections.abc import Mapping

from wallsim.analysis.behaviour.measures import WINS
from wallsim.analysis.behaviour.profiles import Behaviour, distance_confidence, distances, standardised
from wallsim.policies.exploitability import Exploited, load_exploitability
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Rows

from .estimates import CHOICES, COLUMNS, DRAWN, EXPERIMENT, MORE_COLUMNS, Zoo

PLAYERS = 4  # players
COPIES, DRAFTED, WON, MORE, CHOICE, PICTURE = "alike", "alike-draft", "wins", "more", "first-choice", "picture"
ENTROPY, LEAST, REPEATED, OPENINGS = "openings", "openings-at-least", "openings-repeated", "opening-games"
BEST_RESPONSE, DISTANCE, PLAINLY, APART, GAMES = "best-response", "distance", "plainly-different", "apart", "games"
OPENING_COLUMNS = ("openings, bits", "seen before, %")


def item(policy: str, measure: str) -> str:
    """The item of a policy's measure."""
    return f"{policy} {measure}"


def confidence(policies: int) -> Confidence:
    """The confidence of the first table: a row per policy, the row of the draft, and wins in the draft."""
    return Confidence(LEVEL, len(COLUMNS) * (policies + 1) + policies)


def sure_of_more(policies: int) -> Confidence:
    """The confidence of the second table."""
    return Confidence(LEVEL, (len(MORE_COLUMNS) + len(OPENING_COLUMNS)) * policies)


def sure_of_choices(policies: int) -> Confidence:
    """The confidence of the third table."""
    return Confidence(LEVEL, len(CHOICES) * policies)


def add_figures(result: Zoo, rows: Rows) -> None:
    """Add every figure: behaviour among copies, wins against the baseline, openings, first choices and distances."""
    add_all(result, rows, load_exploitability())


def add_all(result: Zoo, rows: Rows, exploited: Mapping[tuple[str, int], Exploited]) -> None:
    """The same with these results of best responses."""
    games = sum(one.games for one in (*result.copies.values(), *result.drafted.values(), result.home))
    games += sum(guest.games for name, guest in result.guests.items() if name != result.baseline)
    rows.number(GAMES, "", games, words="games played", unit="games", players=PLAYERS)
    size = len(result.copies)
    for name, behaviour in result.copies.items():
        for quantity, columns, sure in (
            (COPIES, [column for column in COLUMNS if column != WINS], confidence(size)),
            (MORE, list(MORE_COLUMNS), sure_of_more(size)),
            (CHOICE, list(CHOICES), sure_of_choices(size)),
        ):
            for column in columns:
                _add(rows, result, quantity, behaviour, column, sure, f"{column} of {name} among copies of itself")
    for column in COLUMNS:
        if column != WINS:
            words = f"{column} of {result.baseline} among copies of itself in the draft"
            _add(rows, result, DRAFTED, result.home, column, confidence(size), words, setup="draft")
    fair = 100.0 / load_experiment(EXPERIMENT).players
    for setup, behaviours in (("lineup", result.guests), ("draft", result.drafted)):
        for name, behaviour in behaviours.items():
            words = f"wins of one seat of {name} among {result.baseline}"
            _add(rows, result, WON, behaviour, WINS, confidence(size), words, setup=setup, null=fair)
    _add_openings(result, rows)
    _add_distances(result, rows)
    for (name, players), response in exploited.items():
        if name in result.copies:
            low, high = response.interval
            rows.number(
                BEST_RESPONSE, name, 100 * response.share, (100 * low, 100 * high),
                words=f"wins of the best response found, one seat among {name}", unit="%", players=players,
                null=100.0 / players,
            )  # fmt: skip


def _add(
    rows: Rows, result: Zoo, quantity: str, behaviour: Behaviour, column: str, sure: Confidence, words: str,
    *, setup: str = "lineup", null: float = float("nan"),
) -> None:  # fmt: skip
    measure, estimate = result.measure(column), behaviour.estimates[column]
    rows.number(
        quantity, item(behaviour.policy, column), estimate.value, behaviour.interval(column, sure), words=words,
        unit=measure.unit or "number", players=PLAYERS, setup=setup, n=behaviour.blocks, n_unit="blocks", null=null,
        sure=sure,
    )  # fmt: skip


def _add_openings(result: Zoo, rows: Rows) -> None:
    sure = sure_of_more(len(result.copies))
    for name, openings in result.openings.items():
        words = f"entropy of a seat's first plan, {name} among copies of itself"
        if openings.known:
            rows.estimate(
                ENTROPY, name, openings.entropy, sure, words=words, unit="bits", players=PLAYERS, n_unit="games"
            )
        else:
            rows.number(LEAST, name, openings.least, words=f"{words}: at least", unit="bits", players=PLAYERS)
        words = f"chance that a further game opens with one of these plans, {name} among copies of itself"
        rows.estimate(REPEATED, name, openings.repeated, sure, words=words, unit="%", players=PLAYERS, n_unit="games")
    games = max(each.entropy.blocks for each in result.openings.values())
    rows.number(OPENINGS, "", games, words="games whose openings are compared", unit="games", players=PLAYERS)


def _add_distances(result: Zoo, rows: Rows) -> None:
    sure = distance_confidence(len(result.copies), result.measures)
    for (one, other), gap in distances(result.copies.values(), result.measures, sure).items():
        words = f"{one} less {other}, standardised, in the measure in which they differ most: {gap.measure}"
        key = f"{one} {other}"
        rows.estimate(DISTANCE, key, gap.estimate, sure, words=words, unit="SD", players=PLAYERS, null=0.0)
        words = f"1 if {one} and {other} are plainly different in some measure, else 0"
        rows.number(PLAINLY, key, float(gap.plain), words=words, unit="yes or no", players=PLAYERS)
    for name in result.copies:
        for column in (*DRAWN, WINS):
            behaviours = result.guests if column == WINS else result.copies
            unit, value = result.measure(column).unit, behaviours[name].estimates[column].value
            rows.number(
                PICTURE, item(name, column), value, words=f"{column} of {name}", unit=unit or "number", players=PLAYERS
            )
            apart = standardised(behaviours[name], behaviours[result.baseline], column).value
            words = f"{column} of {name} less {result.baseline}, standardised"
            rows.number(APART, item(name, column), apart, words=words, unit="SD", players=PLAYERS)
