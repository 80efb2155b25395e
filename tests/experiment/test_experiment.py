"""An experiment is checked whole: every error is named with place, value and what is allowed, all at once."""

import ast
import inspect
import re
import shutil
import tomllib
from itertools import combinations

import pytest

from tests.refusals import assert_names, refused
from wallsim.errors import InputError
from wallsim.experiment import experiment as module
from wallsim.experiment.chunks import MAX_CHUNKS
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import FIELDS, experiment_text, load_experiment
from wallsim.experiment.keys import MAX_GAMES, MAX_SEED
from wallsim.experiment.setup_keys import SWITCH_NAMES
from wallsim.play.flags import experiment_from_flags
from wallsim.policies.catalogue import listed_names
from wallsim.rules.amounts import FIXED, PRINTED, fixed_words
from wallsim.rules.files import data_folder
from wallsim.rules.ruleset import FIELD_NAMES, Ruleset
from wallsim.rules.terms import EXPANSIONS
from wallsim.rules.tower import tower_presets

ALONE = "all must be used alone"
POLICIES = ", ".join(listed_names())
KNOWN = ", ".join(EXPANSIONS)


def errors_of(path):
    with pytest.raises(InputError) as caught:
        load_experiment(path)
    return [line.removeprefix(f"{path}: ") for line in caught.value.errors]


def test_every_key_of_a_file_arrives(write):
    text = """
    name = "all of it"
    players = 3
    setup = "lineup"
    lineups = ["C", "A", "B"]
    edition = "1e"
    expansions = ["court", "leaders"]
    policies = ["random", "random", "random"]
    games = 77
    seed = 5
    tower = "mid"
    seasons = true
    battles = true
    counties = true
    plans = true
    columns = "lean"
    chunk = 10
    interventions = [{ do = "place", seat = 0, to = "last", round = "every" }]
    thalers = { A = 12, B = 20 }
    without = ["Böhmen"]
    rules = { food_track = "open", bank = 200 }
    amounts = { palace_price = 4 }
    lineup.A = { Altmark = 5, Vogtland = 9 }
    """
    experiment = load_experiment(write(text))
    assert experiment.model_dump(mode="json", exclude={"board"}) == tomllib.loads(text)
    assert experiment.ruleset() == Ruleset(
        players=3, lineups=("C", "A", "B"), edition="1e", expansions=("court", "leaders"), food_track="open", bank=200,
        thalers=(("A", 12), ("B", 20)), without=("Böhmen",), lineup_edits=(("A", (("Altmark", 5), ("Vogtland", 9))),),
        amounts=(("palace_price", 4),),
    )  # fmt: skip
    assert load_experiment(write("")) == Experiment()
    assert load_experiment(write('policies = "random"\nplayers = 5')).policies == ("random",) * 5
    assert Experiment(players=3).policies == ("balanced",) * 3


@pytest.mark.parametrize(
    ("said", "played"), [("'court'", ("court",)), ("'all'", EXPANSIONS), ("['leaders', 'court']", ("court", "leaders"))]
)
def test_expansions_are_kept_in_one_order_however_they_are_said(write, said, played):
    experiment = load_experiment(write(f"expansions = {said}"))
    assert experiment.expansions == experiment.ruleset().expansions == played
    assert experiment.hash() == Experiment(expansions=played).hash()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("players = 7", ["players: 7 ", "3, 4, 5"]),
        ("players = true", ["players: true ", "3, 4, 5"]),
        ("setup = 'drawn'", ['setup: "drawn" ', "lineup, draft, deal"]),
        ("policies = 'rando'", ['policies: "rando" ', POLICIES, ".toml or .py", "did you mean random?"]),
        ("policies = 3", ["policies: 3 ", "one per seat"]),
        ("policies = ['random', 'random', 'random']",
         ['policies: ["random", "random", "random"] ', "3 policies", "one name for all, or 4"]),
        *((f"games = {value}", [f"games: {value} ", f"from 1 to {MAX_GAMES}"]) for value in (0, 10**10 + 1, 1e6)),
        *((f"seed = {value}", [f"seed: {value} ", f"from 0 to {MAX_SEED}"]) for value in (-1, 2**63)),
        ("seasons = 1", ["seasons: 1 ", "true or false", FIXED["seasons"]]),
        ("name = '../up'", ['name: "../up" ', "up to 80 letters"]),
        ("gamse = 1", ["gamse: unknown key", ", ".join(FIELDS), "did you mean games?"]),
        ("lineups = 'ABCD'", ['lineups: "ABCD" ', "one per seat"]),
        ("lineups = ['A', 'B', 'C', 'E']", ['lineups: ["A", "B", "C", "E"] ', "A, B, C, D"]),
        ("setup = 'draft'\nlineups = ['A', 'B', 'C', 'D']", ["lineups: ", "draft"]),
        ("edition = '3e'", ['edition: "3e" ', "2e, 1e"]),
        *((f"expansions = {value}", [f"expansions: {value} ", KNOWN, "or all"]) for value in ("3", "[1]")),
        ("expansions = 'Court'", ['expansions: "Court" ', KNOWN, ALONE, "did you mean court?"]),
        ("expansions = ['all', 'court']", ['expansions: "all" ', KNOWN, ALONE]),
        ("expansions = ['court', 'court']", ['expansions: "court" ', "more than once", KNOWN]),
        ("rules = 1", ["rules: 1 ", "table of switches"]),
        ("[rules]\nbank = 12", ["rules.bank: 12 ", "100 to 10000"]),
        ("[rules]\ncombat = 'can'", ['rules.combat: "can" ', "must, may"]),
        *((f"[rules]\n{key} = 1", [f"rules.{key}: unknown switch", f"{key} is a separate"])
          for key in ("edition", "expansions")),
        ("[rules]\nstatue_points = 2", ["rules.statue_points: 2 ", "each_winter, at_the_end"]),
        ("[rules]\nlefty = 3", ["rules.lefty: unknown switch", ", ".join(SWITCH_NAMES)]),
        ("tower = 'pisa'", ["tower: 'pisa' ", ", ".join(tower_presets()), ".toml file"]),
    ],
)  # fmt: skip
def test_a_wrong_value_is_named_with_what_is_allowed(write, text, names):
    [error] = errors_of(write(text))
    assert error.startswith(names[0])
    assert_names(error, *names)


