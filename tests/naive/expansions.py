"""What the expansions lay on a naive table: what must hold of it, and how it is written to a GAME record and read."""

from __future__ import annotations

from collections import Counter

from wallsim.state.game import IN_HAND, TAKEN

COURTIERS_IN_THE_BOX = 7  # E1, a player
STATUES_IN_THE_BOX = 6  # M1, a player
COMBATS = ("combat_a", "combat_b")


def statues_in_hand(player) -> int:
    """The statues a player can still leave (M1)."""
    return STATUES_IN_THE_BOX - sum(player.statues.values()) - player.statues_lost


def expansion_errors(table) -> list[str]:
    """What cannot be on a table that was played by the rules of chapters E, L and M."""
    result = []
    for seat, player in table.players.items():
        if not 0 <= player.hall <= COURTIERS_IN_THE_BOX:
            result.append(f"E1: seat {seat} has {player.hall} courtiers in the hall")
        if player.parry < 0:
            result.append(f"E6: seat {seat} parries {player.parry} markers")
        if player.banner not in (1, 2, 3, 4):
            result.append(f"L1: seat {seat} shows Landsknechte card {player.banner}")
        if player.leader is not None and table.land[player.leader].owner != seat:
            result.append(f"M4: the leader of seat {seat} stands in {player.leader}, which it does not hold")
        if statues_in_hand(player) < 0 or min(player.statues.values(), default=1) < 1:
            result.append(f"M1: seat {seat} has the statues {player.statues}, {player.statues_lost} more were lost")
        if table.rules.statues_a_county == "one" and max(player.statues.values(), default=0) > 1:
            result.append(f"M3: several statues of seat {seat} in one county")
        rivals = [other.statues for number, other in table.players.items() if number != seat]
        if any(player.leader in statues for statues in rivals):
            result.append(f"M3: the leader of seat {seat} has a rival's statue beside it")
    lost = sum(player.statues_lost for player in table.players.values())
    taken = sum(player.trophies for player in table.players.values())
    if lost != taken:
        result.append(f"M3: {lost} statues lost, {taken} trophies")
    return result


def write_expansions(table, game) -> None:
    """Lay out courtiers, favors, Landsknechte cards, leaders and statues on a GAME record."""
    for name in ("hall", "parry", "banner", "leader", "trophies", "truce"):
        getattr(game, name)[:] = 0
    game.statue[:, :] = IN_HAND
    for seat, player in table.players.items():
        game.hall[seat], game.parry[seat], game.trophies[seat] = player.hall, player.parry, player.trophies
        game.banner[seat] = player.banner - 1
        game.leader[seat] = 0 if player.leader is None else 1 << table.number(player.leader)
        places = [table.number(county) for county in player.statues.elements()] + [TAKEN] * player.statues_lost
        game.statue[seat, : len(places)] = places
    game.shown_favor[:] = [favor or 0 for favor in table.favors]
    for combat, action in enumerate(COMBATS):
        game.truce[combat] = sum(1 << seat for seat in table.truce[action])


def read_expansions(table, game) -> None:
    """Read back what `write_expansions` lays out; AssertionError for traces of an expansion that is not in play."""
    absent = {
        "court": ("hall", "parry", "truce"),
        "landsknechte": ("banner",),
        "leaders": ("leader", "trophies"),
    }
    for expansion, names in absent.items():
        for name in names if expansion not in table.rules.expansions else ():
            assert not getattr(game, name).any(), f"{name} without {expansion}"
    for seat, player in table.players.items():
        player.hall, player.parry = int(game.hall[seat]), int(game.parry[seat])
        player.banner, player.trophies = int(game.banner[seat]) + 1, int(game.trophies[seat])
        mask = int(game.leader[seat])
        assert mask & (mask - 1) == 0, f"the leader of seat {seat} stands in several counties"
        player.leader = None if mask == 0 else table.board.counties[mask.bit_length() - 1]
        if "leaders" in table.rules.expansions:
            places = [int(place) for place in game.statue[seat]]
            player.statues = Counter(table.board.counties[place] for place in places if place >= 0)
            player.statues_lost = places.count(TAKEN)
            assert all(place >= 0 or place in (IN_HAND, TAKEN) for place in places)
    if "court" in table.rules.expansions:
        table.favors = [int(favor) or None for favor in game.shown_favor]
    for combat, action in enumerate(COMBATS):
        table.truce[action] = {seat for seat in table.players if int(game.truce[combat]) >> seat & 1}
