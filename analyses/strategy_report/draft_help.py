"""What the draft help of `counties.html` goes by: the rules of the bots' own drafters, and the table where it gains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wallsim.analysis.claims.cells import CALIBRATIONS, CASUAL, Cell
from wallsim.policies.policy import Policy
from wallsim.rules.terms import ROUNDS
from wallsim.stats.intervals import side_of
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import bots_of
from wallsim.studies.running import Result

from ..draft.deals import DRAFT, LINES, NEIGHBOURS, PLAYERS, Ground, ground_of, in_cell
from ..draft.drafters import TABLE
from ..draft.estimates import GAIN, NEIGHBOUR, WORTH, read_picks

BY_TABLE = "by the table of values"
_DECIMALS = 4  # of the table, as in the pick table that drafters go by
# What a drafter counts around a county, by the names in `templates/draft_rule.js`.
_WEIGHTS = {
    "own": "draft_border", "rivals": "draft_rivals", "free": "draft_neutral", "region": "draft_region",
    "rivalsInRegion": "draft_rivals_region", "armies": "draft_armies", "ownArmies": "draft_own_armies",
    "later": "draft_later", "deck": "draft_deck",
}  # fmt: skip


def draft_data(draft: Result, cards: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What the script of the page reads: the ground, and the rules to choose from, by name; the first is the default.

    A bot's own drafter is offered for all bots, after the table for those to whom it is known to bring points.
    """
    ground = ground_of(draft.design)
    rules: dict[str, dict[str, Any]] = {}
    for play in (*LINES, CASUAL):
        if side_of(gain_of(draft.figures, TABLE, play).ends) == 1:
            rules[f"{bots_of(play)}, {BY_TABLE}"] = table_rule(draft.figures, ground)
        rules[bots_of(play)] = drafter_rule(drafter(play), ground)
    by_name = {card["name"]: card for card in cards}
    # In the engine's order, in which it adds up the worths of hidden counties.
    beside = {name: {"region": by_name[name]["region"], "beside": by_name[name]["neighbours"]} for name in ground.names}
    return {"players": ground.players, "groups": ground.groups, "army": ground.mean_group, "counties": beside,
            "rules": rules}  # fmt: skip


def gain_of(draft: Figures, drafter: str, play: str) -> Figure:
    """What one seat gains that picks as a drafter does, against three that pick as the bots of a play do, in VP."""
    return draft.of(GAIN["points"], drafter, players=PLAYERS, play=play, setup=DRAFT)


def drafter(play: str) -> Policy:
    """The bots' policy of a play, which answers the draft's questions by its weights."""
    policy = in_cell(Cell(play, CALIBRATIONS[0], DRAFT)).components().policies[0]
    assert not policy.answers  # no code answers in their place
    return policy


def drafter_rule(policy: Policy, ground: Ground) -> dict[str, Any]:
    """The rule of a policy's own drafter, `draft_worth` of the engine, for a game without expansions.

    `worths` are what its weights of the first round make of the cards, unrounded, since cards of equal worth are
    frequent; `weights` are those of what lies around a county, and of the deck's top.
    """
    weights, board = policy.weights_in(0), ground.board
    table = policy.counties.get(ground.players, {})
    worths = {}
    for at, name in zip(ground.counties, ground.names, strict=True):
        tax, grain, sites = int(board.tax[at]), int(board.grain[at]), int(board.sites[at])
        worths[name] = (
            weights["income"] * ROUNDS * (tax + grain) + 2.0 * weights["site"] * sites
            + weights["draft_tax"] * tax + weights["draft_grain"] * grain + weights["draft_sites"] * sites
            + weights["draft_counties"] * table.get(name, 0.0)
        )  # fmt: skip
    return {"worths": worths, "weights": {name: weights[weight] for name, weight in _WEIGHTS.items()}}


def table_rule(figures: Figures, ground: Ground) -> dict[str, Any]:
    """The rule of the study's drafter by table: pairs of a value and its half-width.

    The values are those of the published pick table, shrunken towards the print; their half-widths are those of the
    worths as measured. A worth holds with the neighbours that a deal brings on average.
    """
    picks = read_picks(figures)
    worths = {name: [round(float(picks.counties[name]), _DECIMALS),
                     _pair(figures.of(WORTH, name, players=PLAYERS))[1]] for name in ground.names}  # fmt: skip
    near = {kind: _pair(figures.of(NEIGHBOUR, name, players=PLAYERS))
            for kind, name in zip(("own", "border", "region"), NEIGHBOURS, strict=True)}  # fmt: skip
    return {"worths": worths, **near}


def _pair(figure: Figure) -> list[float]:
    low, high = figure.ends or (0.0, 0.0)
    return [round(float(each), _DECIMALS) for each in (figure.value, (high - low) / 2)]
