"""A file with scenarios is read whole: each is an experiment, and all errors are named at once."""

import pytest

from wallsim.errors import InputError
from wallsim.rules.files import data_folder
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.keys import MAX_SEED
from wallsim.runs.scenarios.file import ScenarioSet, load_experiments, own_seed

TWO = 'policies = "random"\ngames = 40\nseed = 5\n[scenario.a]\n[scenario.b]\nexpansions = ["court"]\n'


def errors_of(path, overrides=None):
    with pytest.raises(InputError) as caught:
        load_experiments(path, overrides)
    return [line.removeprefix(f"{path}: ") for line in caught.value.errors]


def test_each_scenario_is_the_experiment_that_its_keys_make(write):
    result = load_experiments(write(TWO))
    plain = Experiment(policies="random", games=40, seed=5)
    assert result.experiments == {"a": plain, "b": plain.model_copy(update={"expansions": ("court",)})}


def test_a_file_without_scenarios_is_the_experiment_that_it_was(write):
    path = write('name = "x"\npolicies = "random"\ngames = 7\n[rules]\nbank = 150')
    assert load_experiments(path) == load_experiment(path)
    assert load_experiments(path, {"games": 3}).hash() == Experiment(
        policies="random", games=3, rules={"bank": 150}
    ).hash()  # fmt: skip


def test_where_one_experiment_is_expected_a_file_with_scenarios_is_refused(write):
    path = write(TWO)
    with pytest.raises(InputError, match="contains scenarios, not one experiment; `wallsim run "):
        load_experiment(path)


def test_options_hold_for_every_scenario(write):
    result = load_experiments(write(TWO + "games = 9\n"), {"games": 3, "seed": 8})
    assert {(each.games, each.seed) for each in result.experiments.values()} == {(3, 8)}


def test_scenarios_share_their_seed_unless_each_has_its_own(write):
    own = load_experiments(write('scenario_seeds = "own"\n' + TWO))
    seeds = {name: each.seed for name, each in own.experiments.items()}
    assert seeds == {name: own_seed(5, name) for name in "ab"}
    assert len({5, *seeds.values()}) == 3
    more = load_experiments(write('scenario_seeds = "own"\n' + TWO + "[scenario.c]\n"))
    assert more.experiments["a"] == own.experiments["a"]
    other = load_experiments(write('scenario_seeds = "own"\n' + TWO), {"seed": 6})
    assert other.experiments["a"].seed == own_seed(6, "a")
    assert load_experiments(write('scenario_seeds = "shared"\n' + TWO)).hash() == load_experiments(write(TWO)).hash()


def test_own_seeds_are_seeds():
    seeds = [own_seed(seed, name) for seed in (0, 1, MAX_SEED) for name in ("a", "b")]
    assert len(set(seeds)) == 6
    assert all(0 <= seed <= MAX_SEED for seed in seeds)
    assert [own_seed(wrong, "a") for wrong in (-1, "x", True)] == [-1, "x", True]


def test_the_hash_is_that_of_names_and_experiments(write):
    first = load_experiments(write(TWO)).hash()
    assert load_experiments(write(TWO.replace("[scenario.a]", "[scenario.c]"))).hash() != first
    assert load_experiments(write(TWO.replace("seed = 5", "seed = 6"))).hash() != first
    assert load_experiments(write('name = "title"\n' + TWO)).hash() == first


def test_the_title_is_that_of_all_or_none(write):
    assert load_experiments(write('name = "title"\n' + TWO)).name == "title"
    assert load_experiments(write('name = "title"\n' + TWO + 'name = "other"')).name is None


def test_paths_start_at_the_folder_of_the_file(write, tmp_path):
    (tmp_path / "my.toml").write_bytes((data_folder("tower") / "mid.toml").read_bytes())
    result = load_experiments(write('[factor]\ntower = ["my.toml", "mid"]'))
    assert result.experiments["tower-my"].tower == str(tmp_path / "my.toml")


def test_all_errors_of_all_scenarios_are_named_at_once(write):
    path = write(
        'policies = "random"\nplayers = 7\nscenario_seeds = "mine"\n[scenario.a]\ngames = 0\ntowr = "mid"\n'
        '[scenario.b]\nrules.combat = "can"\n[scenario.c]\nrules.combat = "can"\n[scenario."d e"]\n'
    )
    errors = errors_of(path)
    assert errors[0].startswith('scenario: "d e" is not a name; allowed are ')
    assert errors[1:3] == ['scenario_seeds: "mine" is not one of shared, own', "players: 7 is not one of 3, 4, 5"]
    assert 'scenario b, c: rules.combat: "can" is not one of must, may' in errors
    assert "scenario a: games: 0 is not a whole number from 1 to 10000000000" in errors
    assert any(line.startswith("scenario a: towr: unknown key; allowed are name, ") for line in errors)
    assert len(errors) == 6


def test_an_error_of_many_cells_is_named_once(write):
    path = write('[factor]\ntower = ["mid", "no"]\nseed = [1, 2, 3, 4, 5]')
    [error] = errors_of(path)
    assert error.startswith("scenario tower-no+seed-1, tower-no+seed-2, tower-no+seed-3 and 2 more: tower: 'no' is ")


def test_an_error_of_an_option_is_named_by_the_option(write):
    assert errors_of(write(TWO), {"games": 0}) == ["--games: 0 is not a whole number from 1 to 10000000000"]


def test_a_misspelt_table_of_scenarios_is_recognised(write):
    assert errors_of(write("[scenarios.a]"))[0].endswith("did you mean scenario?")
    assert errors_of(write("[factors]\nseed = [1]"))[0].endswith("did you mean factor?")


@pytest.mark.parametrize("text", ["scenario.a = = 3", "[scenario.a]\n[scenario.a]"])
def test_what_is_not_toml_is_refused(write, text):
    assert errors_of(write(text))[0].startswith("not a TOML file: ")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "scenario: at least one is required"),
        (["../a"], 'scenario: "../a" is not a name; allowed are 1 to 200 letters'),
        (["a", "A"], 'scenario: "A" is named twice, in upper and lower case'),
    ],
)
def test_names_given_in_python_are_checked_too(names, message):
    with pytest.raises(InputError, match=message):
        ScenarioSet({name: Experiment(games=1) for name in names})
