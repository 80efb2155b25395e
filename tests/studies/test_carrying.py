"""A change of engine that moves no figure is carried, one that does is found; a carried study says so."""

from dataclasses import replace

import numpy as np
import pytest
import typer

from tests.refusals import assert_names, refused
from tests.studies.asking import QUANTITIES, asked
from wallsim.cli import study as command
from wallsim.engine.version import ENGINE_VERSION
from wallsim.experiment import identity
from wallsim.stats.blocks import Measurement, block_mean
from wallsim.stats.intervals import Confidence
from wallsim.studies import audit, carrying, published, quantities, running
from wallsim.studies.audit import audit_study
from wallsim.studies.carrying import Comparison, carry, compare, compared, differing_studies, error_of
from wallsim.studies.publishing import REGISTER, from_register, page_errors, publish
from wallsim.studies.quantities import Bounded, Key, Number, Quantity, figures_of
from wallsim.studies.running import run_study
from wallsim.studies.study import Choices

STUDIES, ROWS, BLOCKS, FEWER = 8, 8, 200, 20
POINTS = Quantity("points", "points of {item}")
NEXT = ENGINE_VERSION + 1


def figures(values, seed):
    """The figures of the means of values, float64 [blocks, rows], from games of a seed."""
    return figures_of(
        "x", [POINTS], {Key("points", f"{row}"): block_mean(each) for row, each in enumerate(values.T)}, seed
    )


def simulated(rng, moved=0.0):
    """What is compared of a study whose rows share half of their luck, each with a deviation of 2 VP a block.

    The first row of the new engine is `moved`.
    """
    old, new = (
        2 * (rng.normal(size=(blocks, 1)) + rng.normal(size=(blocks, ROWS))) / 2**0.5 for blocks in (BLOCKS, FEWER)
    )
    new[:, 0] += moved
    before, now = figures(old, 1), figures(new, 2)
    return Comparison(None, tuple(compared(before, now, before)), None)


def test_no_change_passes_in_95_of_100_and_one_of_five_errors_is_found():
    rng, found, false = np.random.default_rng(7), 0, 0
    error = 2 * (1 / BLOCKS + 1 / FEWER) ** 0.5
    for _ in range(100):
        every = [simulated(rng) for _ in range(STUDIES)]
        false += bool(differing_studies(every))
        every[3] = simulated(rng, 5.5 * error)
        found += any(each is every[3] for each in differing_studies(every))
    assert false <= 5
    assert found >= 90


def test_what_cannot_be_compared_is_left_out():
    rng = np.random.default_rng(1)
    old, new = figures(rng.normal(size=(50, 4)), 1), figures(rng.normal(size=(50, 4)), 2)
    ids = list(old)
    assert [row.id for row in compared(old, new, ids)] == ids
    assert compared(old, {key: replace(each, seed=1) for key, each in new.items()}, ids) == []  # the same games
    assert compared(old, {key: replace(each, quantity="wins") for key, each in new.items()}, ids) == []
    assert (
        compared({key: replace(each, error=np.nan, low=np.nan, high=np.nan) for key, each in old.items()}, new, ids)
        == []
    )
    assert compared(old, new, ids, cells_alone=True) == []
    assert [row.id for row in compared(old, {ids[2]: new[ids[2]]}, ids)] == [ids[2]]


def test_a_rare_event_in_few_games_is_no_difference():
    old, new = np.zeros((10_000, 1)), np.zeros((50, 1))
    old[:3], new[:1] = 1.0, 1.0
    before, now = figures(old, 1), figures(new, 2)
    assert compared(before, now, before)[0].p > 0.2


def test_the_error_of_an_even_interval_is_that_of_students_t():
    sure = Confidence(n_comparisons=5)
    ends = Measurement(3.0, 0.5, 300).interval(sure)
    values = {
        Key("points", "even"): Number(3.0, ends, 300, sure), Key("points", "uneven"): Number(2.0, ends, 300, sure),
        Key("points", "open"): Bounded(3.0, (2.0, np.inf), 300), Key("points", "none"): Number(3.0),
    }  # fmt: skip
    even, *others = figures_of("x", [POINTS], values).values()
    assert error_of(even) == pytest.approx(0.5)
    assert np.isnan([error_of(each) for each in others]).all()


@pytest.fixture
def engine(monkeypatch):
    """Makes the engine another one for all that a study asks."""

    def changed(version):
        for module in (audit, carrying, published, quantities, running):
            monkeypatch.setattr(module, "ENGINE_VERSION", version)
        monkeypatch.setattr(identity, "_engines", [version])

    return changed


