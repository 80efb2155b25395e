"""Behaviour is that counted row by row, whatever the table, and measures say what they are."""

from dataclasses import replace
from itertools import pairwise
from math import sqrt
from statistics import pvariance

import numpy as np
import pytest

from tests.refusals import refused
from wallsim.analysis.behaviour.measures import VP, WINS, measures_of
from wallsim.analysis.behaviour.profiles import behaviour_of_runs
from wallsim.analysis.behaviour.tables import BehaviourMeasurement, games_of, policy_profiles, seatings_of
from wallsim.experiment.experiment import Experiment
from wallsim.folder.chunk_tables import ChunkTables
from wallsim.folder.schema import vocabulary
from wallsim.play.play import play_run
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import load_policy
from wallsim.rules.terms import BUILDINGS, FAVORS, TILES
from wallsim.stats.intervals import Confidence

BALANCED, RANDOM, BUILDER = (load_policy(name) for name in ("balanced", "random", "builder"))
GAMES = 40
ROUNDS = 6
TABLES = {
    "base": Experiment(seasons=True),
    "first edition": Experiment(edition="1e", players=5, seasons=True),
    "big box": Experiment(players=3, setup="draft", expansions="all", seasons=True),
}


def rows_of(experiment, policies, measured, games=GAMES):
    """Plain rows: for each game and seat looked at its row of `seats`, and its eight of `seasons`."""
    parts = replace(experiment.components(), policies=policies)
    chunk_tables = ChunkTables(("seats", "seasons"), vocabulary(parts), 0)
    chunk_tables.add(parts.arena(experiment.seed).play(0, games, seasons=True))
    seats, seasons = (chunk_tables.frame(table).to_dicts() for table in ("seats", "seasons"))
    by_seat = {}
    for row in seasons:
        by_seat.setdefault((row["game"], row["seat"]), []).append(row)
    return [(row, by_seat[row["game"], row["seat"]]) for row in seats if row["seat"] in measured]


def attacks_from_behind(result):
    """Attacks on a leader, and on all players, in rounds that a seat did not begin in the lead, without the first."""
    rounds = [row for _, seasons in result for row in seasons[1:] if not row["led"]]
    return sum(row["attacks_on_leader"] for row in rounds), sum(row["attacks_on_players"] for row in rounds)


MEANS = {name: name.replace(" ", "_") for name in (
    "times attacked", "armies deployed", "armies", "counties", "revolts", "revolts lost", "winter revolts",
    "markers placed", "passes",
)} | {
    "palaces": "done_palace", "churches": "done_church", "trading posts": "done_trading_post", VP: "vp",
    "Thalers collected": "taxes", "Thalers left": "thalers", "grain collected": "grain",
    "skipped cards": "skipped", "cards without money": "skipped_money",
}  # fmt: skip


