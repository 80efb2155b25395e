"""A small tuning, and an evaluator that plays no games, with a known best policy, which records its calls."""

import numpy as np

from wallsim.experiment.experiment import Experiment
from wallsim.policies.catalogue import load_policy
from wallsim.policies.weights import WEIGHTS
from wallsim.searches.tuning.evaluation import Sample
from wallsim.searches.tuning.settings import Settings

START = load_policy("balanced")
BEST = {"hold": 0.2, "deny": 1.4, "caution": -0.6, "army": 0.3}


def weights(*names):
    return tuple(weight for weight in WEIGHTS if weight.name in names)


def settings(**changes):
    plain = {
        "experiment": Experiment(players=3), "start": START, "weights": weights(*BEST), "pool": (),
        "references": (("start", START), ("sanity", load_policy("random"))), "games": 60, "population": 8, "seed": 5,
        "step": 0.3, "lead_weight": 0.0, "held_out": 90, "check_every": 2,
    }  # fmt: skip
    return Settings(**(plain | changes))


def distance(policy):
    """How far a policy is from the best one, in units of the weights' ranges; 0 at best."""
    spans = {weight.name: weight.high - weight.low for weight in WEIGHTS}
    return sum(((policy.weights[name] - best) / spans[name]) ** 2 for name, best in BEST.items()) ** 0.5


class QuadraticEvaluator:
    """Shares of wins that fall with the distance from the best policy, with noise that only the game decides."""

    settings = 1

    def __init__(self, noise=0.05):
        self.noise = noise
        self.calls = []

    def play(self, policies, tables, seed):
        self.calls.append((policies, tables, seed))
        numbers = [number for c in tables for number in range(c.first, c.first + c.count)]
        luck = np.array([np.random.default_rng((seed, number)).normal() for number in numbers])
        return [Sample(0.9 - distance(policy) + self.noise * luck, np.zeros(len(luck))) for policy in policies]
