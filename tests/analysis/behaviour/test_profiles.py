"""Behaviour is that counted row by row, its distances are as planted, and hold as often as they say."""

from dataclasses import replace
from itertools import pairwise
from math import inf, isnan, sqrt
from statistics import pvariance

import numpy as np
import polars as pl
import pytest

from wallsim.analysis.behaviour.measures import RESULT, VP, WINS, Measure, measures_of
from wallsim.analysis.behaviour.profiles import (
    PLAIN,
    Behaviour,
    behaviour_from,
    behaviour_of_runs,
    distance_confidence,
    distances,
    furthest,
    is_plain,
    standardised,
    sums_of,
)
from wallsim.analysis.behaviour.tables import (
    BehaviourMeasurement,
    Table,
    alone_among,
    among_copies,
    games_of,
    policy_profiles,
)
from wallsim.policies.catalogue import load_policy
from wallsim.rules.terms import BUILDINGS, FAVORS, TILES
from wallsim.runs.components import load_components
from wallsim.runs.experiment import Experiment
from wallsim.runs.folder.chunk_tables import ChunkTables
from wallsim.runs.folder.schema import vocabulary
from wallsim.runs.play import play_run
from wallsim.runs.setting import Setting
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence

BALANCED, RANDOM, BUILDER = (load_policy(name) for name in ("balanced", "random", "builder"))
GAMES = 40
ROUNDS = 6
SURE = Confidence(n_comparisons=4)  # needs 63 blocks
TABLES = {
    "base": Experiment(seasons=True),
    "first edition": Experiment(edition="1e", players=5, seasons=True),
    "big box": Experiment(players=3, setup="draft", expansions="all", seasons=True),
}


def rows_of(experiment, table, games=GAMES):
    """Plain rows: for each game and seat looked at its row of `seats`, and its eight of `seasons`."""
    parts = replace(load_components(experiment), policies=table.policies)
    chunk_tables = ChunkTables(("seats", "seasons"), vocabulary(parts), 0)
    chunk_tables.add(parts.arena(experiment.seed).play(0, games, seasons=True))
    seats, seasons = (chunk_tables.frame(table).to_dicts() for table in ("seats", "seasons"))
    by_seat = {}
    for row in seasons:
        by_seat.setdefault((row["game"], row["seat"]), []).append(row)
    return [(row, by_seat[row["game"], row["seat"]]) for row in seats if row["seat"] in table.seats]


