"""Claims and garrisons of the draft against a naive twin in names, on random half-finished drafts (B1.2, B1.4)."""

import random
from dataclasses import replace
from statistics import fmean

import pytest

from tests.naive.making import BOARD
from tests.naive.rng import JIT
from tests.naive.scene import Scene
from tests.naive.table import write_table
from tests.policies.seating import ask, sit
from wallsim.policies import decide
from wallsim.policies.balanced.draft import draft_worth, wanted_armies
from wallsim.policies.catalogue import load_policy
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.terms import ARMY_GROUPS, ROUNDS

DRAFTS = 60 if JIT else 3
NEW = [weight for weight in WEIGHTS if weight.name.startswith(("draft_", "garrison", "income", "site"))]


class Naive:
    """A half-finished draft in names: who owns what, the groups in hand, the open cards, and a policy."""

    def __init__(self, table, policy, hands, shown):
        self.table, self.hands, self.shown = table, hands, shown
        self.weights, self.worths = policy.weights, policy.counties.get(table.rules.players, {})
        self.owner = {name: county.owner for name, county in table.land.items()}
        self.armies = {name: county.armies for name, county in table.land.items()}

    def around(self, seat, county, kind):
        """The neighbours that are own, rivals' or neutral."""
        return [other for other in self.table.neighbours(county) if self.kind(seat, other) == kind]

    def kind(self, seat, county):
        """Whose a county is, seen by a seat."""
        owner = self.owner[county]
        return "neutral" if owner is None else "own" if owner == seat else "rival"

    def there(self, seat, county, kind):
        """The other counties of the region that are own, rivals' or neutral."""
        region = self.table.region(county)
        return [c for c in self.owner if c != county and self.table.region(c) == region and self.kind(seat, c) == kind]

    def worth(self, seat, county):
        """What a claim is worth, term by term."""
        w, table = self.weights, self.table
        armies = {kind: sum(self.armies[c] for c in self.around(seat, county, kind)) for kind in ("own", "rival")}
        borders = {kind: len(self.around(seat, county, kind)) for kind in ("own", "rival", "neutral")}
        region = {kind: len(self.there(seat, county, kind)) for kind in ("own", "rival", "neutral")}
        total = w["income"] * ROUNDS * (table.tax(county) + table.food(county)) + 2 * w["site"] * table.sites(county)
        total += w["draft_counties"] * self.worths.get(county, 0)
        total += w["draft_tax"] * table.tax(county) + w["draft_grain"] * table.food(county)
        total += w["draft_sites"] * table.sites(county)
        total += w["draft_border"] * borders["own"] + w["draft_rivals"] * borders["rival"]
        total += w["draft_neutral"] * borders["neutral"]
        total += w["draft_armies"] * armies["rival"] + w["draft_own_armies"] * armies["own"]
        total += w["draft_region"] * region["own"] + w["draft_rivals_region"] * region["rival"]
        neutral = sum(owner is None for owner in self.owner.values())
        own = (len(self.hands[seat]) - 1) / (neutral - 1)
        rivals = sum(len(hand) for other, hand in self.hands.items() if other != seat) / (neutral - 1)
        later = borders["neutral"] * (own * w["draft_border"] + rivals * w["draft_rivals"])
        later += region["neutral"] * (own * w["draft_region"] + rivals * w["draft_rivals_region"])
        return total + w["draft_later"] * later

    def claim(self, seat):
        """The better open card, or the deck where it promises more."""
        hidden = [county for county, owner in self.owner.items() if owner is None and county not in self.shown]
        deck = fmean(self.worth(seat, county) for county in hidden) + self.weights["draft_deck"]
        worths = [self.worth(seat, county) for county in self.shown]
        return 2 if max(worths) < deck else worths.index(max(worths))

    def wanted(self, seat, county):
        """The armies that a county is to have."""
        w, own = self.weights, self.around(seat, county, "own")
        rivals, neutral = self.around(seat, county, "rival"), self.around(seat, county, "neutral")
        total = w["garrison"] + w["garrison_borders"] * (len(rivals) + len(neutral))
        total += w["garrison_rivals"] * len(rivals)
        total += w["garrison_armies"] * sum(self.armies[other] for other in rivals)
        total += w["garrison_own_armies"] * sum(self.armies[other] for other in own)
        total += w["garrison_worth"] * self.worth(seat, county)
        return total + w["garrison_turn"] * (len(ARMY_GROUPS[self.table.rules.players]) - len(self.hands[seat]))


def half_drafted(players, number):
    """A scene and its naive twin: some turns done at random, a policy with random weights, and a random table."""
    rng = random.Random(100 * players + number)
    scene = Scene.start(players, setup="draft")
    drawn = {weight.name: rng.choice((weight.default, rng.uniform(weight.low, weight.high))) for weight in NEW}
    balanced = load_policy("balanced")
    names = sorted(scene.table.land)
    worths = {name: rng.uniform(-2, 2) for name in rng.sample(names, 20)}
    policy = replace(balanced, weights={**balanced.weights, **drawn}, counties={players: worths})
    hands = {seat: list(ARMY_GROUPS[players]) for seat in range(players)}
    free = rng.sample(names, len(names))
    for turn in range(rng.randrange(players * (len(hands[0]) - 1))):
        seat = turn % players
        scene.table.give(seat, free.pop(), hands[seat].pop(rng.randrange(len(hands[seat]))))
    sit(scene, policy)
    write_table(scene.table, scene.game)
    for seat, hand in hands.items():
        scene.game.groups[seat] = len(hand)
        scene.game.group[seat, : len(hand)] = hand
    scene.game.open_card[:] = [BOARD.counties.index(name) for name in free[:2]]
    return scene, Naive(scene.table, policy, hands, free[:2]), free


@pytest.mark.parametrize("players", [3, 4, 5])
def test_claims_and_garrisons_are_those_of_the_naive_twin(players):
    claims, groups = set(), set()
    for number in range(DRAFTS):
        scene, naive, free = half_drafted(players, number)
        seat = number % players
        mind = scene.players.seat[seat]
        claim = ask(scene, decide.choose_claim, seat)
        assert claim == naive.claim(seat)
        assert bool(ask(scene, decide.choose_recycle, seat)) == (claim == 2)
        claims.add(claim)
        for county in free[:5]:
            place = BOARD.counties.index(county)
            worth = draft_worth(scene.game, scene.rules, mind, seat, place)
            assert worth == pytest.approx(naive.worth(seat, county), abs=1e-9)
            wanted = naive.wanted(seat, county)
            assert wanted_armies(scene.game, scene.rules, mind, seat, place) == pytest.approx(wanted, abs=1e-9)
            gaps = [abs(group - wanted) for group in naive.hands[seat]]
            group = decide.choose_garrison(scene.game, scene.rules, mind, seat, place)
            assert group == gaps.index(min(gaps))
            groups.add(group)
    if JIT:
        assert claims == {0, 1, 2}
        assert len(groups) > 3
