"""The study `play` changes one habit of one seat, in every seat, tunes seats for habits, and says what it brings."""

import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from tests.analyses.studies import UNSTORED, look
from tests.refusals import assert_names
from tests.studies.first_screens import finding_errors
from wallsim.analyses.play import changes, study, tuning
from wallsim.analyses.play.changes import GAIN, HABITS, POINTS, SHOWN, TABLES, WINS, Habit, Measure, Table, at_table
from wallsim.analyses.play.study import finding_of, known, led, shown, title_of
from wallsim.play.play import play_run
from wallsim.policies.catalogue import load_policy, read_policy
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.board import load_board
from wallsim.rules.terms import ROUNDS
from wallsim.studies.figure import Figures
from wallsim.studies.games import Games

EVERY = Measure("attacks", {"attacks": 1}, (0, 1, 2, 4, 5, 6))
CASUAL = TABLES[0]


def experiment_of(policy="balanced", **others):
    return at_table(4, CASUAL).changed(policies=policy, **others)


def changed(habit, batches, experiment=None):
    """What a habit changes, in every seat in turn."""
    table = Table(experiment or experiment_of(), batches, UNSTORED)
    return table.changed("", {}, habit.of, {SHOWN: habit.measure})


@pytest.fixture(autouse=True)
def _every(monkeypatch):
    monkeypatch.setitem(changes._EVERY, EVERY.words, EVERY)


def test_a_habit_changed_to_itself_changes_nothing():
    found = changed(Habit("The same", EVERY, True), 4)
    assert set(found) == {POINTS, WINS, SHOWN}
    for values in found.values():
        assert values.shape == (4 * 24,)
        assert not values.any()


def test_a_planted_habit_is_found_to_cost():
    """A seat that errs by five points on every option loses, and what it does is what its policy alone does."""
    found = changed(Habit("Err", EVERY, True, {"noise": 5.0}), 20)
    for what in (POINTS, WINS):
        assert found[what].mean() + 4 * found[what].std() / len(found[what]) ** 0.5 < 0


def counted(run, seat):
    """The mean points of a seat, and its attacks on neutral land."""
    points, seasons = (run.scan(name).collect().to_pandas() for name in ("seats", "seasons"))
    mine = seasons[seasons["seat"] == seat]
    neutral = (mine["attacks"].astype(int) - mine["attacks_on_players"].astype(int)).groupby(mine["game"]).sum()
    return np.array([points[points["seat"] == seat]["vp"].mean(), neutral.mean()])


def test_changes_are_those_of_the_seats_of_runs(tmp_path):
    """Counted again from the files of runs, one for each seat that follows the saying."""
    experiment, path = experiment_of(games=2 * 24, seasons=True), tmp_path / "changed.toml"
    path.write_text('base = "balanced"\n[weights]\nneutral = -0.5\n', "utf-8")
    before, totals = play_run(experiment, tmp_path / "before"), np.zeros(2)
    for seat in range(4):
        policies = ["balanced" if each != seat else str(path) for each in range(4)]
        after = play_run(experiment.changed(policies=policies), tmp_path / f"seat{seat}")
        totals += counted(after, seat) - counted(before, seat)
    found = changed(HABITS["Leave neutral land alone"], 2, experiment)
    assert [found[what].mean() for what in (POINTS, SHOWN)] == pytest.approx(totals / 4)