def counted(found, plays):
    """Numbers by measure of a list of (row of seats, rows of seasons), counted in other ways than the package does."""

    def total(*columns):
        return sum(row[column] for row, _ in found for column in columns)

    def share(part, whole):
        return 100 * part / whole if whole else float("nan")

    def bids(wanted):
        laid = [row["bid"] for _, seasons in found for row in seasons if row["season"] != "winter"]
        return sum(bid in tuple(wanted) for bid in laid)  # None with five counties or fewer (B3.2)

    seats, done = len(found), [f"done_{kind}" for kind in BUILDINGS]
    early = sum(row[column] for _, rows in found for row in rows if row["year"] == 1 for column in done)
    rows = [pair for _, seasons in found for pair in pairwise(seasons)]
    winters = [(fall, winter) for fall, winter in rows if winter["season"] == "winter"]
    on_players, won = total("attacks_on_players"), total("attacks_on_players_won")
    spent = [column for column in found[0][0] if column.startswith("paid_")]
    numbers = {
        "attacks on players": on_players / seats,
        "attacks on neutrals": (total("attacks") - on_players) / seats,
        "success against players": share(won, on_players),
        "success against neutrals": share(total("attacks_won") - won, total("attacks") - on_players),
        "times attacked": total("times_attacked") / seats,
        "held when attacked": 100 - share(total("times_attacked_lost"), total("times_attacked")),
        "armies deployed": total("armies_deployed") / seats,
        "armies": total("armies") / seats,
        "counties": total("counties") / seats,
        "palaces": total("done_palace") / seats,
        "churches": total("done_church") / seats,
        "trading posts": total("done_trading_post") / seats,
        "buildings": total(*done) / seats,
        "built in year two": share(total(*done) - early, total(*done)),
        "buildings owned": total("palaces", "churches", "trading_posts") / seats,
        "Thalers collected": total("taxes") / seats,
        "Thalers spent": total(*spent) / seats,
        "Thalers left": total("thalers") / seats,
        "grain collected": total("grain") / seats,
        "grain before winter": sum(fall["grain_held"] for fall, _ in winters) / (2 * seats),
        # What winter asks for is told by the counties of fall, which no revolt has taken yet (B7.2).
        "grain to spare": sum(max(0, w["grain_held"] - fall["counties"]) for fall, w in winters) / (2 * seats),
        "shortages": sum(w["grain_held"] < fall["counties"] for fall, w in winters) / seats,
        "revolts": total("revolts") / seats,
        "revolts lost": total("revolts_lost") / seats,
        "winter revolts": total("winter_revolts") / seats,
        "markers placed": total("markers_placed") / seats,
        "passes": total("passes") / seats,
        "skipped cards": total("skipped") / seats,
        VP: total("vp") / seats,
        WINS: share(total("win"), seats),
    }
    if plays.edition == "2e":
        numbers |= {
            "Thalers bid": total("paid_bids") / seats / ROUNDS,
            "money bids": share(bids("1234"), seats * ROUNDS),
            "bids of 0": share(bids("0"), seats * ROUNDS),
            "county bids": share(total("county_bids"), seats * ROUNDS),
            "no bid": share(bids((None,)), seats * ROUNDS),
            "place": total("place_total") / seats / ROUNDS,
            **{f"tile {tile.replace('_', ' ')}": share(total(f"tile_{tile}"), seats * ROUNDS) for tile in TILES},
        }
    if plays.expansions:
        numbers |= {
            "tower bids": share(bids(("tower",)), seats * ROUNDS),
            "favors taken": total(*(f"favor_{number}" for number in range(1, FAVORS + 1))) / seats,
            "courtiers sent": total("courtiers_for_armies", "courtiers_for_cubes") / seats,
            "Landsknechte cards": total("landsknecht_cards") / seats,
            "statues left": total("statues_left") / seats,
            "trophies taken": total("trophies") / seats,
        }
    return numbers


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("policy", [RANDOM, BALANCED], ids=lambda policy: policy.name)
def test_every_measure_agrees_with_a_count_row_by_row(table, policy):
    experiment = TABLES[table]
    observatory = BehaviourMeasurement(Setting(experiment), GAMES, experiment.seed)
    other = BALANCED if policy is RANDOM else RANDOM
    for tables in (
        among_copies(policy, experiment.players),
        alone_among(policy, other, experiment.players),
    ):
        found = observatory.measure(policy, tables)
        slow = counted([pair for table in tables for pair in rows_of(experiment, table)], experiment)
        fast = {name: estimate.value for name, estimate in found.estimates.items()}
        assert list(fast) == [measure.name for measure in observatory.measures]
        assert fast == pytest.approx(slow, nan_ok=True, rel=1e-6)
        assert (found.blocks, found.games) == (GAMES, GAMES * len(tables))


def test_intervals_take_all_games_of_a_number_together():
    observatory = BehaviourMeasurement(Setting(TABLES["base"]), GAMES, 1)
    tables = alone_among(BUILDER, BALANCED, 4)
    found = observatory.measure(BUILDER, tables)
    rows = [row for table in tables for row, _ in rows_of(TABLES["base"], table)]
    by_number = [sum(row["vp"] for row in rows if row["game"] == game) / 4 for game in range(GAMES)]
    assert found.estimates[VP].error == pytest.approx(np.std(by_number, ddof=1) / sqrt(GAMES))
    assert found.variances[VP].value == pytest.approx(pvariance(row["vp"] for row in rows))
    made, won = "attacks_on_players", "attacks_on_players_won"
    rate = sum(row[won] for row in rows) / sum(row[made] for row in rows)
    parts = [100 * (row[won] - rate * row[made]) / (sum(row[made] for row in rows) / len(rows)) for row in rows]
    assert found.variances["success against players"].value == pytest.approx(pvariance(parts))


