"""The questions that the game asks a policy, each declared once; custom policies answer them by these names.

A question `attack` is answered by the function `attack` of a custom policy and by the kernel `choose_attack` of the
others; the constant ATTACK is its number. An answer is a function of `(game, rules, mind, seat)` and the details named
here. It returns an int64, or writes its answer to `mind`.
"""

from typing import NamedTuple

from wallsim.errors import refuse_twice


class Question(NamedTuple):
    """A question: its name, its details, whether the function returns the answer, the answer, and whether in the draft.

    Details are the arguments that follow `(game, rules, mind, seat)`.
    """

    name: str
    details: tuple[str, ...]
    returns: bool
    answer: str
    in_draft: bool


_declared: list[Question] = []


def _question(name: str, *details: str, returns: bool, answer: str, in_draft: bool = False) -> int:
    answer = f"in the draft: {answer}" if in_draft else answer
    _declared.append(Question(name, details, returns, answer, in_draft))
    return len(_declared) - 1


PLAN = _question(
    "plan",
    returns=False,
    answer="`mind.plan`, where the plan of the weights lies: a card or NO_CARD for each of `rules.boxes` (B3, E3, V1)",
)
BID = _question(
    "bid",
    returns=True,
    answer="the card for the auction, in place of the planned one; not asked where the box stays empty "
    "(B3.2, B3.4, V1)",
)
PLACE = _question(
    "place", "free", returns=True, answer="a box 0 to 4 of the mask: place in the order and bonus tile (B4.3)"
)
MOVE = _question(
    "move", "county", returns=False, answer="`mind.target` and `mind.armies` after deploying one army, 0 to stay (B5.7)"
)
ATTACK = _question(
    "attack",
    "county",
    "targets",
    returns=False,
    answer="`mind.target` of the mask, own or not, and `mind.armies`, at least 1 if `rules.combat_must` (B5.8)",
)
ORDER_REVOLTS = _question(
    "order_revolts",
    "count",
    returns=False,
    answer="the first `count` of `game.revolting`, in the order to fight (B7.3)",
)
CLAIM = _question(
    "claim", returns=True, answer="0 or 1 for an open county card, 2 for the deck's top (B1.4)", in_draft=True
)
RECYCLE = _question("recycle", returns=True, answer="1 to put both open cards under the deck (B1.4)", in_draft=True)
GARRISON = _question(
    "garrison", "county", returns=True, answer="the index of an army group for the county taken (B1.2)", in_draft=True
)
DEFEND = _question(
    "defend", "county", "attacker", "attackers", returns=True, answer="how many armies defend, 1 to all (V5)"
)
RECRUIT = _question("recruit", "county", "modes", returns=True, answer="RECRUIT, MARCH or BOTH, one of the mask (V3)")
RECRUITS_MOVE = _question(
    "recruits_move", "county", returns=False, answer="`mind.target` and `mind.armies`, at least 1 (V3)"
)
BENEFIT = _question("benefit", "offered", returns=True, answer="a benefit of the mask on the Landsknechte card (L1)")
FAVOR = _question("favor", "spaces", returns=True, answer="a space of the mask whose favor is taken, or -1 (E5)")
CANCEL_EVENT = _question("cancel_event", returns=True, answer="1 to cancel the round's event (E6)")
FAVOR_COUNTY = _question(
    "favor_county", "favor", "counties", returns=True, answer="a county of the mask for the favor (E6)"
)
DRAFT_LEADER = _question(
    "draft_leader", "county", returns=True, answer="1 to place the leader in the county just taken (M1)", in_draft=True
)
LEADER = _question("leader", returns=True, answer="an own county for a leader off the board (M1, M4)")
LEADER_MOVE = _question("leader_move", returns=True, answer="another own county for the leader (M3)")
STATUE = _question("statue", "county", returns=True, answer="1 to leave a statue on moving to a county (M3)")

QUESTIONS = tuple(_declared)
refuse_twice("questions", (question.name for question in QUESTIONS))
