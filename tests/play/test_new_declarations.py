"""New weights, switches, amounts and keys of a search at their defaults change no hash; with another value they do."""

import pytest

from tests.changed_package import answer, copied, in_process, insert
from tests.refusals import refused
from tests.test_architecture import ROOT
from wallsim.experiment.components import HASHED_FIELDS
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.identity import identity_hash
from wallsim.policies.catalogue import load_policy, policy_names
from wallsim.policies.policy import HASHED_WEIGHTS
from wallsim.policies.search import HASHED_SEARCH, Search
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.ruleset import FIELD_NAMES

PROGRAM = """
import json, sys
from types import SimpleNamespace
from wallsim.policies.catalogue import load_policy, policy_names
from wallsim.experiment.identity import identity_hash
from wallsim.experiment.experiment import Experiment
from wallsim.folder.file_stores import file_store
from wallsim.play.replay.source import rebuilt_tournament
from wallsim.play.tournament.tournament import Tournament

others, rulesets = map(json.loads, sys.argv[1:])
plans = [{}, {"players": 3, "setup": "draft"}, {"edition": "1e"}, {"expansions": "all", "policies": "rollout"}]
found = {str(plan): Experiment(**plan).hash() for plan in plans}
found |= {name: identity_hash(load_policy(name).identity()) for name in policy_names()}
for rules in rulesets:
    cup = Tournament(["balanced", "random", "rollout"], Experiment(rules=rules), 4)
    again = rebuilt_tournament(file_store("."), SimpleNamespace(identity=cup.identity(), papers={}))
    assert again.identity() == cup.identity()
    assert getattr(again.table.ruleset(), "moonlight", None) == getattr(cup.table.ruleset(), "moonlight", None)
    found[f"tournament {rules}"] = identity_hash(cup.identity())
print(json.dumps([found, {name: Experiment(**plan).hash() for name, plan in others.items()}]))
"""
OTHERS = {
    "plain": {},
    "default switch": {"rules": {"moonlight": "no"}},
    "default amount": {"amounts": {"dawn_points": 1}},
    "switch": {"rules": {"moonlight": "yes"}},
    "amount": {"amounts": {"dawn_points": 2}},
    "weight": {"policies": "mine.toml"},
    "search": {"policies": "brief/napper.toml"},
    "default key": {"policies": "named/napper.toml"},
    "key": {"policies": "sleepy/napper.toml"},
}


WEIGHT = '_weight("leisure", "share", 0.0, 1.0, 0.25, "worth of waiting")\n\n\n'
AMOUNT = '    _single("dawn_points", "B7.4", 1, 0, 9, "VP of dawn"),\n'
SWITCH = '    moonlight: Literal["no", "yes"] = "no"\n'


@pytest.fixture(scope="module")
def changed(tmp_path_factory):
    """A copy of the package with one more weight, switch, amount and key of a search, all neutral."""
    root = copied(tmp_path_factory.mktemp("copy"))
    insert(root, "wallsim/policies/weights.py", WEIGHT, "WEIGHTS = ")
    insert(root, "wallsim/rules/ruleset.py", SWITCH, "    thalers: tuple")
    insert(root, "wallsim/rules/amounts.py", AMOUNT, '    _single("landsknechte_regions"')
    insert(root, "wallsim/policies/search.py", "    naps: int = 3\n", "    first_look: int")
    insert(root, "wallsim/policies/search.py", '    ("naps", 0, 9, False),\n', '    ("margin", 0')
    for name, naps in (("brief", ""), ("named", "naps = 3"), ("sleepy", "naps = 4")):
        text = f'kind = "rollout"\ndescription = "naps"\n[search]\nplayouts = 16\ntables = 4\n{naps}\n'
        (root / name).mkdir()
        (root / name / "napper.toml").write_text(text, "utf-8")
    (root / "mine.toml").write_text('description = "waits"\nbase = "balanced"\n[weights]\nleisure = 0.5\n', "utf-8")
    return root


def test_new_declarations_at_their_defaults_change_no_hash_and_with_other_values_they_do(changed):
    here, _ = answer(ROOT, PROGRAM, {}, [{}])
    there, other = answer(changed, PROGRAM, OTHERS, [{}, {"moonlight": "yes"}])
    moonlit = there.pop("tournament {'moonlight': 'yes'}")
    assert here == there
    assert moonlit != here["tournament {}"]
    assert here["{}"] == Experiment().hash()
    assert len(here) > 30
    assert other["plain"] == other["default switch"] == other["default amount"]
    assert other["search"] == other["default key"]
    assert len(set(other.values())) == len(OTHERS) - 3


def test_all_weights_and_switches_of_today_are_named_in_every_identity():
    assert {weight.name for weight in WEIGHTS} >= HASHED_WEIGHTS
    assert set(FIELD_NAMES) >= HASHED_FIELDS
    assert set(Search().fields()) >= HASHED_SEARCH
    for policy in map(load_policy, policy_names()):
        assert policy.kind == "random" or set(policy.identity()["weights"]) >= HASHED_WEIGHTS
        assert policy.search is None or set(policy.identity()["search"]) >= HASHED_SEARCH


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        ({}, "0b57c176d59040fc"),
        ({"players": 3, "setup": "draft"}, "fd0bd0e1b2f2f0a2"),
        ({"edition": "1e"}, "dbd8e634ba6d9e02"),
        ({"expansions": "all"}, "b8d81ccc9ced0220"),
        ({"policies": ["balanced", "strong-4p", "random", "rollout"], "rules": {"combat": "may", "bank": 160}},
         "68fdd091fe75be99"),
    ],
)  # fmt: skip
def test_hashes_of_today_stay(plan, expected):
    """Folders of results are named by these: a change here makes every folder that of another run."""
    assert Experiment(**plan).hash()[:16] == expected


def test_the_hash_of_a_shipped_policy_stays():
    assert identity_hash(load_policy("balanced").identity())[:16] == "5f24f78a803ec977"


REGISTRIES = [
    ("policies/weights.py", "WEIGHTS = ", '_weight("deny", "", 0, 1, 0, "")\nWEIGHTS = ', "weights: 'deny'"),
    ("state/tally.py", "TALLY = ", '_count("skipped", "", "")\nTALLY = ', "counts: 'skipped'"),
    ("policies/questions.py", "= tuple(_declared)", "= (*_declared, _declared[0])", "questions: "),
    ("engine/log_lines.py", "LINE_KINDS = tuple(_declared)", "LINE_KINDS = (*_declared, _declared[0])", "log lines: "),
]


@pytest.mark.parametrize(("path", "old", "new", "words"), REGISTRIES)
def test_a_second_declaration_ends_the_import(tmp_path, path, old, new, words):
    file = copied(tmp_path) / "wallsim" / path
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")
    module = "wallsim." + path.removesuffix(".py").replace("/", ".")
    assert words in in_process(tmp_path, "-c", f"import {module}").stderr


def test_a_changed_experiment_is_validated_as_a_new_one():
    plain = Experiment(games=24, seed=3)
    assert plain.changed(games=48) == Experiment(games=48, seed=3)
    assert plain.changed() == plain
    wrong = {"players": 7}, {"rules": {"combat": "maybe"}}, {"no": 1}
    for keys, name in zip(wrong, ("players: 7 ", "rules.combat: ", "no: "), strict=True):
        with refused(name):
            plain.changed(**keys)
