"""RULES: board, ruleset and tower packed into one read-only structured record that every kernel is given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from wallsim.rules.amounts import AMOUNTS, PRINTED
from wallsim.rules.board import Board
from wallsim.rules.mean_rates import hazard, mean_rates, pass_chance, release_chance, stay_chance
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.setup_edits import EDITED, counties_in_play, lineup_of, setup_errors
from wallsim.rules.terms import (
    ARMIES_PER_PLAYER,
    ARMY_GROUPS,
    BASE_BOXES,
    BENEFITS,
    BOXES,
    BUILDINGS,
    COUNTIES,
    COUNTY_LANES,
    CUBES,
    EVENT_CARDS,
    EXPANSIONS,
    FAVOR_KINDS,
    FAVORS,
    LANDSKNECHT_CARDS,
    LOYAL_BELOW,
    MAX_GROUPS,
    MAX_PLAYERS,
    PROTECTIONS,
    REGIONS,
    STATUES,
)
from wallsim.rules.tower import MAX_FLOORS, PARAMETERS, Independent, Layered, TowerModel, Urn
from wallsim.rules.tower_tables import (
    FEW_CUBES,
    FOES_INSIDE,
    FOES_THROWN,
    INSIDE,
    NARROW,
    THROWN,
    WIDE,
    binomial_alias_table,
    joint_alias_table,
    win_table,
)

SHORTAGES = 64  # the supply chart is looked up with min(shortage, 63)
MAX_NEIGHBOURS = COUNTIES - 1
_AMOUNTS = [amount for amount in AMOUNTS if amount.field]  # but for starting Thalers, which are packed by seat
_SIZES = Counter(amount.field for amount in _AMOUNTS)

RULES = np.dtype(
    (
        np.record,
        [
            ("players", np.int64),
            ("draft", np.int64),
            ("deal", np.int64),
            # the board (B0.1): counties out of play are in no mask
            ("in_play", np.int64),
            ("tax", np.int64, (COUNTIES,)),
            ("grain", np.int64, (COUNTIES,)),
            ("sites", np.int64, (COUNTIES,)),
            ("region", np.int64, (COUNTIES,)),
            ("neighbours", np.int64, (COUNTIES,)),
            ("beside", np.int16, (COUNTIES, COUNTY_LANES)),  # the same as ones and zeros
            ("neighbour_count", np.int64, (COUNTIES,)),
            ("neighbour", np.int64, (COUNTIES, MAX_NEIGHBOURS)),
            ("region_counties", np.int64, (REGIONS,)),
            ("event_effect", np.int64, (EVENT_CARDS,)),
            ("event_loss", np.int64, (EVENT_CARDS,)),
            ("revolting", np.int64, (SHORTAGES,)),
            ("extra_peasants", np.int64, (SHORTAGES,)),
            # set-up (B1)
            ("starting_thalers", np.int64, (MAX_PLAYERS,)),
            ("groups", np.int64),
            ("group", np.int64, (MAX_GROUPS,)),
            ("lineup_groups", np.int64, (MAX_PLAYERS,)),
            ("lineup_edited", np.int64, (MAX_PLAYERS,)),
            ("lineup_county", np.int64, (MAX_PLAYERS, COUNTIES)),
            ("lineup_army", np.int64, (MAX_PLAYERS, COUNTIES)),
            # switches [A...], as numbers
            ("food_track_capped", np.int64),
            ("bank", np.int64),
            ("draft_start_random", np.int64),
            ("money_bid_held", np.int64),
            ("income_first", np.int64),
            ("bonus_must_be_there", np.int64),
            ("combat_must", np.int64),
            ("peasants_all_or_none", np.int64),
            ("ties_by_thalers", np.int64),
            ("statues_a_county", np.int64),
            ("lone_leader_stays", np.int64),
            ("statue_points_each_winter", np.int64),
            ("stood_aside_count", np.int64),
            ("actions_first", np.int64),
            ("palace_guard_in_revolts", np.int64),
            ("own_marker_revolts", np.int64),  # in the first edition only
            # the amounts, by building or action where there is one for each
            *((name, np.int64) if size == 1 else (name, np.int64, (size,)) for name, size in _SIZES.items()),
            # what follows from the amounts for policies, each 1 at the printed values
            ("deploy_scale", np.float64, (2,)),  # armies of deploy 5 and 1 against those of deploy 3
            ("levy_loss", np.float64, (2,)),  # share of the armies of deploy 5 and 3 that `small_levies` takes
            # edition and expansions
            ("first_edition", np.int64),
            ("loyal_below", np.int64),  # peasants defend a county with fewer markers than this (B6.6, V6)
            ("boxes", np.int64),  # on a mat: actions, auction and, with the court, its three boxes
            ("expansions", np.int64),  # how many of the three are in play
            ("expansion", np.int64, (len(EXPANSIONS),)),
            ("court", np.int64),
            ("landsknechte", np.int64),
            ("leaders", np.int64),
            ("favor_kind", np.int64, (FAVORS + 1,)),  # by number, from 1
            ("favor_value", np.int64, (FAVORS + 1,)),  # an amount, a building, or a mask of combat A and B
            ("benefit", np.int64, (LANDSKNECHT_CARDS, len(BENEFITS))),
            # chances of battles, for policies
            ("pass_rate", np.float64),  # mean chance that a thrown cube falls through
            ("release_rate", np.float64),  # mean chance that a cube inside is knocked loose
            ("pass_by_inside", np.float64, (CUBES + 1,)),  # the first by cubes inside, in units of its mean
            ("release_by_thrown", np.float64, (CUBES + 1,)),  # the second by cubes thrown, likewise
            ("win_table", np.uint16, (INSIDE * FOES_INSIDE, THROWN, FOES_THROWN)),
            # the tower
            ("tower_model", np.int64),  # place in PARAMETERS
            ("pass_table", np.uint64, (ARMIES_PER_PLAYER + 1, WIDE)),
            ("release_table", np.uint64, (ARMIES_PER_PLAYER + 1, WIDE)),
            ("joint_table", np.uint64, (FEW_CUBES, FEW_CUBES, NARROW)),
            ("clump", np.float64),  # chance that the next cube belongs to the same clump
            ("stay", np.float64, (CUBES + 1,)),  # urn: by cubes inside, the chance that a thrown cube stays
            ("release", np.float64, (CUBES + 1,)),  # urn: by cubes thrown, the chance that one inside is released
            ("hazard", np.float64, (CUBES + 1,)),  # urn: by cubes thrown, before the cast's frailty
            ("frailty", np.float64),  # urn: variance of a cast's frailty, 0 without one
            ("floors", np.int64),  # layered, and its numbers floor by floor from the top
            ("cells", np.int64, (MAX_FLOORS,)),
            ("stick", np.float64, (MAX_FLOORS,)),
            ("knock", np.float64, (MAX_FLOORS,)),
            ("cascade", np.float64),
            ("swap", np.float64),
        ],
    ),
    align=True,
)


def pack_rules(board: Board, ruleset: Ruleset, tower: TowerModel) -> np.ndarray:
    """A RULES array of one element, read-only. ValueError for a ruleset with errors."""
    errors = [f"{name}: {value!r} is not {allowed}" for name, value, allowed in ruleset.errors()]
    errors = errors or [f"{name}: {value!r} {text}" for name, value, text in setup_errors(board, ruleset)]
    if errors:
        raise ValueError("; ".join(errors))
    packed = np.zeros(1, dtype=RULES)
    rules = packed[0]
    _pack_board(rules, board, counties_in_play(board, ruleset))
    _pack_setup(rules, board, ruleset)
    _pack_switches(rules, ruleset)
    _pack_amounts(rules, ruleset)
    _pack_expansions(rules, board, ruleset)
    pack_tower(rules, tower)
    packed.setflags(write=False)
    return packed


def pack_tower(rules: np.record, tower: TowerModel) -> None:
    """Write a tower into a RULES record, as if it had been packed with it."""
    model = tower.parameters
    rules.tower_model = list(PARAMETERS).index(tower.model)
    rules.pass_rate, rules.release_rate = mean_rates(model)
    passing = float(rules.pass_rate)
    rules.pass_by_inside = [pass_chance(model, cubes) / passing if passing > 0 else 1.0 for cubes in range(CUBES + 1)]
    rules.release_by_thrown = 1.0
    rules.win_table = win_table(float(rules.pass_rate), float(rules.release_rate)).reshape(rules.win_table.shape)
    if isinstance(model, Independent):
        rules.pass_table = binomial_alias_table(model.p)
        rules.release_table = binomial_alias_table(model.q)
        rules.joint_table = joint_alias_table(model.p, model.q)
        return
    rules.clump = 1 - 1 / model.clump
    if isinstance(model, Urn):
        rules.stay = [stay_chance(model, cubes) for cubes in range(CUBES + 1)]
        rules.release = [release_chance(model, cubes) for cubes in range(CUBES + 1)]
        if rules.release_rate > 0:
            rules.release_by_thrown = np.asarray(rules.release) / float(rules.release_rate)
        rules.hazard = [hazard(model, cubes) for cubes in range(CUBES + 1)]
        rules.frailty = model.phi
    else:
        pack_floors(rules, model)


def pack_floors(rules: np.record, model: Layered) -> None:
    """Write the numbers of a layered tower into a RULES record that has one already, as fits often do."""
    rules.floors = floors = len(model.cells)
    rules.cells[:floors], rules.stick[:floors], rules.knock[:floors] = model.cells, model.stick, model.knock
    rules.cascade, rules.swap, rules.clump = model.cascade, model.swap, 1 - 1 / model.clump


def _pack_board(rules: np.record, board: Board, playable: Sequence[int]) -> None:
    for name in ("tax", "grain", "sites", "region", "event_effect", "event_loss"):
        getattr(rules, name)[:] = getattr(board, name)
    rules.revolting[:] = board.revolting
    rules.extra_peasants[:] = board.extra
    rules.in_play = sum(1 << county for county in playable)
    for county in playable:
        mask = int(board.neighbours[county]) & int(rules.in_play)
        around = [other for other in range(COUNTIES) if mask >> other & 1]
        rules.neighbours[county] = mask
        rules.beside[county, around] = 1
        rules.neighbour_count[county] = len(around)
        rules.neighbour[county, : len(around)] = around
        rules.region_counties[board.region[county]] |= 1 << county


def _pack_setup(rules: np.record, board: Board, ruleset: Ruleset) -> None:
    players = ruleset.players
    groups = ARMY_GROUPS[players]
    rules.players = players
    rules.draft, rules.deal = ruleset.setup == "draft", ruleset.setup == "deal"
    rules.starting_thalers[:players] = ruleset.starting_thalers()
    rules.groups = len(groups)
    rules.group[: len(groups)] = groups
    if ruleset.setup == "lineup":
        for seat, letter in enumerate(ruleset.letters()):
            lineup = lineup_of(board, ruleset, letter)
            rules.lineup_groups[seat] = len(lineup)
            rules.lineup_edited[seat] = lineup[0].source == EDITED
            for place, group in enumerate(lineup):
                rules.lineup_county[seat, place] = group.county
                rules.lineup_army[seat, place] = group.armies


def _pack_switches(rules: np.record, ruleset: Ruleset) -> None:
    rules.food_track_capped = ruleset.food_track == "capped"
    rules.bank = ruleset.bank
    rules.draft_start_random = ruleset.draft_start == "random"
    rules.money_bid_held = ruleset.money_bid == "held"
    rules.income_first = ruleset.income == "first"
    rules.bonus_must_be_there = ruleset.short_supply == "all"
    rules.combat_must = ruleset.combat == "must"
    rules.peasants_all_or_none = ruleset.few_peasants == "all_or_none"
    rules.ties_by_thalers = ruleset.final_tie == "thalers"
    rules.statues_a_county = 1 if ruleset.statues_a_county == "one" else STATUES
    rules.lone_leader_stays = ruleset.single_county == "stays"
    rules.statue_points_each_winter = ruleset.statue_points == "each_winter"
    rules.stood_aside_count = ruleset.stood_aside == "count"
    rules.actions_first = ruleset.few_cards == "actions_first"
    rules.palace_guard_in_revolts = ruleset.palace_guard_in_revolts == "yes"
    rules.own_marker_revolts = ruleset.revolting_markers == "with_own" and ruleset.edition == "1e"


def _pack_amounts(rules: np.record, ruleset: Ruleset) -> None:
    for amount in _AMOUNTS:
        if amount.place is None:
            rules[amount.field] = ruleset.amount(amount.name)
        else:
            rules[amount.field][amount.place] = ruleset.amount(amount.name)
    # Computed once here, since kernels would divide for every county of every plan.
    printed = _deploying(PRINTED)
    for name, numbers in _deploying({amount.name: ruleset.amount(amount.name) for amount in AMOUNTS}).items():
        rules[name] = [number / printed_number for number, printed_number in zip(numbers, printed[name], strict=True)]


def _deploying(numbers: Mapping[str, int]) -> dict[str, list[float]]:
    armies = {action: numbers[f"deploy{action}_armies"] for action in (5, 3, 1)}
    levies = {action: numbers[f"event_small_levies_deploy{action}_armies"] for action in (5, 3)}
    return {
        "deploy_scale": [armies[5] / armies[3], armies[1] / armies[3]],
        "levy_loss": [(armies[action] - levies[action]) / armies[action] for action in (5, 3)],
    }


def _pack_expansions(rules: np.record, board: Board, ruleset: Ruleset) -> None:
    rules.first_edition = ruleset.edition == "1e"
    rules.loyal_below = LOYAL_BELOW[ruleset.edition]
    rules.expansions = len(ruleset.expansions)
    rules.expansion[:] = [name in ruleset.expansions for name in EXPANSIONS]
    rules.court, rules.landsknechte, rules.leaders = rules.expansion
    rules.boxes = BOXES if rules.court else BASE_BOXES
    for favor in board.favors:
        rules.favor_kind[favor["number"]] = FAVOR_KINDS.index(favor["kind"])
        rules.favor_value[favor["number"]] = _favor_value(favor["value"])
    for card in board.landsknechte:
        rules.benefit[card["card"] - 1] = [card[benefit] for benefit in BENEFITS]


def _favor_value(value: int | str) -> int:
    """An amount as it is, a building by its number, a protection by its mask; 0 where a card says nothing."""
    if isinstance(value, int):
        return value
    return BUILDINGS.index(value) if value in BUILDINGS else PROTECTIONS.index(value)
