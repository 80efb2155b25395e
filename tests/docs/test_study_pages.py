"""The figures of the studies' pages are of these experiments, policies and this engine.

After a change of policy, rules, board or ENGINE_VERSION they must be regenerated, by the command on each page.
"""

import re
import runpy

import pytest

from tests.docs.pages import DOCS, ROOT
from wallsim.engine.version import ENGINE_VERSION
from wallsim.runs.experiment_file import load_experiment

PICTURES = {"first_look": 60_000, "ladder": 60_000, "skill": 60_000, "tower": 60_000, "zoo": 120_000}  # bytes at most


def figures(study):
    """Digest and text of the figures between the marks of a study's page."""
    page = (DOCS / "studies" / f"{study}.md").read_text("utf-8")
    form = r"^<!-- ((?:\w+ )?figures) of experiment (\w+):[^\n]*-->\n(.*?)^<!-- /\1 -->"
    [(_, digest, text)] = re.findall(form, page, re.MULTILINE | re.DOTALL)
    return digest, text


def defined_by(study):
    """What a study's module defines."""
    return runpy.run_path(str(ROOT / "analyses" / f"{study}.py"), run_name=study)


def experiment_of(study):
    """The experiment beside a study's module."""
    return load_experiment(ROOT / "analyses" / f"{study}.toml")


@pytest.mark.parametrize("study", PICTURES)
def test_a_study_shows_its_picture_which_is_small(study):
    assert f"]({study}.png)" in (DOCS / "studies" / f"{study}.md").read_text("utf-8")
    assert (DOCS / "studies" / f"{study}.png").stat().st_size < PICTURES[study]


@pytest.mark.parametrize("study", PICTURES)
def test_figures_are_of_this_engine(study):
    assert f"engine version {ENGINE_VERSION}" in figures(study)[1].splitlines()[0]


def test_the_figures_of_the_first_look_are_of_this_experiment():
    experiment = experiment_of("first_look")
    facts = (
        f"{experiment.games:,} games, {experiment.players} players, policy {experiment.policies[0]}, "
        f"tower {experiment.tower}, seed {experiment.seed}, engine version {ENGINE_VERSION}; "
    )
    digest, text = figures("first_look")
    assert text.startswith(facts)
    assert digest == defined_by("first_look")["digest"]()[:12]


def test_the_figures_of_the_tower_are_of_this_experiment():
    experiment = experiment_of("tower")
    digest, text = figures("tower")
    assert text.startswith(f"{experiment.games:,} blocks under each of 9 towers, with line-ups and in the draft, ")
    assert digest == defined_by("tower")["digest"]()[:12]


def test_the_figures_of_the_zoo_are_of_these_policies():
    zoo, experiment = defined_by("zoo"), experiment_of("zoo")
    names = zoo["quick_policies"]()
    digest, text = figures("zoo")
    assert text.startswith(f"{len(names)} policies, {experiment.games:,} blocks each, ")
    assert digest == zoo["digest"](names, experiment)[:12]


def test_the_figures_of_the_ladder_are_of_these_policies():
    ladder, table = defined_by("ladder"), experiment_of("ladder")
    tournaments = ladder["by_setup"](table, ladder["POLICIES"], ladder["BLOCKS"])
    digest, text = figures("ladder")
    assert text.startswith(f"{len(ladder['POLICIES'])} policies, {ladder['BLOCKS']} blocks of ")
    assert digest == ladder["digest"](tournaments, ladder["visits"](table))[:12]


def test_the_figures_of_skill_are_of_these_tournaments():
    digest, text = figures("skill")
    assert text.startswith("6 tournaments, ")
    assert digest == defined_by("skill")["digest"]()[:12]
