"""The study `events`: forced cards, the lottery, grain, whom cards help, open cards, and what its page says."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from tests.analyses.studies import look, played_by, published
from tests.analyses.test_finding_words import finding_with
from tests.refusals import assert_names
from wallsim.analyses.events import cards, lottery, page
from wallsim.analyses.events.cards import CARDS, EXPERIMENT, LAST_WINTER, LOSSES, POINTS, WINTERS, cards_of
from wallsim.analyses.events.lottery import HABITS, LIE_OPEN, MORE, OPEN, OTHERWISE, PAIRS, effect_words, key_of
from wallsim.analyses.events.study import STUDY
from wallsim.analyses.play.changes import POINTS as VP
from wallsim.analyses.play.changes import SHOWN, WINS
from wallsim.experiment.file import load_experiment
from wallsim.policies.catalogue import load_policy
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.board import load_board
from wallsim.rules.terms import ROUND_NAMES, SEASON_NAMES
from wallsim.studies.figure import quantity_of
from wallsim.studies.finding import RESTS_ON
from wallsim.studies.games import Games
from wallsim.studies.quantities import Key
from wallsim.studies.register import read_register
from wallsim.studies.scenarios import experiment_of
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, THREE_TABLES
from wallsim.studies.study import Choices

BLOCKS = 150
SCOPE = STUDY.design(Choices())
DESIGN = {
    "experiment": experiment_of(EXPERIMENT, CASUAL_TABLE), "sets": 2,
    "measures": {name: habit.measure.columns for name, habit in HABITS.items()},
}  # fmt: skip
BY_CODE = [name for name, habit in HABITS.items() if habit.code]


@pytest.mark.one_in(4, "file")
def test_a_quick_look_measures_every_cell_and_makes_no_finding(tmp_path):
    result = look("events", tmp_path, 24)
    assert result.page.finding is None
    assert not [card for card in CARDS if "_" in card and card in result.text]
    assert result.figures.of("grain-lost", "tax_max_5").value == LOSSES["tax_max_5"]
    for quantity in ("share-of-variance", "share-between-seats", "share-by-holding", "share-decided"):
        found = [each for each in result.figures if quantity_of(each) == quantity]
        assert len(found) == 2 * len(result.design.tables), quantity


@pytest.fixture(scope="module")
def both_ways():
    """Forced cards with `random` in all seats, and games without interventions that follow them."""
    scenarios = {name: lines for name, lines in (cards.IN_FORCE | cards.KEPT).items() if "cancelled" not in name}
    played = played_by(
        "random", EXPERIMENT, scenarios, BLOCKS, lambda batch: {POINTS: batch.seats("vp").mean(axis=1)}, seasons=False
    )
    experiment = load_experiment(EXPERIMENT, {"policies": "random"})
    return played, lottery.games_drawn({"experiment": experiment, "blocks": [BLOCKS, 5 * BLOCKS]}, 1)


def test_the_lottery_has_the_games_that_follow_and_draws_each_year_four_of_twelve_cards(both_ways):
    drawn = both_ways[1]["cards"]
    assert drawn.shape == (4 * BLOCKS * 24, len(SEASON_NAMES))
    assert all(len(set(row)) == len(SEASON_NAMES) for row in drawn[:500].tolist())
    assert np.bincount(drawn.ravel(), minlength=12) == pytest.approx(np.full(12, drawn.size / 12), rel=0.05)


def test_forced_cards_bring_what_the_games_own_lottery_says(both_ways):
    played, drawn = both_ways
    test = lottery.agreement(drawn["cards"], drawn["points"], played)
    assert test.degrees[0] == len(SEASON_NAMES) * (len(CARDS) - 1)
    assert test.p_value > 0.01
    few = {name: {POINTS: counted[POINTS][:40]} for name, counted in played.items()}
    assert lottery.agreement(drawn["cards"], drawn["points"], few) is None


@pytest.mark.parametrize("scenario", ["{} forced", "{} winter 2"])
def test_two_cards_taken_for_each_other_are_noticed(both_ways, scenario):
    played, drawn = both_ways
    one, other = scenario.format("tax_max_5"), scenario.format("tax_min_6")
    if scenario.endswith("forced"):  # this policy's rounds hardly differ by card, so a difference is planted
        wrong = {**played, one: {POINTS: played[one][POINTS] + 0.5}}
    else:
        wrong = {**played, one: played[other], other: played[one]}
    assert lottery.agreement(drawn["cards"], drawn["points"], wrong).p_value < 0.001


@pytest.mark.parametrize("size", [0.0, 1.5])
def test_a_planted_share_of_the_variance_is_found_also_between_seats(size):
    """Between seats a card that moves all of them counts for nothing."""
    rng = np.random.default_rng(1)
    drawn = np.argsort(rng.random((24 * 500, 12)), axis=1)[:, :8].astype(np.int8)
    card = (np.arange(12) - 5.5)[drawn[:, 3]][:, None] / np.std(np.arange(12))
    noise = rng.normal(0, 3, (len(drawn), 4)) + 40
    truth = size**2 / (size**2 + 9)
    shares = [lottery.share_of_variance(drawn, size * card + noise, *places) for places in ([], [[3]], [[0]])]
    between = size * card * [1, 1, -1, -1] + 5 * card + [0, 3, 6, 9] + noise
    above = between - between.mean(axis=1, keepdims=True)
    shares[2:2] = [lottery.share_of_variance(drawn, between, between=True)]
    for result, expected in zip(shares, (truth, truth, size**2 / (above**2).mean()), strict=False):
        assert result.blocks == 500
        assert result.value == pytest.approx(expected, abs=4 * result.error + 1e-3)
        assert result.error < 0.01
    assert shares[-1].value < truth / 4 + 0.002


@pytest.mark.parametrize("size", [0.0, 1.5])
def test_a_planted_share_of_the_variance_by_holding_is_found(size):
    """A card that moves those with much against those with little, among holdings that bring points by themselves."""
    rng = np.random.default_rng(2)
    drawn = np.argsort(rng.random((24 * 300, 12)), axis=1)[:, :8].astype(np.int8)
    held = rng.integers(0, 9, (len(drawn), 7, 4, 3)).astype(np.int16)
    above = held - held.mean(axis=2, keepdims=True)
    card = (np.arange(12) - 5.5)[drawn[:, 3]][:, None] / np.std(np.arange(12))
    brought = size * card * above[:, 2, :, 1] / above[:, 2, :, 1].std()
    noise = rng.normal(0, 3, (len(drawn), 4)) + 4 * card
    values = brought + 2 * above[:, 2, :, 1] + above[:, 5, :, 0] + noise
    result = lottery.share_by_holding(drawn, values, held)
    truth = (brought**2).mean() / ((values - values.mean(axis=1, keepdims=True)) ** 2).mean()
    assert result.value == pytest.approx(truth, abs=4 * result.error + 1e-3)
    assert result.error < 0.01
    assert (truth > 0.05) == (size > 0)


@pytest.fixture(scope="module")
def games():
    """The counts of each scenario of grain, played by casual seats."""
    return played_by("amateur", EXPERIMENT, cards.GRAIN, 8, cards.count_grain)


def test_one_grain_less_changes_nothing_for_seats_with_some_to_spare(games):
    """B7.2: who has a grain for every county has no shortage; after the last winter nothing else counts."""
    result = dict(cards.grain_of(games, 4, CASUAL_TABLE))
    for outcome in cards.PARTS:
        assert result[Key(f"grain-missing-{outcome}", "spare", 4, CASUAL_TABLE, LAST_WINTER)].value == 0
    first = result[Key("grain-missing-vp", "0 missing", 4, CASUAL_TABLE, LAST_WINTER)]
    assert first.value < 0, "the first missing grain costs points"


def test_every_game_has_one_loss_and_one_margin_in_each_winter(games):
    base = games["as it is"]
    for winter in WINTERS:
        for kinds in cards.KINDS.values():
            names = [f"{kind}, {winter}" for kind in kinds.values()]
            assert sum(base[name] for name in names) == pytest.approx(np.ones((8, 6)))
        less = games[f"one grain less, {winter}"]
        assert all((less[name] == base[name]).all() for name in names), "it was so before"


def test_a_reserve_is_worth_the_mean_over_the_cards_of_what_is_missing_without_it():
    costs = {kind: -1.0 * (item != "spare") for item, kind in cards.KINDS["grain-missing"].items()}
    costs |= dict.fromkeys(cards.KINDS["grain-less"].values(), -0.5)
    ones, played = np.ones((30, 6)), {name: {} for name in cards.GRAIN}
    for name, counted in played.items():
        for winter in WINTERS:
            for kind, cost in ((f"{kind}, {winter}", cost) for kind, cost in costs.items()):
                values = ones * (cost if name == f"one grain less, {winter}" else 0.0)
                counted |= {kind: ones, f"vp {kind}": values, f"win {kind}": values, f"short {kind}": 25 * ones}
    result = dict(cards.grain_of(played, 5, CASUAL_TABLE))
    for winter in WINTERS:
        for number in cards.RESERVES:
            reserve = result[Key("grain-reserve", f"grain {number}", 5, CASUAL_TABLE, winter)]
            assert reserve.value == pytest.approx(np.mean([number - loss <= 0 for loss in LOSSES.values()]))
        assert result[Key("grain-short", "loss of 3", 5, CASUAL_TABLE, winter)].value == 25


def test_who_has_most_is_counted_before_the_card_and_points_are_those_above_the_table():
    scenarios = {name: cards.IN_FORCE[name] for name in (f"{CARDS[0]} forced", f"{CARDS[0]} cancelled")}
    counted = played_by("amateur", EXPERIMENT, scenarios, 2, cards.count_holders, players=5)
    forced, cancelled = counted.values()
    for kind in (f"{end} {holding}" for holding in cards.HOLDINGS for end in cards.ENDS):
        assert (forced[kind] == cancelled[kind]).all()
        assert (forced[kind][:, 0] == 0).all(), "nobody has more in the first round"
    for holding in cards.HOLDINGS:  # nobody has most and fewest
        assert (sum(forced[f"{end} {holding}"] for end in cards.ENDS) <= 5).all(), holding
    assert forced["vp most points"].mean() > 0.5
    assert forced["vp fewest points"].mean() < -0.5


def games_of(experiment, size, policies=None, **options):
    """Games of an experiment from 0 on; `policies` makes other ones of its policies."""
    parts = experiment.components()
    parts = replace(parts, policies=tuple(policies(parts.policies))) if policies else parts
    return Games(0, 4, parts.arena(experiment.seed, **options).play(0, size, seasons=True))


@pytest.fixture(scope="module")
def base():
    return lottery.unchanged(DESIGN, workers=1)


@pytest.mark.parametrize("code", [None, pytest.param(lottery.CODE, marks=pytest.mark.slow)])
def test_a_habit_changed_to_itself_changes_nothing(base, code):
    """The code of habits, where no round asks for one, leaves every plan as it is."""
    same = lottery.changed(DESIGN, replace(HABITS["Attack no player"], weights={}, code=code), workers=1)
    for outcome, name in ((VP, VP), (WINS, WINS), (SHOWN, "Attack no player")):
        change = same[outcome] - base[name]
        assert (change == 0).all()
        for estimate in lottery.by_card(change, base[LIE_OPEN], "church_peace").values():
            assert (estimate.value, estimate.error) == (0, 0)


def test_a_habit_holds_in_its_round_alone():
    """Before that round nothing differs; in it the seat attacks players where the duty to move leaves it no choice."""
    habit, size = HABITS["Attack no player"], 60

    def with_habit(policies):
        return [lottery.in_round(habit, policy, 2) if seat == 2 else policy for seat, policy in enumerate(policies)]

    both = [games_of(DESIGN["experiment"], size, policies) for policies in (None, with_habit)]
    attacks = {}
    for season in ("spring 1", "summer 1", "fall 1", "fall 2"):
        seasons = np.full(size, SEASON_NAMES.index(season))
        attacks[season] = [games.in_seasons("attacks_on_players", seasons) for games in both]
    assert all((attacks[season][0] == attacks[season][1]).all() for season in ("spring 1", "summer 1"))
    assert attacks["fall 1"][1][:, 2].sum() < attacks["fall 1"][0][:, 2].sum() / 3
    assert attacks["fall 2"][1][:, 2].sum() > attacks["fall 2"][0][:, 2].sum() / 2


def test_a_planted_loss_under_one_card_is_found_there_alone(base):
    """Games in which peace of churches lies open lose two points, all others one."""
    opened = base[LIE_OPEN]
    peace = (opened & sum(1 << CARDS.index(card) for card in cards_of("church_peace"))) != 0
    found = lottery.by_card(-1.0 - peace, opened, "church_peace")
    assert [found[when].value for when in (OPEN, OTHERWISE, MORE)] == pytest.approx([-2, -1, -1])
    assert found[MORE].blocks == 2
    # What differs by round alone, spring from fall, is no effect of the card, which lies open more often in spring.
    rounds = np.tile(np.repeat(np.arange(6.0), lottery.SIZE), 2)
    assert lottery.by_card(rounds, opened, "tax_max")[MORE].value == pytest.approx(0)


@pytest.mark.parametrize("effect", ["tax_max", "church_peace"])
def test_a_card_lies_open_as_often_as_the_draw_says(effect):
    """B1.8, B2.4: four of twelve cards lie open, and one of them goes each round; counted over all hands."""
    mine = set(cards_of(effect))
    lie = [np.mean([bool(mine & set(hand)) for hand in combinations(CARDS, number)]) for number in (4, 3, 2)]
    assert lottery.shares_of_rounds(effect) == pytest.approx(np.array(lie * 2) / (2 * sum(lie)))


def test_open_cards_are_those_of_the_year_that_have_not_come():
    """B2.4: in spring four lie open, in summer three, in fall two, and the round's own is one of them."""
    games = games_of(DESIGN["experiment"], 30)
    for place, (name, number) in enumerate(zip(ROUND_NAMES, (4, 3, 2) * 2, strict=True)):
        masks = lottery.cards_open(games, np.full(30, place))
        assert [bin(mask).count("1") for mask in masks] == [number] * 30
        assert ((masks >> games.game(f"event_{name[:-2]}_year{name[-1]}").astype(int)) & 1).all()


