"""Files of learned values: read by name or path, refused with what is wrong."""

import json

import pytest

from tests.policies.value.planted_values import contents, write_value
from wallsim.errors import InputError
from wallsim.policies.value.features import MOMENTS
from wallsim.policies.value.value_file import load_value, read_value, value_names


def test_the_shipped_values_load_and_are_small():
    assert value_names()
    for name in value_names():
        value = load_value(name)
        assert value.name == name
        assert len(value.digest) == 64
        assert {"command", "engine_version", "held_out", "policies"} <= value.contents.keys()
        assert value.packed()[0].of[0].layer.any()


def test_a_value_is_named_by_its_file_and_known_by_its_bytes(tmp_path):
    one, same = (read_value(write_value(tmp_path / f"{name}.json", seed=3)) for name in ("one", "same"))
    other = read_value(write_value(tmp_path / "other.json", seed=4))
    assert one.name == "one"
    assert one.digest == same.digest != other.digest
    assert load_value(str(tmp_path / "one.json")) == one


def test_a_name_that_is_not_known_is_refused_with_those_that_are():
    with pytest.raises(InputError, match=r"'no-such' is not one of .*nor a \.json file"):
        load_value("no-such")


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
        (broken(lambda whole: whole["inputs"].pop()), "inputs: not those of this version"),
        (broken(lambda whole: whole["models"].update({"6": {}})), "'6' is not one of 3, 4, 5 players"),
        (broken(lambda whole: whole["models"]["4"].pop("fall 2")), "models.4: fall 2: missing"),
        (broken(lambda whole: whole["models"].update({"4": 3})), "models.4: no models of seasons"),
        (broken(lambda whole: whole["models"]["4"].update({"fall 2": []})), "models.4.fall 2: .* no model"),
        (broken(lambda whole: whole["models"]["4"][MOMENTS[0]]["linear"].pop()), "linear: not"),
        (broken(lambda whole: whole["models"]["4"][MOMENTS[0]]["units"][0].append(1.0)), "units: not"),
        (broken(lambda whole: whole["models"]["4"][MOMENTS[0]]["outward"][0].__setitem__(0, "x")), "outward: not"),
    ],
)
def test_a_broken_file_is_refused_with_what_is_wrong(tmp_path, text, error):
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises(InputError, match=error) as refused:
        read_value(path)
    assert str(path) in str(refused.value)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InputError, match="not a readable JSON file"):
        read_value(tmp_path / "missing.json")
