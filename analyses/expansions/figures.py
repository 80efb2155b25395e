"""The figures of the study `expansions` in the register: the factorial, its claims, and the tournaments."""

from __future__ import annotations

from functools import cache
from typing import Any

from wallsim.analysis.claims.cells import Cell
from wallsim.rules.terms import EXPANSIONS
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Measured
from wallsim.stats.factorials import Effect
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.claims import add_claims
from wallsim.studies.figure import Rows
from wallsim.studies.outcomes import MARGIN, POINTS, SPREAD, wins_of
from wallsim.studies.scope import Scope

from .card_figures import add_card_figures
from .count import LEADER, OUTCOMES
from .effects import CLAIMS, EFFECTS, EXPERIMENT, MAIN, SUBSETS, Subset, name_of, name_of_effect, seed_of
from .estimates import Expansions
from .group_figures import add_groups
from .skill import FIELDS, LADDER, PARTS, RESULTS, TUNED, ZOO

PLAYERS = 4  # players
SUBSET, SUBSET_BY_CELL = "subset", "subset-by-cell"
EFFECT, BY_PLAY, BY_CELL, PICTURE = "effect", "effect-by-play", "effect-by-cell", "picture"
SEAT, EFFECT_ON_SEAT = "seat-wins", "effect-on-seat-wins"
SHARE = {"vp": "share-of-points", "win": "share-of-wins"}  # by result
WINS, EFFECT_ON_WINS, GAINED, PICTURE_OF_WINS = "wins", "effect-on-wins", "wins-gained", "picture-of-wins"
SEATS = tuple(map(wins_of, range(PLAYERS)))
ENDS = (SUBSETS[0], SUBSETS[-1])  # none, and all three
LADDERS = (LADDER, TUNED)
UNITS = {claim.outcome: "attacks" if "attacks" in claim.outcome else "VP" for claim in CLAIMS}
DRAWN = (POINTS, SPREAD)  # outcomes in the picture
_VARIANCES = {"vp": "points", "win": "wins"}


def effect_on_share(result: str) -> str:
    """The quantity of effects on shares of a result's variance."""
    return f"effect-on-{SHARE[result]}"


def item(*parts: str) -> str:
    """The item of a subset or an effect, and what it is measured by."""
    return " ".join(parts)


def plays_cells(scope: Scope) -> list[Cell]:
    """The cells of all plays with the tower and the set-up of the baseline."""
    return [scope.baseline_cell()._replace(play=play.name) for play in scope.plays]


def seat_cells(scope: Scope) -> list[Cell]:
    """The cells whose wins by seat are shown: the baseline's line-ups, and its draft if it is played."""
    home = scope.baseline_cell()
    return [cell for cell in (home, home._replace(setup="draft")) if cell in scope.cells()]


def tournament_cell(scope: Scope) -> Cell:
    """Where tournaments are played: by several policies, so that no play is named."""
    return scope.baseline_cell()._replace(play="")


def sure_of_subsets() -> Confidence:
    """The confidence of the table of subsets in the baseline cell."""
    return Confidence(LEVEL, len(SUBSETS) * len(OUTCOMES))


def sure_of_effects() -> Confidence:
    """The confidence of the table of effects in the baseline cell, and of the answer's."""
    return Confidence(LEVEL, (len(SUBSETS) - 1) * len(OUTCOMES))


def sure_of_plays(scope: Scope) -> Confidence:
    """The confidence of the table of main effects in every play."""
    return Confidence(LEVEL, len(EXPANSIONS) * len(OUTCOMES) * len(scope.plays))


def sure_of_seats(scope: Scope) -> Confidence:
    """The confidence of the table of wins by seat."""
    return Confidence(LEVEL, len(seat_cells(scope)) * len(SEATS) * (len(SUBSETS) + len(EXPANSIONS)))


def sure_of_picture(scope: Scope) -> Confidence:
    """The confidence of the picture's effects."""
    return Confidence(LEVEL, len(DRAWN) * (len(SUBSETS) - 1) * len(scope.plays))


