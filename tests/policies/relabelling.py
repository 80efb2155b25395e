"""A table whose seats are numbered otherwise: the same game with the same players, each on another chair."""

from __future__ import annotations

from collections.abc import Sequence

from wallsim.rules.terms import NEUTRAL
from wallsim.state.random import SEAT

# Every field of GAME by how a seat is named there.
BY_SEAT = (
    "thalers", "grain", "vp", "card", "lost", "lot", "place", "tile", "tile_held", "hall", "parry", "banner", "leader",
    "statue", "trophies", "group", "groups", "vp_year1", "tally",
)  # fmt: skip
BY_COLOUR = ("land", "supply", "tray", "tower", "engaged", "fallen")  # seats, then peasants or neutral
LISTS_OF_SEATS = ("pick", "turn", "audience")
MASKS_OF_SEATS = ("truce", "leaders")
WITHOUT_SEATS = (
    "key", "number", "year", "season", "army", "marker", "built", "markers_left", "action_order", "tile_on_box",
    "event_deck", "shown_event", "shown_events", "event", "effect", "actions_done", "favor_deck", "shown_favor", "deck",
    "deck_top", "deck_end", "open_card", "survivors", "falling", "revolting", "shortage", "casts", "cubes_cast",
    "cubes_fallen", "tower_after_fill", "tower_after_year1", "used_event",
)  # fmt: skip
OTHERWISE_NAMED = ("owner", "random", "floor", "agenda")  # by `relabel` itself
RULES_BY_SEAT = ("starting_thalers", "lineup_groups", "lineup_edited", "lineup_county", "lineup_army")


def relabel(game, clean, order: Sequence[int]) -> None:
    """Make `game` the table `clean` with seat s called `order[s]`."""
    seats = range(len(order))
    for name in BY_SEAT + BY_COLOUR:
        for seat in seats:
            game[name][order[seat]] = clean[name][seat]
    for name in LISTS_OF_SEATS:
        for place in seats:
            seat = int(clean[name][place])
            game[name][place] = order[seat] if seat in seats else seat
    for name in MASKS_OF_SEATS:
        game[name] = _each(lambda mask: sum(1 << order[seat] for seat in seats if int(mask) >> seat & 1), clean[name])
    game.owner[:] = [order[owner] if owner != NEUTRAL else NEUTRAL for owner in clean.owner]
    for seat in seats:
        game.random[SEAT + order[seat]] = clean.random[SEAT + seat]
        game.floor[:, order[seat]] = clean.floor[:, seat]
    game.agenda[:, 1] = [order[seat] if seat in seats else seat for seat in map(int, clean.agenda[:, 1])]


def relabel_rules(rules, clean, order: Sequence[int]) -> None:
    """Make `rules` those of `clean` with the set-up of seat s given to seat `order[s]`."""
    for name in RULES_BY_SEAT:
        for seat in range(len(order)):
            rules[name][order[seat]] = clean[name][seat]


def relabel_minds(players, clean, order: Sequence[int]) -> None:
    """Let the player of seat s sit on seat `order[s]`."""
    for seat in range(len(order)):
        players.seat[order[seat]] = clean.seat[seat]


def _each(function, values):
    return [[function(value) for value in row] if getattr(row, "shape", ()) else function(row) for row in values]