def test_thalers_are_neither_made_nor_lost():
    """B1.1: what a seat of the base game begins with is what it spends and keeps beyond what it collects."""
    observatory = BehaviourMeasurement(Setting(TABLES["base"]), GAMES, 1)
    for policy in (RANDOM, BUILDER):
        found = observatory.measure(policy, among_copies(policy, 4)).estimates
        begun = found["Thalers spent"] - found["Thalers collected"] * 1.0
        assert begun.value + found["Thalers left"].value == pytest.approx(15)


def test_one_seat_of_the_host_among_hosts_does_what_the_host_does_among_its_like():
    observatory = BehaviourMeasurement(Setting(TABLES["base"]), GAMES, 1)
    alike = observatory.measure(BALANCED, among_copies(BALANCED, 4))
    alone = observatory.measure(BALANCED, alone_among(BALANCED, BALANCED, 4))
    for name, estimate in alike.estimates.items():
        assert alone.estimates[name].value == pytest.approx(estimate.value), name
        assert alone.estimates[name].influence == pytest.approx(estimate.influence), name
    assert alike.estimates[WINS].value == pytest.approx(25)
    assert alike.interval(WINS, Confidence()) is None  # the fair share by definition: no interval is claimed


def test_batches_and_runs_give_the_same_behaviour(tmp_path, monkeypatch):
    told = []
    whole = BehaviourMeasurement(Setting(TABLES["base"]), GAMES, 1, told.append).measure(
        BUILDER, alone_among(BUILDER, RANDOM, 4)
    )
    monkeypatch.setattr("wallsim.analysis.behaviour.tables._BATCH", 17)
    pieces = BehaviourMeasurement(Setting(TABLES["base"]), GAMES, 1, told.append)
    runs = []
    for seat, table in enumerate(alone_among(BUILDER, RANDOM, 4)):
        names = tuple(policy.name for policy in table.policies)
        experiment = Experiment(policies=names, games=GAMES, seasons=True)
        runs.append((play_run(experiment, tmp_path / str(seat), workers=1), (seat,)))
    for other in (
        pieces.measure(BUILDER, alone_among(BUILDER, RANDOM, 4)),
        behaviour_of_runs("builder", pieces.measures, runs),
    ):
        assert (other.blocks, other.games) == (whole.blocks, whole.games)
        for name in whole.estimates:
            for ours, theirs in ((whole.estimates, other.estimates), (whole.variances, other.variances)):
                assert ours[name].value == pytest.approx(theirs[name].value, nan_ok=True), name
                assert ours[name].influence == pytest.approx(theirs[name].influence, abs=1e-9), name
    assert sum(told) == 2 * 4 * GAMES == games_of([BUILDER], RANDOM, GAMES, 4) + 2 * GAMES
    with pytest.raises(ValueError, match="seats 0, 0: one is measured twice"):
        behaviour_of_runs("builder", pieces.measures, [runs[0], runs[0]])
    with pytest.raises(ValueError, match="one is measured twice"):
        pieces.measure(BUILDER, [Table((BUILDER,) * 4, (1,))] * 2)


def test_runs_of_other_sizes_are_not_counted_together(tmp_path):
    runs = [
        (play_run(Experiment(policies="random", games=games, seasons=True), tmp_path / str(games), workers=1), (seat,))
        for seat, games in enumerate((5, 6))
    ]
    with pytest.raises(ValueError, match="runs of 5, 6 games"):
        behaviour_of_runs("random", measures_of(), runs)


def test_portraits_play_the_hosts_company_once():
    told = []
    observatory = BehaviourMeasurement(Setting(TABLES["base"]), 5, 1, told.append)
    one, host = policy_profiles(observatory, [RANDOM, BALANCED], BALANCED)
    assert sum(told) == games_of([RANDOM, BALANCED], BALANCED, 5, 4) == 5 * (1 + 1 + 4)
    assert host.alike is host.guest is host.hosts is one.hosts
    assert (one.alike.policy, one.guest.policy, one.hosts.policy) == ("random", "random", "balanced")