def sure_of_shares() -> Confidence:
    """The confidence of the table of shares of the variance."""
    return Confidence(LEVEL, len(LADDERS) * len(RESULTS) * len(PARTS) * (len(SUBSETS) + len(EXPANSIONS)))


def sure_of_wins(field: str) -> Confidence:
    """The confidence of the table of a field's wins."""
    return Confidence(LEVEL, len(FIELDS[field]) * (len(ENDS) + len(EXPANSIONS)))


def sure_of_styles() -> Confidence:
    """The confidence of the picture's effects on wins of styles."""
    return Confidence(LEVEL, len(FIELDS[ZOO]) * len(EXPANSIONS))


def add_figures(estimated: Expansions, rows: Rows) -> None:
    """Add every figure: subsets and effects in all cells, the claims, the tournaments, and what cards bring."""
    _add_baseline(estimated, rows)
    _add_plays(estimated, rows)
    _add_seats(estimated, rows)
    _add_cells(estimated, rows)
    add_claims(rows, CLAIMS, estimated.factorial.cells, estimated.scope.plays, UNITS)
    _add_shares(estimated, rows)
    _add_wins(estimated, rows)
    add_card_figures(estimated, rows)
    add_groups(estimated.groups, rows)


def _add_baseline(estimated: Expansions, rows: Rows) -> None:
    home = estimated.scope.baseline_cell()
    for subset, by_outcome in estimated.factorial.subsets[home].items():
        for outcome in OUTCOMES:
            _add_subset(rows, SUBSET, subset, outcome, by_outcome[outcome], sure_of_subsets(), home)
    for outcome in OUTCOMES:
        for effect, each in estimated.factorial.effects[home][outcome].items():
            _add_effect(rows, EFFECT, effect, outcome, each, sure_of_effects(), home)


def _add_plays(estimated: Expansions, rows: Rows) -> None:
    scope = estimated.scope
    for cell in plays_cells(scope):
        effects = estimated.factorial.effects[cell]
        for effect in MAIN:
            for outcome in OUTCOMES:
                _add_effect(rows, BY_PLAY, effect, outcome, effects[outcome][effect], sure_of_plays(scope), cell)
        for outcome in DRAWN:
            for effect, each in effects[outcome].items():
                _add_effect(rows, PICTURE, effect, outcome, each, sure_of_picture(scope), cell)


def _add_seats(estimated: Expansions, rows: Rows) -> None:
    sure = sure_of_seats(estimated.scope)
    for cell in seat_cells(estimated.scope):
        for wins in SEATS:
            for subset, by_outcome in estimated.factorial.subsets[cell].items():
                _add_subset(rows, SEAT, subset, wins, by_outcome[wins], sure, cell)
            for effect in MAIN:
                each = estimated.factorial.effects[cell][wins][effect]
                _add_effect(rows, EFFECT_ON_SEAT, effect, wins, each, sure, cell)


def _add_cells(estimated: Expansions, rows: Rows) -> None:
    # All cells; the intervals of one outcome, and of its effects, hold simultaneously.
    cells = len(estimated.factorial.subsets)
    for cell, subsets in estimated.factorial.subsets.items():
        for subset, by_outcome in subsets.items():
            for outcome in (*OUTCOMES, *SEATS):
                sure = Confidence(LEVEL, cells * len(SUBSETS))
                _add_subset(rows, SUBSET_BY_CELL, subset, outcome, by_outcome[outcome], sure, cell)
    for cell, effects in estimated.factorial.effects.items():
        for outcome in (*OUTCOMES, *SEATS):
            wanted = MAIN if outcome in SEATS else EFFECTS
            sure = Confidence(LEVEL, cells * len(wanted))
            for effect in wanted:
                _add_effect(rows, BY_CELL, effect, outcome, effects[outcome][effect], sure, cell)


def _add_subset(
    rows: Rows, quantity: str, subset: Subset, outcome: str, each: Measured, sure: Confidence, cell: Cell
) -> None:
    fair: dict[str, Any] = {"null": 100.0 / PLAYERS} if outcome in SEATS else {}
    rows.estimate(
        quantity, item(name_of(subset), outcome), each, sure, words=f"{_outcome(outcome)}, {_with(subset)}",
        unit=_unit(outcome), players=PLAYERS, cell=cell, seed=_seed(subset), **fair,
    )  # fmt: skip


