"""Files of corrections: read by name or path, refused with what is wrong, and part of a policy's identity."""

import json

import pytest

from tests.policies.correction.planted_corrections import contents, write_correction, write_policy
from wallsim.errors import InputError
from wallsim.policies.catalogue import PolicyError, load_policy, read_policy
from wallsim.policies.correction.correction_file import correction_names, load_correction, read_correction
from wallsim.policies.correction.features import MOMENTS
from wallsim.searches.response import starting_policy
from wallsim.searches.tuning.coordinates import with_values
from wallsim.searches.tuning.outcome import policy_text


def test_the_shipped_corrections_load_and_say_how_they_were_made():
    assert correction_names()
    for name in correction_names():
        correction = load_correction(name)
        assert (correction.name, correction.said) == (name, name)
        assert {"command", "engine_version", "held_out", "pupil"} <= correction.contents.keys()
        assert correction.packed()[0].of[0].layer.any()


def test_a_correction_is_known_by_its_bytes(tmp_path):
    one, same = (read_correction(write_correction(tmp_path / f"{name}.json", seed=3)) for name in ("one", "same"))
    other = read_correction(write_correction(tmp_path / "other.json", seed=4))
    assert one.digest == same.digest != other.digest
    assert load_correction("one.json", tmp_path) == one


def test_a_name_that_is_not_known_is_refused_with_those_that_are():
    with pytest.raises(InputError, match=r"'no-such' is not one of .*nor a \.json file"):
        load_correction("no-such")


def test_a_number_of_players_that_was_not_taught_has_the_nearest_model(tmp_path):
    packed = read_correction(write_correction(tmp_path / "four.json", players=("4",))).packed()[0]
    assert packed.of[0].layer.tobytes() == packed.of[1].layer.tobytes() == packed.of[2].layer.tobytes()
    both = read_correction(write_correction(tmp_path / "both.json", players=("3", "5"))).packed()[0]
    assert both.of[0].layer.tobytes() == both.of[1].layer.tobytes() != both.of[2].layer.tobytes()


def broken(change):
    """The contents of a sound file with something changed."""
    whole = contents()
    change(whole)
    return json.dumps(whole)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("{", "not a readable JSON file"),
        ("[]", "models: missing"),
        ('{"models": {}}', "models: missing"),
        (broken(lambda whole: whole["inputs"].pop()), "inputs, outputs: not those of this version"),
        (broken(lambda whole: whole["outputs"].reverse()), "inputs, outputs: not those of this version"),
        (broken(lambda whole: whole["models"].update({"6": {}})), "'6' is not one of 3, 4, 5 players"),
        (broken(lambda whole: whole["models"]["4"].pop("fall 2")), "models.4: fall 2: missing"),
        (broken(lambda whole: whole["models"].update({"4": 3})), "models.4: no models of rounds"),
        (broken(lambda whole: whole["models"]["4"].update({"fall 2": []})), "models.4.fall 2: .* no model"),
        (broken(lambda whole: whole["models"]["4"][MOMENTS[0]]["linear"].pop()), "linear: not"),
        (broken(lambda whole: whole["models"]["4"][MOMENTS[0]]["units"][0].append(1.0)), "units: not"),
        (broken(lambda whole: whole["models"]["4"][MOMENTS[0]]["outward"][0].__setitem__(0, "x")), "outward: not"),
        (broken(lambda whole: whole["models"]["4"][MOMENTS[0]]["outward"][0].__setitem__(0, 1e300)), "outward: not"),
    ],
)
def test_a_broken_file_is_refused_with_what_is_wrong(tmp_path, text, error):
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises(InputError, match=error) as refused:
        read_correction(path)
    assert str(path) in str(refused.value)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("correction = 3", "correction: 3 is not the name of a correction"),
        ('correction = "none"', "correction: 'none' is not one of"),
        ('correction = "gone.json"', "correction: .*gone.json: not a readable JSON file"),
        ('kind = "random"\ncorrection = "there.json"', "correction: a policy of kind 'random' has none"),
    ],
)
def test_a_policy_file_with_a_bad_correction_is_refused(tmp_path, text, error):
    write_correction(tmp_path / "there.json")
    path = tmp_path / "mine.toml"
    path.write_text(text if "kind" in text else f'base = "balanced"\n{text}')
    with pytest.raises(PolicyError, match=error) as refused:
        read_policy(path)
    assert str(path) in str(refused.value)


def test_a_path_begins_at_the_policy_file_and_the_bytes_are_part_of_the_identity(tmp_path, monkeypatch):
    policy = read_policy(write_policy(tmp_path / "mine.toml"))
    monkeypatch.chdir("/")
    assert read_policy(tmp_path / "mine.toml") == policy
    known = load_policy("strong-4p").identity()
    assert policy.identity() == {**known, "name": "mine", "correction": policy.correction.digest}
    assert "correction" not in load_policy("strong-4p").identity()


def test_a_correction_passes_from_a_base_to_those_that_are_built_on_it(tmp_path, monkeypatch):
    base = read_policy(write_policy(tmp_path / "mine.toml"))
    monkeypatch.setattr("wallsim.policies.catalogue.load_policy", lambda name: base)
    (tmp_path / "own.toml").write_text('base = "balanced"\n[weights]\nhold = 1.0\n')
    assert read_policy(tmp_path / "own.toml").correction == base.correction
    (tmp_path / "code.py").write_text("BASE = 'balanced'\n\n\ndef bid(game, rules, mind, seat):\n    return 0\n")
    assert read_policy(tmp_path / "code.py").correction == base.correction


def test_searches_for_weights_keep_the_correction(tmp_path):
    policy = read_policy(write_policy(tmp_path / "mine.toml"))
    assert starting_policy(policy).correction == policy.correction
    assert with_values("other", policy, (), {}).correction == policy.correction
    (tmp_path / "again.toml").write_text(policy_text(policy, "As it was.", ()))
    assert read_policy(tmp_path / "again.toml").identity() == {**policy.identity(), "name": "again"}
