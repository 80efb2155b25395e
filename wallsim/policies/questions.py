"""The questions that a game asks a policy, by the names under which policies of one's own answer them.

Each is answered by a function of `(game, rules, mind, seat)` and the details named here. It returns an int64, or
writes its answer to `mind`.
"""

from typing import NamedTuple


class Question(NamedTuple):
    """A question: its name, what is told beside the table, whether the function returns the answer, and the answer."""

    name: str
    details: tuple[str, ...]
    returns: bool
    answer: str


QUESTIONS = (
    Question(
        "plan",
        (),
        False,
        "`mind.plan`, where the plan of the weights lies: a card or NO_CARD for each of `rules.boxes` (B3, E3, V1)",
    ),
    Question(
        "bid",
        (),
        True,
        "the card for the auction, in place of the planned one; not asked where the box stays empty (B3.2, B3.4, V1)",
    ),
    Question("place", ("free",), True, "a box 0 to 4 of the mask: place in the order and bonus tile (B4.3)"),
    Question("move", ("county",), False, "`mind.target` and `mind.armies` after deploying one army, 0 to stay (B5.7)"),
    Question(
        "attack",
        ("county", "targets"),
        False,
        "`mind.target` of the mask, own or not, and `mind.armies`, at least 1 if `rules.combat_must` (B5.8)",
    ),
    Question("order_revolts", ("count",), False, "the first `count` of `game.revolting`, in the order to fight (B7.3)"),
    Question("claim", (), True, "in the draft: 0 or 1 for an open county card, 2 for the deck's top (B1.4)"),
    Question("recycle", (), True, "in the draft: 1 to put both open cards under the deck (B1.4)"),
    Question("garrison", ("county",), True, "in the draft: the index of an army group for the county taken (B1.2)"),
    Question("defend", ("county", "attacker", "attackers"), True, "how many armies defend, 1 to all (V5)"),
    Question("recruit", ("county", "modes"), True, "RECRUIT, MARCH or BOTH, one of the mask (V3)"),
    Question("recruits_move", ("county",), False, "`mind.target` and `mind.armies`, at least 1 (V3)"),
    Question("benefit", ("offered",), True, "a benefit of the mask on the Landsknechte card (L1)"),
    Question("favor", ("spaces",), True, "a space of the mask whose favor is taken, or -1 (E5)"),
    Question("cancel_event", (), True, "1 to cancel the round's event (E6)"),
    Question("favor_county", ("favor", "counties"), True, "a county of the mask for the favor (E6)"),
    Question("draft_leader", ("county",), True, "in the draft: 1 to place the leader in the county just taken (M1)"),
    Question("leader", (), True, "an own county for a leader off the board (M1, M4)"),
    Question("leader_move", (), True, "another own county for the leader (M3)"),
    Question("statue", ("county",), True, "1 to leave a statue on moving to a county (M3)"),
)

(
    PLAN,
    BID,
    PLACE,
    MOVE,
    ATTACK,
    ORDER_REVOLTS,
    CLAIM,
    RECYCLE,
    GARRISON,
    DEFEND,
    RECRUIT,
    RECRUITS_MOVE,
    BENEFIT,
    FAVOR,
    CANCEL_EVENT,
    FAVOR_COUNTY,
    DRAFT_LEADER,
    LEADER,
    LEADER_MOVE,
    STATUE,
) = range(len(QUESTIONS))
