"""A file with scenarios is read whole: each is an experiment, and all errors are named at once."""

import tomllib

import pytest

from tests.refusals import assert_names, refused
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.experiment.keys import MAX_SEED
from wallsim.folder.scenarios import MAX_CHARACTERS, is_name, repeated
from wallsim.play.scenarios.file import (
    MAX_SCENARIOS,
    ScenarioSet,
    labels,
    load_experiments,
    own_seed,
    scenario_values,
)
from wallsim.rules.files import data_folder

TWO = 'policies = "random"\ngames = 40\nseed = 5\n[scenario.a]\n[scenario.b]\nexpansions = ["court"]\n'


def errors_of(path, overrides=None):
    with pytest.raises(InputError) as caught:
        load_experiments(path, overrides)
    return [line.removeprefix(f"{path}: ") for line in caught.value.errors]


def test_each_scenario_is_the_experiment_that_its_keys_make(write):
    plain = Experiment(policies="random", games=40, seed=5)
    both = {"a": plain, "b": plain.model_copy(update={"expansions": ("court",)})}
    assert load_experiments(write(TWO)).experiments == both
    # Options hold for every scenario.
    result = load_experiments(write(TWO + "games = 9\n"), {"games": 3, "seed": 8})
    assert {(each.games, each.seed) for each in result.experiments.values()} == {(3, 8)}


def test_a_file_without_scenarios_is_the_experiment_that_it_was(write):
    path = write('name = "x"\npolicies = "random"\ngames = 7\n[rules]\nbank = 150')
    assert load_experiments(path) == load_experiment(path)
    assert load_experiments(path, {"games": 3}).hash() == Experiment(
        policies="random", games=3, rules={"bank": 150}
    ).hash()  # fmt: skip


def test_where_one_experiment_is_expected_a_file_with_scenarios_is_refused(write):
    with refused("contains scenarios", "`wallsim run "):
        load_experiment(write(TWO))


def test_scenarios_share_their_seed_unless_each_has_its_own(write):
    def seeds(text, kind="own", **options):
        result = load_experiments(write(f'scenario_seeds = "{kind}"\n{text}'), options)
        return {name: each.seed for name, each in result.experiments.items()}

    assert seeds(TWO) == {name: own_seed(5, name) for name in "ab"}
    assert seeds(TWO + "[scenario.c]\n").items() > seeds(TWO).items()
    assert seeds(TWO, seed=6)["a"] == own_seed(6, "a")
    assert seeds(TWO, "shared") == {"a": 5, "b": 5}
    own = [own_seed(seed, name) for seed in (0, 1, MAX_SEED) for name in ("a", "b")]
    assert len({5, *own}) == 7
    assert all(0 <= seed <= MAX_SEED for seed in own)
    assert [own_seed(wrong, "a") for wrong in (-1, "x", True)] == [-1, "x", True]


def test_the_hash_is_that_of_names_and_experiments_and_the_title_that_of_all_or_none(write):
    first = load_experiments(write(TWO)).hash()
    assert load_experiments(write(TWO.replace("[scenario.a]", "[scenario.c]"))).hash() != first
    assert load_experiments(write(TWO.replace("seed = 5", "seed = 6"))).hash() != first
    titled = load_experiments(write('name = "title"\n' + TWO))
    assert (titled.hash(), titled.name) == (first, "title")
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
    expected = [
        'scenario: "d e" ', 'scenario_seeds: "mine" ', "players: 7 ", "scenario a: games: 0 ", "scenario a: towr: ",
        'scenario b, c: rules.combat: "can" ',
    ]  # fmt: skip
    errors = errors_of(path)
    assert len(errors) == len(expected)
    assert all(any(error.startswith(each) for error in errors) for each in expected)


def test_an_error_of_many_cells_is_named_once(write):
    path = write('[factor]\ntower = ["mid", "no"]\nseed = [1, 2, 3, 4, 5]')
    [error] = errors_of(path)
    assert error.startswith("scenario tower-no+seed-1, tower-no+seed-2, tower-no+seed-3 and 2 more: tower: 'no' is ")


