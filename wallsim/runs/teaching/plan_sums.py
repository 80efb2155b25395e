"""Plans as sums: which worths of cards on boxes add up to the worth of a plan, as the planner adds them up."""

from __future__ import annotations

import numpy as np

from wallsim.policies.correction.correction_file import OUTPUT_NAMES
from wallsim.policies.correction.features import (
    ARMIES,
    COUNTY_BID_WORTH,
    COUNTY_FEATURES,
    FIRST_BID,
    FIRST_MONEY,
    OF_THE_TABLE,
    WORTH_ON_BOX,
    WORTH_THALER,
)
from wallsim.rules.terms import AUCTION, COMBAT_A, COMBAT_B, MONEY_CARDS
from wallsim.runs.teaching.lessons import Lessons

OUTPUTS = len(OUTPUT_NAMES)
_TEMPERATURE = 3.0  # VP: a plan that much worse than the best counts e times less in a fit
_LEAST_PART = 0.02  # of the weight of the best plan that every plan has


class PlanSums:
    """Lessons of one round, as a fit needs them.

    A lesson has a card for each county in hand and for each sum of money; cards lie one after the other, those of
    lesson i from `start[i]` on. `inputs`, float32 [cards, county features], and `table`, float32 [lessons, table
    features and a one], are what a model sees. `cell`, int64 [lessons, plans, boxes], is the place of a plan's card on
    a box in a flat array [cards, boxes], its end for no card. `open`, float32 [cards, boxes], is 1 where a correction
    counts (`correct_worths`). `worth` [lessons, plans] is the planner's own worth of a plan in VP, `result` what came
    of it in hundredths of a win, `weight` how much it counts, adding up to 1 in a lesson, 0 for plans that were not
    found.
    """

    def __init__(self, lessons: Lessons) -> None:
        """Arrange lessons of one round."""
        counties = lessons.counties.astype(np.int64)
        self.lessons = len(counties)
        cards = counties + MONEY_CARDS
        self.start = np.concatenate([[0], np.cumsum(cards)])
        self.lesson = np.repeat(np.arange(self.lessons), cards)
        place = np.arange(self.start[-1]) - self.start[self.lesson]
        is_county = place < counties[self.lesson]
        money = (place - counties[self.lesson])[~is_county]
        self.inputs = np.zeros((len(place), len(COUNTY_FEATURES)), np.float32)
        self.inputs[is_county] = lessons.fact
        self.inputs[np.flatnonzero(~is_county), FIRST_MONEY + money] = 1.0
        table = lessons.table
        self.table = np.concatenate([table, np.ones((self.lessons, 1), np.float32)], axis=1)
        own = np.zeros((len(place), OUTPUTS), np.float32)
        own[:, :AUCTION] = self.inputs[:, WORTH_ON_BOX]
        self.open = (own != 0.0).astype(np.float32)
        self.open[(self.inputs[:, ARMIES] > 1) & is_county, COMBAT_A : COMBAT_B + 1] = 1.0
        self.open[:, AUCTION] = 1.0
        of_table = table[self.lesson]
        own[is_county, AUCTION] = of_table[is_county, COUNTY_BID_WORTH]
        price = of_table[~is_county, WORTH_THALER] * money
        own[~is_county, AUCTION] = of_table[~is_county, FIRST_BID + money] - price
        columns = lessons.columns.astype(np.int64)
        self.cell = (self.start[:-1, None, None] + columns) * OUTPUTS + np.arange(OUTPUTS)
        self.cell[columns < 0] = own.size
        self.worth = np.append(own.ravel(), np.float32(0.0))[self.cell].sum(axis=2)
        found = ~np.isnan(lessons.result)
        self.result = np.where(found, 100.0 * lessons.result, 0.0).astype(np.float32)
        behind = np.where(found, self.worth, -np.inf)
        behind = behind - behind.max(axis=1, keepdims=True)
        weight = found * (np.exp(behind / _TEMPERATURE) + _LEAST_PART)
        self.found = found
        self.weight = (weight / weight.sum(axis=1, keepdims=True)).astype(np.float32)

    def centred(self, numbers: np.ndarray, first: int, last: int) -> np.ndarray:
        """Numbers of the plans of lessons `first` to `last` - 1, less their weighted mean in each lesson."""
        weight = self.weight[first:last]
        result: np.ndarray = numbers - (weight * numbers).sum(axis=1, keepdims=True)
        return result

    def cells(self, first: int, last: int) -> np.ndarray:
        """The cells of some lessons, in an array [cards, boxes] of their own cards."""
        begin, end = self.start[first] * OUTPUTS, self.start[last] * OUTPUTS
        result: np.ndarray = np.minimum(self.cell[first:last] - begin, end - begin)
        return result

    def of_plans(self, corrections: np.ndarray, first: int, last: int) -> np.ndarray:
        """The sums over the plans of some lessons, [lessons, plans], of numbers [their cards, boxes]."""
        flat = np.append(corrections.ravel(), np.float32(0.0))
        result: np.ndarray = flat[self.cells(first, last)].sum(axis=2)
        return result


def split_inputs(model: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows of a model [INPUTS, n] that belong to a card, and those of the table with its one."""
    return model[:OF_THE_TABLE], model[OF_THE_TABLE:]
