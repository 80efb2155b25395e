"""What may be written in a tower file of each model, what an error says, and what the nine presets are."""

import math
import os
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.refusals import assert_names, refused
from wallsim.rules.files import data_folder
from wallsim.rules.tower import (
    BOUNDS,
    DEFAULT_TOWER,
    INDEPENDENT,
    LAYERED,
    MAX_CELLS,
    MODELS,
    PARAMETERS,
    URN,
    Independent,
    Layered,
    TowerError,
    TowerModel,
    Urn,
    is_tower_file,
    load_tower,
    parameters_of,
    tower_presets,
)  # fmt: skip


class Field(NamedTuple):
    """The bounds of a field as the documentation has them, what an error names, and a sound entry."""

    low: float
    high: float
    allowed: tuple[str, ...]
    sound: str
    default: float | None = None  # of a field that may be left out


FIELDS = {
    "p": Field(5e-324, 1, ("0", "1"), "0.5"),
    "q": Field(5e-324, 1, ("0", "1"), "0.25"),
    "retention": Field(0, 1, ("0", "1"), "0.5"),
    "capacity": Field(1, 1000000, ("1", "1000000"), "30"),
    "kappa": Field(0, 10, ("0", "10"), "0.05"),
    "beta": Field(-1, 3, ("-1", "3"), "1"),
    "alpha": Field(0.1, 10, ("0.1", "10"), "2.0", 1),
    "phi": Field(0, 1, ("0", "1"), "0.1", 0),
    "cells": Field(1, 1000, ("list", "whole", "1 to 4", "1 to 1000"), "[12, 8]"),
    "stick": Field(0, 1, ("list", "0 to 1", "floor"), "[0.5, 0]"),
    "knock": Field(0, 1, ("list", "0 to 1", "floor"), "[1, 0.25]"),
    "cascade": Field(0, 0.99, ("0", "0.99"), "0.1", 0),
    "swap": Field(0, 1, ("0", "1"), "0.2", 0),
    "clump": Field(1, 10, ("1", "10"), "1.5", 1),
}
LISTS = ("cells", "stick", "knock")
OF_MODEL = {
    "independent": ("p", "q"),
    "urn": ("retention", "capacity", "kappa", "beta", "alpha", "phi", "clump"),
    "layered": ("cells", "stick", "knock", "cascade", "swap", "clump"),
}
MODELS_AND_FIELDS = [(model, name) for model, names in OF_MODEL.items() for name in names]
each_field = pytest.mark.parametrize(("model", "name"), MODELS_AND_FIELDS)


@pytest.fixture
def file(tmp_path):
    """A function that loads a tower file with such entries; None leaves one out."""

    def load(kind, /, **changes):
        entries = {"model": f'"{kind}"', **{name: FIELDS[name].sound for name in OF_MODEL.get(kind, ())}, **changes}
        path = tmp_path / "own.toml"
        path.write_text("".join(f"{name} = {value}\n" for name, value in entries.items() if value), "utf-8")
        return load_tower(str(path))

    return load


def errors_of(load, *arguments, **changes):
    """The lines of the error, each without the file, which all must name."""
    with pytest.raises(TowerError) as caught:
        load(*arguments, **changes)
    lines = str(caught.value).splitlines()
    assert all(".toml: " in line for line in lines)
    return [line.split("own.toml: ", 1)[1] for line in lines]


def in_place(name, value):
    """A field's value, of a floor where it has one per floor."""
    return f"[{value}, {value}]" if name in LISTS else str(value)


# ------------------------------------------------------------------------------------------------- numbers


def test_the_models_are_numbered_as_the_kernels_do():
    assert MODELS == ("independent", "urn", "layered") == tuple(OF_MODEL)
    assert (INDEPENDENT, URN, LAYERED) == (0, 1, 2)
    assert set(BOUNDS) == set(FIELDS)


@each_field
def test_a_number_may_lie_on_its_bounds(file, model, name):
    for bound in FIELDS[name][:2]:
        value = getattr(file(model, **{name: in_place(name, bound)}).parameters, name)
        expected = float(bound) if name != "cells" else bound
        assert value == ((expected, expected) if name in LISTS else expected)


@each_field
def test_a_number_beyond_its_bounds_is_named_with_what_is_allowed(file, model, name):
    low, high, *_ = FIELDS[name]
    low = 0.0 if name in ("p", "q") else low
    below = low if name in ("p", "q") else low - 1 if name == "cells" else math.nextafter(low, -math.inf)
    above = high + 1 if name == "cells" else math.nextafter(high, math.inf)
    for value in (below, above, -5, 10**30):
        wrong = in_place(name, value)
        (error,) = errors_of(file, model, **{name: wrong})
        assert_names(error, f"{name}: {wrong}", *FIELDS[name].allowed)