@pytest.mark.parametrize("name", sorted(FIXED))
def test_what_no_experiment_changes_is_said_to_be_fixed_wherever_it_is_tried(write, name):
    if name not in FIELDS:
        assert errors_of(write(f"{name} = 3")) == [f"{name}: {FIXED[name]}"]
    for table in ("amounts", "rules"):
        [error] = errors_of(write(f"[{table}]\n{name} = 3"))
        assert error.startswith(f"{table}.{name}: ")
        assert FIXED[name] in error


def test_the_rounds_are_those_of_the_rules():  # B2
    assert fixed_words("rounds").startswith("is fixed: 2 years of 3 rounds")
    assert fixed_words("palace_price") == fixed_words(3) == ""
    assert not {*FIXED} & {*SWITCH_NAMES, *PRINTED}


def test_all_errors_of_a_file_come_at_once(write):
    text = """
    players = 7
    policies = "rando"
    games = -3
    tower = "pisa"
    edition = "0e"
    expansions = ["courts", "leaders", "leaders"]
    board = "nowhere"
    gamse = 1
    [rules]
    bank = 5
    combat = "can"
    leaders = 1
    """
    assert sorted(error.split(":")[0] for error in errors_of(write(text))) == sorted([
        "players", "policies", "games", "tower", "edition", "expansions", "expansions", "board", "gamse", "rules.bank",
        "rules.combat", "rules.leaders",
    ])  # fmt: skip


def test_a_broken_or_missing_file_is_named(write, tmp_path):
    [error] = errors_of(write("games = 1\nseed = = 2"))
    assert_names(error, "TOML", "line 2")
    [error] = errors_of(tmp_path / "none.toml")
    assert "No such file" in error


def test_keywords_and_options_are_named_by_their_keys_and_options_come_before_a_file(write):
    with refused("players: 7", "games: 0", "rules.combats", "polices"):
        Experiment(players=7, games=0, rules={"combats": "may"}, polices="random")
    with refused("players: 7", 'edition: "3"', "games: -1", "rules.bank: 5"):
        experiment_from_flags({"players": 7, "games": -1, "edition": "3", "rules": {"bank": 5}})
    with refused("games: -1 "):
        load_experiment(write("games = 5"), {"games": -1})
    assert load_experiment(write("games = 5"), {"games": 6}).games == 6


def test_a_board_with_a_one_sided_border_is_refused_by_file_and_line(write, tmp_path):
    shutil.copytree(data_folder("board"), tmp_path / "board")
    borders = tmp_path / "board" / "borders.csv"
    lines = borders.read_text("utf-8").splitlines()
    a, b, *rest = lines[1].split(",")
    borders.write_text("\n".join([*lines, ",".join([b, a, *rest])]) + "\n", "utf-8")
    error, *_ = errors_of(write('board = "board"'))
    assert error.startswith(f"board: {borders}, line {len(lines) + 1}")


