"""What is left behind: a policy file that loads with the very weights, and a table with a row a mean."""

import polars as pl
import pytest

from tests.folder.mishaps import flip_a_bit
from tests.searches.tuning.stand_ins import START, QuadraticEvaluator, settings
from wallsim.folder.derived import CHECKSUMS, write_derived
from wallsim.folder.local_files import FileStore
from wallsim.folder.tuning_journal import Journal
from wallsim.policies.catalogue import Policy, read_policy
from wallsim.searches.tuning.history import History
from wallsim.searches.tuning.outcome import begin, curve, policy_text, read_saved, result_files


def history(folder, generations):
    plan = settings()
    with Journal(folder, plan.identity()) as journal:
        estimate = History(plan, journal, QuadraticEvaluator())
        checked = {"opponent": "balanced", "share": 0.4, "low": 0.3, "high": 0.5}
        estimate.resume(generations, lambda mean, turn: [checked], lambda line: None)
    return estimate


def test_a_policy_file_loads_with_the_same_weights(tmp_path):
    policy = Policy("fine", "balanced", {**START.weights, "hold": 0.123, "caution": -0.5})
    text = policy_text(policy, 'It is "fine".', ["Made by: a command " + "and its words " * 20, "100 % fair."])
    (tmp_path / "fine.toml").write_text(text)
    assert read_policy(tmp_path / "fine.toml") == policy
    comments = [line for line in text.splitlines() if line.startswith("#")]
    assert len(comments) == 4
    assert max(map(len, comments)) <= 120


def test_a_policy_file_with_phases_loads_with_the_same_weights(tmp_path):
    phases = {"year two": {"hold": 0.25, "army": 0.125}, "fall 2": {"hold": 0.1}}
    policy = Policy("fine", "balanced", START.weights, phases)
    (tmp_path / "fine.toml").write_text(policy_text(policy, "It is fine.", []))
    assert read_policy(tmp_path / "fine.toml") == policy


def test_a_policy_file_with_counties_loads_with_the_same_table(tmp_path):
    counties = {3: {"Altmark": 0.25, "Fm. Bayern": -0.5}, 5: {"Böhmen": 1.0}}
    policy = Policy("fine", "balanced", START.weights, counties=counties)
    (tmp_path / "fine.toml").write_text(policy_text(policy, "It is fine.", []), "utf-8")
    assert read_policy(tmp_path / "fine.toml") == policy


def test_the_curve_has_a_row_a_mean_and_the_checks_where_they_were(tmp_path):
    estimate = history(tmp_path, 5)
    table = curve(estimate)
    assert table["generation"].to_list() == list(range(6))
    assert table["share"].null_count() == 1
    assert table["balanced_share"].to_list() == [None, None, 0.4, None, 0.4, None]
    assert table["hold"].to_list() == [mean["hold"] for mean in estimate.means()]
    grown = 1 + table["joined"].fill_null(False).cum_sum().shift(1, fill_value=0)
    assert table["pool"].to_list() == grown.to_list()
    assert table["pool"][-1] == len(estimate.pool.members)


RESULT = {"name": "fine", "generations": 5, "fair": 0.25}
NAMES = ("fine.toml", "curve.parquet", "curve.png", "tune.json")


@pytest.fixture
def saved(tmp_path):
    """A folder with the files of a result."""
    files = result_files(RESULT, "text", pl.DataFrame({"generation": [0]}), b"a picture")
    write_derived(FileStore(tmp_path), files)
    assert tuple(files) == NAMES
    return FileStore(tmp_path)


def test_tune_json_says_that_it_is_finished_until_it_goes_on(saved):
    estimate = read_saved(saved, "fine")
    assert (estimate.result, estimate.errors, estimate.other_errors, estimate.others) == (RESULT, [], [], {})
    assert estimate.answers({"name": "fine", "generations": 5})
    assert not estimate.answers({"name": "fine", "generations": 6})
    assert not read_saved(saved, "other").answers({"name": "other", "generations": 5})
    begin(saved)
    assert read_saved(saved, "fine") == (None, [], [], {})


@pytest.mark.parametrize("name", NAMES)
def test_a_changed_or_missing_file_is_named_and_a_changed_result_is_none(saved, name):
    flip_a_bit(saved.folder / name)
    estimate = read_saved(saved, "fine")
    assert estimate.errors == [f"{name}: its bytes have changed"]
    assert (estimate.result is None) == (name == "tune.json")
    saved.delete(name)
    assert read_saved(saved, "fine").errors == [f"{name}: is missing"]


def test_damaged_or_missing_checksums_make_the_result_none(saved):
    flip_a_bit(saved.folder / CHECKSUMS)
    estimate = read_saved(saved, "fine")
    assert estimate.result is None
    assert len(estimate.errors) == 1
    saved.delete(CHECKSUMS)
    estimate = read_saved(saved, "fine")
    assert estimate.result is None
    assert len(estimate.errors) == 1


def test_files_under_another_name_keep_their_checksums(saved):
    others = read_saved(saved, "other").others
    assert set(others) == {"fine.toml"}
    again = result_files({**RESULT, "name": "other"}, "words", pl.DataFrame({"generation": [0]}), b"a picture")
    write_derived(saved, again, others)
    estimate = read_saved(saved, "other")
    assert (estimate.errors, estimate.other_errors, set(estimate.others)) == ([], [], {"fine.toml"})
    flip_a_bit(saved.folder / "fine.toml")
    estimate = read_saved(saved, "other")
    assert (estimate.errors, estimate.other_errors) == ([], ["fine.toml: its bytes have changed"])
