"""Standing: what each seat has, and would score if winter came now; whose points count most against the own (B7.4)."""

from wallsim.jit import kernel
from wallsim.mechanics.scoring import points_with_board
from wallsim.policies.weights import DENY, STANDING

_LEAST, _MOST = 0.0, 4.0  # bounds of the weight of a rival's point, in units of `deny`


@kernel
def look_at_standing(game, rules, mind, seat):
    """Note in `mind.regard` what a county's worth counts that is taken from each rival, its loss included.

    A point that a rival loses is worth `deny`, shared among the rivals: more for those who are ahead.
    """
    plain = 1.0 + mind.weight[DENY] / (rules.players - 1)
    for other in range(rules.players):
        mind.regard[other] = plain
    if mind.weight[STANDING] != 0.0:
        _weigh_rivals(game, rules, mind, seat)


@kernel(apart=True)
def _weigh_rivals(game, rules, mind, seat):
    points_with_board(game, rules, mind.regard)
    mean = 0.0
    for other in range(rules.players):
        mean += mind.regard[other] if other != seat else 0.0
    mean /= rules.players - 1
    for other in range(rules.players):
        ahead = mind.weight[STANDING] * (mind.regard[other] - mean)
        denied = mind.weight[DENY] * min(_MOST, max(_LEAST, 1.0 + ahead))
        mind.regard[other] = 1.0 + denied / (rules.players - 1)