def test_cards_of_an_effect_are_those_of_the_board():
    effects = load_board().event_effect
    for effect, _ in PAIRS:
        numbers = {CARDS.index(card) for card in cards_of(effect)}
        assert numbers == {number for number in range(len(CARDS)) if effects[number] == effects[min(numbers)]}
    assert len({effect_words(effect) for effect, _ in PAIRS}) == len({effect for effect, _ in PAIRS})
    assert effect_words("tax_max").endswith("at most 5")
    assert {habit for _, habit in PAIRS} == set(HABITS)


def test_habits_have_weights_within_their_bounds_that_no_other_game_reads():
    known = {weight.name: weight for weight in WEIGHTS}
    for habit in HABITS.values():
        for name, value in habit.weights.items():
            assert known[name].low <= value <= known[name].high
            assert not habit.code or known[name].needs.words == "the expansion leaders"
        changed = lottery.in_round(habit, load_policy("expert-4p"), 3)
        assert bool(changed.answers) == bool(habit.code)
        assert set(changed.phases.get("spring 2", {})) >= set(habit.weights)


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_CODE)
@pytest.mark.parametrize("table", [pytest.param(CASUAL_TABLE, marks=pytest.mark.nightly), EXPERIENCED_TABLE])
def test_habits_by_code_play_by_the_rules_and_change_what_they_say(name, table):
    """Checked answers: each plan is legal (B3.1, B3.2, B3.4); the measure moves as the habit says."""
    habit, experiment = HABITS[name], experiment_of(EXPERIMENT, table)
    seasons, shown = np.full(30, SEASON_NAMES.index("summer 2")), []
    for policies in (None, lambda policies: [lottery.in_round(habit, policy, 4) for policy in policies]):
        games = games_of(experiment, 30, policies, checked=policies is not None)
        columns = habit.measure.columns.items()
        shown.append(sum(sign * games.in_seasons(column, seasons) for column, sign in columns).mean())
    assert (shown[1] > shown[0]) == habit.more


