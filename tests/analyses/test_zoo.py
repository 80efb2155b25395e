"""The study `zoo` plays every policy at two tables, keeps its runs, and answers with tables and a picture."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import t

from tests.analyses.studies import files_of, look
from wallsim.analyses.zoo import estimates as zoo
from wallsim.analysis.behaviour.measures import RESULT, measures_of
from wallsim.analysis.behaviour.openings import Openings
from wallsim.analysis.behaviour.profiles import Behaviour
from wallsim.errors import InputError
from wallsim.policies.catalogue import load_policy, policy_names
from wallsim.policies.exploitability import Exploited
from wallsim.runs.folder.results import open_run
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import Confidence
from wallsim.studies.figure import Rows

POLICIES = ("random", "builder")
PAIRS = ("balanced-random", "balanced-builder", "random-builder")
GAMES = 40
CONDUCT = sum(measure.group != RESULT for measure in measures_of())
MANY = 400  # blocks of a planted study: more than any of its tables needs


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """The folder of a small study, and its result."""
    folder = tmp_path_factory.mktemp("zoo")
    return folder, run(folder)


def run(folder):
    """The study on a few games."""
    return look("zoo", folder, GAMES, quick=False, policies=",".join(POLICIES))


def test_every_policy_plays_among_its_like_and_once_in_each_seat_among_the_baseline(reported):
    folder, _ = reported
    runs = {path.parent.name + "/" + path.name: open_run(path) for path in folder.glob("*/*") if path.is_dir()}
    assert len(runs) == 2 + 9 * len(POLICIES)
    assert {(run.manifest["games"], run.manifest["seed"]) for run in runs.values()} == {(GAMES, 2027)}
    seats = Counter()
    for place, played in runs.items():
        identity = played.manifest["experiment"]["identity"]
        names = [policy["name"] for policy in identity["policies"]]
        setup = "draft" if "/draft_" in place else "lineup"
        assert identity["setup"] == setup
        assert identity["lineups"] == (["A", "B", "C", "D"] if setup == "lineup" else [""] * 4)
        if place.endswith("alike"):
            assert names == [place.split("/")[0]] * 4
            seats[place] += 1
        else:
            assert Counter(names) == {"balanced": 3, place.split("/")[0]: 1}
            seats.update((place.split("/")[0], setup, seat) for seat, name in enumerate(names) if name != "balanced")
    copies = ("balanced/alike", "balanced/draft_alike", *(f"{name}/alike" for name in POLICIES))
    alone = [(name, setup, seat) for name in POLICIES for setup in ("lineup", "draft") for seat in range(4)]
    assert seats == dict.fromkeys([*copies, *alone], 1)


def test_the_numbers_are_those_of_the_tables(reported):
    folder, figures = reported[0], reported[1].figures
    assert figures["zoo.games.4p"].value == GAMES * (2 + 9 * len(POLICIES))
    for head, end, place in (
        ("zoo.alike.4p.random", "", "random/alike"), ("zoo.alike-draft.4p.balanced", "/draft", "balanced/draft_alike")
    ):  # fmt: skip
        seats = open_run(folder / place).scan("seats").collect()
        for column, item in (("attacks_on_players", "attacks-on-players"), ("shortages", "shortages")):
            figure = figures[f"{head}-{item}{end}"]
            assert figure.value == pytest.approx(seats[column].mean())
            assert (figure.n, figure.ends) == (GAMES, None)  # too few blocks for so many intervals
    for end, prefix in (("", ""), ("/draft", "draft_")):
        won = 0.0
        for seat in range(4):
            guests = open_run(folder / "builder" / f"{prefix}in_seat_{seat}").scan("seats").collect()
            won += guests.filter(seat=seat)["win"].sum()
        assert figures[f"zoo.wins.4p.builder-wins{end}"].value == pytest.approx(100 * won / 4 / GAMES)


def test_a_quick_look_says_that_it_has_too_few_games(reported):
    printed = reported[1].text
    for family in (47, 3 * CONDUCT):
        assert Confidence(0.95, family).too_few(GAMES, "blocks") in printed


@pytest.fixture(scope="module")
def planted():
    """What a zoo of three policies might find in 400 blocks, with standard errors of 1 and of half a deviation's gap.

    `random` and `builder` lie from `balanced` by as much as is plain, or just not, by the interval of all differences.
    """
    measures = measures_of()
    first = measures[0].name
    noise = np.tile([-1.0, 1.0], MANY // 2) * np.sqrt(MANY - 1)
    other_noise = np.tile([-1.0, -1.0, 1.0, 1.0], MANY // 4) * np.sqrt(MANY - 1)

    def of(name, apart, bends):
        values = {measure.name: Estimate(30.0, bends) for measure in measures}
        values[first] = Estimate(30.0 + apart, bends)
        variances = {measure.name: Estimate(1.0, np.zeros(MANY)) for measure in measures}
        return Behaviour(name, values, variances, MANY, 4 * MANY)

    plain = 0.8 + quantile(3 * CONDUCT)  # the difference to `balanced`, whose estimates are exact, has the error of one
    copies = {
        "balanced": of("balanced", 0.0, np.zeros(MANY)),
        "random": of("random", plain + 0.01, noise),
        "builder": of("builder", -plain + 0.01, other_noise),
    }
    drafted = {name: copies[name] for name in POLICIES}
    openings = {name: Openings(Estimate(5.0, noise), Estimate(90.0, noise), 4.5) for name in copies}
    estimate = zoo.Zoo(
        "balanced", copies, copies, drafted, of("balanced", 0.0, noise), openings, zoo.distances_of(copies)
    )
    rows = Rows("zoo", 1, "0")
    zoo.add_figures(estimate, rows, {("random", 4): Exploited(0.345, 0.331, 0.359), ("builder", 3): Exploited(1, 1, 1)})
    return rows.done()


def quantile(count):
    """Student's for `count` simultaneous intervals of MANY blocks."""
    return t.ppf(1 - 0.05 / 2 / count, MANY - 1)


