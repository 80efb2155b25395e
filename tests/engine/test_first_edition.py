"""The first edition in the engine: player order by lot, blank cards, recruit and/or move, duty, defenders (V)."""

from collections import Counter
from itertools import permutations

import pytest

from tests.engine.chronicle import chronicles, rounds
from tests.naive.rng import JIT, chi_square_z, many_draws
from tests.naive.scene import DONE, STAYED
from tests.naive.table import County
from tests.policies.seating import arena_under
from wallsim.engine.columns import columns_of
from wallsim.policies.catalogue import load_policy
from wallsim.rules.ruleset import Ruleset

GAMES = 12 if JIT else 1
OLD = [
    Ruleset(players=3, edition="1e"),
    Ruleset(players=5, setup="draft", edition="1e", expansions=("court", "landsknechte", "leaders")),
]
olds = pytest.mark.parametrize("rules", OLD, ids=lambda rules: f"{rules.players} players, {rules.setup}")
policies = pytest.mark.parametrize("policy", ["random", "balanced"])


@many_draws
@pytest.mark.parametrize("players", [3, 4])
def test_the_player_order_is_drawn_uniformly_each_round(players):  # V1
    rules, games = Ruleset(players=players, edition="1e"), 600
    seasons = arena_under(rules, load_policy("random")).play(0, games, seasons=True).seasons
    place = [column.name for column in columns_of("seasons")].index("place")
    orders = seasons[:, place].reshape(games, 8, players)
    rounds = orders[:, [0, 1, 2, 4, 5, 6]].reshape(-1, players)
    seen = Counter(map(tuple, rounds.tolist()))
    assert set(seen) == set(permutations(range(1, players + 1)))
    assert abs(chi_square_z(seen.values())) < 4
    pairs = Counter(zip(map(tuple, orders[:, 0].tolist()), map(tuple, orders[:, 1].tolist()), strict=True))
    assert len(pairs) == len(seen) ** 2 or players > 3  # one round's order tells nothing of the next


@policies
@olds
def test_there_is_no_auction_and_there_are_no_tiles(rules, policy):  # V1
    for season in rounds(rules, GAMES, policy):
        (order,) = season.of("order")
        assert season.of("round")[0]["tiles"] == []
        assert order["paid"] == [0] * rules.players
        assert [place for _, place, _ in order["picks"]] == [*range(1, rules.players + 1)]
        assert {tile for _, _, tile in order["picks"]} == {None}
        assert {plan["bid"] for plan in season.of("plan")} == {None}


@olds
def test_blank_cards_and_uncovered_boxes_do_nothing(rules):  # V1 V2
    """Only county cards act; where cards are lacking, boxes stay empty, which changes nothing else."""
    seen = Counter()
    for season in rounds(rules, GAMES):
        boxes = [(plan["seat"], *box) for plan in season.of("plan") for box in plan["boxes"].items()]
        seen.update(str(card).split(":")[0] for _, _, card in boxes)
        acted = [(line["seat"], line["action"], f"county:{line['county']}") for line in season.of("action")]
        assert sorted(acted) == sorted(box for box in boxes if str(box[2]).startswith("county"))
    assert set(seen) <= {"county", "blank", "tower", "None"}
    assert min(seen["blank"], seen["county"]) > 0


# ---------------------------------------------------------------------------------------- striking, defending


@policies
@pytest.mark.parametrize(("edition", "combat", "idle"), [
    ("1e", "must", False), ("1e", "may", True), ("2e", "may", True), ("2e", "must", False),
])  # fmt: skip
def test_whether_combat_cards_must_move(edition, combat, idle, policy):  # V4 A7
    """`random` always moves; `balanced` stays at times where it may."""
    rules = Ruleset(players=4, edition=edition, combat=combat)
    whys = Counter(
        line.get("why", DONE)
        for season in rounds(rules, GAMES, policy)
        for line in season.of("action")
        if line["action"].startswith("combat")
    )
    assert whys[DONE] > 0
    if policy == "random" or not idle:
        assert whys[STAYED] == 0
    elif JIT:
        assert whys[STAYED] > 0


@policies
@olds
def test_defenders_are_one_to_all_of_the_countys_armies_and_the_others_stand_aside(rules, policy):  # V5
    """In winter the armies of a revolting county are those of fall, and it fights once."""
    seen = Counter()
    for game in chronicles(rules, 3 * GAMES, policy):
        for season in (game.seasons[3], game.seasons[7]):
            for line in season.of("battle"):
                seat, county = line["defender"], line["county"]
                armies, engaged = season.before.land[county].armies, line["engaged"][str(seat)]
                assert 1 <= engaged <= armies
                if line["result"] == "defender":
                    assert (
                        season.after.land[county]
                        == County(seat, line["survivors"] + armies - engaged, 0, season.before.land[county].buildings)
                        or season.number == 7
                    )
                else:
                    assert season.after.land[county] == County()
                seen[engaged < armies] += 1
    if JIT and policy == "random":
        assert min(seen[True], seen[False]) > 0