def between(low, high):
    """The fields of a figure whose interval ends there."""
    return {"value": (low + high) / 2, "low": low, "high": high}


def only(quantity, given, nothing=None):
    """New ends, or fields, for the figures of one quantity: those that `given` returns for the id."""
    return lambda row: given(row.id) if quantity_of(row.id) == quantity else nothing


def test_a_change_of_sign_changes_the_words():
    in_round = finding_with("events", only("in-force", lambda _: (0.5, 1.5))).casual
    assert in_round.startswith("No card is known")
    assert " costs " in in_round
    assert finding_with("events", only("winter-loss", lambda _: (-0.5, 1.5))).casual.endswith("may cost none.")


@pytest.mark.parametrize(("share", "words"), [(2.0, "decide little: 2.0 %"), (9.0, "decide 9.0 %")])
def test_the_title_has_the_share_that_can_decide_and_calls_it_little_where_it_is(share, words):
    def changed(row):
        return (share, share) if quantity_of(row.id) == "share-decided" else None

    assert_names(finding_with("events", changed).title, words, RESTS_ON)


def test_the_best_reserve_has_every_grain_that_matters():
    matter = tuple(f".grain-{number}/" for number in (1, 2, 3))
    figures = published("events", only("grain-reserve", lambda key: between(0.9, 1.1) if any(
        each in key for each in matter) else between(-0.1, 0.3), {}))  # fmt: skip
    assert page.best_reserve(figures, 4, CASUAL_TABLE, next(iter(WINTERS))) == "3 (3 to 7)"