def _add_effect(
    rows: Rows, quantity: str, effect: Effect, outcome: str, each: Measured, sure: Confidence, cell: Cell
) -> None:
    unit = _unit(outcome)
    rows.estimate(
        quantity, item(name_of_effect(effect), outcome), each, sure, words=f"{_effect(effect)} on {_outcome(outcome)}",
        unit="% points" if unit == "%" else unit, players=PLAYERS, cell=cell, null=0.0,
    )  # fmt: skip


def _add_shares(estimated: Expansions, rows: Rows) -> None:
    played, sure, cell = estimated.tournaments, sure_of_shares(), tournament_cell(estimated.scope)
    for ladder in LADDERS:
        for result in RESULTS:
            for part in PARTS:
                what = f"share of {part} in the variance of {_VARIANCES[result]}, on the {ladder}"
                for subset in SUBSETS:
                    rows.estimate(
                        SHARE[result], item(ladder, part, name_of(subset)), played.shares[ladder][subset][result, part],
                        sure, words=f"{what}, {_with(subset)}", unit="%", players=PLAYERS, cell=cell,
                        n_unit="tournament blocks", seed=_seed(subset),
                    )  # fmt: skip
                effects = played.effects_on_share(ladder, result, part)
                for effect in MAIN:
                    rows.estimate(
                        effect_on_share(result), item(ladder, part, name_of_effect(effect)), effects[effect], sure,
                        words=f"{_effect(effect)} on the {what}", unit="% points", players=PLAYERS, cell=cell,
                        n_unit="tournament blocks", null=0.0,
                    )  # fmt: skip


def _add_wins(estimated: Expansions, rows: Rows) -> None:
    played, cell = estimated.tournaments, tournament_cell(estimated.scope)
    unit: dict[str, Any] = {"players": PLAYERS, "cell": cell, "n_unit": "tournament blocks"}
    for field, policies in FIELDS.items():
        wins, sure = played.wins[field], sure_of_wins(field)
        for policy in policies:
            what = f"wins of {policy} in the tournament of the {field}"
            for subset in ENDS:
                rows.estimate(
                    WINS, item(field, policy, name_of(subset)), wins[subset][policy], sure,
                    words=f"{what}, {_with(subset)}", unit="%", null=100.0 / PLAYERS, seed=_seed(subset), **unit,
                )  # fmt: skip
            effects = played.effects_on_wins(field, policy)
            drawn = ((PICTURE_OF_WINS, sure_of_styles()),) if field == ZOO else ()
            for quantity, of in ((EFFECT_ON_WINS, sure), *drawn):
                for effect in MAIN:
                    rows.estimate(
                        quantity, item(field, policy, name_of_effect(effect)), effects[effect], of,
                        words=f"{_effect(effect)} on the {what}", unit="% points", null=0.0, **unit,
                    )  # fmt: skip
            none, every = (wins[subset][policy] for subset in ENDS)
            rows.estimate(
                GAINED, item(field, policy), every - none, Confidence(LEVEL, len(policies)),
                words=f"{what}, {_with(ENDS[1])} less {_with(ENDS[0])}", unit="% points", null=0.0, **unit,
            )  # fmt: skip


@cache
def _seed(subset: Subset) -> int:
    return seed_of(load_experiment(EXPERIMENT).seed, subset)


def _with(subset: Subset) -> str:
    if not subset:
        return "without expansions"
    return f"with {name_of(subset)}{' expansions' if len(subset) == len(EXPANSIONS) else ''}"


def _effect(effect: Effect) -> str:
    return f"{'interaction' if len(effect) > 1 else 'main effect'} of {name_of_effect(effect)}"


def _outcome(outcome: str) -> str:
    return outcome.removesuffix(", %")


def _unit(outcome: str) -> str:
    if outcome in SEATS or outcome == LEADER:
        return "%"
    return "VP" if outcome in (POINTS, SPREAD, MARGIN) else "per game"