@each_field
def test_what_is_no_number_is_an_error(file, model, name):
    for value in ("nan", "-nan", "inf", "-inf", "true", '"0.5"', "[]", "{}", "1979-05-27"):
        (error,) = errors_of(file, model, **{name: in_place(name, value)})
        assert_names(error, f"{name}: ", *FIELDS[name].allowed)


@each_field
def test_what_the_model_needs_must_be_there_and_the_rest_need_not(file, model, name):
    if FIELDS[name].default is not None:
        assert getattr(file(model, **{name: None}).parameters, name) == FIELDS[name].default
    else:
        [error] = [error for error in errors_of(file, model, **{name: None}) if error.startswith(f"{name}: ")]
        assert_names(error, None, *FIELDS[name].allowed)


@each_field
def test_whole_numbers_are_the_same_as_numbers_with_a_point(file, model, name):
    if name not in (*LISTS, "cascade"):  # whose bounds have no whole number above 0
        value = getattr(file(model, **{name: "1"}).parameters, name)
        assert (type(value), value) == (float, 1.0)


# ------------------------------------------------------------------------------------------------- floors


@pytest.mark.parametrize("name", LISTS)
def test_one_floor_of_several_may_be_the_faulty_one_or_have_no_chance(file, name):
    for wrong in ("[1, 2000]", "[2000, 1]", "[1, true]", '[1, "1"]', "[nan, 1]"):
        assert len(errors_of(file, "layered", **{name: wrong})) == 1
    for wrong in ("[12.0, 8]", "[12, 8.5]", "12") if name == "cells" else ("[0.5]", "[0.5, 0.5, 0.5]", "[]"):
        [error] = [error for error in errors_of(file, "layered", **{name: wrong}) if error.startswith(f"{name}: ")]
        assert_names(error, wrong, *FIELDS[name].allowed)


@pytest.mark.parametrize("floors", range(6))
def test_a_tower_may_have_one_to_four_floors(file, floors):
    entries = {"cells": str([5] * floors), "stick": str([0.5] * floors), "knock": str([1] * floors)}
    if 1 <= floors <= 4:
        parameters = file("layered", **entries).parameters
        assert parameters.cells == (5,) * floors
        assert (parameters.stick, parameters.knock) == ((0.5,) * floors, (1.0,) * floors)
    else:
        assert [error.split(":")[0] for error in errors_of(file, "layered", **entries)] == [*LISTS]


# -------------------------------------------------------------------------------------------- whole files


@pytest.mark.parametrize("model", MODELS)
def test_unknown_fields_are_named_with_those_there_are(file, model):
    other = "kappa" if model == "layered" else "cells"  # a field of another model
    errors = errors_of(file, model, colour="1", kapa="2", **{other: "[1]"})
    assert sorted(error.split(":")[0] for error in errors) == sorted(("colour", "kapa", other))
    for error in errors:
        assert_names(error, "unknown field", model, ", ".join(("model", *OF_MODEL[model], "source", "evidence")))
        assert ("mean kappa?" in error) == (error.startswith("kapa:") and model == "urn")


@pytest.mark.parametrize("model", ['"cascade"', '"Urn"', "3", "[1]", "{}", "true", None])
def test_an_unknown_model_is_named_with_the_three(file, model):
    (error,) = errors_of(file, "", model=model)
    assert error.startswith("model: ")
    assert_names(error, "independent, urn, layered")
    assert ("mean urn?" in error) == (model == '"Urn"')


def test_all_errors_are_reported_at_once(file):
    changes = {"p": "2", "q": "-1", "colour": "1", "source": "3", "evidence": "[1]"}
    assert [error.split(":")[0] for error in errors_of(file, "independent", **changes)] == [
        "colour", "p", "q", "source", "evidence",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [("source", "7", "a text"), ("evidence", "'seen'", "list of texts"), ("evidence", "['seen', 3]", "list of texts")],
)
def test_source_and_evidence_are_texts(file, name, value, words):
    (error,) = errors_of(file, "urn", **{name: value})
    assert_names(error, f"{name}: {value}", words)
    tower = file("urn", source='"own casts"', evidence='["one", "two"]')
    assert (tower.source, tower.evidence) == ("own casts", ("one", "two"))