@pytest.mark.parametrize(
    ("text", "options", "names"),
    [
        (TWO, {"games": 0}, ["--games: 0 ", "from 1 to 10000000000"]),
        ("scenario.a = = 3", {}, ["not a TOML file: "]),
        ("[scenarios.a]", {}, ["scenarios", "did you mean scenario?"]),
        ("[factors]\nseed = [1]", {}, ["factors", "did you mean factor?"]),
    ],
)
def test_what_is_wrong_in_options_syntax_and_names_of_tables_is_named(write, text, options, names):
    assert_names(errors_of(write(text), options)[0], *names)


@pytest.mark.parametrize(
    ("names", "said"),
    [([], "at least one"), (["../a"], '"../a"'), (["a", "A"], '"A" is named twice')],
)
def test_names_given_in_python_are_checked_too(names, said):
    with refused("scenario: ", said):
        ScenarioSet({name: Experiment(games=1) for name in names})


def test_letters_digits_and_four_signs_make_a_name():
    assert all(map(is_name, ["a", "2", "court+tower-mid", "A_b.c-d", "x" * MAX_CHARACTERS]))
    # What a folder or a reader of partitions might misread is no name.
    others = ["", ".", "..", ".a", "-a", "a/", "a\n", "ä", "a ", "a b", "a/b", "a=b", "a,b", "x" * (MAX_CHARACTERS + 1)]
    assert not any(map(is_name, others))
    assert repeated(["a", "B", "A", "b", "c"]) == ["A", "b"]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["mid", "rulebook"], ["mid", "rulebook"]),
        ([True, False, -2, 2], ["true", "false", "-2", "2"]),
        ([[], ["court"], ["court", "leaders"], "all"], ["none", "court", "court.leaders", "all"]),
        (["towers/my tower.toml", "other/my tower.toml"], ["my-tower", "my-tower.2"]),
        (["a/b", "A b"], ["a-b", "A-b.2"]),
        (["x" * 40, "y" * 41], ["x" * 40, "y" * 35 + ".2"]),
        (["", "x" * 60], ["none", "x" * 35 + ".2"]),
        ([[{"do": "hand", "thalers": -2, "round": "spring 1"}], []], ["hand-thalers-2-spring-1", "none"]),
    ],
)
def test_values_have_labels_that_are_short_safe_and_distinct(values, expected):
    assert labels(values) == expected
    assert all(is_name(f"x-{label}") for label in labels(values))


BASE = """
games = 40
interventions = [{ do = "hand", thalers = 1 }]
[rules]
bank = 150
combat = "may"
"""


def crossed(text, base=BASE):
    result, errors = scenario_values(tomllib.loads(base + text))
    assert errors == []
    return {each.name: each.values for each in result}


def test_a_scenario_replaces_keys_and_single_switches_and_leaves_the_rest():
    result = crossed('[scenario.base]\n[scenario.other]\ngames = 9\n[scenario.other.rules]\ncombat = "must"')
    assert result["base"] == tomllib.loads(BASE)  # which the other leaves as they are
    assert result["other"]["games"] == 9
    assert result["other"]["rules"] == {"bank": 150, "combat": "must"}
    assert list(result) == ["base", "other"]


def test_interventions_are_added_to_those_of_the_experiment():
    result = crossed('[[scenario.a.interventions]]\ndo = "trade"\n[scenario.b]\ngames = 1')
    assert result["a"]["interventions"] == [{"do": "hand", "thalers": 1}, {"do": "trade"}]
    assert result["b"]["interventions"] == [{"do": "hand", "thalers": 1}]
    assert crossed('[scenario.a]\ninterventions = [{ do = "x" }]', "")["a"]["interventions"] == [{"do": "x"}]


