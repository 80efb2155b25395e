"""Code in strangers' files: what a file names is run only with --trust-code, and nothing of it before.

Every policy here leaves a mark beside itself when it is run. Python files are cached in memory by their path, so each
test has a folder of its own.
"""

import shutil
from pathlib import Path

import pytest

from tests.cli.commands import document, done, refusal
from tests.naive.rng import JIT
from tests.refusals import assert_names, refused
from wallsim.api.trace import trace
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.folder.results import Run, run_experiment
from wallsim.folder.verification import open_results
from wallsim.play.flags import experiment_of
from wallsim.play.play import play_run
from wallsim.play.scenarios.file import load_experiments
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament
from wallsim.policies.custom import python_file

MARKING = """
import pathlib

from wallsim.jit import lowest_bit

pathlib.Path(__file__).with_suffix(".ran").touch()


def place(game, rules, mind, seat, free):
    return lowest_bit(free)
"""
SEARCH = 'base = "rollout"\n[search]\ncandidates = ["{}"]\n'
plays = pytest.mark.skipif(not JIT, reason="answers are machine code")


@pytest.fixture
def mine(here):
    """The path of a policy that leaves a mark."""
    path = here / "mine.py"
    path.write_text(MARKING, "utf-8")
    return path


def marks(folder):
    """The marks of all policies that were run."""
    return sorted(path.name for path in folder.rglob("*.ran"))