def test_paths_of_a_file_are_taken_from_its_folder(write, tmp_path):
    shutil.copytree(data_folder("board"), tmp_path / "mine")
    shutil.copy(data_folder("tower") / "mid.toml", tmp_path / "leaning.toml")
    experiment = load_experiment(write('board = "mine"\ntower = "leaning.toml"'))
    assert experiment.components().tower.name == "leaning"
    assert experiment.hash() == Experiment(tower="mid").hash()


@pytest.mark.parametrize(
    "experiment",
    [
        Experiment(name="x", players=5, setup="draft", rules={"bank": 100}),
        Experiment(edition="1e", expansions=("court",)),
    ],
)
def test_the_canonical_text_says_every_key_and_reads_back(write, experiment):
    again = load_experiment(write(experiment_text(experiment)))
    assert again.hash() == experiment.hash()
    assert again.chunk_games() == experiment.chunk_games()
    assert experiment_text(again) == experiment_text(experiment)
    said = tomllib.loads(experiment_text(experiment))
    assert set(said["rules"]) | {"players", "setup", "lineups", "edition", "expansions"} == set(FIELD_NAMES)
    assert (said["edition"], tuple(said["expansions"])) == (experiment.edition, experiment.expansions)


def test_the_hash_covers_what_decides_the_rows_and_nothing_else():
    base = Experiment().hash()
    same = [{"name": "x"}, {"chunk": 7}, {"games": 9}, {"lineups": ["A", "B", "C", "D"]}, {"rules": {"bank": 0}},
            {"edition": "2e"}, {"expansions": []}, {"rules": {"combat": "must"}}]  # fmt: skip
    other = [
        {"players": 3}, {"setup": "draft"}, {"lineups": ["B", "A", "C", "D"]}, {"seed": 2},
        {"tower": "mid"}, {"seasons": True}, {"battles": True}, {"rules": {"final_tie": "shared"}},
        {"edition": "1e"}, {"rules": {"combat": "may"}}, {"rules": {"few_cards": "any_box"}},
        *({"expansions": list(names)} for count in (1, 2, 3) for names in combinations(EXPANSIONS, count)),
    ]  # fmt: skip
    assert {experiment_from_flags(flags).hash() for flags in same} == {base}
    assert len({base, *(experiment_from_flags(flags).hash() for flags in other)}) == len(other) + 1
    hashes = {Experiment(games=games).hash(with_games=True) for games in (9, 10, 11)}
    assert len({base, *hashes}) == 4


def test_no_run_may_have_too_many_chunks():
    with refused("chunk: 1 ", "1000000 chunks", "10000 or more"):
        Experiment(games=MAX_GAMES, chunk=1)
    for flags in ({}, {"seasons": True}, {"battles": True}):
        assert MAX_GAMES <= Experiment(games=MAX_GAMES, **flags).chunk_games() * MAX_CHUNKS


def test_chunks_bound_the_memory_and_do_not_depend_on_the_machine():
    assert Experiment(games=10**9, battles=True).chunk_games() < 50_000
    assert Experiment(games=10**9, seasons=True).chunk_games() < 25_000
    assert {Experiment(games=games).chunk_games() for games in (10, 200_000, 10**9)} == {50_000}
    assert {Experiment(games=games, chunk=7000).chunk_games() for games in (10, 200_000, 10**9)} == {7000}


def test_the_example_file_is_sound_and_says_only_defaults():
    path = data_folder("board").parents[1] / "analyses" / "first_look" / "experiment.toml"
    assert load_experiment(path).hash() == Experiment().hash()
    commented = set(re.findall(r"^# (\w+) = ", path.read_text("utf-8"), re.MULTILINE))
    assert set(tomllib.loads(path.read_text("utf-8"))) | commented == set(FIELDS)


def test_the_signature_for_type_checkers_and_the_documentation_have_every_field():
    tree = ast.parse(inspect.getsource(module))
    [signature] = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "__init__"]
    assert [argument.arg for argument in signature.args.kwonlyargs] == list(Experiment.model_fields)
    defaults = [eval(ast.unparse(node), vars(module)) for node in signature.args.kw_defaults]
    plain = Experiment()
    for key, value in zip(Experiment.model_fields, defaults, strict=True):
        assert value is ... or Experiment(**{key: value}) == plain, key
    text = inspect.getdoc(Experiment)
    parameters = text[text.index("Parameters\n") : text.index("Raises\n")]
    named = [name for line in re.findall(r"^(\w+(?:, \w+)*)$", parameters, re.M) for name in line.split(", ")]
    assert [name for name in named if name != "Parameters"] == list(Experiment.model_fields)
