"""New weights, switches, amounts and keys of a search at their defaults change no hash; with another value they do."""

import json
import shutil
import subprocess
import sys

import pytest

from tests.test_architecture import ROOT
from wallsim.errors import refuse_twice
from wallsim.experiment.components import HASHED_FIELDS
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.identity import identity_hash
from wallsim.policies.catalogue import load_policy, policy_names
from wallsim.policies.policy import HASHED_WEIGHTS
from wallsim.policies.search import HASHED_SEARCH, Search
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.ruleset import FIELD_NAMES

MIXED = ("balanced", "strong-4p", "random", "rollout")
PROGRAM = """
import json, sys
from wallsim.policies.catalogue import load_policy, policy_names
from wallsim.experiment.identity import identity_hash
from wallsim.experiment.experiment import Experiment
from wallsim.play.tournament.tournament import Tournament

plans = [{}, {"players": 3, "setup": "draft"}, {"edition": "1e"}, {"expansions": "all", "policies": "rollout"}]
found = {str(plan): Experiment(**plan).hash() for plan in plans}
found |= {name: identity_hash(load_policy(name).identity()) for name in policy_names()}
found["tournament"] = identity_hash(Tournament(["balanced", "random", "builder"], Experiment(), 4).identity())
found["other"] = [Experiment(**json.loads(text)).hash() for text in sys.argv[1:]]
print(json.dumps(found))
"""
REBUILD = """
import sys
from types import SimpleNamespace
from wallsim.experiment.experiment import Experiment
from wallsim.folder.file_stores import file_store
from wallsim.play.replay.source import rebuilt_tournament
from wallsim.play.tournament.tournament import Tournament

for rules in ({}, {"moonlight": "yes"}):
    whole = Tournament(["balanced", "random", "rollout"], Experiment(rules=rules), 4)
    found = rebuilt_tournament(file_store(sys.argv[1]), SimpleNamespace(identity=whole.identity(), papers={}))
    assert found.identity() == whole.identity()
    assert found.table.ruleset().moonlight == whole.table.ruleset().moonlight
"""
WEIGHT = '_weight("leisure", "share", 0.0, 1.0, 0.25, "worth of waiting")\n\n\nWEIGHTS = '
AMOUNT = '    _single("dawn_points", "B7.4", 1, 0, 9, "VP of dawn"),\n    _single("landsknechte_regions"'
SWITCH = '    moonlight: Literal["no", "yes"] = "no"\n    thalers: tuple'