# ----------------------------------------------------------------------------------------------- planted frames


SEATS = {"seat": pl.UInt8, "game": pl.Int64, "attacks": pl.Int16, "won": pl.Int16}
PLANTED = (
    Measure("attacks", "war", "a game", 2, "", pl.col("attacks"), pl.lit(1)),
    Measure("success", "war", "%", 1, "", pl.col("won"), pl.col("attacks"), scale=100.0),
)


def planted(attacks, won):
    """The behaviour of one seat with so many attacks and successes, game by game."""
    rows = pl.LazyFrame(
        {"seat": [2] * len(attacks), "game": range(len(attacks)), "attacks": attacks, "won": won}, SEATS
    )
    return behaviour_from("planted", PLANTED, sums_of(PLANTED, rows, rows, len(attacks)), 1, 1)


def test_planted_rows_give_planted_numbers():
    found = planted([4, 0, 2, 6], [1, 0, 2, 3])
    assert found.estimates["attacks"].value == 3
    assert found.variances["attacks"].value == 5
    assert found.estimates["success"].value == 50
    parts = [1 - 2, 0, 2 - 1, 0]
    assert found.variances["success"].value == pytest.approx(100**2 * pvariance(part / 3 for part in parts))


def test_what_never_happened_has_no_value_and_tells_nothing_apart():
    never, often = planted([0] * 40, [0] * 40), planted([3, 5] * 20, [1, 2] * 20)
    assert isnan(never.estimates["success"].value)
    assert isnan(standardised(never, often, "success").value)
    assert furthest(never, often, PLANTED, SURE).measure == "attacks"
    assert furthest(never, often, PLANTED[1:], SURE) is None
    assert distances([never, often], PLANTED[1:], SURE) == {}


def test_what_never_varies_is_infinitely_apart_or_not_at_all():
    two, three = planted([2] * 63, [1] * 63), planted([3] * 63, [1] * 63)
    assert standardised(two, two, "attacks").value == 0
    assert standardised(two, three, "attacks").value == -inf
    assert standardised(two, three, "success").value == inf  # a third is no binary fraction
    assert furthest(two, three, PLANTED[:1], SURE).plain
    assert not is_plain(standardised(two, two, "attacks"), SURE)
    few = planted([2] * 62, [1] * 62), planted([3] * 62, [1] * 62)
    assert not is_plain(standardised(*few, "attacks"), SURE)


def normal(rng, mean, deviation, blocks=200, seats=4, luck=None):
    """A behaviour of one measure whose seats of a block share a part of their luck; the variance told as sums would."""
    shared = rng.normal(0, 1, (blocks, 1)) if luck is None else luck
    values = mean + deviation * (sqrt(0.3) * shared + sqrt(0.7) * rng.normal(0, 1, (blocks, seats)))
    cases = np.full(blocks, float(seats))
    parts = np.stack([values.sum(1), cases, (values**2).sum(1), values.sum(1), cases])
    return behaviour_from("x", (Measure("x", "war", "", 1, "", pl.lit(0), pl.lit(1)),), {"x": parts}, seats, 1)


def test_standardised_differences_cover_the_planted_one_as_often_as_they_say():
    """Cohen's d with the mean of both variances: (10 - 7) / sqrt((4 + 9) / 2)."""
    rng, truth, covered, plain = np.random.default_rng(5), 3 / sqrt(6.5), 0, 0
    for _ in range(600):
        luck = rng.normal(0, 1, (200, 1))
        found = standardised(normal(rng, 10, 2, luck=luck), normal(rng, 7, 3, luck=luck), "x")
        low, high = found.interval(Confidence())
        covered += low <= truth <= high
        plain += is_plain(found, Confidence())
    assert 0.925 * 600 < covered < 0.975 * 600
    assert plain == 600
    assert PLAIN < truth - 4 * found.error


def test_a_difference_at_the_limit_is_seldom_called_plain():
    rng, confidence = np.random.default_rng(6), Confidence()
    pairs = ((normal(rng, PLAIN * 2, 2), normal(rng, 0, 2)) for _ in range(400))
    calls = [is_plain(standardised(*pair, "x"), confidence) for pair in pairs]
    assert 0 < sum(calls) < 0.05 * 400


