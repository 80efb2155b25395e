"""The study `zoo` plays every policy at two tables, keeps its runs, and answers with tables and a picture."""

from dataclasses import replace
from math import inf, nan
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import t

from tests.analyses.studies import figures_in, look
from wallsim.analyses.zoo import doubtful
from wallsim.analyses.zoo import study as zoo
from wallsim.analysis.behaviour.measures import RESULT, WINS, measures_of
from wallsim.analysis.behaviour.profiles import Behaviour
from wallsim.analysis.behaviour.tables import Openings
from wallsim.folder.results import Run
from wallsim.policies.catalogue import load_policy, policy_names
from wallsim.policies.exploitability import Exploited
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import Confidence
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import Figures, quantity_of
from wallsim.studies.study import Choices

POLICIES = ("random", "builder")
CHOSEN = {"policies": ",".join(POLICIES)}
PLAINLY = "plainly-different"
GAMES, MANY = 40, 400  # blocks of a small study; of a planted one, more than any of its tables needs
CONDUCT = sum(measure.group != RESULT for measure in measures_of())
SETUPS = {"lineup": "", "draft": "draft_"}  # with the beginnings of folders


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """The folder of a small study, and its result."""
    folder = tmp_path_factory.mktemp("zoo")
    return folder, look("zoo", folder, GAMES, quick=False, **CHOSEN)


@pytest.mark.one_in(4, "file")
def test_every_policy_plays_among_its_like_and_once_in_each_seat_among_the_baseline(reported):
    expected = {f"{name}/alike": ("lineup", [name] * 4) for name in ("balanced", *POLICIES)}
    expected["balanced/draft_alike"] = "draft", ["balanced"] * 4
    for name in POLICIES:
        for setup, prefix in SETUPS.items():
            for own in range(4):
                seated = ["balanced"] * own + [name] + ["balanced"] * (3 - own)
                expected[f"{name}/{prefix}in_seat_{own}"] = setup, seated
    found = {}
    for path in filter(Path.is_dir, reported[0].glob("*/*")):
        manifest = Run.open(path).manifest
        identity = manifest["experiment"]["identity"]
        found[f"{path.parent.name}/{path.name}"] = identity["setup"], [each["name"] for each in identity["policies"]]
        assert (manifest["games"], manifest["seed"]) == (GAMES, 2027)
        assert identity["lineups"] == (["A", "B", "C", "D"] if identity["setup"] == "lineup" else [""] * 4)
    assert found == expected


@pytest.mark.one_in(4, "file")
def test_the_numbers_are_those_of_the_tables(reported):
    folder, figures = reported[0], reported[1].figures
    assert figures["zoo.games.4p"].value == GAMES * (2 + 9 * len(POLICIES))
    for head, end, place in (
        ("zoo.alike.4p.random", "", "random/alike"), ("zoo.alike-draft.4p.balanced", "/draft", "balanced/draft_alike")
    ):  # fmt: skip
        seats = Run.open(folder / place).scan("seats").collect()
        for column in ("attacks_on_players", "shortages"):
            figure = figures[f"{head}-{column.replace('_', '-')}{end}"]
            assert figure.value == pytest.approx(seats[column].mean())
            assert (figure.n, figure.ends) == (GAMES, None)  # too few blocks for so many intervals
    for setup, prefix in SETUPS.items():
        guests = [Run.open(folder / "builder" / f"{prefix}in_seat_{seat}").scan("seats").collect() for seat in range(4)]
        won = sum(each.filter(seat=seat)["win"].sum() for seat, each in enumerate(guests))
        found = figures.of("wins", f"builder {WINS}", players=4, setup=setup)
        assert found.value == pytest.approx(100 * won / 4 / GAMES)
    assert all(Confidence(0.95, each).too_few(GAMES, "blocks") in reported[1].text for each in (47, 3 * CONDUCT))


@pytest.mark.one_in(4, "file")
def test_doubtful_moves_are_counted_for_every_policy_and_forbidden_to_strong_bots_alone(reported):
    figures = reported[1].figures
    for name in ("balanced", *POLICIES):
        hunger = figures.of("doubtful", f"{name} hunger foreseen", players=4)
        assert (0 <= hunger.value <= 100, hunger.n) == (True, GAMES)
        claims = figures.of("doubtful", f"{name} better county left", players=4)
        assert claims.n == GAMES // doubtful.FEWER
    assert not [key for key in figures if "forbidden" in key]
    assert doubtful.forbidden(["builder", "scholar-4p", "master-4p"], 4) == ["master-4p", "scholar-4p"]
    everyone = [name for name in policy_names() if name != "rollout"]
    assert doubtful.counted(everyone) == [*everyone, "rollout"]
    assert doubtful.counted(list(POLICIES)) == list(POLICIES)


