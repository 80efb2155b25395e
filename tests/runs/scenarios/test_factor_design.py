"""A scenario changes keys of the experiment above it, factors are crossed, and interventions are added."""

import tomllib

import pytest

from wallsim.runs.scenarios.file import MAX_SCENARIOS, scenario_values

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


def errors_of(text):
    return scenario_values(tomllib.loads(text))[1]


def test_a_scenario_replaces_keys_and_single_switches_and_leaves_the_rest():
    result = crossed('[scenario.base]\n[scenario.other]\ngames = 9\n[scenario.other.rules]\ncombat = "must"')
    assert result["base"] == tomllib.loads(BASE)
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


def test_factors_are_crossed_with_scenarios_and_add_interventions_to_theirs():
    result = crossed('[scenario.a]\ninterventions = [{do = "a"}]\n[factor]\ninterventions = [[], [{do = "b"}]]')
    assert list(result) == ["a+interventions-none", "a+interventions-b"]
    assert [each["do"] for each in result["a+interventions-b"]["interventions"]] == ["hand", "a", "b"]


@pytest.mark.parametrize(
    "text",
    ['rules.combat = ["must", "may"]', '"rules.combat" = ["must", "may"]', '[factor.rules]\ncombat = ["must", "may"]'],
)
def test_a_switch_is_a_factor_however_it_is_written(text):
    result = crossed(f"[factor]\n{text}")
    assert result["combat-must"]["rules"] == {"bank": 150, "combat": "must"}
    assert result["combat-may"]["rules"] == {"bank": 150, "combat": "may"}


def test_a_value_may_be_a_list():
    result = crossed('[factor]\nexpansions = [[], ["court", "leaders"], "all"]')
    assert [values["expansions"] for values in result.values()] == [[], ["court", "leaders"], "all"]


def test_the_values_of_the_file_stay_as_they_are():
    values = tomllib.loads(BASE + '[scenario.a]\nrules.combat = "must"\ninterventions = [{do = "x"}]')
    scenario_values(values)
    assert values["rules"]["combat"] == "may"
    assert len(values["interventions"]) == 1


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("scenario = 3", "scenario: names no scenario; write a table [scenario.NAME] for each"),
        ("[scenario]", "scenario: names no scenario; write a table [scenario.NAME] for each"),
        ("[scenario]\na = 3", "scenario.a: is not a table; write [scenario.a] and the changed keys below it"),
        ('[scenario."a b"]', 'scenario: "a b" is not a name; allowed are 1 to 200 letters, digits or - _ . +, '
         "beginning with a letter or a digit"),
        ("[scenario.a]\n[scenario.A]",
         "scenario.A: is named twice; names must differ by more than upper and lower case"),
        ("[factor]", "factor: names no key; write KEY = [VALUE, VALUE, ...] below [factor]"),
        ('[factor]\ntower = "mid"', 'factor.tower: "mid" is not a list of values'),
        ("[factor]\nplayers = []", "factor.players: [] is not a list of values"),
        ("[factor]\nplayers = [3, 4, 3]", "factor.players: 3 is listed more than once; allowed is each value once"),
        ("[scenario.a]\nplayers = 3\n[factor]\nplayers = [3, 4]",
         "scenario.a.players: is also a factor; allowed is only one of them"),
        ('scenario_seeds = "own"\n[scenario.a]\nseed = 3',
         'scenario.a.seed: cannot be combined with scenario_seeds = "own"'),
        ('scenario_seeds = "own"\n[factor]\nseed = [3]', 'factor.seed: cannot be combined with scenario_seeds = "own"'),
        ('scenario_seeds = "mine"\n[scenario.a]', 'scenario_seeds: "mine" is not one of shared, own'),
        ('scenario_seeds = "own"',
         "scenario_seeds: there are no scenarios; name some as [scenario.NAME], or write a [factor]"),
        ("[factor]\n" + "\n".join(f"k{n} = [1, 2]" for n in range(40)),
         f"factor: makes more scenarios than {MAX_SCENARIOS}, which are allowed at most"),
        ('[scenario.a]\n"rules.bank" = 100\nrules.bank = 150',
         "scenario.a.rules.bank: is written twice; allowed is one value"),
        ('[factor]\n"rules.bank" = [100]\nrules.bank = [150]',
         "factor.rules.bank: is written twice; allowed is one value"),
        ("[factor]\nseed = 0x" + "f" * 5000, "factor.seed: a number of thousands of digits is not a list of values"),
    ],
)  # fmt: skip
def test_errors_of_the_tables_name_place_value_and_what_is_allowed(text, error):
    assert errors_of(text) == [error]


def test_a_cell_with_too_long_a_name_is_refused():
    long = ", ".join(f'"{letter * 38}"' for letter in "ab")
    [error] = errors_of("[factor]\n" + "\n".join(f"key_{n} = [{long}]" for n in range(5)))
    assert error.startswith('factor: makes the name "key_0-aaa')
    assert "; allowed are 1 to 200 letters" in error
