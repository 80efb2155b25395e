"""Paths are accepted wherever the front door takes a run or an experiment, and others are refused by its own error."""

import shutil
from pathlib import Path

import pytest

import wallsim
from tests.docs.pages import DOCS
from tests.refusals import refused
from wallsim.play.scenarios.file import load_experiments
from wallsim.play.scenarios.play import play_scenarios

SMALL = wallsim.Experiment(players=3, policies="random", games=4, seed=5)
FILE = 'players = 3\npolicies = "random"\ngames = 4\nseed = 5\n'
MORE = "[scenario.a]\n[scenario.b]\nseed = 6\n"  # two scenarios


class Named:
    """A path of another library."""

    def __init__(self, path):
        self.path = str(path)

    def __fspath__(self):
        return self.path


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """A run, a tournament, scenarios, an experiment's file, and one that names Python code."""
    folder = tmp_path_factory.mktemp("paths")
    (folder / "e.toml").write_text(FILE, "utf-8")
    wallsim.play(SMALL, folder / "run")
    wallsim.play(wallsim.Tournament(["random", "heedless"], wallsim.Experiment(players=3), blocks=60), folder / "cup")
    shutil.copy(DOCS / "examples" / "hothead.py", folder / "hothead.py")
    (folder / "code.toml").write_text(FILE.replace('"random"', '["hothead.py", "random", "random"]'), "utf-8")
    (folder / "many.toml").write_text(FILE + MORE, "utf-8")
    return folder


@pytest.mark.parametrize("kind", [str, Path, Named])
def test_a_folder_stands_for_its_run(places, kind):
    run = wallsim.open_run(places / "run")
    folder = kind(places / "run")
    assert str(wallsim.summarise(folder)) == str(wallsim.summarise(run))
    assert wallsim.trace(folder, 3) == wallsim.trace(run, 3) == wallsim.trace(SMALL, 3)
    assert wallsim.compare(folder, run, columns="vp").frame().equals(wallsim.compare(run, run, columns="vp").frame())


def test_a_folder_stands_for_its_tournament(places):
    result = wallsim.summarise(places / "cup")
    assert result.run == wallsim.open_run(str(places / "cup"))
    assert set(result.frame()["policy"]) == {"random", "heedless"}


def test_a_file_stands_for_its_experiment(places, tmp_path):
    file = places / "e.toml"
    run = wallsim.play(str(file), str(tmp_path / "run"))
    assert run.hash == SMALL.hash()
    assert run.scan("seats").collect().equals(wallsim.open_run(places / "run").scan("seats").collect())
    assert wallsim.trace(file, 2) == wallsim.trace(SMALL, 2)
    assert wallsim.Tournament(["random", "heedless"], file).table.players == 3


def test_a_run_can_be_played_again_elsewhere(places, tmp_path):
    again = wallsim.play(places / "run", tmp_path / "again")
    assert again.hash == wallsim.play(wallsim.open_run(places / "run")).hash == SMALL.hash()
    assert again.folder == tmp_path / "again"


def test_code_that_a_file_or_a_run_names_is_run_only_if_it_is_trusted(places):
    for use in (wallsim.play, wallsim.trace):
        with refused("code.toml: policies: ", "Python code", "trust_code=True"):
            use(places / "code.toml")
    # The policies of a table are not used, and so its code is neither asked for nor run.
    (places / "broken.py").write_text("raise SystemExit('it was run')\n", "utf-8")
    (places / "broken.toml").write_text(FILE.replace('"random"', '"broken.py"'), "utf-8")
    assert wallsim.Tournament(["random", "heedless"], places / "broken.toml", blocks=1).table.players == 3


@pytest.mark.slow
def test_code_that_is_trusted_is_run(places, tmp_path):
    """It compiles a policy."""
    run = wallsim.play(places / "code.toml", tmp_path / "run", trust_code=True)
    assert wallsim.summarise(tmp_path / "run").seats[0].policy == "hothead"
    with refused("Python code", "trust_code=True"):
        wallsim.trace(tmp_path / "run")
    assert wallsim.trace(tmp_path / "run", 1, trust_code=True) == wallsim.trace(run, 1, trust_code=True)


WRONG = [
    lambda at: wallsim.summarise(at / "e.toml"),
    lambda at: wallsim.open_run(at / "e.toml"),
    lambda at: wallsim.compare(at / "run", at / "e.toml"),
    lambda at: wallsim.compare(at / "run", at / "cup"),
    lambda at: wallsim.trace(at / "cup"),
    lambda at: wallsim.trace(wallsim.open_run(at / "cup")),
    lambda at: wallsim.play(at / "cup"),
    lambda at: wallsim.play(at / "none"),
    lambda at: wallsim.trace(at / "none.toml"),
    lambda at: wallsim.summarise(at / "none"),
    lambda at: wallsim.trace(at),
    lambda at: wallsim.play(at / "many.toml"),
    lambda at: wallsim.summarise(7),
    lambda at: wallsim.play([SMALL]),
    lambda at: wallsim.trace(None),
    lambda at: wallsim.compare(at / "run", {}),
    lambda at: wallsim.play(SMALL, 7),
    lambda at: wallsim.summarise(""),
    lambda at: wallsim.summarise("gopher://host/run"),
    lambda at: wallsim.play(SMALL, ""),
    lambda at: wallsim.Tournament(["random", "heedless"], 7),
    lambda at: wallsim.Tournament(["random", "heedless"], at / "run"),
]


@pytest.mark.parametrize("use", WRONG)
def test_what_leads_to_no_run_or_experiment_is_refused_in_one_line(places, use):
    with pytest.raises(wallsim.InputError) as refused:
        use(places)
    assert len(str(refused.value).splitlines()) == 1


def test_scenarios_are_refused_with_what_may_be_named(places, tmp_path):
    several = play_scenarios(load_experiments(places / "many.toml"), tmp_path / "many")
    for use in (wallsim.summarise, wallsim.open_run, wallsim.trace, wallsim.play):
        for given in (tmp_path / "many", several):
            with refused("contains scenarios", "allowed is"):
                use(given)
    assert wallsim.summarise(tmp_path / "many" / "scenario=a").games == 4
