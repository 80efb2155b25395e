"""Grain in winter and whom event cards help, in the study `events`."""

import numpy as np
import pytest

from tests.analyses.studies import estimate
from wallsim.analyses.events import grain, holdings, more_page
from wallsim.analyses.events.cards import CARDS, EXPERIMENT, LOSSES, WINTERS
from wallsim.analyses.events.estimates import design
from wallsim.analyses.events.more_figures import HOLDER, RESERVE, holder, reserve, sure_of_holders, sure_of_reserves
from wallsim.runs.experiment_file import load_experiment
from wallsim.studies.figure import Rows
from wallsim.studies.games import played
from wallsim.studies.register import read_register
from wallsim.studies.scope import CASUAL_TABLE, THREE_TABLES, TWO_TABLES, full_scope
from wallsim.studies.study import Choices

BLOCKS = 8
SCOPE = full_scope(400, 400, TWO_TABLES)


@pytest.fixture(scope="module")
def games():
    """The counts of each scenario of grain, played by casual seats."""
    result = {}
    for name, lines in grain.scenarios().items():
        changes = {"policies": "amateur", "interventions": [dict(line) for line in lines]}
        result[name] = played(load_experiment(EXPERIMENT, changes), BLOCKS, grain.count, seasons=True, workers=1)
    return result


def test_one_grain_less_changes_nothing_for_seats_with_some_to_spare(games):
    """B7.2: who has a grain for every county has no shortage; after the last winter nothing else counts."""
    result = grain.grain_of(games)
    last = list(WINTERS)[-1]
    for outcome in grain.PARTS:
        assert result.by_margin[grain.MOST, last, outcome].value == 0
    assert result.by_margin[0, last, "vp"].value < 0, "the first missing grain costs points"


def test_every_game_has_one_loss_and_one_margin_in_each_winter(games):
    base = games["as it is"]
    for winter in WINTERS:
        for kinds in (
            [grain.loss_of(amount, winter) for amount in grain.AMOUNTS],
            [grain.margin_of(each, winter) for each in grain.MARGINS],
        ):
            assert sum(base[kind] for kind in kinds) == pytest.approx(np.ones((BLOCKS, 6)))
        assert all((games[grain.less(winter)][kind] == base[kind]).all() for kind in kinds), "it was so before"


def test_a_reserve_is_worth_the_mean_over_the_cards_of_what_is_missing_without_it():
    costs = {margin: -1.0 * (margin <= 0) for margin in grain.MARGINS}  # each missing grain costs a point
    played = {}
    for name in grain.scenarios():
        played[name] = {}
        for winter in WINTERS:
            for kind, cost in (
                *((grain.margin_of(each, winter), costs[each]) for each in grain.MARGINS),
                *((grain.loss_of(amount, winter), -0.5) for amount in grain.AMOUNTS),
            ):
                ones = np.ones((30, 6))
                values = ones * (cost if name == grain.less(winter) else 0.0)
                played[name] |= {kind: ones, f"vp {kind}": values, f"win {kind}": values, f"short {kind}": 25 * ones}
    result = grain.grain_of(played)
    for winter in WINTERS:
        for number in grain.RESERVES:
            asked = np.mean([number - loss <= 0 for loss in LOSSES.values()])
            assert result.reserve[number, winter].value == pytest.approx(asked)
        assert result.short[3, winter].value == 25


def test_the_best_reserve_has_every_grain_that_matters():
    rows = Rows("events", 1, "0" * 12)
    for table in THREE_TABLES:
        for winter in WINTERS:
            for number in grain.RESERVES:
                value = 1.0 if number <= 3 else 0.0
                rows.estimate(
                    RESERVE, reserve(number), estimate(value, 4_000), sure_of_reserves(), words="", unit="VP",
                    players=4, cell=table, moment=winter,
                )  # fmt: skip
    assert more_page.best_reserve(rows.done(), 4, CASUAL_TABLE, "winter 1") == "3 (3 to 3)"


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_card_that_helps_its_holders_is_listed_first(players):
    rows = Rows("events", 1, "0" * 12)
    for table in THREE_TABLES:
        for card in CARDS:
            for holding in holdings.HOLDINGS:
                for end in holdings.ENDS:
                    value = 2.0 if (card, holding, end) == ("tax_max_5", "trading posts", "most") else 0.0
                    rows.estimate(
                        HOLDER, holder(card, holding, end), estimate(value, 400), sure_of_holders(), words="",
                        unit="VP", players=players, cell=table,
                    )  # fmt: skip
    lines = more_page.known_table(rows.done(), SCOPE, players).splitlines()
    assert lines[2].startswith("| taxes of at most 5: most trading posts |")
    assert len([line for line in lines if line.startswith("|")]) == 3


@pytest.mark.parametrize("players", [3, 5])
def test_who_has_most_is_counted_before_the_card_and_points_are_those_above_the_table(players):
    counted = {}
    for name, lines in list(holdings.scenarios().items())[:2]:
        changes = {"players": players, "policies": "amateur", "interventions": [dict(line) for line in lines]}
        counted[name] = played(load_experiment(EXPERIMENT, changes), 2, holdings.count, seasons=True, workers=1)
    forced, cancelled = counted.values()
    for holding in holdings.HOLDINGS:
        for end in holdings.ENDS:
            kind = f"{end} {holding}"
            assert (forced[kind] == cancelled[kind]).all()
            assert (forced[kind][:, 0] == 0).all(), "nobody has more in the first round"
    assert forced["vp most points"].mean() > 0.5
    assert forced["vp fewest points"].mean() < -0.5


def test_every_table_is_published():
    figures = read_register("events")
    for players in (3, 4, 5):
        rows = figures.all_of("grain-reserve", "grain 1", players=players)
        assert {(row.cell, row.moment) for row in rows} == {(table, at) for table in THREE_TABLES for at in WINTERS}
        rows = figures.all_of(HOLDER, holder(CARDS[0], "points", "most"), players=players)
        assert {row.cell for row in rows} == set(THREE_TABLES)
    text = "\n".join(more_page.grain_tables(figures, design(Choices())))
    assert text.count("best reserve |") == 3
