"""The agenda of a round: the county cards on action boxes in the order in which they are carried out (B2.6)."""

from wallsim.jit import kernel
from wallsim.rules.terms import ACTION_CARDS, MONEY, NO_CARD


@kernel
def list_agenda(game, rules):
    """List the county cards on action boxes in `game.agenda`: card order, then player order (B2.6); returns how many.

    Building the list needs no branches; testing box by box would cost the processor one mispredicted branch in three.
    """
    cards = 0
    for position in range(ACTION_CARDS):
        action = game.action_order[position]
        for turn in range(rules.players):
            seat = game.turn[turn]
            card = game.card[seat, action]
            game.agenda[cards, 0] = position
            game.agenda[cards, 1] = seat
            game.agenda[cards, 2] = card
            cards += NO_CARD < card < MONEY
    return cards
