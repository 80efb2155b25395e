"""Pairs of counties: planted ones are found, errors cover, and those who choose do not judge."""

import numpy as np
import pytest

from tests.analyses.test_draft import GROUND, dealt, noise
from wallsim.analyses.draft.deals import Deals, regressors
from wallsim.analyses.draft.pair_figures import judged_pairs, verdict_of
from wallsim.analyses.draft.pairs import BORDER, CHOSEN, SEEDS, TOGETHER, candidates, choice, effects_of, values_of
from wallsim.stats.intervals import Confidence
from wallsim.studies.catalogue import load_study
from wallsim.studies.publishing import as_published

NAMES = GROUND.names
PAIRS = {TOGETHER: [(NAMES[0], NAMES[7]), (NAMES[3], NAMES[30])], BORDER: candidates(BORDER, GROUND)[:2]}


def held(kind, pair, deals):
    """Which seats hold a pair, or one of it while another seat holds the other, one by one."""
    one, other = (GROUND.counties[NAMES.index(name)] for name in pair)
    result = np.zeros((len(deals.owner), 4))
    for game, owner in enumerate(deals.owner):
        for seat in range(4):
            mine = int(owner[one] == seat) + int(owner[other] == seat)
            result[game, seat] = mine == 2 if kind == TOGETHER else mine == 1 and min(owner[one], owner[other]) >= 0
    return result


@pytest.mark.parametrize("kind", [TOGETHER, BORDER])
def test_a_planted_pair_is_found_and_the_other_is_not(kind):
    deals, rng = dealt(4_800, 5), np.random.default_rng(6)
    planted, other = PAIRS[kind]
    points = noise(rng, 4_800) + 4 * held(kind, planted, deals)
    points += 2.0 * (deals.owner[:, GROUND.counties[7], None] == np.arange(4))  # a county that is good alone
    found, none = effects_of(kind, [planted, other], GROUND, deals, {"": points})[""]
    low, high = found.interval(Confidence())
    assert low < 4 < high
    assert low > 2
    assert abs(none.value) < 4 * none.error
    values = values_of(kind, [planted, other], GROUND, deals, {"": points})[""]
    assert values.tolist() == pytest.approx([found.value, none.value])
    assert found.blocks == 4_800 // 24
    assert found.influence.sum() == pytest.approx(0, abs=1e-6)


def test_an_effect_is_the_coefficient_of_least_squares():
    deals, rng = dealt(960, 7), np.random.default_rng(8)
    points, pair = noise(rng, 960), PAIRS[TOGETHER][0]
    known = regressors(deals, GROUND)[:, :, : 2 * len(NAMES)]
    both = np.concatenate([known, held(TOGETHER, pair, deals)[..., None]], axis=2)
    apart = both - both.mean(axis=1, keepdims=True)
    response = points - points.mean(axis=1, keepdims=True)
    values = np.linalg.lstsq(apart.reshape(-1, apart.shape[2]), response.ravel(), rcond=1e-10)[0]
    [found] = effects_of(TOGETHER, [pair], GROUND, deals, {"": points})[""]
    assert found.value == pytest.approx(values[-1])


def test_errors_cover_where_there_is_nothing():
    rng, pairs = np.random.default_rng(9), candidates(TOGETHER, GROUND)[::8]
    deals = dealt(2_400, 10)
    found = effects_of(TOGETHER, pairs, GROUND, deals, {"": noise(rng, 2_400)})[""]
    missed = [each for each in found if not (lambda ends: ends[0] < 0 < ends[1])(each.interval(Confidence()))]
    assert len(missed) / len(pairs) < 0.11  # of 124 at 5 %


def test_a_pair_that_nobody_holds_has_no_effect():
    deals = dealt(480, 11)
    owner = deals.owner.copy()
    owner[:, GROUND.counties[0]] = -1
    deals, pair = Deals(owner, deals.armies), (NAMES[0], NAMES[1])
    [found] = effects_of(TOGETHER, [pair], GROUND, deals, {"": np.ones((480, 4))})[""]
    assert np.isnan(found.value)
    assert found.interval(Confidence()) is None


def test_the_ends_are_chosen():
    effects = {(str(place), "x"): float(place) for place in range(50)}
    assert [pair[0] for pair in choice(TOGETHER, effects)] == [*map(str, range(10)), *map(str, range(40, 50))]
    assert [pair[0] for pair in choice(BORDER, effects)] == [*map(str, range(10))]


def test_the_published_pairs_were_judged_by_games_of_another_seed():
    draft = as_published(load_study("draft"))
    judged = judged_pairs(draft.figures, draft.design)
    assert {kind: {group: len(pairs) for group, pairs in by_group.items()} for kind, by_group in judged.items()} == {
        TOGETHER: {"casual": 2 * CHOSEN, "strong": 2 * CHOSEN}, BORDER: {"casual": CHOSEN, "strong": CHOSEN},
    }  # fmt: skip
    rows = draft.figures.values()
    judging = {row.seed for row in rows if row.id.startswith("draft.effect-pair")}
    chosen = {row.seed for row in rows if row.id.startswith("draft.effect-that-chose-")}
    assert judging == {seed + SEEDS for seed in chosen}
    for each in (pair for by_group in judged.values() for pairs in by_group.values() for pair in pairs):
        assert set(each.sides) == {"casual", "strong", "second strong"}
        assert each.verdict == verdict_of(each.sides.values())