def test_factors_are_crossed_with_each_other():
    result = crossed('[factor]\ntower = ["mid", "rulebook"]\nplayers = [3, 4, 5]')
    assert len(result) == 6
    assert result["tower-rulebook+players-5"]["tower"] == "rulebook"
    assert [values["players"] for values in result.values()] == [3, 4, 5] * 2
    lists = crossed('[factor]\nexpansions = [[], ["court", "leaders"], "all"]')
    assert [values["expansions"] for values in lists.values()] == [[], ["court", "leaders"], "all"]


def test_factors_are_crossed_with_scenarios_and_add_interventions_to_theirs():
    factors = '[factor]\ninterventions = [[], [{do = "b"}]]\nrules.combat = ["may"]'
    result = crossed(f'[scenario.a]\ninterventions = [{{do = "a"}}]\n{factors}')
    assert list(result) == ["a+interventions-none+combat-may", "a+interventions-b+combat-may"]
    result = {name.removesuffix("+combat-may"): each for name, each in result.items()}
    assert [each["do"] for each in result["a+interventions-b"]["interventions"]] == ["hand", "a", "b"]


@pytest.mark.parametrize(
    "text",
    ['rules.combat = ["must", "may"]', '"rules.combat" = ["must", "may"]', '[factor.rules]\ncombat = ["must", "may"]'],
)
def test_a_switch_is_a_factor_however_it_is_written(text):
    result = crossed(f"[factor]\n{text}")
    assert result["combat-must"]["rules"] == {"bank": 150, "combat": "must"}
    assert result["combat-may"]["rules"] == {"bank": 150, "combat": "may"}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[scenario]", ("scenario: ", "[scenario.NAME]")),
        ("[scenario]\na = 3", ("scenario.a: ", "not a table", "[scenario.a]")),
        ('[scenario."a b"]', ('scenario: "a b" ', "1 to 200 letters", "- _ . +")),
        ("[scenario.a]\n[scenario.A]", ("scenario.A: ", "named twice")),
        ("[factor]", ("factor: ", "KEY = [VALUE, VALUE, ...]")),
        ('[factor]\ntower = "mid"', ('factor.tower: "mid" ', "list of values")),
        ("[factor]\nplayers = []", ("factor.players: [] ", "list of values")),
        ("[factor]\nplayers = [3, 4, 3]", ("factor.players: 3 ", "more than once")),
        ("[scenario.a]\nplayers = 3\n[factor]\nplayers = [3, 4]", ("scenario.a.players: ", "also a factor")),
        ('scenario_seeds = "own"\n[scenario.a]\nseed = 3', ("scenario.a.seed: ", 'scenario_seeds = "own"')),
        ('scenario_seeds = "own"\n[factor]\nseed = [3]', ("factor.seed: ", 'scenario_seeds = "own"')),
        ('scenario_seeds = "mine"\n[scenario.a]', ('scenario_seeds: "mine" ', "shared, own")),
        ('scenario_seeds = "own"', ("scenario_seeds: ", "[scenario.NAME]", "[factor]")),
        ("[factor]\n" + "\n".join(f"k{n} = [1, 2]" for n in range(40)), ("factor: ", MAX_SCENARIOS)),
        ('[scenario.a]\n"rules.bank" = 100\nrules.bank = 150', ("scenario.a.rules.bank: ", "written twice")),
        ('[factor]\n"rules.bank" = [100]\nrules.bank = [150]', ("factor.rules.bank: ", "written twice")),
        ("[factor]\nseed = 0x" + "f" * 5000, ("factor.seed: ", "thousands of digits")),
        ("[factor]\n" + "\n".join(f'key_{n} = ["{"a" * 38}", "b"]' for n in range(5)),
         ('factor: makes the name "key_0-aaa', "1 to 200 letters")),
    ],
)  # fmt: skip
def test_errors_of_the_tables_name_place_value_and_what_is_allowed(text, names):
    [error] = scenario_values(tomllib.loads(text))[1]
    assert error.startswith(names[0])
    assert_names(error, *names)
