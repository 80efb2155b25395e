"""What is wrong with a policy file is named all at once, each error by key, value and what is allowed."""

import pytest

from tests.policies.planted_models import write_models
from tests.policies.policy_files import assert_errors, errors_of, read
from wallsim.policies.catalogue import PolicyError, listed_names, read_policy
from wallsim.policies.phased_weights import PHASES
from wallsim.policies.weights import WEIGHTS

HOLD = next(f"{weight.low} to {weight.high}" for weight in WEIGHTS if weight.name == "hold")
SHIPPED = ", ".join(listed_names())
BASE = 'base = "balanced"\n'
RANDOM = 'kind = "random"\n'
SEARCHING = f'{BASE}kind = "rollout"\n[search]\n'
NO_NUMBERS = {
    '"0.5"': "'0.5'",
    "true": "True",
    "nan": "nan",
    "-inf": "-inf",
    "1979-05-27": "datetime.date(1979, 5, 27)",
}

FIELDS = [
    ('kind = "gambler"', ("kind", "'gambler'", "random, balanced")),
    ('kind = ["balanced"]', ("kind",)),
    ("", ("kind", "None", "random, balanced")),
    (f"{BASE}colour = 3", ("colour", "base, kind, description, correction, weights, counties, search")),
    ('base = "Balanced"', ("base", "'Balanced'", SHIPPED, "mean balanced")),
    ('base = "random"', ("base", "'random'", "weights")),
    (
        "kind = 3\nbase = 4\ndescription = 5\nweights = 6\nsearch = 7\ncolour = 8",
        *((key,) for key in ("colour", "base", "kind", "description", "weights", "search")),
    ),
    (f"{BASE}colour = 3\n[weights]\nhold = 7", ("colour",)),  # the form comes first
]
WEIGHED = [
    (
        f"{BASE}[weights]\nplace = 9\nhold = 7\nbravery = 0.5",
        ("weights.bravery", "0.5", "unknown weight", "hold, majority"),
        ("weights.hold", "7"),
        ("weights.place", "9"),
    ),
    *((f"{BASE}[weights]\nhold = {text}", ("weights.hold", value, HOLD)) for text, value in NO_NUMBERS.items()),
    (f"{RANDOM}[weights]\nhold = 0.5", ("weights.hold", "0.5", "allowed are none")),
]
PHASED = [
    (f'{BASE}[weights."year too"]\nhold = 0.1', ('weights."year too"', ", ".join(PHASES), "mean year two")),
    (f'{BASE}[weights."year two"]\nbravery = 1', ('weights."year two".bravery', "1", "unknown weight")),
    (f"{BASE}[weights.year_two]\nhold = 99", ("weights.year_two.hold", "99", HOLD)),
    (f"{BASE}[weights]\nfalls = 3", ("weights.falls", "3", "table of weights")),
    (f"{BASE}[weights.hold]\nfalls = 3", ("weights.hold", "{'falls': 3}", HOLD)),
    (f"{BASE}[weights.falls.hold]\nx = 1", ("weights.falls.hold", "{'x': 1}", HOLD)),
    *(
        (f'{BASE}[weights."{first}"]\nhold = 0.1\n[weights.{second}]\narmy = 0.1', (f"weights.{second}", f'"{first}"'))
        for first, second in (("last fall", '"fall 2"'), ("year two", "year_two"))
    ),
    (
        'kind = "balanced"\n[weights]\nhold = 5\n[weights.falls]\nhold = 6\n[weights.never]\n',
        *(("weights.never",), ("weights.hold",), ("weights.falls.hold",)),
    ),
    (f"{RANDOM}[weights.falls]\nhold = 0.1", ("weights.falls.hold", "0.1", "allowed are none")),
]
COUNTIES = [
    (f"{BASE}counties = 4", ("counties", "4", "table")),
    (f"{BASE}[counties.6]\nBaden = 1", ("counties.6", "number of players", "3, 4, 5")),
    (f"{BASE}[counties]\n4 = 1", ("counties.4", "1", "table of counties")),
    *(
        (f"{BASE}[counties.4]\nBaden = {text}", ("counties.4.Baden", value, "-20.0 to 20.0"))
        for text, value in (("true", "True"), ("20.5", "20.5"), ("nan", "nan"))
    ),
    (
        f"{BASE}[counties.4]\nBadem = 1\nTirol = 99\n[counties.7]",
        ("counties.4.Badem", "1", "Altmark, Bremen", "mean Baden"),
        ("counties.4.Tirol", "99"),
        ("counties.7",),
    ),
    (f"{RANDOM}[counties.4]\nBremen = 0.5", ("counties", "'random'")),
]
CORRECTIONS = [
    (f"{BASE}correction = 3", ("correction", "3")),
    (f'{BASE}correction = "none"', ("correction", "'none'", "not one of")),
    (f'{BASE}correction = "gone.json"', ("correction", "gone.json", "not a readable JSON file")),
    (f'{RANDOM}correction = "there.json"', ("correction", "'random'")),
]
# A line of the table, the value that is named, and what is allowed.
SEARCHES = [
    *((f"width = {text}", text.title(), "whole number from 2 to 128") for text in ("1", "129", "8.0", "true")),
    ("playouts = 0", "0", "whole number from 1 to 1000000"),
    ("spread = -0.1", "-0.1", "number from 0 to 20"),
    ("error = nan", "nan", "number from 0 to 20"),
    ("margin = 1.001", "1.001", "number from 0 to 1"),
    ('depth = "week"', "'week'", "round, year, game"),
    ("depth = []", "[]", "round, year, game"),
    ('depth = "round"', "'round'", "search.value"),
    ("tables = 129", "129", "whole number from 1 to 128"),
    ("exchanges = -1", "-1", "whole number from 0 to 128"),
    ('rivals = "all"', "'all'", "own, mixed"),
    ('candidates = "banker"', "'banker'", "list of names"),
    ("candidates = [1]", "[1]", "list of names"),
    (f"candidates = {['banker'] * 8}", "8", "7"),
    ("first_look = 0", "0", "whole number from 1 to 128"),
    ("patience = -0.5", "-0.5", "number from 0 to 10"),
    ("patience = 0.0005", "0.0005", "thousandths"),
    ('casts = "shared"', "'shared'", "in turn, by action"),
    ("value = 3", "3", "learned value"),
    ("luck = 1", "unknown field", "width, playouts, tables, exchanges, spread, error, margin, first_look, patience"),
]
SEARCHED = [
    *((SEARCHING + line, (f"search.{line.split(' = ')[0]}", *names)) for line, *names in SEARCHES),
    (
        f'{SEARCHING}candidates = ["nobody", "random"]\nvalue = "nothing"',
        ("search.candidates", "'nobody'", "not one of"),
        ("search.candidates", "'random'", "weights"),
        ("search.value", "'nothing'", "not one of"),
    ),
    (f"{BASE}[search]\nwidth = 3", ("search", "'rollout'", "'balanced'")),
]
ROWS = [(text, errors) for text, *errors in FIELDS + WEIGHED + PHASED + COUNTIES + CORRECTIONS + SEARCHED]


