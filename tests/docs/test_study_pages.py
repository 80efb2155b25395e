"""The figures of the studies' pages are of these experiments, policies and this engine.

After a change of policy, rules, board or ENGINE_VERSION they must be regenerated, by the command on each page.
"""

import re
from importlib import import_module

import pytest

from tests.docs.pages import DOCS, README, STUDIES
from wallsim.engine.version import ENGINE_VERSION
from wallsim.report.tables.marked import marks
from wallsim.runs.experiment_file import load_experiment

BYTES = {
    "amounts": 60_000,
    "casual": 60_000,
    "draft": 150_000,
    "editions": 60_000,
    "events": 100_000,
    "expansions": 60_000,
    "first_look": 60_000,
    "ladder": 60_000,
    "lineups": 60_000,
    "price": 60_000,
    "robustness": 110_000,
    "skill": 60_000,
    "tiles": 60_000,
    "tower": 60_000,
    "zoo": 140_000,
}  # at most


def page_of(study):
    """The page of a study."""
    return DOCS / "studies" / f"{study}.md"


def block(path, module, mark):
    """The block between a study's marks of a name in a page, which must be of its published experiment."""
    [found] = marks(mark).finditer(path.read_text("utf-8"))
    opening, text = found[0].split("\n", 1)
    digest = module.digest()[:12]
    assert opening == f"<!-- {mark} of experiment {digest}: written by {module.STUDY.script}, do not edit -->"
    return text


def beginning(module):
    """How the figures of a study must begin, by its experiment and policies as they are now."""
    experiment = load_experiment(module.EXPERIMENT)
    games = f"{experiment.games:,}"
    table = f"{experiment.players} players, policy {experiment.policies[0]}, tower {experiment.tower}"
    of_each = f"{games} games of each of "
    return {
        "amounts": lambda: f"{of_each}102 scenarios in the baseline cell: ",
        "casual": lambda: f"{len(module.POLICIES)} policies, {games} games each: ",
        "draft": lambda: f"{games} games with counties dealt at random in each of 15 cells of play and tower, ",
        "editions": lambda: f"{of_each}20 scenarios in the baseline cell: ",
        "events": lambda: f"{of_each}60 scenarios in the baseline cell: ",
        "expansions": lambda: f"{of_each}8 scenarios in the baseline cell: ",
        "first_look": lambda: f"{games} games, {table}, seed {experiment.seed}, engine version {ENGINE_VERSION}; ",
        "ladder": lambda: f"{len(module.POLICIES)} policies, {module.BLOCKS} blocks of ",
        "lineups": lambda: "4 players: 15 cells of ",
        "price": lambda: f"{of_each}25 scenarios in the baseline cell: ",
        "robustness": lambda: "55 claims in up to 108 cells: ",
        "skill": lambda: "6 tournaments, ",
        "tiles": lambda: f"{of_each}17 scenarios in the baseline cell: ",
        "tower": lambda: f"{games} blocks under each of 9 towers, with line-ups and in the draft, ",
        "zoo": lambda: f"{len(module.quick_policies())} policies, {games} blocks each, ",
    }[module.__name__.removeprefix("analyses.")]()


@pytest.mark.parametrize("study", STUDIES)
def test_a_study_shows_its_picture_which_is_small(study):
    assert f"]({study}.png)" in page_of(study).read_text("utf-8")
    assert page_of(study).with_suffix(".png").stat().st_size < BYTES[study]


@pytest.mark.parametrize("study", STUDIES)
def test_figures_are_of_this_experiment_and_engine(study):
    module = import_module(f"analyses.{study}")
    text = block(page_of(study), module, module.STUDY.marks[0])
    assert text.startswith(beginning(module))
    assert f"engine version {ENGINE_VERSION}" in text.splitlines()[0]


def test_the_headline_of_the_readme_is_of_this_experiment_and_agrees_with_the_page():
    module = import_module("analyses.first_look")
    short, long = block(README, module, "headline"), block(page_of("first_look"), module, "figures")
    shares = r"(?m)^(\| [A-D] \| [\d.]+ \| [\d.]+ to [\d.]+ \|)"
    assert len(re.findall(shares, short)) == 4
    assert re.findall(shares, short) == re.findall(shares, long)
    assert f"engine version {ENGINE_VERSION}" in short
