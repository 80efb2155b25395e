"""An experiment is checked whole: every error is named with place, value and what is allowed, all at once."""

import re
import shutil
import tomllib
from itertools import combinations

import pytest

from wallsim.errors import InputError
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

ALONE, NOR = "all must be used alone", "nor a .toml or .py file"
POLICIES = ", ".join(listed_names())
KNOWN = ", ".join(EXPANSIONS)


def errors_of(path):
    with pytest.raises(InputError) as caught:
        load_experiment(path)
    return [line.removeprefix(f"{path}: ") for line in caught.value.errors]


def flag_errors(**flags):
    with pytest.raises(InputError) as caught:
        experiment_from_flags(flags)
    return caught.value.errors


def test_an_empty_file_is_the_default_experiment(write):
    assert load_experiment(write("")) == Experiment()


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
    [rules]
    food_track = "open"
    bank = 200
    [amounts]
    palace_price = 4
    [lineup.A]
    Altmark = 5
    Vogtland = 9
    """
    experiment = load_experiment(write(text))
    assert experiment.model_dump(exclude={"board"}) == {
        **tomllib.loads(text),
        "lineups": ("C", "A", "B"),
        "expansions": ("court", "leaders"),
        "policies": ("random",) * 3,
        "interventions": ({"do": "place", "seat": 0, "to": "last", "round": "every"},),
        "without": ("Böhmen",),
    }
    assert experiment.ruleset() == Ruleset(
        players=3, lineups=("C", "A", "B"), edition="1e", expansions=("court", "leaders"), food_track="open", bank=200,
        thalers=(("A", 12), ("B", 20)), without=("Böhmen",), lineup_edits=(("A", (("Altmark", 5), ("Vogtland", 9))),),
        amounts=(("palace_price", 4),),
    )  # fmt: skip


def test_one_policy_name_sits_at_every_seat():
    assert experiment_from_flags({"policies": "random", "players": 5}).policies == ("random",) * 5
    assert Experiment(players=3).policies == ("balanced",) * 3


@pytest.mark.parametrize(
    ("said", "played"),
    [
        ("[]", ()),
        ("['court']", ("court",)),
        ("'court'", ("court",)),
        ("'all'", EXPANSIONS),
        ("['leaders', 'landsknechte', 'court']", EXPANSIONS),
        ("['leaders', 'court']", ("court", "leaders")),
    ],
)
def test_expansions_are_kept_in_one_order_however_they_are_said(write, said, played):
    experiment = load_experiment(write(f"expansions = {said}"))
    assert experiment.expansions == experiment.ruleset().expansions == played
    assert experiment.hash() == Experiment(expansions=played).hash()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("players = 7", "players: 7 is not one of 3, 4, 5"),
        ("players = true", "players: true is not one of 3, 4, 5"),
        ("setup = 'drawn'", 'setup: "drawn" is not one of lineup, draft, deal'),
        ("policies = 'rando'", f'policies: "rando" is not one of {POLICIES}, {NOR}; did you mean random?'),
        ("policies = 3", "policies: 3 is not the name of a policy or a list of names, one per seat"),
        ("games = -1", f"games: -1 is not a whole number from 1 to {MAX_GAMES}"),
        ("games = 0", f"games: 0 is not a whole number from 1 to {MAX_GAMES}"),
        ("games = 1e6", f"games: 1000000.0 is not a whole number from 1 to {MAX_GAMES}"),
        ("games = 10000000001", f"games: 10000000001 is not a whole number from 1 to {MAX_GAMES}"),
        ("seed = -1", f"seed: -1 is not a whole number from 0 to {MAX_SEED}"),
        ("seed = 9223372036854775808", f"seed: {2**63} is not a whole number from 0 to {MAX_SEED}"),
        ("seasons = 1", f"seasons: 1 is not true or false; as a number of the game it {FIXED['seasons']}"),
        ("battles = 1", "battles: 1 is not true or false"),
        ("name = '../up'", 'name: "../up" is not up to 80 letters, digits, blanks or . + -'),
        ("gamse = 1", f"gamse: unknown key; allowed are {', '.join(FIELDS)}; did you mean games?"),
        ("lineups = 'ABCD'", 'lineups: "ABCD" is not a list of line-up letters, one per seat'),
        ("lineups = ['A', 'B', 'C', 'E']", 'lineups: ["A", "B", "C", "E"] is not each of A, B, C, D once'),
        ("edition = '3e'", 'edition: "3e" is not one of 2e, 1e'),
        ("edition = 1", "edition: 1 is not one of 2e, 1e"),
        ("expansions = 3", f"expansions: 3 is not a list of some of {KNOWN}, or all"),
        ("expansions = [1]", f"expansions: [1] is not a list of some of {KNOWN}, or all"),
        ("expansions = true", f"expansions: true is not a list of some of {KNOWN}, or all"),
        ("expansions = 'Court'", f'expansions: "Court" is not one of {KNOWN}; {ALONE}; did you mean court?'),
        ("expansions = ''", f'expansions: "" is not one of {KNOWN}; all must be used alone'),
        ("expansions = ['all', 'court']", f'expansions: "all" is not one of {KNOWN}; all must be used alone'),
        (
            "expansions = ['court', 'court']",
            f'expansions: "court" is named more than once; allowed are {KNOWN}, each once',
        ),
        ("rules = 1", "rules: 1 is not a table of switches"),
        ("[rules]\nbank = 12", "rules.bank: 12 is not 0 (never runs out) or 100 to 10000 Thalers"),
        ("[rules]\ncombat = 'can'", 'rules.combat: "can" is not one of must, may'),
        ("[rules]\nedition = '1e'", "rules.edition: unknown switch; edition is a separate key or option"),
        ("[rules]\nexpansions = []", "rules.expansions: unknown switch; expansions is a separate key or option"),
        ("[rules]\nstatue_points = 2", "rules.statue_points: 2 is not one of each_winter, at_the_end"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_named_with_what_is_allowed(write, text, error):
    assert errors_of(write(text)) == [error]


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


def test_every_wrong_expansion_is_named(write):
    errors = errors_of(write("expansions = ['courts', 'leaders', 'leaders', 'knights']"))
    assert [error.split(" is ")[0] for error in errors] == [
        'expansions: "courts"', 'expansions: "knights"', 'expansions: "leaders"',
    ]  # fmt: skip


def test_a_policy_too_few_is_counted(write):
    assert errors_of(write("policies = ['random', 'random', 'random']")) == [
        'policies: ["random", "random", "random"] names 3 policies; allowed are one name for all, or 4'
    ]


def test_a_draft_takes_no_lineups(write):
    [error] = errors_of(write("setup = 'draft'\nlineups = ['A', 'B', 'C', 'D']"))
    assert error.startswith("lineups: ")


def test_unknown_switches_and_towers_list_the_known_ones(write):
    [error] = errors_of(write("[rules]\nlefty = 3"))
    assert error == f"rules.lefty: unknown switch; allowed are {', '.join(SWITCH_NAMES)}"
    [error] = errors_of(write("tower = 'pisa'"))
    assert error == f"tower: 'pisa' is neither a preset ({', '.join(tower_presets())}) nor a .toml file"


def test_all_errors_of_a_file_come_at_once(write):
    text = """
    players = 7
    policies = "rando"
    games = -3
    tower = "pisa"
    edition = "0e"
    expansions = "sea"
    board = "nowhere"
    gamse = 1
    [rules]
    bank = 5
    combat = "can"
    leaders = 1
    """
    keys = [error.split(":")[0] for error in errors_of(write(text))]
    assert sorted(keys) == sorted(
        [
            "players",
            "policies",
            "games",
            "tower",
            "edition",
            "expansions",
            "board",
            "gamse",
            "rules.bank",
            "rules.combat",
            "rules.leaders",
        ]
    )


def test_a_broken_toml_is_named_with_its_line(write):
    [error] = errors_of(write("games = 1\nseed = = 2"))
    assert error.startswith("not a TOML file: ")
    assert "line 2" in error


def test_a_missing_file_is_named(tmp_path):
    assert errors_of(tmp_path / "none.toml") == ["cannot be read: No such file or directory"]


def test_values_of_options_are_named_by_their_keys():
    assert flag_errors(players=7, games=-1, edition="3", expansions="sea", rules={"bank": 5}) == [
        "players: 7 is not one of 3, 4, 5",
        'edition: "3" is not one of 2e, 1e',
        f'expansions: "sea" is not one of {KNOWN}; all must be used alone',
        f"games: -1 is not a whole number from 1 to {MAX_GAMES}",
        "rules.bank: 5 is not 0 (never runs out) or 100 to 10000 Thalers",
    ]


def test_an_override_of_a_file_is_named_by_its_key(write):
    with pytest.raises(InputError, match=r"^games: -1 is not"):
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
        Experiment(),
        Experiment(name="x", players=5, setup="draft", rules={"bank": 100}),
        Experiment(edition="1e", expansions=("leaders", "court")),
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


def test_chunks_bound_the_memory_and_do_not_depend_on_the_machine():
    assert Experiment(games=10**9).chunk_games() == 50_000
    assert Experiment(games=10**9, battles=True).chunk_games() < 50_000
    assert Experiment(games=10**9, seasons=True).chunk_games() < 25_000
    assert {Experiment(games=games).chunk_games() for games in (10, 200_000, 10**9)} == {50_000}
    assert {Experiment(games=games, chunk=7000).chunk_games() for games in (10, 200_000, 10**9)} == {7000}


def test_the_example_file_is_sound_and_says_only_defaults():
    path = data_folder("board").parents[1] / "analyses" / "first_look" / "experiment.toml"
    assert load_experiment(path).hash() == Experiment().hash()
    commented = set(re.findall(r"^# (\w+) = ", path.read_text("utf-8"), re.MULTILINE))
    assert set(tomllib.loads(path.read_text("utf-8"))) | commented == set(FIELDS)
