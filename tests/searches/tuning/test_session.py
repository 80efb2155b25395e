"""The result is one of a few late means, chosen in games that serve nothing else, and rounded before it is judged."""

import re

from tests.searches.tuning.stand_ins import BEST, START, QuadraticEvaluator, settings
from wallsim.searches.tuning.samples import Pool, seed_for
from wallsim.searches.tuning.session import finalists, select


class Reported:
    """A history that has come this far."""

    def __init__(self, means):
        self.settings = settings()
        self.generations = [{}] * (len(means) - 1)
        self.pool = Pool([START], 3, 5)
        self._means = means

    def means(self):
        return self._means


def test_finalists_are_the_last_mean_one_before_it_and_the_average_of_the_last_fourth():
    means = finalists([{"hold": number / 100} for number in range(41)])
    assert {tuple(map(int, re.findall("[0-9]+", name))): mean["hold"] for name, mean in means.items()} == {
        (40,): 0.4, (10,): 0.355, (35,): 0.35,
    }  # fmt: skip
    assert list(finalists([{"hold": 0.5}, {"hold": 0.5001}]).values()) == [{"hold": 0.5}]  # written alike, played once


def test_the_best_score_is_chosen_in_games_of_their_own():
    near, far = BEST, {**BEST, "hold": 0.9}
    evaluator = QuadraticEvaluator()
    result = select(Reported([far] * 20 + [near] + [far] * 3), evaluator)
    ((policies, tables, seed),) = evaluator.calls
    assert seed == seed_for(5, "selection")
    assert sum(table.count for table in tables) == 30
    assert "after 20 " in result["chosen"]
    assert result["weights"] == BEST
    assert len(policies) == len(result["finalists"]) == 3