def counted(result, plays):
    """Numbers by measure of a list of (row of seats, rows of seasons), counted in other ways than the package does."""

    def total(*columns):
        return sum(row[column] for row, _ in result for column in columns)

    def share(part, whole):
        return 100 * part / whole if whole else float("nan")

    def bids(wanted):
        laid = [row["bid"] for _, seasons in result for row in seasons if row["season"] != "winter"]
        return sum(bid in tuple(wanted) for bid in laid)  # None with five counties or fewer (B3.2)

    seats, done = len(result), [f"done_{kind}" for kind in BUILDINGS]
    early = sum(row[column] for _, rows in result for row in rows if row["year"] == 1 for column in done)
    rows = [pair for _, seasons in result for pair in pairwise(seasons)]
    winters = [(fall, winter) for fall, winter in rows if winter["season"] == "winter"]
    falls = [fall for fall, _ in winters if fall["year"] == 2]
    first = [row["tile"] for _, seasons in result for row in seasons if row["choosing_place"] == 1]
    on_players, won = total("attacks_on_players"), total("attacks_on_players_won")
    spent = [column for column in result[0][0] if column.startswith("paid_")]
    numbers = {name: total(column) / seats for name, column in MEANS.items()} | {
        "attacks on players": on_players / seats,
        "attacks on neutrals": (total("attacks") - on_players) / seats,
        "success against players": share(won, on_players),
        "success against neutrals": share(total("attacks_won") - won, total("attacks") - on_players),
        "attacks on the leader": share(*attacks_from_behind(result)),
        "held when attacked": 100 - share(total("times_attacked_lost"), total("times_attacked")),
        "armies behind combats": share(total("armies_behind_combats"), total("armies_deployed")),
        "buildings": total(*done) / seats,
        "built per round": total(*done) / seats / ROUNDS,
        "built in year two": share(total(*done) - early, total(*done)),
        "buildings owned": total("palaces", "churches", "trading_posts") / seats,
        "free sites": sum(fall["free_sites"] for fall in falls) / seats,
        "Thalers spent": total(*spent) / seats,
        "Thalers after the last fall": sum(fall["thalers"] for fall in falls) / seats,
        "grain before winter": sum(fall["grain_held"] for fall, _ in winters) / (2 * seats),
        # What winter asks for is determined by the counties of fall, which no revolt has taken yet (B7.2).
        "grain to spare": sum(max(0, w["grain_held"] - fall["counties"]) for fall, w in winters) / (2 * seats),
        "shortages": sum(w["grain_held"] < fall["counties"] for fall, w in winters) / seats,
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
            **{f"first choice {tile.replace('_', ' ')}": share(first.count(tile), len(first)) for tile in TILES},
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
    for host in (None, other):
        tables = seatings_of(policy, host, experiment.players)
        result = observatory.measure(policy, host)
        slow = counted([pair for table in tables for pair in rows_of(experiment, *table)], experiment)
        fast = {name: estimate.value for name, estimate in result.estimates.items()}
        assert list(fast) == [measure.name for measure in observatory.measures]
        assert fast == pytest.approx(slow, nan_ok=True, rel=1e-6)
        assert (result.blocks, result.games) == (GAMES, GAMES * len(tables))


def test_intervals_take_all_games_of_a_number_together():
    observatory = BehaviourMeasurement(Setting(TABLES["base"]), GAMES, 1)
    result = observatory.measure(BUILDER, BALANCED)
    rows = [row for table in seatings_of(BUILDER, BALANCED, 4) for row, _ in rows_of(TABLES["base"], *table)]
    by_number = [sum(row["vp"] for row in rows if row["game"] == game) / 4 for game in range(GAMES)]
    assert result.estimates[VP].error == pytest.approx(np.std(by_number, ddof=1) / sqrt(GAMES))
    assert result.variances[VP].value == pytest.approx(pvariance(row["vp"] for row in rows))
    made, won = "attacks_on_players", "attacks_on_players_won"
    rate = sum(row[won] for row in rows) / sum(row[made] for row in rows)
    parts = [100 * (row[won] - rate * row[made]) / (sum(row[made] for row in rows) / len(rows)) for row in rows]
    assert result.variances["success against players"].value == pytest.approx(pvariance(parts))


def test_one_seat_of_the_host_among_hosts_does_what_the_host_does_among_its_like():
    observatory = BehaviourMeasurement(Setting(TABLES["base"]), GAMES, 1)
    copies = observatory.measure(BALANCED)
    alone = observatory.measure(BALANCED, BALANCED)
    for name, estimate in copies.estimates.items():
        assert alone.estimates[name].value == pytest.approx(estimate.value), name
        assert alone.estimates[name].influence == pytest.approx(estimate.influence), name
    assert copies.estimates[WINS].value == pytest.approx(25)
    assert copies.interval(WINS, Confidence()) is None  # the fair share by definition: no interval is claimed


def test_batches_and_runs_give_the_same_behaviour(tmp_path, monkeypatch):
    reported = []
    whole = BehaviourMeasurement(Setting(TABLES["base"]), GAMES, 1, reported.append).measure(BUILDER, RANDOM)
    monkeypatch.setattr("wallsim.analysis.behaviour.tables._BATCH", 17)
    pieces = BehaviourMeasurement(Setting(TABLES["base"]), GAMES, 1, reported.append)
    runs = []
    for seat, (policies, _) in enumerate(seatings_of(BUILDER, RANDOM, 4)):
        names = tuple(policy.name for policy in policies)
        experiment = Experiment(policies=names, games=GAMES, seasons=True)
        runs.append((play_run(experiment, tmp_path / str(seat), workers=1), (seat,)))
    for other in (pieces.measure(BUILDER, RANDOM), behaviour_of_runs("builder", pieces.measures, runs)):
        assert (other.blocks, other.games) == (whole.blocks, whole.games)
        for name in whole.estimates:
            for ours, theirs in ((whole.estimates, other.estimates), (whole.variances, other.variances)):
                assert ours[name].value == pytest.approx(theirs[name].value, nan_ok=True), name
                assert ours[name].influence == pytest.approx(theirs[name].influence, abs=1e-9), name
    assert sum(reported) == 2 * 4 * GAMES == games_of([BUILDER], RANDOM, GAMES, 4) + 2 * GAMES


def test_runs_of_other_sizes_and_a_seat_twice_are_not_counted_together(tmp_path):
    few, more = (
        play_run(Experiment(policies="random", games=games, seasons=True), tmp_path / str(games), workers=1)
        for games in (5, 6)
    )
    for runs, names in (([(few, (0,)), (more, (1,))], "runs of 5, 6"), ([(few, (0,)), (few, (0,))], "seats 0, 0")):
        with refused(names, by=ValueError):
            behaviour_of_runs("random", measures_of(), runs)


def test_portraits_play_the_hosts_company_once():
    reported = []
    observatory = BehaviourMeasurement(Setting(TABLES["base"]), 5, 1, reported.append)
    one, host = policy_profiles(observatory, [RANDOM, BALANCED], BALANCED)
    assert sum(reported) == games_of([RANDOM, BALANCED], BALANCED, 5, 4) == 5 * (1 + 1 + 4)
    assert host.copies is host.guest is host.hosts is one.hosts
    assert (one.copies.policy, one.guest.policy, one.hosts.policy) == ("random", "random", "balanced")


# ------------------------------------------------------------------------------------------------- the list


def test_what_a_game_does_not_have_is_not_measured():
    def names(*given):
        found = [(measure.group, measure.name) for measure in measures_of(*given)]
        assert len({name for _, name in found}) == len(found)
        return set(found)

    base = names("2e")
    assert {group for group, _ in base - names("1e")} == {"auction"}
    assert {group for group, _ in names("2e", ("leaders",)) - base} == {"leaders"}
    assert ("auction", "tower bids") in names("2e", ("court",)) - base
