"""Words that are nearly right suggest the word that was meant, others nothing; shells complete names."""

from pathlib import Path

from wallsim.cli.options import complete_expansions, complete_policies, complete_switches, complete_towers
from wallsim.rules.suggestions import did_you_mean


def test_nothing_is_suggested_where_nothing_is_near():
    assert did_you_mean("balancd", ("balanced", "random")).endswith("balanced?")
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