@pytest.mark.parametrize(("text", "errors"), ROWS)
def test_every_error_is_named_by_key_value_and_what_is_allowed(tmp_path, text, errors):
    write_models("correction", tmp_path / "there.json")
    assert_errors(tmp_path, text, *errors)


@pytest.mark.parametrize("weight", WEIGHTS, ids=lambda weight: weight.name)
@pytest.mark.parametrize(("edge", "beyond"), [("low", -0.001), ("high", 0.001)])
def test_a_weight_may_be_as_small_or_great_as_its_bounds_and_no_more(tmp_path, weight, edge, beyond):
    bound = getattr(weight, edge)
    assert read(tmp_path, f"{BASE}[weights]\n{weight.name} = {bound}").weights[weight.name] == bound
    error = (f"weights.{weight.name}", repr(bound + beyond), f"{weight.low} to {weight.high}")
    assert_errors(tmp_path, f"{BASE}[weights]\n{weight.name} = {bound + beyond}", error)


@pytest.mark.parametrize("text", ["kind =", b'kind = "\xff"'])
def test_a_file_that_is_no_toml_is_refused(tmp_path, text):
    [error] = errors_of(tmp_path, text)
    assert "TOML" in error


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(PolicyError, match=r"nobody\.toml"):
        read_policy(tmp_path / "nobody.toml")
