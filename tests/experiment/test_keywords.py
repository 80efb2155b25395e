"""Experiments and tournaments made by keywords: all errors are reported together, by the names of the keywords."""

import ast
import inspect
import re

from tests.refusals import refused
from wallsim.experiment import experiment
from wallsim.experiment.experiment import Experiment
from wallsim.play.tournament.tournament import Tournament
from wallsim.policies.catalogue import load_policy


def test_every_error_of_an_experiment_is_a_line_that_begins_with_its_key():
    with refused("3, 4, 5") as caught:
        Experiment(players=7, games=0, rules={"combats": "may"}, polices="random")
    assert {error.split(":")[0] for error in caught.value.errors} == {"players", "games", "rules.combats", "polices"}


def test_the_signature_for_type_checkers_and_the_documentation_have_every_field():
    tree = ast.parse(inspect.getsource(experiment))
    [signature] = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "__init__"]
    assert [argument.arg for argument in signature.args.kwonlyargs] == list(Experiment.model_fields)
    defaults = [eval(ast.unparse(node), vars(experiment)) for node in signature.args.kw_defaults]
    plain = Experiment()
    for key, value in zip(Experiment.model_fields, defaults, strict=True):
        assert value is ... or Experiment(**{key: value}) == plain, key
    text = inspect.getdoc(Experiment)
    parameters = text[text.index("Parameters\n") : text.index("Raises\n")]
    named = [name for line in re.findall(r"^(\w+(?:, \w+)*)$", parameters, re.M) for name in line.split(", ")]
    assert [name for name in named if name != "Parameters"] == list(Experiment.model_fields)


def test_a_tournament_has_its_policies_in_the_order_of_their_names():
    tournament = Tournament(["random", "builder"], blocks=3)
    assert [policy.name for policy in tournament.policies] == ["builder", "random"]
    assert tournament == Tournament((load_policy("builder"), load_policy("random")), Experiment(), 3)