def drawn(folder, moved=0.0, **changes):
    """A study whose wins depend on the seed of its games; `moved` by an engine."""

    def play(design, storage):
        rng = np.random.default_rng(study.experiment().seed)
        wins = 25 + moved + rng.normal(size=40 * design["games"])
        return {Key("games"): Number(design["games"]), Key("wins", "A"): block_mean(wins)}

    study = asked(
        folder, play, games="games", sample=Choices(3),
        quantities=(QUANTITIES[0], Quantity("wins", "wins of {item}", "%")),
        identity=lambda design: {**design, "engine": identity.engine_version()}, **changes,
    )  # fmt: skip
    return study


@pytest.fixture
def root(tmp_path):
    """A checkout in which the study is published."""
    (tmp_path / "docs" / "studies").mkdir(parents=True)
    (tmp_path / "docs" / "studies" / "asked.md").write_text("<!-- finding -->\n<!-- /finding -->\n", "utf-8")
    publish(run_study(drawn(tmp_path), tmp_path / "out"), tmp_path)
    assert page_errors(drawn(tmp_path), tmp_path) == []
    return tmp_path


def test_a_study_that_does_not_differ_is_carried_and_says_so(root, engine):
    study, table, record = drawn(root), root / REGISTER / "asked.csv", root / REGISTER / "asked.toml"
    before = table.read_bytes()
    engine(NEXT)
    assert_names("\n".join(page_errors(study, root)), "asked.toml", ENGINE_VERSION, NEXT, "--carry")
    found = compare(carrying.published(study, root), root / "carry")
    assert (len(found.rows), differing_studies([found])) == (1, [])
    assert_names(" ".join(page_errors(study, root)), "--carry")  # nothing is written yet
    carry(found, root)
    assert page_errors(study, root) == []
    assert table.read_bytes() == before
    assert_names(record.read_text("utf-8"), f"carried = {{ engine = {NEXT}, p = ", "figures = 1", "--games 3")
    page = (root / "docs" / "studies" / "asked.md").read_text("utf-8")
    assert page.count(f"Engine version {ENGINE_VERSION} played these games") == page.count(f"version {NEXT}") == 1
    assert from_register(study, root).figures.engine == ENGINE_VERSION
    engine(NEXT + 1)
    assert_names("\n".join(page_errors(study, root)), f"carried to {NEXT}", NEXT + 1)


def test_figures_of_another_engine_are_refused_until_they_are_carried(root, engine):
    engine(NEXT)
    with refused("casual.toml", ENGINE_VERSION, NEXT, "--carry"):
        published.figures("casual")
    run_study(drawn(root), root / "now")
    assert_names("\n".join(audit_study(drawn(root), root / "now", 0, checkout=root).errors), "asked.toml", "--carry")
    carry(compare(carrying.published(drawn(root), root), root / "carry"), root)
    found = audit_study(drawn(root), root / "now", 0, checkout=root)
    assert found.errors == ()
    assert_names(found.notes[-1], "were not compared", ENGINE_VERSION)


def test_a_new_play_is_carried_no_more(root, engine):
    engine(NEXT)
    carry(compare(carrying.published(drawn(root), root), root / "carry"), root)
    publish(run_study(drawn(root), root / "again"), root)
    assert "carried" not in (root / REGISTER / "asked.toml").read_text("utf-8")
    assert page_errors(drawn(root), root) == []


def test_a_study_that_differs_is_named_with_its_figures(root, engine):
    engine(NEXT)
    found = compare(carrying.published(drawn(root, moved=1.0), root), root / "carry")
    assert differing_studies([found]) == [found]
    assert [row.id for row in found.differing] == ["asked.wins.A"]


def test_a_study_with_another_design_is_not_carried(root, engine):
    engine(NEXT)
    with refused("asked.csv", "digest"):
        compare(carrying.published(drawn(root, count_version=2), root), root / "carry")
    assert not (root / "carry").exists()


def test_no_study_is_played_if_another_cannot_be_carried(root, engine, capsys):
    engine(NEXT)
    with pytest.raises(typer.Exit) as ended:
        command._carry([drawn(root), drawn(root, count_version=2)], root / "none", None, root)
    assert ended.value.exit_code == 2
    assert_names(capsys.readouterr().err, "asked.csv", "digest")
    assert not (root / "none").exists()
