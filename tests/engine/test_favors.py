"""What favors do to the rest of the round and of the game, seen in recorded games (E6)."""

from copy import deepcopy

import pytest

from tests.engine.chronicle import chronicles, rounds
from tests.naive import economy
from tests.naive.rng import JIT
from wallsim.rules.ruleset import Ruleset

GAMES = 60 if JIT else 1
COURTS = [
    Ruleset(players=3, expansions=("court",)),
    Ruleset(players=5, setup="draft", expansions=("court", "leaders")),
    Ruleset(players=5, edition="1e", expansions=("court",)),
]
courts = pytest.mark.parametrize("rules", COURTS, ids=lambda rules: f"{rules.players} players, {rules.edition}")
WARDED_OFF = {10: {"combat_a"}, 11: {"combat_b"}, 18: {"combat_a", "combat_b"}}


def with_leaders(game):
    """Each round of a game with the counties in which leaders stand when its actions begin."""
    place = {}
    for season in [game.opening, *game.seasons]:
        lines = season if isinstance(season, list) else season.lines
        acting = next((number for number, line in enumerate(lines) if line["t"] == "action"), len(lines))
        for number, line in enumerate(lines):
            if number == acting:
                yield season, dict(place)
            if line["t"] == "leader":
                place[line["seat"]] = line["county"]


@courts
def test_a_cancelled_event_is_off_for_that_round_and_no_other(rules):  # E6 B4.5 M2
    """Every income is the county's number, then the event unless it was cancelled, then tile and leader."""
    cancelled = spoilt = 0
    for game in chronicles(rules, GAMES):
        for season, leaders in with_leaders(game):
            off = any(line.get("cancelled") for line in season.of("favor"))
            cancelled += off
            table = deepcopy(season.before)
            for seat, _, tile in season.of("order")[0]["picks"]:
                table.players[seat].tile, table.players[seat].leader = tile, leaders.get(seat)
            for line in season.of("action"):
                if line["done"] and line["action"] in ("taxes", "grain"):
                    where = (line["seat"], line["county"], line["action"])
                    table.event = season.effect
                    usual = economy.income(table, *where)
                    table.event = "none" if off else season.effect
                    assert line["gain"] == economy.income(table, *where)
                    spoilt += line["gain"] != usual
    if JIT:
        assert min(cancelled, spoilt) > 0


@courts
def test_who_is_protected_is_attacked_by_the_other_combat_or_in_another_round_only(rules):  # E6 B5.9
    protected = other = 0
    for season in rounds(rules, GAMES):
        truces = [(line["seat"], WARDED_OFF.get(line["number"], ())) for line in season.of("favor")]
        safe = {(seat, action) for seat, actions in truces for action in actions}
        protected += len(safe)
        attacked = attacks(season)
        assert not safe & attacked
        other += len({seat for seat, _ in safe} & {seat for seat, _ in attacked})
        assert not any(season.after.truce.values())  # protections end with the round
    if JIT:
        assert min(protected, other) > 0


def attacks(season):
    """(attacked seat, combat) of a round: each battle's action line comes right behind it."""
    result = set()
    for line, after in zip(season.lines, season.lines[1:], strict=False):
        if line["t"] == "battle" and line["kind"] == "player":
            assert after["t"] == "action"
            assert after["target"] == line["county"]
            result.add((line["defender"], after["action"]))
    return result


@courts
def test_a_kept_card_parries_the_very_next_marker_in_whatever_year(rules):  # E6 B5.5
    kept = parried = 0
    for game in chronicles(rules, GAMES):
        held = set()
        for season in game.seasons:
            for line in season.lines:
                if line["t"] == "favor" and line["number"] == 4 and line["county"] is None:
                    held.add(line["seat"])
                    kept += 1
                if line["t"] == "action" and line.get("parried"):
                    assert line["seat"] in held
                    assert not line["marker"]
                    held.remove(line["seat"])
                    parried += 1
                if line["t"] == "action" and line.get("marker"):
                    assert line["seat"] not in held
            assert {seat for seat, player in season.after.players.items() if player.parry} == held
    if JIT:
        assert 0 < parried <= kept
