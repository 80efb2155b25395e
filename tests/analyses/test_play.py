"""The study `play` changes one habit of one seat, in every seat, and says what it brings."""

from dataclasses import replace

import numpy as np
import pytest

from tests.analyses.studies import look
from wallsim.analyses.play import changes as play
from wallsim.analyses.play.finding import TABLES, agreed, finding_of, points_of, shown, title_of
from wallsim.analyses.play.fought import fought_for
from wallsim.analyses.play.habits import HABITS, Habit, Measure
from wallsim.analyses.play.tables import experiment_of as experiment_at
from wallsim.policies.catalogue import load_policy
from wallsim.policies.policy import Policy
from wallsim.policies.weights import WEIGHTS
from wallsim.runs.play import play_run
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import Figures
from wallsim.studies.finding import finding_errors

BLOCKS = 4
EVERY = Measure("attacks", {"attacks": 1}, (0, 1, 2, 4, 5, 6))


def experiment_of(policy="balanced", **changes):
    return experiment_at(4, TABLES[0]).changed(policies=policy, **changes)


def test_a_habit_changed_to_itself_changes_nothing():
    changes = play.changes_of(experiment_of(), Habit("The same", EVERY, True), BLOCKS, workers=1)
    assert set(changes) == {play.POINTS, play.WINS, play.SHOWN}
    for values in changes.values():
        assert values.shape == (BLOCKS,)
        assert (values == 0).all()


def test_a_planted_habit_is_found_to_cost():
    """A seat that errs by five points on every option loses, and what it does is what its policy alone does."""
    changes = play.changes_of(experiment_of(), Habit("Err", EVERY, True, {"noise": 5.0}), 20, workers=2)
    for what in (play.POINTS, play.WINS):
        values = changes[what]
        assert values.mean() + 4 * values.std() / len(values) ** 0.5 < 0


def test_changes_are_those_of_the_seats_of_runs(tmp_path):
    """Counted again from the files of runs, one for each seat that follows the saying."""
    habit = HABITS["Leave neutral land alone"]
    experiment = experiment_of(games=2 * 24, seasons=True)
    changed = tmp_path / "changed.toml"
    changed.write_text('base = "balanced"\n[weights]\nneutral = -0.5\n', "utf-8")
    before = play_run(experiment, tmp_path / "before")
    totals = np.zeros(2)
    for seat in range(4):
        policies = ["balanced"] * 4
        policies[seat] = str(changed)
        after = play_run(experiment.changed(policies=policies), tmp_path / f"seat{seat}")
        totals += np.array(counted(after, seat)) - counted(before, seat)
    found = play.changes_of(experiment, habit, 2, workers=1)
    assert found[play.POINTS].mean() == pytest.approx(totals[0] / 4)
    assert found[play.SHOWN].mean() == pytest.approx(totals[1] / 4)


def test_counties_fought_for_are_those_of_a_run(tmp_path):
    """Counted again from the files of a run: attacks on players by county, and owners that lose it."""
    experiment = experiment_of(games=2 * 24, battles=True, counties=True)
    run = play_run(experiment, tmp_path / "run")
    found = fought_for(experiment, 2, load_study("play").storage(tmp_path / "study", 1))
    battles, rows = (run.scan(name).collect().to_pandas() for name in ("battles", "counties"))
    attacks = battles[battles["kind"] == "player"].groupby("county", observed=True).size()
    owners = rows.groupby("county", observed=True)["losses"].agg(lambda losses: 100 * (losses > 0).mean())
    assert set(found) == set(owners.index)
    for county, each in found.items():
        assert each[0].value == pytest.approx(attacks.get(county, 0) / 48)
        assert each[1].value == pytest.approx(owners[county])
    assert sum(each[0].value for each in found.values()) > 5


def test_one_baseline_serves_all_habits():
    experiment, every = experiment_of(), [habit.measure for habit in HABITS.values()]
    before = play.unchanged(experiment, every, 2, workers=1)
    assert len(before) == 2 + len({str(measure) for measure in every}), "measures have words of their own"
    for name in ("Act first", "Bid nothing"):
        alone = play.changes_of(experiment, HABITS[name], 2, workers=1)
        shared = play.changes_of(experiment, HABITS[name], 2, workers=1, before=before)
        assert {what: values.tolist() for what, values in shared.items()} == {
            what: values.tolist() for what, values in alone.items()
        }