@pytest.mark.parametrize(
    "text",
    ["model = ", "p = 1\np = 2", "a = " + "[" * 5000, b'source = "Z\xfcrich"'],
    ids=lambda text: ascii(text[:10]),
)
def test_what_is_not_toml_is_an_error_of_the_file(tmp_path, text):
    (tmp_path / "own.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    (error,) = errors_of(load_tower, str(tmp_path / "own.toml"))
    assert error.startswith("not a TOML file: ")


def test_a_file_that_cannot_be_read_and_an_unknown_preset_are_errors(tmp_path):
    for path in ("nowhere.toml", "./nowhere", f"{tmp_path}{os.sep}"):
        with refused(str(Path(path)), "cannot be read", by=TowerError):
            load_tower(path)
    with refused("'cathedral'", *tower_presets(), by=TowerError):
        load_tower("cathedral")


@pytest.mark.parametrize(
    ("name", "is_path"), [("mid", False), ("mid.toml", True), ("./mid", True), ("a/b", True), ("toml", False)]
)
def test_a_path_is_reported_by_a_slash_or_its_ending(name, is_path):
    assert is_tower_file(name) == is_path


# ------------------------------------------------------------------------------------------------ the parameters


@pytest.mark.parametrize("model", MODELS)
def test_a_law_is_made_again_from_what_it_tells_of_itself(file, model):
    tower = file(model)
    numbers = tower.numbers()
    assert numbers["model"] == tower.model == model
    assert set(numbers) == {"model", *OF_MODEL[model]}
    assert all(isinstance(numbers[name], list) for name in LISTS if name in numbers)
    assert parameters_of({**numbers, "name": "own", "source": ""}) == tower.parameters
    assert type(parameters_of(numbers)) is PARAMETERS[model]


@pytest.mark.parametrize(
    ("numbers", "error"),
    [({"model": "urn"}, TypeError), ({"model": "kiln"}, KeyError), ({}, KeyError), ({"p": 1, "q": 1}, KeyError)],
)
def test_what_tells_no_law_makes_none(numbers, error):
    with pytest.raises(error):
        parameters_of(numbers)


# ---------------------------------------------------------------------------------------------- the presets


PRESETS = {
    "rulebook": Independent(0.184, 0.33),
    "rulebook-urn": Urn(0.95, 108, 0.025, 1, phi=0.1),
    "rulebook-layered": Layered((16, 16, 16), (0.95,) * 3, (0.271,) * 3, cascade=0.1),
    "mid": Independent(0.72, 0.11),
    "mid-urn": Urn(0.31, 120, 0.0170, 0.85, phi=0.1),
    "mid-layered": Layered((45, 54, 27), (0.034, 0.021, 0.316), (0.053, 0.334, 0.42), cascade=0.07, swap=0.15),
    "spielbyweb": Independent(2 / 3, 1 / 3),
    "spielbyweb-urn": Urn(0.457, 24, 0.0507, 1),
    "spielbyweb-layered": Layered((10, 10), (0.33, 0.33), (0.5, 0.5)),
}


def test_there_are_three_presets_of_three_models():
    assert tower_presets() == tuple(sorted(PRESETS))
    assert DEFAULT_TOWER == "spielbyweb"
    assert load_tower() == load_tower("spielbyweb")


@pytest.mark.parametrize("name", PRESETS)
def test_presets_have_the_documented_numbers_with_source_and_evidence(name):
    tower = load_tower(name)
    assert (tower.name, tower.parameters) == (name, PRESETS[name])
    assert tower.model == (name.split("-")[1] if "-" in name else "independent")
    assert len(tower.source) > 30
    assert len(tower.evidence) >= 2
    assert load_tower(str(data_folder("tower") / f"{name}.toml")) == tower


@pytest.mark.parametrize(
    ("law", "names", "not_said"),
    [
        (PRESETS["spielbyweb"], ["chance 0.6667", "with 0.3333"], ["clump"]),
        (PRESETS["mid-urn"], ["0.31 (1 - S/120),", "1 - exp(-0.017 N^0.85), a strength", "variance 0.1"], ["clump"]),
        (PRESETS["spielbyweb-urn"], ["0.457 (1 - S/24),", "1 - exp(-0.0507 N)"], ["clump", "a strength"]),
        (Urn(0.5, 30, 0.05, 1, alpha=2, clump=1.5), ["0.5 (1 - (S/30)^2), ", "clumps of 1.5"], ["a strength"]),
        (
            PRESETS["mid-layered"],
            ["3 floors with 45, 54, 27 cells", "chance 0.034, 0.021, 0.316 if", "with 0.053, 0.334, 0.42 if",
             ", 0.07 for each more", "its place with 0.15"],
            ["clump"],
        ),
        (Layered((7,), (0.5,), (0.25,), clump=2), ["1 floor with 7 cells", "clumps of 2 "], ["each more", "its place"]),
        (PRESETS["spielbyweb-layered"], ["2 floors with 10 cells", "chance 0.33 ", "one loose with 0.5 "], ["clump"]),
    ],
)  # fmt: skip
def test_a_law_is_said_in_words_and_nothing_that_it_lacks(law, names, not_said):
    assert_names(law.in_words(), *names)
    assert not [word for word in (*not_said, "\n") if word in law.in_words()]


def test_a_tower_names_its_model():
    tower = TowerModel("own", Layered((MAX_CELLS,), (1.0,), (0.0,)))
    assert (tower.model, tower.source) == ("layered", "")
