"""The study `casual` plays tables of five equal policies and sets them beside what people report."""

from functools import partial

import polars as pl
import pytest

from tests.analyses.studies import files_of, look
from wallsim.analyses.casual import study as casual
from wallsim.analyses.casual.study import TOWER
from wallsim.analysis.claims.cells import Cell
from wallsim.errors import InputError
from wallsim.policies.catalogue import load_policy
from wallsim.runs.folder.results import open_run
from wallsim.studies.catalogue import load_study
from wallsim.studies.running import digest_of
from wallsim.studies.study import Choices

NAMES = ("random", "builder")
GAMES = 120


@pytest.fixture(scope="module")
def summary(tmp_path_factory):
    """The folder of a small study, and its result."""
    folder = tmp_path_factory.mktemp("casual")
    return folder, run(folder)


def run(folder):
    """The study on a few games."""
    return look("casual", folder, GAMES, quick=False, policies=",".join(NAMES))


def test_each_policy_has_all_five_seats_and_every_line_up(summary):
    folder, _ = summary
    for name in NAMES:
        identity = open_run(folder / name).manifest["experiment"]["identity"]
        assert [policy["name"] for policy in identity["policies"]] == [name] * 5
        assert sorted(identity["lineups"]) == list("ABCDE")


def test_figures_are_those_of_the_runs(summary):
    folder, result = summary
    of = partial(result.figures.of, players=casual.SEATS, cell=Cell("builder", TOWER, "lineup"))
    best = open_run(folder / "builder").scan("seats").collect().group_by("game").agg(best=pl.col("vp").max())["best"]
    assert of("points", "place 1").value == pytest.approx(best.mean())
    gaps = [of("points", f"place {at}").value - points for at, points in enumerate(casual.PEOPLE["points"], start=1)]
    assert of("distance").value == pytest.approx((sum(gap * gap for gap in gaps) / len(gaps)) ** 0.5)


def test_a_study_that_is_there_is_not_played_again(summary):
    folder, result = summary
    before = files_of(folder)
    again = run(folder)
    assert (again.page, again.figures) == (result.page, result.figures)
    assert files_of(folder) == before


def test_the_policies_of_the_study_are_there():
    assert len(set(casual.POLICIES)) == len(casual.POLICIES)
    assert all(load_policy(name) for name in casual.POLICIES)
    with pytest.raises(InputError, match="nobody"):
        casual.design(Choices(options={"policies": "nobody"}))


def test_what_people_report_has_no_interval_and_says_whose_it_is(summary):
    people = [each for key, each in summary[1].figures.items() if "reported-" in key]
    assert [each.value for each in people] == [45, 37, 34, 29, 26, 4, 2, 1, 0, 0, 2]
    for each in people:
        assert "as people report" in each.quantity
        assert each.ends is None
        assert (each.n, each.seed, each.play, each.tower, each.setup) == (0, 0, "", "", "")


def test_the_table_is_that_of_the_experiment():
    experiment = load_study("casual").experiment()
    assert (experiment.tower, experiment.players, experiment.setup) == (TOWER, casual.SEATS, "lineup")


def test_the_digest_tells_policies_games_and_reports(monkeypatch):
    study = load_study("casual")

    def digest(**choices):
        return digest_of(study, casual.design(Choices(**choices)))

    chosen = {digest(), digest(games=9), digest(options={"policies": "builder"})}
    monkeypatch.setattr(casual, "PEOPLE", {**casual.PEOPLE, "built": (1.0,)})
    assert len(chosen | {digest()}) == 4