def counted(run, seat):
    """The mean points of a seat, and its attacks on neutral land."""
    points = run.scan("seats").collect().to_pandas()
    seasons = run.scan("seasons").collect().to_pandas()
    mine = seasons[seasons["seat"] == seat]
    neutral = (mine["attacks"].astype(int) - mine["attacks_on_players"].astype(int)).groupby(mine["game"]).sum()
    return points[points["seat"] == seat]["vp"].mean(), neutral.mean()


@pytest.mark.parametrize("name", list(HABITS))
def test_every_habit_changes_what_it_says_at_some_table(name):
    """In few games: the measure moves to the side that the saying names, and hardly to the other at any table."""
    habit, moved = HABITS[name], []
    for table in TABLES:
        change = play.changes_of(experiment_at(4, table), habit, 2, workers=2)[play.SHOWN].mean()
        moved.append(change if habit.more else -change)
    assert max(moved) > 0.1
    assert min(moved) > -0.4


def test_habits_have_weights_within_their_bounds():
    known = {weight.name: weight for weight in WEIGHTS}
    for habit in HABITS.values():
        for table in (habit.weights, *habit.phases.values()):
            for weight, value in table.items():
                assert known[weight].low <= value <= known[weight].high
        changed = habit.of(load_policy("expert-4p"))
        assert isinstance(changed, Policy)
        assert bool(changed.answers) == (habit.code is not None)
        assert changed.counties == load_policy("expert-4p").counties


def test_a_seat_that_bids_nothing_pays_nothing():
    habit = replace(HABITS["Bid nothing"], measure=Measure("bids", {"paid_bids": 1}, (0, 1, 2, 4, 5, 6)))
    experiment = experiment_of("amateur")
    parts = experiment.components()
    policies = tuple(habit.of(policy) for policy in parts.policies)
    games = replace(parts, policies=policies).arena(7).play(0, 40, seasons=True)
    assert play.measured(play.Games(0, 4, games), habit.measure).sum() == 0


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    return look("play", tmp_path_factory.mktemp("play"), 48)


def planted(quick, values):
    """The figures with other changes of points, known well, and habits that all took effect."""
    rows = []
    for row in quick.figures.values():
        for name, habit in HABITS.items():
            if row.id.startswith("play.habit.4p.") and f"habit: {name}" in row.quantity:
                if habit.measure.words in row.quantity:
                    row = replace(row, value=1.0 if habit.more else -1.0)
                elif f"{play.POINTS} by" in row.quantity:
                    value = values.get(name, 0.0)
                    row = replace(row, value=value, low=value - 0.1, high=value + 0.1)
        rows.append(row)
    return Figures("play", rows)


def test_the_finding_follows_the_figures(quick):
    design = quick.design._replace(quick=False)
    figures = planted(quick, {"Act first": -3.0, "No war in year one": -1.0, "Bid nothing": 2.0})
    assert agreed(figures, -1) == ["Act first", "No war in year one"]
    assert agreed(figures, 1) == ["Bid nothing"]
    finding = finding_of(figures, design)
    assert finding.title == "“Act first” and “No war in year one” cost points at every table"
    assert finding.casual == "“Act first” costs most (−3.0 ± 0.1 VP), “Bid nothing” brings most (+2.0 ± 0.1 VP)."
    assert "−3.0 ± 0.1 and −3.0 ± 0.1 VP" in finding.experienced
    assert finding_errors(finding, quick.page.table) == []
    turned = finding_of(planted(quick, {"Act first": 3.0}), design)
    assert turned.title == "“Act first” brings points at every table"
    assert "none is known" not in turned.casual
    nothing = finding_of(planted(quick, {}), design)
    assert nothing.title.startswith("No saying is known")
    assert title_of(["a", "b", "c"], []).endswith("as does 1 more saying")
    assert title_of(["a"], []) == "“a” costs points at every table"
    assert finding_of(quick.figures, quick.design) is None


def test_a_habit_that_hardly_changes_is_in_brackets_and_no_finding(quick):
    figures = planted(quick, dict.fromkeys(HABITS, -2.0))
    name = "Act first"
    rows = [
        replace(row, value=0.05) if row.id == still.id else row
        for still in [figures.of("habit", f"{name} {play.SHOWN}", players=4, cell=TABLES[1])]
        for row in figures.values()
    ]
    figures = Figures("play", rows)
    assert not shown(figures, name, TABLES[1])
    assert points_of(figures, name, TABLES[1]).high < 0
    assert name not in agreed(figures, -1)
    assert len(agreed(figures, -1)) == len(HABITS) - 1