def test_the_furthest_measure_is_named_with_its_sign_and_results_are_left_out():
    def behaviour(name, **values):
        noise = np.random.default_rng(ord(name)).normal(0, 1, 70)
        estimates = {key: block_mean(value + noise - noise.mean()) for key, value in values.items()}
        ones = {key: block_mean(np.ones(70)) for key in values}
        return Behaviour(name, estimates, ones, 70, 70)

    measures = [
        Measure(name, group, "", 1, "", pl.lit(0), pl.lit(1))
        for name, group in (("near", "war"), ("far", "land"), ("won", RESULT))
    ]
    some = [
        behaviour("a", near=1.0, far=5.0, won=99.0),
        behaviour("b", near=1.5, far=2.0, won=0.0),
        behaviour("c", near=1.5, far=2.1, won=0.0),
    ]
    found = distances(some, measures, SURE)
    assert list(found) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert found["a", "b"].measure == "far"
    assert found["a", "b"].estimate.value == pytest.approx(3.0)
    assert found["b", "c"].estimate.value == pytest.approx(-0.1)
    assert found["a", "b"].plain
    assert not found["b", "c"].plain
    assert distance_confidence(3, measures) == Confidence(0.95, 3 * 2)


def test_a_pair_is_plain_by_any_measure_not_just_by_the_one_it_is_furthest_apart_in():
    """2.0 is known to 1.5 at the quantile, 1.2 to 0.06: the first is shown, the second says that they differ."""
    noise = np.tile([1.0, -1.0], 50)

    def behaviour(rough, fine):
        estimates = {"rough": block_mean(rough + 5 * noise), "fine": block_mean(fine + 0.2 * noise)}
        return Behaviour("x", estimates, {name: block_mean(np.ones(100)) for name in estimates}, 100, 100)

    measures = [Measure(name, "war", "", 1, "", pl.lit(0), pl.lit(1)) for name in ("rough", "fine")]
    zero = Behaviour(
        "zero",
        {name: block_mean(np.zeros(100)) for name in ("rough", "fine")},
        {name: block_mean(np.ones(100)) for name in ("rough", "fine")},
        100,
        100,
    )
    found = furthest(behaviour(2.0, 1.2), zero, measures, SURE)
    assert (found.measure, found.estimate.value) == ("rough", pytest.approx(2.0))
    assert not is_plain(found.estimate, SURE)
    assert found.plain
    assert not furthest(behaviour(2.0, 0.7), zero, measures, SURE).plain
    won = [measures[0], measures[1]._replace(group=RESULT)]
    assert not furthest(behaviour(2.0, 1.2), zero, won, SURE).plain


def test_wins_that_were_all_or_none_still_have_an_interval():
    for value, (low, high) in ((0.0, (0.0, 8.7622)), (100.0, (91.2378, 100.0))):
        alike = {WINS: block_mean(np.full(40, value))}
        found = Behaviour("x", alike, alike, 40, 160).interval(WINS, Confidence())
        assert found == pytest.approx((low, high), abs=1e-3)
        assert Behaviour("x", alike, alike, 29, 1).interval(WINS, Confidence()) is None


# ------------------------------------------------------------------------------------------------- the list


def test_measures_have_their_own_names_and_say_what_they_are():
    everything = measures_of("2e", ("court", "landsknechte", "leaders"))
    names = [measure.name for measure in everything]
    assert len(set(names)) == len(names)
    assert all(measure.meaning and measure.unit and measure.group for measure in everything)


def test_what_a_game_does_not_have_is_not_measured():
    def groups(*given):
        return {measure.group for measure in measures_of(*given)}

    assert "auction" not in groups("1e")
    assert groups("2e") - groups("1e") == {"auction"}
    assert groups("2e", ("leaders",)) - groups("2e") == {"leaders"}
    names = {measure.name for measure in measures_of("2e")}
    assert {"tower bids"} == {m.name for m in measures_of("2e", ("court",)) if m.group == "auction"} - names
