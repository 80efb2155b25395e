"""Files of learned values and of corrections: read by name or path, known by bytes, part of policies' identities."""

import json

import pytest

from tests.policies.planted_models import FORMS, READ, contents, planted, write_policy
from tests.policies.policy_files import read
from tests.refusals import refused
from wallsim.policies.catalogue import load_policy, read_policy
from wallsim.policies.correction.correction_file import correction_names, load_correction
from wallsim.policies.value.value_file import load_value, value_names
from wallsim.searches.response import starting_policy
from wallsim.searches.tuning.coordinates import with_values
from wallsim.searches.tuning.outcome import policy_text

NAMES = {"value": value_names, "correction": correction_names}
LOAD = {"value": load_value, "correction": load_correction}
MADE_BY = {"value": "policies", "correction": "pupil"}
kinds = pytest.mark.parametrize("kind", FORMS)


@kinds
def test_the_shipped_load_and_say_how_they_were_made(kind):
    assert NAMES[kind]()
    for name in NAMES[kind]():
        models = LOAD[kind](name)
        assert models.name == name
        assert {"command", "engine_version", "held_out", MADE_BY[kind]} <= models.contents.keys()
        assert models.packed()[0].of[0].layer.any()


@kinds
def test_models_are_named_by_their_file_and_known_by_their_bytes(tmp_path, kind):
    one, same = (planted(kind, tmp_path / f"{name}.json", seed=3) for name in ("one", "same"))
    other = planted(kind, tmp_path / "other.json", seed=4)
    assert one.name == "one"
    assert one.digest == same.digest != other.digest
    assert LOAD[kind](str(tmp_path / "one.json")) == one


@kinds
def test_a_number_of_players_without_a_model_has_the_nearest(tmp_path, kind):
    packed = planted(kind, tmp_path / "four.json", players=("4",)).packed()[0]
    assert packed.of[0].layer.tobytes() == packed.of[1].layer.tobytes() == packed.of[2].layer.tobytes()
    both = planted(kind, tmp_path / "both.json", players=("3", "5")).packed()[0]
    assert both.of[0].layer.tobytes() == both.of[1].layer.tobytes() != both.of[2].layer.tobytes()


@kinds
def test_a_name_that_is_not_known_and_a_missing_file_are_refused(tmp_path, kind):
    with refused("'no-such'", ", ".join(NAMES[kind]()), ".json"):
        LOAD[kind]("no-such")
    with refused(tmp_path / "missing.json", "JSON"):
        READ[kind](tmp_path / "missing.json")


def broken(change):
    """A function that writes the contents of a sound file with something changed."""

    def text(kind):
        whole = contents(kind)
        change(whole, whole["models"]["4"], whole["models"]["4"][FORMS[kind].moments[0]])
        return json.dumps(whole)

    return text


BROKEN = [
    (lambda kind: "{", "JSON"),
    (lambda kind: '{"models": {}}', "models: missing"),
    (broken(lambda whole, *_: whole["inputs"].reverse()), "inputs"),
    (broken(lambda whole, *_: whole["inputs"].append("unknown")), "inputs"),
    (broken(lambda whole, *_: whole.pop("inputs")), "inputs"),
    (broken(lambda whole, *_: whole["inputs"].pop()), "linear: not"),
    (broken(lambda whole, *_: whole["models"].update({"6": {}})), "'6' is not one of 3, 4, 5"),
    (broken(lambda whole, *_: whole["models"].update({"4": 3})), "models.4: no models"),
    (broken(lambda whole, models, _: models.pop("fall 2")), "models.4: fall 2: missing"),
    (broken(lambda whole, models, _: models.update({"fall 2": []})), "models.4.fall 2: more than"),
    (broken(lambda whole, models, model: model["linear"][0].pop()), "linear: not"),
    (broken(lambda whole, models, model: model["units"][0].append(1.0)), "units: not"),
    *(
        (broken(lambda whole, models, model, bad=bad: model["outward"][0].__setitem__(0, bad)), "outward: not")
        for bad in (True, 1e300)
    ),
]


@kinds
@pytest.mark.parametrize(("text", "error"), BROKEN)
def test_a_broken_file_is_refused_with_what_is_wrong(tmp_path, kind, text, error):
    path = tmp_path / "broken.json"
    path.write_text(text(kind))
    with refused(path, error):
        READ[kind](path)