@pytest.mark.parametrize(
    ("key", "family"),
    [
        # Eleven columns in four rows, the draft's among them, and the wins of three policies in the draft.
        ("alike.4p.random-counties", 47), ("alike-draft.4p.balanced-counties/draft", 47), ("wins.4p.builder-wins", 47),
        ("more.4p.random-free-sites", 24), ("openings.4p.random", 24), ("openings-repeated.4p.builder", 24),
        ("first-choice.4p.random-first-choice-grain", 15), ("distance.4p.balanced-random", 3 * CONDUCT),
    ],
)  # fmt: skip
def test_intervals_hold_for_a_whole_table(planted, key, family):
    figure = planted[f"zoo.{key}"]
    assert figure.family == family
    assert figure.high - figure.value == pytest.approx(quantile(family), rel=1e-6)


def test_distances_are_plain_by_the_interval_of_all_pairs_and_measures(planted):
    plain = {pair: planted[f"zoo.plainly-different.4p.{pair}"].value for pair in PAIRS}
    assert plain == {"balanced-random": 1, "balanced-builder": 0, "random-builder": 1}
    assert planted["zoo.distance.4p.balanced-random"].quantity.endswith(f": {measures_of()[0].name}")


def test_a_best_response_has_the_interval_of_its_search(planted):
    found = planted["zoo.best-response.4p.random"]
    assert (found.value, *found.ends, found.family) == pytest.approx((34.5, 33.1, 35.9, 1))
    assert "zoo.best-response.4p.balanced" not in planted


def test_a_study_that_is_there_is_not_played_again(reported):
    folder, result = reported
    before = files_of(folder)
    (folder / "random" / "in_seat_2" / "manifest.json").unlink()  # an interrupted one resumes
    assert run(folder).figures == result.figures
    assert files_of(folder) == before


def test_a_policy_that_is_none_is_named_before_anything_is_played(tmp_path):
    with pytest.raises(InputError, match='policies: "nobody" is not one of'):
        look("zoo", tmp_path / "runs", 2, quick=False, policies="random,nobody")
    assert not (tmp_path / "runs").exists()


def test_columns_are_measures_and_all_policies_but_searches_are_played_by_default():
    names = {measure.name for measure in measures_of()}
    assert {column for columns in zoo.COLUMNS.values() for column in columns} < names
    assert set(zoo.DRAWN) < names
    searches = {name for name in policy_names() if load_policy(name).search is not None}
    assert searches
    assert set(zoo.quick_policies()) == set(policy_names()) - searches
