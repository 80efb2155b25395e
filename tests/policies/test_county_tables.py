"""Tables of counties in policy files: what they say, what is wrong with them, and whose identity they change."""

import pytest

from tests.policies.seating import arena_of
from wallsim.policies.catalogue import Policy, PolicyError, load_policy, pack_mind, read_policy
from wallsim.policies.county_tables import county_names
from wallsim.policies.weights import DEFAULTS, WEIGHTS

TABLE = '\n[counties.4]\nBremen = 0.5\n"Fm. Bayern" = -1\nBaden = 0\n[counties.3]\nAltmark = 0.25\n'


def read(tmp_path, text, name="mine.toml"):
    """The policy of a file with this text."""
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return read_policy(path)


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
    own = read(tmp_path, 'base = "balanced"\n[counties.4]\nBremen = 0\nAnhalt = 2\n[counties.5]\nTirol = 1', "own.toml")
    assert own.counties == {3: {"Altmark": 0.25}, 4: {"Anhalt": 2.0, "Fm. Bayern": -1.0}, 5: {"Tirol": 1.0}}
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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("counties = 4", "FILE: counties: 4 is not a table"),
        ("[counties.6]\nBaden = 1", "FILE: counties.6: unknown number of players; allowed are 3, 4, 5"),
        ("[counties]\n4 = 1", "FILE: counties.4: 1 is not a table of counties"),
        ("[counties.4]\nBaden = true", "FILE: counties.4.Baden: True is not a number from -20.0 to 20.0"),
        ("[counties.4]\nBaden = 20.5", "FILE: counties.4.Baden: 20.5 is not a number from -20.0 to 20.0"),
        ("[counties.4]\nBaden = nan", "FILE: counties.4.Baden: nan is not a number from -20.0 to 20.0"),
        ('[counties.4]\nBaden = "1"', "FILE: counties.4.Baden: '1' is not a number from -20.0 to 20.0"),
    ],
)
def test_a_bad_table_is_refused(tmp_path, text, message):
    with pytest.raises(PolicyError) as caught:
        read(tmp_path, f'base = "balanced"\n{text}')
    assert str(caught.value).replace(str(tmp_path / "mine.toml"), "FILE").startswith(message)


def test_an_unknown_county_is_named_with_the_nearest_and_all_errors_at_once(tmp_path):
    with pytest.raises(PolicyError) as caught:
        read(tmp_path, 'base = "balanced"\n[counties.4]\nBadem = 1\nTirol = 99\n[counties.7]')
    first, second, third = str(caught.value).splitlines()
    assert "counties.4.Badem: 1 is given to an unknown county; allowed are Altmark, Bremen, " in first
    assert first.endswith("did you mean Baden?")
    assert "counties.4.Tirol: 99 is not a number" in second
    assert "counties.7: unknown number" in third


def test_random_has_no_table(tmp_path):
    with pytest.raises(PolicyError, match="counties: a policy of kind 'random' has no table of counties"):
        read(tmp_path, 'kind = "random"' + TABLE)


@pytest.mark.parametrize(("players", "moves"), [(3, False), (4, True), (5, False)])
def test_a_table_changes_drafts_with_its_number_of_players_alone(players, moves):
    plain = load_policy("balanced")
    drafting = Policy("balanced", "balanced", plain.weights, counties={4: dict.fromkeys(county_names()[:9], 5.0)})
    rows = [arena_of(players, "draft", policy).play(0, 30).seats.tobytes() for policy in (plain, drafting)]
    assert (rows[0] != rows[1]) == moves