def test_a_card_that_helps_its_holders_is_listed_first():
    players = 5
    known = f"events.card-by-holding.{players}p.tax_max_5-most-trading-posts/"
    helping, none = (
        next(iter(page.holder_tables(published("events", changed), SCOPE, players)))
        for changed in (
            only("card-by-holding", lambda key: between(*(1.5, 2.5) if key.startswith(known) else (-1, 1)), {}),
            only("card-by-holding", lambda _: between(-1, 1), {}),
        )
    )
    [row] = helping.rows
    assert_names(row.head, effect_words("tax_max"), "most trading posts")
    assert "no card is known" in none


def test_a_habit_that_pays_while_its_card_lies_open_is_named():
    sides = {("church_peace", "Build a church"): (1, 1), ("tax_max", "Tax a county of at most 5"): (-1, 1),
             ("small_levies", "Deploy no five armies"): (-1, -1)}  # fmt: skip
    figures, known = read_register("events"), {}
    for table in THREE_TABLES:
        for pair in PAIRS:
            for when, side in zip(("open", "difference"), sides.get(pair, (-1, 0)), strict=True):
                quantity, item, players, cell, _ = key_of(table, *pair, "VP", when)
                known[figures.of(quantity, item, players=players, cell=cell).id] = between(side - 0.5, side + 0.5)
    text = page.open_words(published("events", lambda row: known.get(row.id, {})), SCOPE)
    for (effect, habit), before in zip(sides, ("fewer otherwise: ", "than otherwise: ", "Worse then: "), strict=True):
        assert text.count(f"{before}“{habit}” under {effect_words(effect)}") == 3