def strange(text, name="strange/x.toml"):
    """A file of somebody else, in a folder beside the policy."""
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(text, "utf-8")
    return name


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A folder with a run and a tournament of a policy that leaves a mark; its marks are gone."""
    place = tmp_path_factory.mktemp("trust")
    (place / "mine.py").write_text(MARKING, "utf-8")
    own = str(place / "mine.py")
    play_run(Experiment(players=3, policies=(own, "random", "random"), games=2), place / "run")
    play_tournament(Tournament([own, "random"], Experiment(players=3), blocks=40), place / "ladder")
    for mark in place.rglob("*.ran"):
        mark.unlink()
    return place


@pytest.fixture
def copied(played, here):
    """A copy of that folder under paths that no policy was read from yet."""
    return shutil.copytree(played, here / "copied")


# -------------------------------------------------------------------------------------------------- refused

FORMS = (
    'policies = "../mine.py"',
    'policies = ["random", "../mine.py", "random", "random"]',
    'policies = ["random", ["../mine.py"], 3]',
    'policies = "ABSOLUTE"',
    'policies = "../mine.py//."',
    'policies = "link.py"',
    'policies = "text.py"',
    'policies = "nowhere.py"',
    'policies = "../mine.py"\nplayers = 9\ngames = "many"\nnonsense = 1',
    'policies = "../mine.py"\n[scenario.one]\n[scenario.two]\npolicies = "random"',
    '[factor]\npolicies = [["random", "random", "random", "../mine.py"], ["random", "random", "random", "casual"]]',
    'scenario_seeds = "own"\n[scenario.one]\npolicies = "../mine.py"\n[factor]\ntower = ["mid", "no tower"]',
)
COMMANDS = (
    ("run", "--dry-run"),
    ("run", "--games", "2", "--seed", "3", "--out", "out"),
    ("trace",),
)


@pytest.mark.parametrize("text", FORMS)
def test_code_that_a_file_names_is_refused_before_any_of_it_is_run(here, mine, text):
    (here / "strange").mkdir()
    (here / "strange" / "link.py").symlink_to(mine)
    shutil.copy(mine, here / "code.txt")
    (here / "strange" / "text.py").symlink_to(here / "code.txt")
    file = strange(text.replace("ABSOLUTE", str(mine)))
    for command, *options in COMMANDS:
        if command == "trace" and ("[scenario" in text or "[factor" in text):
            continue  # traces take no scenarios
        said = refusal(command, file, *options)
        assert_names(said, ".py ", "--trust-code")
        assert said.startswith("strange/x.toml: ")
        assert marks(here) == []
    assert sorted(path.name for path in here.iterdir()) == ["code.txt", "mine.py", "strange"], "nothing is written"
    with refused("trust_code=True"):
        load_experiments(file)
    assert marks(here) == []


def test_the_refusal_names_the_scenario_and_the_file_to_read(mine):
    file = strange('[scenario.one]\n[scenario.two]\npolicies = ["random", "random", "../mine.py", "random"]\n')
    said = refusal("run", file)
    assert said.startswith("strange/x.toml: scenario two: policies: strange/../mine.py ")
    assert said.count("\n") == 1


@pytest.mark.parametrize("name", ["code.PY", "./code.PY", "code.toml", "./code", ".py", "./.py"])
def test_code_under_another_name_is_never_run(here, mine, name):
    (here / Path(name).name).symlink_to(mine)
    file = strange(f'policies = "{name}"', "x.toml")
    for words in (("run", file), ("run", file, "--trust-code"), ("run", "--policies", name)):
        refusal(*words)
        assert marks(here) == []


@pytest.mark.parametrize(
    "line",
    [
        "run --policies x.toml", "run x.experiment.toml --trust-code", "tournament x.toml,random",
        "policy show random --against x.toml", "tune balanced --pool x.toml --out out",
        "exploit balanced --start x.toml --out out", "learn --policies x.toml --out out",
        "tower simulate --protocol game --policies x.toml", "bench --policies x.toml",
        "trace --policies x.toml", "policy compare x.toml,random", "tune x.toml --out out",
        "teach x.toml --value season-ends --out out", "tower show --policy x.toml",
    ],
)  # fmt: skip
def test_code_that_a_file_of_weights_names_is_never_run(here, mine, line):
    Path("x.experiment.toml").write_text('policies = "x.toml"', "utf-8")
    for text in ('base = "mine.py"\n', SEARCH.format("mine.py"), SEARCH.format("./mine.py/")):
        Path("x.toml").write_text(text, "utf-8")
        said = refusal(*line.split())
        assert "mine.py" in said
        assert marks(here) == []
    assert_names(said, "'./mine.py/'", "Python code", "weights")
    assert not Path("out").exists()


def test_files_of_weights_that_name_each_other_end(here):
    Path("x.toml").write_text(SEARCH.format('", "'.join(["x.toml"] * 7)))
    said = refusal("run", "--policies", "x.toml")
    assert_names(said, "x.toml: search.candidates", "more than 2 deep")
    assert said.count("\n") == 1


@pytest.mark.slow
@plays
def test_code_in_a_run_folder_is_refused(copied):
    said = refusal("trace", "copied/run")
    assert_names(said, "experiment.toml: policies: copied/run/policies/mine.py")
    assert refusal("run", "copied/run") == refusal("run", "copied/run/experiment.toml") == said
    for read in (run_experiment, lambda folder: trace(Run.open(folder))):
        with refused("--trust-code"):
            read(copied / "run")
    (copied / "run" / "manifest.json").unlink()  # an unfinished one
    assert refusal("run", "copied/run") == said
    assert marks(copied) == []


@plays
@pytest.mark.parametrize("change", [Path.unlink, lambda path: path.write_text("def place(): ...\n", "utf-8")])
def test_what_is_repaired_is_read_before_it_is_trusted(copied, change):
    change(copied / "run" / "policies" / "mine.py")
    (copied / "run" / "seats" / "part-000000.parquet").unlink()
    assert_names(refusal("repair", "copied/run", "--trust-code"), "copied/run: policies/mine.py:", "repeat")
    assert marks(copied) == []
    assert (copied / "run" / "policies" / "mine.py").read_text("utf-8") == MARKING
    done("repair", "copied/run", "--trust-code")
    assert marks(copied) == ["mine.ran"]


# ------------------------------------------------------------------------------------ trusted, and not needed


def with_other_policies(mine):
    """Read the file of another policy, which is replaced."""
    shutil.copy(mine, "other.py")
    load_experiment(strange('policies = "../other.py"'), {"policies": "mine.py"})


@pytest.mark.parametrize(
    "name_it",
    [
        lambda mine: experiment_of(None, {"policies": "mine.py"}),
        lambda mine: Experiment(policies="mine.py"),
        with_other_policies,
        lambda mine: load_experiment(strange('policies = "../mine.py"'), trust_code=True),
    ],
    ids=["option", "Python", "in place of another", "trusted"],
)
def test_who_names_a_policy_or_trusts_its_file_has_consented(here, mine, name_it):
    name_it(mine)
    assert marks(here) == ["mine.ran"]


@plays
def test_trusted_code_is_run(here, mine):
    file = strange('players = 3\ngames = 2\npolicies = ["../mine.py", "random", "random"]')
    done("run", file, "--trust-code", "--out", "out")
    assert marks(here) == ["mine.ran"]
    done("trace", "out", "--text", "--trust-code")
    assert marks(here) == ["mine.ran", "mine.ran"], "the copy in the run folder was run as well"
    assert trace(Run.open("out"), 1, trust_code=True)[-1]["t"] == "end"


@plays
def test_trusted_scenarios_are_run(here, mine):
    file = strange('players = 3\ngames = 2\npolicies = "random"\n[factor]\npolicies = ["random", "../mine.py"]')
    assert "--trust-code" in refusal("run", file, "--out", "out")
    done("run", file, "--trust-code", "--out", "out")
    assert marks(here) == ["mine.ran"]


@plays
def test_results_are_read_without_their_code(copied, monkeypatch):
    monkeypatch.chdir(copied)
    monkeypatch.setattr(python_file, "read_code", None)
    for line in (
        "summary run", "summary run --json", "summary run --plot picture.svg", "verify run", "codebook run",
        "compare run run", "tournament ladder", "verify ladder", "codebook ladder",
    ):  # fmt: skip
        done(*line.split())
    types = {column["column"]: column["type"] for column in document("codebook", "run")["tables"]["seats"]}
    assert types["policy"] == "Enum: mine, random"
    assert set(Run.open("run").scan("seats").collect()["policy"]) == {"mine", "random"}
    assert set(open_results("ladder").scan("results").collect()["policy"]) == {"mine", "random"}
    assert marks(copied) == []
