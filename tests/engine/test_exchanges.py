"""Exchanges of cards between plans, from which searches make new ones."""

import numpy as np

from tests.naive.scene import Scene
from wallsim.engine.candidates import exchange_cards
from wallsim.rules.terms import AUCTION, MONEY, MONEY_CARDS, NO_CARD, TOWER_CARD

COUNTIES, THALERS = range(9), 2
TOWER_BOX, EMPTY_BOX = 8, 9


def test_an_exchange_lays_a_card_elsewhere_and_leaves_what_may_not_move():
    """Money may be bid as far as it is held [A4]; the tower's card and an empty box stay."""
    scene = Scene.start(4)
    game, rules = scene.game, scene.rules
    game.land[0], game.thalers[0] = sum(1 << county for county in COUNTIES), THALERS
    trial = np.zeros(1, np.dtype((np.record, [("plan", np.int64, (3, 14))])))[0]
    first, second, made = trial["plan"]
    trial["plan"][:] = NO_CARD
    first[:TOWER_BOX], first[TOWER_BOX], first[AUCTION] = range(8), TOWER_CARD, MONEY + 1
    second[:] = first
    second[:TOWER_BOX] = np.roll(first[:TOWER_BOX], 1)
    known = {*COUNTIES, *range(MONEY, MONEY + MONEY_CARDS), TOWER_CARD}
    number = 0
    for _ in range(300):
        if exchange_cards(game, rules, 0, trial, 2, 0, 1):
            number += 1
            cards = [card for card in made.tolist() if card != NO_CARD]
            assert 1 <= (made != first).sum() <= 2
            assert len(cards) == len(set(cards)) == (first != NO_CARD).sum()
            assert set(cards) <= known
            assert (made[TOWER_BOX], made[EMPTY_BOX]) == (TOWER_CARD, NO_CARD)
            assert made[AUCTION] - MONEY <= THALERS
    assert number > 200