def test_counties_fought_for_are_those_of_a_run(tmp_path):
    """Counted again from the files of a run: attacks on players by county, and owners that lose it; and the middle."""
    experiment = experiment_of(games=2 * 24, battles=True, counties=True)
    every = dict(Table(experiment, 2, UNSTORED).fought_for(True))
    found = {name: (every["attacked", name], each) for (what, name), each in every.items() if what == "lost"}
    groups = [found.pop(name) for name in (changes.IN_MIDDLE, changes.OTHERS_THAN)]
    run = play_run(experiment, tmp_path / "run")
    battles, rows = (run.scan(name).collect().to_pandas() for name in ("battles", "counties"))
    attacks = battles[battles["kind"] == "player"].groupby("county", observed=True).size()
    owners = rows.groupby("county", observed=True)["losses"].agg(lambda losses: 100 * (losses > 0).mean())
    assert set(found) == set(owners.index)
    for county, each in found.items():
        assert each[0].value == pytest.approx(attacks.get(county, 0) / 48)
        assert each[1].value == pytest.approx(owners[county])
    assert sum(each[0].value for each in found.values()) > 5
    board = load_board()
    middle = {name for name, near in zip(board.counties, board.neighbours, strict=True) if int(near).bit_count() >= 6}
    for group, names in zip(groups, (middle, set(board.counties) - middle), strict=True):
        assert group[0].value == pytest.approx(attacks.reindex(sorted(names), fill_value=0).sum() / 48 / len(names))
        mine = rows[rows["county"].isin(names)]
        assert group[1].value == pytest.approx(100 * (mine["losses"] > 0).mean())


@pytest.mark.parametrize("name", list(HABITS))
def test_every_habit_changes_what_it_says_at_some_table(name):
    """In few games: the measure moves to the side that the saying names, and hardly to the other at any table."""
    habit = HABITS[name]
    experiments = [*(at_table(4, table) for table in TABLES), at_table(4, TABLES[1]).changed(policies="master-4p")]
    change = [changed(habit, 2, experiment)[SHOWN].mean() for experiment in experiments]
    moved = [each if habit.more else -each for each in change]
    assert max(moved) > 0.1
    assert min(moved) > -0.4
    if habit.code is not None:  # an answer binds at every table, also where the bots do so already
        assert min(moved) >= 0


FORBIDDEN = {
    "Keep armies at home": {"attacks": 1},
    "Win without a battle against players": {"attacks_on_players": 1},
    "Leave neutral land alone": {"attacks": 1, "attacks_on_players": -1},
}


@pytest.mark.parametrize("policy", ["amateur", "expert-4p", "master-4p"])
@pytest.mark.parametrize("name", list(FORBIDDEN))
def test_what_a_tip_forbids_is_done_only_by_duty(name, policy):
    """B5.8: with the switch `combat` on `may` nobody does it, also bots whose attacks were taught."""
    measure = Measure("forbidden", FORBIDDEN[name], changes._ROUNDS)
    counts = []
    for switches in ({"combat": "may"}, {}):
        parts = experiment_of(policy, rules=switches).components()
        for policies in (tuple(map(HABITS[name].of, parts.policies)), parts.policies):
            games = replace(parts, policies=policies).arena(7).play(0, 48, seasons=True)
            counts.append(changes.measured(Games(0, 4, games), measure).sum())
    assert counts[0] == 0
    assert counts[2] < 0.1 * counts[3]
    assert min(counts[1], counts[3]) > 48


def test_a_habit_of_a_phase_leaves_other_rounds_to_the_weights():
    """No war in year one and the leader in the last fall: the answers of other rounds are those of the policy."""
    base = load_policy("master-4p")
    for name, rounds in {"No war in year one": 3, "Deny the leader in the last fall": 1}.items():
        policy = HABITS[name].of(base)
        assert [policy.weights_in(place)["statue"] > 0 for place in range(ROUNDS)].count(True) == rounds


def test_all_seats_that_follow_a_habit_are_compared_with_none(tmp_path):
    """Counted again from the files of two runs."""
    habit, path, experiment = HABITS["Act first"], tmp_path / "first.toml", experiment_of(games=48)
    path.write_text('base = "balanced"\n[weights]\nplace = 2.0\n', "utf-8")
    points = [
        play_run(experiment.changed(policies=policy), tmp_path / name).scan("seats").collect().to_pandas()["vp"].mean()
        for name, policy in (("without", "balanced"), ("with", str(path)))
    ]
    found = Table(experiment, 2, UNSTORED).if_all(habit)
    assert found[POINTS].value == pytest.approx(points[1] - points[0])
    assert found[POINTS].value != 0


