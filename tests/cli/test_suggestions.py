"""Refusals of words that are nearly right name the word that was meant; shells complete names."""

from pathlib import Path

import pytest

from tests.cli.test_games import refusal
from wallsim.cli.options import complete_expansions, complete_policies, complete_switches, complete_towers
from wallsim.rules.suggestions import did_you_mean


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("runn",), "Did you mean 'run'"),
        (("run", "--polices", "x"), "--policies"),
        (("run", "--policies", "balancd"), "did you mean balanced?"),
        (("run", "--tower", "rulebok"), "did you mean rulebook?"),
        (("run", "--switch", "food-trck=open"), "did you mean food_track?"),
        (("run", "--expansions", "leader"), "did you mean leaders?"),
        (("policy", "show", "Builder"), "did you mean builder?"),
        (("tune", "balanced", "--out", "x", "--weights", "noize"), "did you mean noise?"),
        (("battle", "odds", "--kind", "neutrl"), "did you mean neutral?"),
        (("tower", "simulate", "--protocol", "benhc"), "did you mean bench?"),
    ],
)
def test_the_word_that_was_meant_is_named(words, meant, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert meant in refusal(*words)


def test_keys_of_an_experiment_file_are_suggested(tmp_path):
    file = tmp_path / "x.toml"
    file.write_text("plyers = 3\n[rules]\nbnk = 100\n", "utf-8")
    said = refusal("run", str(file))
    assert "plyers: unknown key" in said
    assert "did you mean players?" in said
    assert "did you mean bank?" in said


def test_nothing_is_suggested_where_nothing_is_near():
    assert did_you_mean("xyz", ("balanced", "random")) == ""
    assert did_you_mean(3, ("balanced",)) == ""
    assert did_you_mean("x" * 10_000, ("balanced",)) == ""


def test_shells_complete_names():
    assert complete_policies("bal")[0] == "balanced"
    assert "balanced,builder" in complete_policies("balanced,bui")
    assert complete_towers("mid-u") == ["mid-urn"]
    assert complete_expansions("l") == ["landsknechte", "leaders"]
    assert complete_switches("comb") == ["combat="]
    assert complete_switches("combat=m") == ["combat=must", "combat=may"]
    assert complete_switches("nothing=") == []
    assert not Path("bal").exists()