def test_a_correction_for_other_outputs_is_refused(tmp_path):
    path = tmp_path / "broken.json"
    path.write_text(broken(lambda whole, *_: whole["outputs"].reverse())("correction"))
    with refused(path, "outputs"):
        READ["correction"](path)


ATTACKS = [
    (lambda part: part.pop("models"), "models: missing"),
    (lambda part: part["inputs"].reverse(), "--attacks"),
    (lambda part: part["models"]["4"].pop("fall 2"), "models.4: fall 2: missing"),
    (lambda part: part["models"]["4"]["fall 2"]["outward"].extend([[1.0]] * 15), "more than 15 units"),
    (lambda part: part["models"]["4"]["fall 2"]["linear"][0].append(1.0), "models.4.fall 2.linear: not 45 rows of 1"),
]


@pytest.mark.parametrize(("change", "error"), ATTACKS)
def test_a_broken_part_of_attacks_is_refused_with_what_is_wrong(tmp_path, change, error):
    whole = contents("correction", attacks=0.1)
    change(whole["attacks"])
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(whole))
    with refused(path, "attacks: ", error):
        READ["correction"](path)


def test_a_correction_has_attacks_only_if_its_file_has(tmp_path):
    without, both = (
        planted("correction", tmp_path / f"{name}.json", attacks=size).packed()[0]
        for name, size in (("without", None), ("both", 0.1))
    )
    assert (without.attacks, both.attacks) == (0, 1)
    assert without.of["layer"].tobytes() == both.of["layer"].tobytes()
    assert not without.of["attacks"]["layer"].any()
    assert both.of["attacks"]["layer"].any()
    assert not both.of["attacks"]["outward"][:, :, -1].any()  # of the output


@kinds
def test_a_file_that_lacks_new_inputs_plays_as_one_that_gives_them_no_weight(tmp_path, kind):
    whole, lacking = contents(kind), contents(kind)
    missing = [len(whole["inputs"]) - 2, 3]  # of the table, and of its own
    for place in missing:
        del lacking["inputs"][place]
    for moment, model in whole["models"]["4"].items():
        for part in ("linear", "units"):
            rows = lacking["models"]["4"][moment][part]
            for place in missing:
                model[part][place] = [0.0] * len(rows[place])
                del rows[place]
    packed = []
    for name, each in (("whole", whole), ("lacking", lacking)):
        (tmp_path / f"{name}.json").write_text(json.dumps(each))
        packed.append(READ[kind](tmp_path / f"{name}.json").packed())
    assert packed[0].tobytes() == packed[1].tobytes()


# -------------------------------------------------------------------------------------------- policies with one


def test_a_path_begins_at_the_policy_file_and_the_bytes_are_part_of_the_identity(tmp_path, monkeypatch):
    policy = read_policy(write_policy(tmp_path / "mine.toml"))
    (tmp_path / "elsewhere").mkdir()
    written = tmp_path / "elsewhere" / "mine.toml"
    written.write_text(policy_text(policy, "As a search for weights writes it.", []))
    assert read_policy(written) == policy
    monkeypatch.chdir("/")
    assert read_policy(tmp_path / "mine.toml") == policy
    known = load_policy("strong-4p").identity()
    assert policy.identity() == {**known, "name": "mine", "correction": policy.correction.digest}
    assert "correction" not in known


def test_a_correction_passes_from_a_base_to_those_that_are_built_on_it(tmp_path, monkeypatch):
    base = read_policy(write_policy(tmp_path / "mine.toml"))
    monkeypatch.setattr("wallsim.policies.catalogue.load_policy", lambda name: base)
    code = 'BASE = "balanced"\n\n\ndef bid(game, rules, mind, seat):\n    return 0\n'
    for name, text in (("own.toml", 'base = "balanced"\n[weights]\nhold = 1.0\n'), ("code.py", code)):
        assert read(tmp_path, text, name).correction == base.correction


def test_searches_for_weights_keep_the_correction(tmp_path):
    policy = read_policy(write_policy(tmp_path / "mine.toml"))
    assert starting_policy(policy).correction == policy.correction
    assert with_values("other", policy, (), {}).correction == policy.correction
    again = read(tmp_path, policy_text(policy, "As it was.", ()), "again.toml")
    assert again.identity() == {**policy.identity(), "name": "again"}