def hashes(root, *others):
    """The hashes that the package in a folder gives, without what is installed."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(json.dumps, others)],
        cwd=root, capture_output=True, text=True, check=False, env={"PYTHONPATH": str(root), "PATH": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def changed(tmp_path_factory):
    """A copy of the package with one more weight, switch, amount and key of a search, all neutral."""
    root = tmp_path_factory.mktemp("copy")
    for folder in ("wallsim", "data"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path, old, new in (
        ("policies/weights.py", "WEIGHTS = ", WEIGHT),
        ("rules/ruleset.py", "    thalers: tuple", SWITCH),
        ("rules/amounts.py", '    _single("landsknechte_regions"', AMOUNT),
        ("policies/search.py", '    value: str = ""\n', '    value: str = ""\n    naps: int = 3\n'),
        ("policies/search.py", '    ("margin", 0', '    ("naps", 0, 9, False),\n    ("margin", 0'),
    ):
        text = (root / "wallsim" / path).read_text("utf-8")
        assert text.count(old) == 1
        (root / "wallsim" / path).write_text(text.replace(old, new), "utf-8")
    for name, naps in (("brief", ""), ("named", "naps = 3"), ("sleepy", "naps = 4")):
        text = f'kind = "rollout"\ndescription = "naps"\n[search]\nplayouts = 16\ntables = 4\n{naps}\n'
        (root / name).mkdir()
        (root / name / "napper.toml").write_text(text, "utf-8")
    (root / "mine.toml").write_text('description = "waits"\nbase = "balanced"\n[weights]\nleisure = 0.5\n', "utf-8")
    return root


def test_a_new_weight_and_a_new_switch_at_their_defaults_change_no_hash(changed):
    here, there = hashes(ROOT), hashes(changed)
    assert here == there
    assert here["{}"] == Experiment().hash()
    assert len(here) > 30


def test_with_another_value_they_do(changed):
    others = [{"rules": {"moonlight": "yes"}}, {"amounts": {"dawn_points": 2}}, {"policies": "mine.toml"}]
    assert len(set(hashes(changed, {}, *others)["other"])) == 4


def test_new_keys_given_their_defaults_change_no_hash(changed):
    plans = [{}, {"rules": {"moonlight": "no"}}, {"amounts": {"dawn_points": 1}}]
    assert len(set(hashes(changed, *plans)["other"])) == 1


def test_a_new_key_of_a_search_counts_where_it_differs(changed):
    plans = [{"policies": f"{name}/napper.toml"} for name in ("brief", "named", "sleepy")]
    brief, named, sleepy = hashes(changed, *plans)["other"]
    assert brief == named != sleepy


def test_a_tournament_is_rebuilt_whether_a_new_switch_has_its_default_or_not(changed, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", REBUILD, str(tmp_path)],
        cwd=changed, capture_output=True, text=True, check=False, env={"PYTHONPATH": str(changed), "PATH": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


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
        ({}, "c36073bd0411ffb6"),
        ({"players": 3, "setup": "draft"}, "29ce0d059a66e485"),
        ({"edition": "1e"}, "69314cef39994302"),
        ({"expansions": "all"}, "6b8ecec988fe12bc"),
        (
            {"policies": ["balanced", "strong-4p", "random", "rollout"], "rules": {"combat": "may", "bank": 160}},
            "44abd3a96b4a9ad5",
        ),
    ],
)
def test_hashes_of_today_stay(plan, expected):
    """Folders of results are named by these: a change here makes every folder that of another run."""
    assert Experiment(**plan).hash()[:16] == expected


def test_the_hash_of_a_shipped_policy_stays():
    assert identity_hash(load_policy("balanced").identity())[:16] == "5f24f78a803ec977"


def test_a_registry_refuses_a_name_twice():
    refuse_twice("weights", ["a", "b"])
    with pytest.raises(ValueError, match="weights: 'a' is declared twice"):
        refuse_twice("weights", ["a", "b", "a"])


@pytest.mark.parametrize(
    ("path", "old", "new", "words"),
    [
        ("policies/weights.py", "WEIGHTS = ", '_weight("deny", "", 0, 1, 0, "")\nWEIGHTS = ', "weights: 'deny'"),
        ("state/tally.py", "TALLY = ", '_count("skipped", "", "")\nTALLY = ', "counts: 'skipped'"),
        (
            "policies/questions.py",
            "QUESTIONS = tuple(_declared)",
            "QUESTIONS = (*_declared, _declared[0])",
            "questions: ",
        ),
        (
            "engine/log_lines.py",
            "LINE_KINDS = tuple(_declared)",
            "LINE_KINDS = (*_declared, _declared[0])",
            "log lines: ",
        ),
    ],
)
def test_a_second_declaration_ends_the_import(tmp_path, path, old, new, words):
    shutil.copytree(ROOT / "wallsim", tmp_path / "wallsim", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "data", tmp_path / "data")
    file = tmp_path / "wallsim" / path
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")
    module = "wallsim." + path.removesuffix(".py").replace("/", ".")
    done = subprocess.run(
        [sys.executable, "-c", f"import {module}"],
        cwd=tmp_path, capture_output=True, text=True, check=False, env={"PYTHONPATH": str(tmp_path), "PATH": ""},
    )  # fmt: skip
    assert words in done.stderr


def test_a_changed_experiment_is_validated_as_a_new_one():
    from wallsim.errors import InputError

    plain = Experiment(games=24, seed=3)
    assert plain.changed(games=48) == Experiment(games=48, seed=3)
    assert plain.changed() == plain
    for keys, words in (({"players": 7}, "players: 7"), ({"rules": {"combat": "maybe"}}, "combat"), ({"no": 1}, "no")):
        with pytest.raises(InputError, match=words):
            plain.changed(**keys)