def test_habits_have_weights_within_their_bounds():
    bounds, base = {weight.name: weight for weight in WEIGHTS}, load_policy("expert-4p")
    for habit in HABITS.values():
        weights = [pair for table in (habit.weights, *habit.phases.values()) for pair in table.items()]
        assert all(bounds[weight].low <= value <= bounds[weight].high for weight, value in weights)
        assert bool(habit.of(base).answers) == (habit.code is not None)
        assert habit.of(base).counties == base.counties
    measures = [habit.measure for habit in HABITS.values()]
    assert len({each.words for each in measures}) == len({str(each) for each in measures})


def test_a_seat_that_bids_nothing_pays_nothing():
    experiment, measure = experiment_of("amateur"), Measure("bids", {"paid_bids": 1}, (0, 1, 2, 4, 5, 6))
    parts = experiment.components()
    policies = tuple(HABITS["Bid nothing"].of(policy) for policy in parts.policies)
    games = replace(parts, policies=policies).arena(7).play(0, 40, seasons=True)
    assert changes.measured(Games(0, 4, games), measure).sum() == 0


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.play)
def test_a_tuned_policy_has_its_habit_and_the_noise_and_correction_of_its_table(table):
    base = load_policy(at_table(4, table).policies[0])
    for name in (None, *changes.costly(table)):
        policy = changes.policy_of(table, name)
        assert f"among others of `{base.name}`" in policy.description
        assert (policy.correction, policy.counties) == (base.correction, base.counties)
        assert policy.weights["noise"] == base.weights["noise"]
        if name is not None:
            habit = HABITS[name]
            said = {*habit.weights, *(weight for phase in habit.phases.values() for weight in phase)}
            for place in range(ROUNDS):
                mine, meant, plain = (each.weights_in(place) for each in (policy, habit.of(base), base))
                moved = {weight for weight in said if meant[weight] != plain[weight]}
                assert {weight: mine[weight] for weight in moved} == {weight: meant[weight] for weight in moved}
            assert bool(policy.answers) == (habit.code is not None)
    files = {path.stem for path in changes.TUNED.glob("*.toml")}
    assert files == {changes.tuned_file(table, name).stem for table in TABLES
                     for name in (None, *changes.costly(table))}  # fmt: skip


def test_the_weights_of_a_habit_are_not_searched_and_every_candidate_has_it():
    name = "Spend all in the last fall"
    settings, free = (tuning.settings_of(TABLES[1], each) for each in (name, None))
    left_out = {each.name for each in free.weights} - {each.name for each in settings.weights}
    assert left_out == {"thaler in fall 2"}
    candidate = settings.policy("candidate", {"thaler in spring 1": 3.0})
    assert candidate.weights_in(ROUNDS - 1)["thaler"] == HABITS[name].phases["fall 2"]["thaler"]
    assert candidate.weights_in(0)["thaler"] == 3.0


def test_a_search_goes_on_where_it_was_and_writes_a_policy(tmp_path, monkeypatch):
    """Two generations in one go are those in two; the file has the tuned weights."""
    for name, value in {"GAMES": 24, "POPULATION": 4, "FEWEST": 24}.items():
        monkeypatch.setattr(tuning, name, value)
    one, results = (CASUAL, "Act first"), []
    for folder, goes in ((tmp_path / "whole", [2]), (tmp_path / "parts", [1, 2])):
        for generations in goes:
            monkeypatch.setattr(tuning, "GENERATIONS", generations)
            result = tuning.search(*one, folder, 1)
        results.append({key: value for key, value in result.items() if key != "seconds"})
    assert results[0] == results[1]
    path = tmp_path / "casual-act-first.toml"
    path.write_text(tuning.policy_file(*one, result), "utf-8")
    policy = read_policy(path)
    assert (policy.weights, policy.phases) == (result["weights"], result["phases"])


