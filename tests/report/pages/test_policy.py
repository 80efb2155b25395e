"""The page of a policy has its file's words, every weight, every measure with its interval, and its assumptions."""

import re
from dataclasses import replace

import pytest

from tests.refusals import assert_names
from wallsim.analysis.behaviour.measures import VP, WINS, measures_of
from wallsim.analysis.behaviour.tables import BehaviourMeasurement, policy_profiles
from wallsim.engine.version import ENGINE_VERSION
from wallsim.experiment.experiment import Experiment
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import Policy, load_policy
from wallsim.policies.exploitability import BY_WEIGHTS, KNOWING, SHIPPED, WAYS, Exploited
from wallsim.policies.weights import WEIGHTS
from wallsim.report.pages.policy import (
    Origin,
    counties_table,
    exploitability_words,
    origin_of,
    policy_page,
    rounds_table,
    weights_table,
)
from wallsim.report.tables.estimates import NOTHING, bounded, in_words
from wallsim.rules.files import data_folder
from wallsim.rules.terms import ROUND_NAMES
from wallsim.stats.intervals import Confidence

NAMES = ("builder", "balanced", "random")
BALANCED = load_policy("balanced")
EXPERIMENT = Experiment(players=3, seed=5)
GAMES = 220  # four columns of measures need 198


@pytest.fixture(scope="module")
def taken():
    """The policy_profiles of three policies by name."""
    observatory = BehaviourMeasurement(Setting(EXPERIMENT), GAMES, 5)
    result = policy_profiles(observatory, [load_policy(name) for name in NAMES], BALANCED)
    return dict(zip(NAMES, result, strict=True))


def page_of(profile, origin=None, experiment=EXPERIMENT):
    return policy_page(profile, origin or Origin("What it is.", "its/file.toml"), experiment, 5)


