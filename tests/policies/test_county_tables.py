"""Tables of counties in policy files: what they say, whose identity they change, and which drafts."""

import pytest

from tests.policies.policy_files import read
from tests.policies.seating import arena_of
from wallsim.policies.catalogue import Policy, load_policy, pack_mind
from wallsim.policies.county_tables import county_names
from wallsim.policies.weights import DEFAULTS, WEIGHTS

TABLE = '\n[counties.4]\nBremen = 0.5\n"Fm. Bayern" = -1\nBaden = 0\n[counties.3]\nAltmark = 0.25\n'


def test_a_file_gives_worths_by_number_of_players(tmp_path):
    policy = read(tmp_path, 'base = "balanced"' + TABLE)
    assert policy.counties == {3: {"Altmark": 0.25}, 4: {"Bremen": 0.5, "Fm. Bayern": -1.0}}
    mind = pack_mind(policy)[0]
    places = {name: place for place, name in enumerate(county_names())}
    worth = mind["county_worth"]
    assert worth[0, places["Altmark"]] == 0.25
    assert worth[1, places["Bremen"]] == 0.5
    assert worth[1, places["Fm. Bayern"]] == -1.0
    assert (worth != 0).sum() == 3


def test_a_file_replaces_single_counties_of_its_base(tmp_path, monkeypatch):
    base = read(tmp_path, 'base = "balanced"' + TABLE)
    monkeypatch.setattr("wallsim.policies.catalogue.load_policy", lambda name: base)
    own = read(
        tmp_path, 'base = "balanced"\n[counties.4]\nBremen = 0\nAnhalt = -20\n[counties.5]\nTirol = 20', "own.toml"
    )
    assert own.counties == {3: {"Altmark": 0.25}, 4: {"Anhalt": -20.0, "Fm. Bayern": -1.0}, 5: {"Tirol": 20.0}}
    code = read(tmp_path, "def bid(game, rules, mind, seat):\n    return 0\n", "own.py")
    assert code.counties == base.counties
    assert read(tmp_path, 'base = "balanced"\nkind = "rollout"', "third.toml").counties == base.counties
    assert read(tmp_path, 'base = "balanced"\nkind = "random"', "fourth.toml").counties == {}


def test_a_table_is_part_of_an_identity_only_where_it_is_given(tmp_path):
    plain = read(tmp_path, 'base = "balanced"').identity()
    assert "counties" not in plain
    assert read(tmp_path, 'base = "balanced"\n[counties.4]\nBaden = 0\n[counties.5]').identity() == plain
    assert read(tmp_path, 'base = "balanced"' + TABLE).identity() == {
        **plain,
        "counties": {"3": {"Altmark": 0.25}, "4": {"Bremen": 0.5, "Fm. Bayern": -1.0}},
    }


def test_the_new_weights_of_the_draft_leave_identities_as_they_were():
    new = [weight.name for weight in WEIGHTS if weight.name.startswith(("draft_", "garrison"))]
    assert len(new) == 20
    identity = load_policy("strong-4p").identity()["weights"]
    assert [name for name in new if name in identity] == ["draft_border"]
    changed = Policy("strong-4p", "balanced", {**load_policy("strong-4p").weights, "garrison": 3.0})
    assert changed.identity()["weights"] == {**identity, "garrison": 3.0}
    assert DEFAULTS["garrison"] == 2.0


@pytest.mark.parametrize(("players", "moves"), [(3, False), (4, True), (5, False)])
def test_a_table_changes_drafts_with_its_number_of_players_alone(players, moves):
    plain = load_policy("balanced")
    drafting = Policy("balanced", "balanced", plain.weights, counties={4: dict.fromkeys(county_names()[:9], 5.0)})
    rows = [arena_of(players, "draft", policy).play(0, 30).seats.tobytes() for policy in (plain, drafting)]
    assert (rows[0] != rows[1]) == moves
