"""Fits of a correction to lessons: a layer of rectified units and a linear model for each round.

What is fitted are differences of results between plans of one lesson: a plan's result is a multiple of the planner's
own worth of it and the sum of the corrections of its cards. A choice in combat is a sum of one. Adam (Kingma and Ba
2015) trains it with weight decay (Loshchilov and Hutter 2019). A lesson's plans were fixed before any result was seen,
so results are unbiased; a plan counts the more the better the planner thinks of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wallsim.policies.correction.attack_features import WORTH as CHOICE_WORTH
from wallsim.policies.correction.correction_file import OUTPUT_NAMES
from wallsim.policies.correction.features import (
    ARMIES,
    COUNTY_BID_WORTH,
    COUNTY_FEATURES,
    FIRST_BID,
    FIRST_MONEY,
    WORTH_ON_BOX,
    WORTH_THALER,
)
from wallsim.rules.terms import AUCTION, COMBAT_A, COMBAT_B, MONEY_CARDS
from wallsim.searches.teaching.lessons import Lessons

OUTPUTS = len(OUTPUT_NAMES)
_TEMPERATURE = 3.0  # VP: a plan that much worse than the best counts e times less in a fit
_LEAST_PART = 0.02  # of the weight of the best plan that every plan has


class Sums:
    """Lessons of one round, as a fit needs them: what was tried are sums of cells.

    A lesson has rows, one after the other, those of lesson i from `start[i]` on. `inputs`, float32 [rows, features],
    and `table`, float32 [lessons, features of the table and a one], are what a model sees. `cell`, int64 [lessons,
    tried, cells], is the place of each cell of what was tried in a flat array [rows, outputs], its end for none.
    `open`, float32 [rows, outputs], is 1 where a correction counts. `worth` [lessons, tried] is what the weights say
    in VP, `result` what came of it in hundredths of a win, `weight` how much it counts, adding up to 1 in a lesson, 0
    for what was not `found`. Inputs from the column `first_flag` on are 0 or 1.
    """

    def __init__(self, lessons: Lessons, rows: np.ndarray, inputs: np.ndarray) -> None:
        """Arrange lessons of one round, with so many `rows` each."""
        self.lessons = len(rows)
        self.start = np.concatenate([[0], np.cumsum(rows)])
        self.lesson = np.repeat(np.arange(self.lessons), rows)
        self.inputs = inputs
        self.table = np.concatenate([lessons.table, np.ones((self.lessons, 1), np.float32)], axis=1)
        self.first_flag = inputs.shape[1]

    def judge(self, lessons: Lessons, own: np.ndarray, open_: np.ndarray) -> None:
        """Note what was tried; `own` [rows, outputs] is what the weights say of each cell."""
        self.open = open_
        columns, outputs = lessons.columns.astype(np.int64), own.shape[1]
        self.cell = (self.start[:-1, None, None] + columns) * outputs + np.arange(outputs)
        self.cell[columns < 0] = own.size
        self.worth = np.append(own.ravel(), np.float32(0.0))[self.cell].sum(axis=2)
        found = ~np.isnan(lessons.result)
        self.result = np.where(found, 100.0 * lessons.result, 0.0).astype(np.float32)
        behind = np.where(found, self.worth, -np.inf)
        behind = behind - behind.max(axis=1, keepdims=True)
        weight = found * (np.exp(behind / _TEMPERATURE) + _LEAST_PART)
        self.found = found
        self.weight = (weight / weight.sum(axis=1, keepdims=True)).astype(np.float32)

    @property
    def outputs(self) -> int:
        """Numbers that a model says of a row."""
        return int(self.open.shape[1])

    def centred(self, numbers: np.ndarray, first: int, last: int) -> np.ndarray:
        """Numbers of what lessons `first` to `last` - 1 tried, less their weighted mean in each lesson."""
        weight = self.weight[first:last]
        result: np.ndarray = numbers - (weight * numbers).sum(axis=1, keepdims=True)
        return result

    def cells(self, first: int, last: int) -> np.ndarray:
        """The cells of some lessons, in an array [rows, outputs] of their own rows."""
        begin, end = self.start[first] * self.outputs, self.start[last] * self.outputs
        result: np.ndarray = np.minimum(self.cell[first:last] - begin, end - begin)
        return result

    def of_tried(self, corrections: np.ndarray, first: int, last: int) -> np.ndarray:
        """The sums over what some lessons tried, [lessons, tried], of numbers [their rows, outputs]."""
        flat = np.append(corrections.ravel(), np.float32(0.0))
        result: np.ndarray = flat[self.cells(first, last)].sum(axis=2)
        return result


class PlanSums(Sums):
    """Plans: a row is a card, a county in hand or a sum of money, and a cell a card on a box (`correct_worths`)."""

    def __init__(self, lessons: Lessons) -> None:
        """Arrange lessons of one round."""
        counties = lessons.counties.astype(np.int64)
        cards = counties + MONEY_CARDS
        start = np.cumsum(cards) - cards
        lesson = np.repeat(np.arange(len(cards)), cards)
        place = np.arange(cards.sum()) - start[lesson]
        is_county = place < counties[lesson]
        money = (place - counties[lesson])[~is_county]
        inputs = np.zeros((len(place), len(COUNTY_FEATURES)), np.float32)
        inputs[is_county] = lessons.fact
        inputs[np.flatnonzero(~is_county), FIRST_MONEY + money] = 1.0
        super().__init__(lessons, cards, inputs)
        self.first_flag = FIRST_MONEY
        own = np.zeros((len(place), OUTPUTS), np.float32)
        own[:, :AUCTION] = inputs[:, WORTH_ON_BOX]
        open_ = (own != 0.0).astype(np.float32)
        open_[(inputs[:, ARMIES] > 1) & is_county, COMBAT_A : COMBAT_B + 1] = 1.0
        open_[:, AUCTION] = 1.0
        of_table = lessons.table[lesson]
        own[is_county, AUCTION] = of_table[is_county, COUNTY_BID_WORTH]
        price = of_table[~is_county, WORTH_THALER] * money
        own[~is_county, AUCTION] = of_table[~is_county, FIRST_BID + money] - price
        self.judge(lessons, own, open_)


class AttackSums(Sums):
    """Choices in combat/movement: each is a row of one cell (`judge_choices`)."""

    def __init__(self, lessons: Lessons) -> None:
        """Arrange lessons of one round."""
        super().__init__(lessons, lessons.counties.astype(np.int64), lessons.fact)
        self.judge(lessons, lessons.fact[:, [CHOICE_WORTH]], np.ones((len(lessons.fact), 1), np.float32))


_BATCH = 256  # lessons
_RATE = 3e-3
_WARM_UP = 50  # steps
_DECAY = 1e-3  # of the rate
_LOSS = 40.0  # scale of the loss, which Adam nearly cancels
_CLIP = 6.0  # standard deviations
_LEAST_MULTIPLE = 0.2  # hundredths of a win for each VP of the planner's worths
_SPREAD = 0.05  # of the first weights from the units


@dataclass
class Taught:
    """A correction of one round in VP, in units of its inputs: `linear` [inputs, outputs], `units`, `outward`."""

    linear: np.ndarray
    units: np.ndarray
    outward: np.ndarray

    def of_rows(self, sums: Sums, first: int, last: int) -> np.ndarray:
        """The correction of each row of some lessons, [rows, outputs]."""
        begin, end = sums.start[first], sums.start[last]
        inputs, lesson = sums.inputs[begin:end], sums.lesson[begin:end] - first
        table, can_be = sums.table[first:last], sums.open[begin:end]
        own = inputs.shape[1]
        (card, of_table), (card_unit, of_table_unit) = (
            (whole[:own], whole[own:]) for whole in (self.linear, self.units)
        )
        active = np.maximum(inputs @ card_unit + (table @ of_table_unit)[lesson], 0.0)
        result: np.ndarray = (inputs @ card + (table @ of_table)[lesson] + active @ self.outward) * can_be
        return result


class _Scale:
    """Means and deviations of the inputs, by which they are scaled for training and models brought back."""

    def __init__(self, sums: Sums) -> None:
        self.card_mean, self.card_spread = sums.inputs.mean(axis=0), sums.inputs.std(axis=0)
        self.card_mean[sums.first_flag :], self.card_spread[sums.first_flag :] = 0.0, 1.0
        self.table_mean, self.table_spread = sums.table.mean(axis=0), sums.table.std(axis=0)
        self.table_mean[-1], self.table_spread[-1] = 0.0, 1.0
        for spread in (self.card_spread, self.table_spread):
            spread[spread < 1e-3] = np.inf  # an input that never changes says nothing

    def card(self, inputs: np.ndarray) -> np.ndarray:
        result: np.ndarray = np.clip((inputs - self.card_mean) / self.card_spread, -_CLIP, _CLIP)
        return result

    def table(self, inputs: np.ndarray) -> np.ndarray:
        result: np.ndarray = np.clip((inputs - self.table_mean) / self.table_spread, -_CLIP, _CLIP)
        return result

    def back(self, card: np.ndarray, table: np.ndarray) -> np.ndarray:
        """A model [inputs, n] of inputs as they are, from those of scaled ones."""
        card = card.astype(np.float64) / self.card_spread[:, None]
        table = table.astype(np.float64) / self.table_spread[:, None]
        whole = np.concatenate([card, table])
        whole[-1] -= self.card_mean @ card + self.table_mean @ table
        return whole


def fit_correction(sums: Sums, units: int, passes: int, shrink: float, seed: int) -> Taught:
    """The correction of a round, times `shrink`, from lessons: so many units, so many passes in random order."""
    scale, rng = _Scale(sums), np.random.default_rng(seed)
    inputs, table = scale.card(sums.inputs), scale.table(sums.table)
    own, width = inputs.shape[1], units + sums.outputs
    first = 1.0 / np.sqrt(own + table.shape[1] - 1)
    card = np.zeros((own, width), np.float32)
    of_table = np.zeros((table.shape[1], width), np.float32)
    card[:, :units] = rng.normal(0.0, first, (len(card), units))
    of_table[:, :units] = rng.normal(0.0, first, (len(of_table), units))
    outward = rng.normal(0.0, _SPREAD, (units, sums.outputs)).astype(np.float32)
    multiple = np.array([0.5], np.float32)
    parameters, decays = [card, of_table, outward, multiple], (1.0, 1.0, 1.0, 0.0)
    moments = [(np.zeros_like(part), np.zeros_like(part)) for part in parameters]
    batches = max(1, sums.lessons // _BATCH)
    total, step = passes * batches, 0
    for _ in range(passes):
        for batch in rng.permutation(batches):
            begin = batch * _BATCH
            end = sums.lessons if batch == batches - 1 else begin + _BATCH
            gradients = _gradients(sums, begin, end, (inputs, table), parameters, units)
            step += 1
            rate = _RATE * (1.0 - step / (total + 1.0)) * min(1.0, step / _WARM_UP)
            factor = np.sqrt(1.0 - 0.998**step) / (1.0 - 0.9**step)
            for part, gradient, (mean, square), decay in zip(parameters, gradients, moments, decays, strict=True):
                mean += 0.1 * (gradient - mean)
                square += 0.002 * (gradient * gradient - square)
                part -= np.float32(rate * factor) * mean / (np.sqrt(square) + 1e-6)
                part *= np.float32(1.0 - rate * decay * _DECAY)
    in_points = shrink / max(float(multiple[0]), _LEAST_MULTIPLE)
    return Taught(
        in_points * scale.back(card[:, units:], of_table[:, units:]),
        scale.back(card[:, :units], of_table[:, :units]),
        in_points * outward.astype(np.float64),
    )


def _gradients(
    sums: Sums,
    first: int,
    last: int,
    scaled: tuple[np.ndarray, np.ndarray],
    parameters: list[np.ndarray],
    units: int,
) -> list[np.ndarray]:
    """The gradients of the loss of some lessons by the parameters."""
    card, of_table, outward, multiple = parameters
    begin, end = sums.start[first], sums.start[last]
    inputs, table, lesson = scaled[0][begin:end], scaled[1][first:last], sums.lesson[begin:end] - first
    before = inputs @ card + (table @ of_table)[lesson]
    active, open_ = np.maximum(before[:, :units], 0.0), sums.open[begin:end]
    worth = sums.centred(sums.worth[first:last], first, last)
    corrected = sums.centred(sums.of_tried((before[:, units:] + active @ outward) * open_, first, last), first, last)
    weight = sums.weight[first:last]
    wrong = multiple[0] * worth + corrected - sums.centred(sums.result[first:last], first, last)
    error = np.float32(2.0 * _LOSS / (last - first)) * weight * wrong
    of_plans = error - weight * error.sum(axis=1, keepdims=True)
    cells = sums.cells(first, last)
    each = np.broadcast_to(of_plans[:, :, None], cells.shape)
    spread = np.bincount(cells.ravel(), each.ravel(), minlength=open_.size + 1)[: open_.size]
    back = spread.reshape(open_.shape).astype(np.float32) * open_
    inward = np.concatenate([(back @ outward.T) * (before[:, :units] > 0.0), back], axis=1)
    by_lesson = np.add.reduceat(inward, sums.start[first:last] - begin, axis=0)
    return [inputs.T @ inward, table.T @ by_lesson, active.T @ back, np.array([(error * worth).sum()], np.float32)]