def table(page, first):
    """The cells of the table whose first heading is so called, by the first cell of each row."""
    lines = page.splitlines()
    begin = next(k for k, line in enumerate(lines) if line.startswith(f"| {first} |"))
    rows = []
    for line in lines[begin:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
    assert len({len(row) for row in rows}) == 1
    return rows[0], {row[0]: row[1:] for row in rows[2:]}


def test_every_weight_stands_there_with_its_value_the_hosts_and_the_difference(taken):
    builder = load_policy("builder")
    heads, rows = table(page_of(taken["builder"]), "weight")
    assert heads == ["weight", "value", "`balanced`", "difference", "unit", "bounds", "meaning"]
    assert list(rows) == [f"`{weight.name}`" for weight in WEIGHTS]
    for weight in WEIGHTS:
        value, host, gap, unit, bounds, meaning = rows[f"`{weight.name}`"]
        assert float(value) == builder.weights[weight.name]
        assert float(host) == BALANCED.weights[weight.name]
        assert float(gap.replace("−", "-")) == pytest.approx(float(value) - float(host))
        assert (unit, bounds, meaning) == (weight.unit, f"{weight.low:g} to {weight.high:g}", weight.meaning)


def test_weights_that_are_not_the_same_in_all_rounds_stand_in_a_table_by_round():
    phased = replace(BALANCED, name="phased", phases={"year two": {"hold": 0.25}, "fall 2": {"hold": 0.125}})
    _, rows = table(weights_table(phased, BALANCED), "weight")
    assert rows["`hold`"][:3] == ["0.125 to 0.718", "0.718", NOTHING]
    assert rows["`army`"][2] == "0"
    _, rows = table(weights_table(BALANCED, phased), "weight")
    assert rows["`hold`"][:3] == ["0.718", "0.125 to 0.718", NOTHING]
    heads, rows = table(rounds_table(phased), "weight by round")
    assert heads == ["weight by round", *ROUND_NAMES]
    assert rows == {"`hold`": ["0.718", "0.718", "0.718", "0.25", "0.25", "0.125"]}
    assert "|" not in rounds_table(BALANCED)


def test_the_worths_of_counties_are_a_table_by_number_of_players():
    drafting = replace(BALANCED, counties={3: {"Altmark": 0.5}, 4: {"Altmark": -0.25, "Baden": 1.0}})
    heads, rows = table(counties_table(drafting), "worth of a county in the draft, VP")
    assert heads[1:] == ["3 players", "4 players"]
    assert rows == {"Altmark": ["0.5", "-0.25"], "Baden": ["0", "1"]}


def test_a_search_for_a_best_response_that_is_on_record_is_reported():
    by_search = Exploited(0.45, 0.41, 0.49, "draft", "mid", "0.0", "640", "4")
    by_weights = Exploited(0.4, 0.38, 0.42, "lineup", "spielbyweb", "10", "24000", "4")
    known = {("balanced", 4): {KNOWING: by_search, BY_WEIGHTS: by_weights}}
    first, *ways = exploitability_words(BALANCED, 4, known).split("\n- ")
    assert_names(first, "3 copies", "25.0 %")
    assert [way.partition(": ")[0] for way in ways] == [WAYS[KNOWING], WAYS[BY_WEIGHTS], "not measured"]
    assert_names(ways[0], "45.0 % (41.0 to 49.0)", "640 held-out games", "draft", "tower mid", "engine version 4")
    assert_names(ways[1], "40.0 % (38.0 to 42.0)", "24,000 held-out games", "10 CPU minutes", "lineup", "spielbyweb")
    by_shipped = {("balanced", 4): {SHIPPED: by_search._replace(way=SHIPPED, response="banker")}}
    assert_names(exploitability_words(BALANCED, 4, by_shipped), f"{WAYS[SHIPPED]}, `banker`: 45.0 %")
    other = replace(BALANCED, weights={**BALANCED.weights, "hold": 0.5})
    for policy, players in ((BALANCED, 3), (other, 4)):
        assert_names(exploitability_words(policy, players, known), f"tables of {players}: not measured", "`wallsim ex")


def test_the_host_is_not_compared_with_itself(taken):
    page = page_of(taken["balanced"])
    assert table(page, "weight")[0] == ["weight", "value", "unit", "bounds", "meaning"]
    heads, rows = table(page, "measure")
    assert len(heads) == 3
    profile = taken["balanced"]
    ends = profile.copies.interval(VP, Confidence(0.95, len(profile.measures)))
    assert rows[VP][1].endswith(f" ± {bounded((ends[1] - ends[0]) / 2, 2)}")
    assert_names(page, f"Games: {GAMES}", f"0 to {GAMES - 1} of seed 5")


def test_a_policy_without_weights_says_so(taken):
    page = page_of(taken["random"])
    assert "|" not in page.split("## Weights\n")[1].split("##")[0]
    assert table(page, "name")[1]["weights"] == ["none"]

    own = Policy("mine", "balanced", {"hold": 0.5, "cunning": 2.0})
    _, rows = table(weights_table(own, replace(BALANCED, weights={"deny": 1.0})), "weight")
    assert rows["`hold`"][:5] == ["0.5", "–", "–", "share", "0 to 1.5"]  # the other has none
    assert (rows["`cunning`"], "`deny`" in rows) == (["2", *"–––––"], False)


def test_every_measure_stands_there_in_all_companies_with_joint_intervals(taken):
    profile = taken["builder"]
    heads, rows = table(page_of(profile), "measure")
    _, meanings = table(page_of(profile), "what is measured")
    assert list(rows) == list(meanings) == [measure.name for measure in profile.measures]
    assert [re.findall("`(.*?)`", head) for head in heads[2:6]] == [
        ["builder"], ["balanced"], [], ["builder", "balanced"],
    ]  # fmt: skip
    confidence = Confidence(0.95, 4 * len(profile.measures))
    for measure in profile.measures:
        cells = rows[measure.name]
        assert cells[0] == measure.unit
        assert meanings[measure.name] == [measure.meaning.replace("|", "\\|")]
        for cell, behaviour in ((cells[1], profile.copies), (cells[2], profile.hosts), (cells[4], profile.guest)):
            if measure.name == WINS and behaviour is not profile.guest:
                assert cell == "–"  # the fair share by definition
                continue
            estimate, decimals = behaviour.estimates[measure.name], measure.decimals
            top = 100.0 if measure.scale == 100 else None
            assert cell == in_words(estimate.value, behaviour.interval(measure.name, confidence), decimals, top=top)
            if estimate.error > 1e-9:
                half = confidence.t(GAMES) * estimate.error
                assert cell.split(" ± ")[1] == bounded(half, decimals)
            else:
                assert " ± " not in cell


def test_bold_differences_are_those_that_are_plain(taken):
    page = page_of(taken["random"])
    _, rows = table(page, "measure")
    bold = {name for name, cells in rows.items() if cells[3].startswith("**")}
    for name, cells in rows.items():
        value, _, half = cells[3].strip("*").replace("−", "-").partition(" ± ")
        is_beyond = bool(half) and abs(float(value)) - float(half) > 0.8
        assert (name in bold) == is_beyond, (name, cells[3])
    said = re.search(r"plainly from `balanced` in (\d+) of (\d+) measures .*, most in: (.*)\.", page)
    count, out_of, named = said.groups()
    assert VP in bold  # a result, and no conduct
    assert int(count) == len(bold) - 1
    assert int(out_of) == len(rows) - 2
    assert named.startswith("passes (+")
    assert {part.rsplit(" (", 1)[0] for part in named.split(", ")} <= bold


def test_strength_is_reported_with_interval_n_and_what_was_played(taken):
    profile = taken["builder"]
    [line] = [line for line in page_of(profile).splitlines() if line.startswith("One seat of `builder`")]
    share, low, high = map(float, re.search(r"([\d.]+) % of wins \(([\d.]+) to ([\d.]+)\)", line).groups())
    assert low < share < high
    assert f"{share:.1f}" == f"{profile.guest.estimates[WINS].value:.1f}"
    assert_names(line, "2 of `balanced`", "33.3 %", "220 game numbers", "660 games", "3 players", "edition 2e")
    assert_names(line, "tower spielbyweb", f"engine version {ENGINE_VERSION}", "simultaneously", "95%")
    assert re.search(r"`random` .*: 0.0 % of wins \(0.0 to [1-9][\d.]+\)", page_of(taken["random"]))


def test_it_rests_on_tower_board_and_games(taken):
    rests = page_of(taken["builder"]).split("## Assumptions")[1]
    assert_names(rests, f"Games: {GAMES * 5:,}", f"0 to {GAMES - 1} of seed 5", "edition 2e", "Tower: spielbyweb")
    assert_names(rests, "board's data: line-up")  # a county of a three-player line-up
    box = Experiment(players=3, edition="1e", expansions="all")
    rests = page_of(taken["builder"], experiment=box).split("## Assumptions")[1]
    assert_names(rests, "edition 1e", "court, landsknechte, leaders", "First edition:")


def test_few_games_promise_nothing():
    needed = Confidence(n_comparisons=4 * len(measures_of())).min_blocks
    few = BehaviourMeasurement(Setting(EXPERIMENT), needed - 1, 5)
    [profile] = policy_profiles(few, [load_policy("random")], BALANCED)
    page = page_of(profile)
    assert_names(page, f"at least {needed} game numbers", f"these are {needed - 1},", "in no measure")
    assert not [words for words in ("±", "simultaneously", "**0.") if words in page]


# ------------------------------------------------------------------------------------------- where it comes from


@pytest.mark.parametrize("name", NAMES)
def test_the_page_has_the_words_of_the_file(taken, name):
    path = data_folder("policies") / f"{name}.toml"
    text = path.read_text("utf-8")
    page = page_of(taken[name], origin_of(str(path)))
    description = re.search('description = "(.*)"', text)[1]
    assert page.startswith(f"# Policy `{name}`\n\n{description}\n")
    assert table(page, "name")[1]["file"] == [f"`data/policies/{name}.toml`"]
    words = page.split()
    comments = [line[2:].split() for line in text.splitlines() if line.startswith("# ")]
    assert all(word in words for line in comments for word in line)
    assert ("## Comments" in page) == bool(comments)


def test_a_python_file_tells_by_its_docstring(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text('"""Always attacks.\n\nMade in\nan hour.\n\nFor fun.\n"""\n', "utf-8")
    assert origin_of(str(path)) == Origin("Always attacks.", "mine.py", ("Made in an hour.", "For fun."))

    for name, text in (("bad.toml", "= ="), ("bad.py", "def"), ("plain.py", "x = 1")):  # that say nothing
        (tmp_path / name).write_text(text, "utf-8")
        assert origin_of(str(tmp_path / name)) == Origin(file=name)


def test_words_of_a_file_never_become_headings_or_cells(taken):
    page = page_of(taken["random"], Origin("# Loud | louder", "a|b.toml", ("- list", "> quotation")))
    assert "\n\\# Loud | louder\n" in page
    assert "\n\\- list\n\n\\> quotation\n" in page
    assert table(page, "name")[1]["file"] == ["`a\\|b.toml`"]


def test_openings_are_reported_with_their_games_and_not_of_a_draft(taken):
    openings = taken["builder"].openings
    [reported] = [line for line in page_of(taken["builder"]).splitlines() if "Openings:" in line]
    assert_names(reported, f"{GAMES} games", f"{openings.entropy.value:.2f} ± ", f"{openings.repeated.value:.1f} ± ")
    assert f"> {taken['random'].openings.least - 0.05:.1f} bits" in page_of(taken["random"])
    setting = Setting(Experiment(players=3, setup="draft"))
    [drafted] = policy_profiles(BehaviourMeasurement(setting, 30, 5), [BALANCED], BALANCED)
    assert drafted.openings is None
    assert "Openings" not in page_of(drafted)