def test_a_tuned_seat_is_compared_with_one_tuned_without_a_habit(monkeypatch):
    """Differences by block of the same games; a seat tuned for nothing but what it plays already changes nothing."""
    name, table = "Act first", Table(at_table(4, CASUAL), 3, UNSTORED)
    base, measure = load_policy(table.experiment.policies[0]), HABITS[name].measure
    monkeypatch.setattr(changes, "costly", lambda _: (name,))
    other = replace(base, weights={**base.weights, "noise": 3.0})
    monkeypatch.setattr(changes, "policy_of", lambda _, habit: base if habit is None else other)
    found = {item: each.value for item, each in changes.tuned_for(table, CASUAL)}
    direct = table.changed("", {}, lambda _: other, {SHOWN: measure})
    assert (found[POINTS], found[WINS]) == (0.0, 0.0)
    expected = {what: direct[what].mean() for what in (POINTS, WINS, SHOWN)} | {GAIN: direct[POINTS].mean()}
    assert {what: found[f"{name} {what}"] for what in expected} == pytest.approx(expected)
    assert np.abs(direct[POINTS]).sum() > 0


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    return look("play", tmp_path_factory.mktemp("play"), 48)


def planted(quick, values, untuned=None):
    """The figures with other changes of points, known well, of tuned and untuned seats that all follow their habit."""
    rows = dict(quick.figures)
    for name, table, quantity in product(HABITS, TABLES, ("habit", "tuned")):
        at = {"players": 4, "cell": table}
        points, shows = (quick.figures.find(quantity, f"{name} {what}", **at) for what in (POINTS, SHOWN))
        if points is not None and shows is not None:
            value = (values if quantity == "tuned" or untuned is None else untuned).get(name, 0.0)
            rows[points.id] = replace(points, value=value, low=value - 0.1, high=value + 0.1)
            rows[shows.id] = replace(shows, value=1.0 if HABITS[name].more else -1.0)
    return Figures("play", rows.values())


@pytest.mark.one_in(4, "file")
def test_the_finding_follows_the_figures_of_tuned_seats(quick):
    gains = {"Act first": -3.0, "No war in year one": -1.0, "Bid nothing": 2.0}
    finding, turned, nothing = (
        finding_of(planted(quick, *each), quick.design)
        for each in ((gains, {**gains, "Act first": -5.0}), ({"Act first": 3.0},), ({}, {"Act first": -3.0}))
    )
    assert re.match("“Act first” and “No war in year one” lose .* casual, master and scholar", finding.title)
    assert_names(finding.casual, "“Act first” loses most", "−3.0 ± 0.1", "“Bid nothing” gains most", "2.0 ± 0.1")
    assert_names(finding.experienced, "master bots −3.0 ± 0.1", "scholar bots −3.0 ± 0.1")
    assert_names(finding.differs, "“Act first”", "−5.0 to −3.0")
    assert finding_errors(finding, quick.page.table) == []
    assert re.match("“Act first” gains .* casual, master and scholar", turned.title)
    assert "none is known" not in turned.casual
    assert nothing.title.startswith("No tip")
    assert title_of(["a", "b", "c"], []).startswith("“a”, “b” and 1 more tip lose")
    assert title_of(["a"], []).startswith("“a” loses")


@pytest.mark.one_in(4, "file")
def test_a_habit_that_hardly_changes_is_in_brackets_and_no_finding(quick):
    name = "Act first"
    figures = planted(quick, dict.fromkeys(HABITS, -2.0) | {name: -3.0})
    still = figures.of("tuned", f"{name} {SHOWN}", players=4, cell=TABLES[1])
    rows = [replace(row, value=0.05) if row.id == still.id else row for row in figures.values()]
    figures = Figures("play", rows)
    assert not shown(figures, name, TABLES[1], quantity="tuned")
    assert led(figures, name, TABLES[1]).high < 0
    everywhere = set.intersection(*(set(changes.costly(table)) for table in TABLES))
    assert name in everywhere
    assert set(known(figures, TABLES)[-1]) == everywhere - {name}
    assert re.search(r"\| \(.3\.0 ± 0\.1\)", study.first(figures, quick.design).text(figures))