@pytest.fixture(scope="module")
def planted():
    """What a zoo of three policies might find in 400 blocks, with standard errors of 1 and of half a deviation's gap.

    `random` and `builder` lie from `balanced` by as much as is plain, or just not, by the interval of all differences.
    """
    measures = measures_of()
    noise = np.tile([-1.0, 1.0], MANY // 2) * np.sqrt(MANY - 1)
    other_noise = np.tile([-1.0, -1.0, 1.0, 1.0], MANY // 4) * np.sqrt(MANY - 1)

    def of(name, apart, bends):
        values = {measure.name: Estimate(30.0 + apart * (measure is measures[0]), bends) for measure in measures}
        variances = {measure.name: Estimate(1.0, np.zeros(MANY)) for measure in measures}
        return Behaviour(name, values, variances, MANY, 4 * MANY)

    plain = 0.8 + quantile(3 * CONDUCT)  # the difference to `balanced`, whose estimates are exact, has the error of one
    copies = {"balanced": of("balanced", 0.0, np.zeros(MANY)), "random": of("random", plain + 0.01, noise),
              "builder": of("builder", -plain + 0.01, other_noise)}  # fmt: skip
    guests = {"lineup": copies, "draft": {name: copies[name] for name in POLICIES}}
    openings = {name: Openings(Estimate(5.0, noise), Estimate(90.0, noise), 4.5) for name in copies}
    exploited = {("random", 4): Exploited(0.345, 0.331, 0.359), ("builder", 3): Exploited(1, 1, 1)}
    return figures_in("zoo", zoo.measured(copies, guests, of("balanced", 0.0, noise), openings, exploited))


def quantile(count):
    """Student's for `count` simultaneous intervals of MANY blocks."""
    return t.ppf(1 - 0.05 / 2 / count, MANY - 1)


def test_distances_are_plain_by_the_interval_of_all_pairs_and_measures(planted):
    found = {key.rpartition(".")[2]: row.value for key, row in planted.items() if quantity_of(key) == PLAINLY}
    assert found == {"balanced-random": 1, "balanced-builder": 0, "random-builder": 1}
    assert planted["zoo.distance.4p.balanced-random"].quantity.endswith(f": {measures_of()[0].name}")
    best = planted["zoo.best-response.4p.random"]  # with the interval of its search
    assert (best.value, *best.ends, best.family) == pytest.approx((34.5, 33.1, 35.9, 1))
    assert "balanced" not in {key.rpartition(".")[2] for key in planted if quantity_of(key) == "best-response"}


def test_every_policy_but_those_that_search_is_in_the_study():
    searches = {name for name in policy_names() if load_policy(name).search is not None}
    assert searches
    assert set(zoo.design(Choices()).policies) == set(policy_names()) - searches


@pytest.mark.one_in(4, "file")
def test_every_cell_has_its_text_and_the_colour_of_its_distance(reported):
    """Endless is the end of the colours, and what is not known has that of the baseline, which is marked."""
    apart, figures = {"random-revolts": inf, "builder-revolts": nan, "random-wins": -0.5}, reported[1].figures
    rows = [replace(row, value=apart.get(row.id.removeprefix("zoo.apart.4p."), row.value)) for row in figures.values()]
    axes = load_study("zoo").picture(Figures("zoo", rows), reported[1].design).axes[0]
    labels = [(each.get_text(), each.get_fontweight()) for each in axes.get_yticklabels()]
    assert labels == [("balanced", "bold"), *((name, "normal") for name in POLICIES)]
    revolts, wins = zoo.DRAWN.index("revolts"), zoo.DRAWN.index(WINS)
    shades = axes.collections[0].get_array().reshape(3, -1)
    assert (shades[1, revolts], shades[2, revolts], shades[1, wins]) == (3, 0, -0.5)
    text, shown = axes.texts[len(zoo.DRAWN) + revolts], figures.of("picture", "random revolts", players=4)
    assert (text.get_color(), text.get_text()) == ("white", f"{shown.value:.2f}")
