"""The pages of docs/extending, followed in a copy of the package, which then plays games by what was added."""

import pytest

from tests.changed_package import answer, copied, failures, insert
from tests.test_architecture import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.one_in(1)]

PLAY = """
import json, sys
import wallsim
from tests.trace.rows_from_trace import Rows
from wallsim.engine.columns import columns_of

played = []
for plan in json.loads(sys.argv[1]):
    experiment = wallsim.Experiment(**{"players": 3, "policies": "random", **plan})
    trace = wallsim.trace(experiment, 0)
    names = [column.name for column in columns_of("seats", experiment.ruleset().expansions)][1:]
    seats = [dict(zip(names, row[1:])) for row in experiment.arena().play(0, 1).seats.tolist()]
    counted = [{name: row.get(name, 0) for name in names} for row in Rows(trace.match, trace).seats]
    played.append({"hash": experiment.hash(), "seats": seats, "recounted": seats == counted, "story": trace.story()})
print(json.dumps(played))
"""
RECOUNT = "tests/trace/rows_from_trace.py"
INTERVENTIONS = "wallsim/rules/interventions.py"
ENGINE = "wallsim/engine/interventions.py"
RULESET = "wallsim/rules/ruleset.py"
WINTER = "wallsim/mechanics/winter.py"
TERMS = "wallsim/rules/terms.py"
COURT_KERNELS = "wallsim/mechanics/court.py"
FAVORS = "wallsim/policies/balanced/favors.py"
DECODERS = "wallsim/trace/decoders.py"
REPLAYED = "wallsim/trace/replayed_table.py"
RECORD = "wallsim/rules/record.py"
COPIED = "tests/policies/copied_answers.py"
STORY = "wallsim/trace/story/court.py"
PLAIN, COURT, BALANCED = {}, {"expansions": ["court"]}, {"policies": "balanced"}


@pytest.fixture(scope="module")
def before():
    """Games of the package as it is: plain ones, at court, and of `balanced`."""
    return answer(ROOT, PLAY, [PLAIN, COURT, BALANCED])


@pytest.fixture
def root(tmp_path):
    """A copy of the package with its tests, pages and studies."""
    return copied(tmp_path, "tests", "docs", "analyses")


def follow(root, page, *steps):
    """Do the steps of a page: (file, text, the text that stands behind it)."""
    assert (ROOT / "docs/extending" / page).is_file()
    for path, text, place in steps:
        insert(root, path, text, place)


def column(game, name):
    """A column of the seats of a game."""
    return [row[name] for row in game["seats"]]


def more(game, other):
    """By how much the columns of a game exceed those of another: for each seat those that differ."""
    pairs = zip(game["seats"], other["seats"], strict=True)
    return [{name: row[name] - old.get(name, 0) for name in row if row[name] != old.get(name)} for row, old in pairs]


def test_an_amount(root, before):
    counties = "rules.county_points * count_bits(game.land[seat])"
    follow(
        root, "amount.md",
        ("wallsim/rules/amounts.py",
         '    _single("dawn_points", "B7.4", 0, 0, 9, "VP of each seat in each winter"),\n',
         '    _single("landsknechte_regions"'),
        (WINTER, "rules.dawn_points + ", f"{counties}\n        for"),
        (WINTER, "rules.dawn_points + ", f"{counties}\n        buildings"),
        ("wallsim/engine/log.py", "rules.dawn_points + ", counties),
        ("tests/naive/winter.py", 'table.amount("dawn_points") + ', 'len(own) * table.amount("county_points"),'),
        ("tests/trace/points_from_trace.py", 'ruleset.amount("dawn_points") + ', 'ruleset.amount("county_points") *'),
        (RECOUNT, 'self.ruleset.amount("dawn_points") + ', 'self.ruleset.amount("county_p'),
    )  # fmt: skip
    plain, usual, dawn = answer(root, PLAY, [PLAIN, {"amounts": {"dawn_points": 0}}, {"amounts": {"dawn_points": 2}}])
    assert plain == usual == before[0]
    assert dawn["hash"] != plain["hash"]
    assert dawn["recounted"]
    assert more(dawn, plain) == [{"vp": 4, "vp_year1": 2, "vp_counties_year1": 2, "vp_counties_year2": 2}] * 3
    assert failures(root, "tests/mechanics/test_scoring.py") == ""


def test_a_switch(root, before):
    mark = f"A{17}"  # the tests of the rules' page look for marks that it does not have
    entry = (
        f'- <a id="a17"></a>**{mark}** `old_grain`: default `lost`, else `kept`. Rules: [B7.5]. What year two has.\n\n'
    )
    follow(
        root, "switch.md",
        (RULESET, '    old_grain: Literal["lost", "kept"] = "lost"\n', "    thalers: tuple"),
        (RULESET, f'    Switch("{mark}", "B7.5", "old_grain", "`lost` or `kept` in the new year", "kept grain"),\n',
         ")\n\n\n@dataclass(frozen=True)\nclass Ruleset"),
        (RECORD, '            ("grain_kept", np.int64),\n', '            ("own_marker_revolts", np.'),
        (RECORD, '    rules.grain_kept = ruleset.old_grain == "kept"\n', "    rules.own_marker_rev"),
        (WINTER, "if not rules.grain_kept:\n            ", "game.grain[seat] = 0"),
        ("tests/naive/winter.py", 'if table.rules.old_grain == "lost":\n            ', "player.grain = 0\n    for"),
        ("tests/rules/test_components.py", f'    "{mark}": ("old_grain", "kept", "grain_kept", 0, 1),\n',
         "}\n\n\ndef test_all"),
        ("tests/mechanics/test_winter.py", f'# {mark}: old_grain = "lost" or "kept"\n', "def rise("),
        ("docs/rules.md", entry, '<a id="n"></a>\n'),
        ("docs/rules.md", f"[{mark}] ", "After the first winter everybody's grain is set to 0"),
        ("docs/rules.md", f"[{mark}]: #a17\n", "[A16]: #a16"),
        ("analyses/first_look/experiment.toml", 'old_grain = "lost" # or "kept"\n', "revolting_markers ="),
    )  # fmt: skip
    plain, usual, kept = answer(root, PLAY, [PLAIN, {"rules": {"old_grain": "lost"}}, {"rules": {"old_grain": "kept"}}])
    assert plain == usual == before[0]
    assert kept["hash"] != plain["hash"]
    assert kept["recounted"]
    assert column(kept, "vp_year1") == column(plain, "vp_year1")
    assert sum(column(kept, "shortage_units")) < sum(column(plain, "shortage_units"))
    page = [
        f"tests/docs/test_rules_page.py::{name}"
        for name in (
            "test_the_switches_are_those_of_the_program_and_marked_at_their_rules",
            "test_a_switch_has_its_name_default_values_and_rule",
        )
    ]
    assert failures(root, "tests/mechanics/test_winter.py", "tests/rules/test_components.py", *page) == ""


def test_a_policy_and_a_weight(root, before):
    follow(
        root, "policy.md",
        ("wallsim/policies/weights.py",
         'PRIDE = _weight("pride", "VP", 0.0, 9.0, 0.0, "worth of any county as such")\n\n', "WEIGHTS = "),
        ("wallsim/policies/balanced/appraisal.py", "    PRIDE,\n", "    SITE,\n"),
        ("wallsim/policies/balanced/appraisal.py", "mind.weight[PRIDE] + ", "mind.winters * rules.county_points\n"),
    )  # fmt: skip
    for name, weights in (("proud", "pride = 6.0"), ("same", "pride = 0.0")):
        text = f'description = "Likes land."\nbase = "balanced"\n[weights]\n{weights}\n'
        (root / f"data/policies/{name}.toml").write_text(text, "utf-8")
    balanced, proud, same = answer(root, PLAY, [BALANCED, {"policies": "proud"}, {"policies": "same"}])
    assert balanced == before[2]
    assert more(same, balanced) == [{}] * 3
    assert len({game["hash"] for game in (balanced, proud, same)}) == 3
    assert proud["recounted"]
    assert sum(column(proud, "attacks")) > sum(column(balanced, "attacks"))


def test_a_tower_and_a_model_of_towers(root, before):
    model = "wallsim/rules/tower.py"
    kernel = """
@kernel(apart=True)
def cast_hatch(game, rules):
    start = game.random[TOWER]
    thrown = throw_in(game)
    opens = uniform(draw(game, TOWER)) < rules.hatch
    for colour in range(COLOURS):
        game.fallen[colour] = game.tower[colour] if opens else 0
        for _ in range(game.tray[colour]):
            game.fallen[colour] += uniform(draw(game, TOWER)) < rules.pass_rate
        game.tower[colour] += game.tray[colour] - game.fallen[colour]
    game.random[TOWER] = start
    skip(game, TOWER, WORDS_PER_CAST)
    pick_up(game, thrown)


"""
    words = '    def in_words(self) -> str:\n        return "a hatch opens now and then"\n\n\n'
    follow(
        root, "tower.md",
        (model, f"@dataclass(frozen=True)\nclass Hatch:\n    p: float\n    q: float\n\n{words}", "TowerParameters ="),
        (model, "Hatch | ", "Independent | Urn | Layered"),
        (model, ', "hatch": Hatch', "}\nMODELS ="),
        (model, ", HATCH", " = range(len(MODELS))"),
        (RECORD, '            ("hatch", np.float64),\n', '            ("hazard", np.'),
        (RECORD, "Hatch, ", "Independent, Layered, TowerModel"),
        (RECORD, "    if isinstance(model, Hatch):\n        rules.hatch = model.q\n        return\n",
         "    rules.clump = 1"),
        ("wallsim/rules/mean_rates.py", "Hatch, ", "Independent, Layered, TowerParameters"),
        ("wallsim/rules/mean_rates.py", "Hatch | ", "Independent):\n        return model.p, model.q"),
        ("wallsim/rules/mean_rates.py", "Hatch | ", "Independent):\n        return model.p\n"),
        ("wallsim/mechanics/tower.py", "HATCH, ", "INDEPENDENT, LAYERED"),
        ("wallsim/mechanics/tower.py", kernel.lstrip(), "@kernel\ndef cast("),
        ("wallsim/mechanics/tower.py", "    elif rules.tower_model == HATCH:\n        cast_hatch(game, rules)\n",
         "    else:\n        cast_urn"),
    )  # fmt: skip
    for name, first in (
        ("tube", 'model = "independent"\np = 1\nq = 1'),
        ("hatch", 'model = "hatch"\np = 0.6\nq = 0.2'),
    ):
        text = f'{first}\nsource = "none"\nevidence = ["a trial"]\n'
        (root / f"data/tower/{name}.toml").write_text(text, "utf-8")
    plain, balanced, tube, hatch = answer(
        root, PLAY, [PLAIN, BALANCED, {"tower": "tube"}, {**BALANCED, "tower": "hatch"}]
    )
    assert [plain, balanced] == [before[0], before[2]]
    assert tube["recounted"]
    assert hatch["recounted"]
    assert sum(column(tube, "in_tower")) == 0 < sum(column(plain, "in_tower"))
    assert "hatch" in hatch["story"]


def test_a_column_and_a_measure(root, before):
    follow(
        root, "column.md",
        ("wallsim/engine/columns.py", '    Column("grain_end", "int16", "grain", "grain at the end (B7.1)"),\n',
         '    Column("vp_year1", "int16"'),
        ("wallsim/engine/rows.py", "        row[_SEAT.grain_end] = game.grain[seat]\n",
         "        row[_SEAT.vp_year1] ="),
        ("wallsim/state/tally.py", 'RICH = _count("rich", "times", "taxes of 5 or more (B5.4)")\n', "GRAIN_GAINED = "),
        ("wallsim/mechanics/economy.py", "    game.tally[seat, tally.RICH] += amount >= 5\n",
         "    game.tally[seat, tally.TAXES_GAINED]"),
        (RECOUNT, '        self.count(seat, "rich", action == "taxes" and line["gain"] >= 5)\n',
         '        if action == "grain":\n            self.part'),
        (RECOUNT, '                "grain_end": self.states[-1]["grain"][seat],\n', '                "vp_year1"'),
        ("wallsim/analysis/behaviour/measures.py",
         '    _per_game("rich taxes", "money", "taxes of 5 Thalers or more (B5.4)", pl.col("rich")),\n',
         '    _per_game("Thalers spent"'),
    )  # fmt: skip
    measured = """
import json
from pathlib import Path
import polars, wallsim
from wallsim.analysis.behaviour.measures import measures_of

seats = wallsim.play(wallsim.Experiment(players=3, policies="random", games=6), "run").scan("seats").collect()
measure = next(measure for measure in measures_of() if measure.name == "rich taxes")
mean = seats.select(measure.total.sum() / polars.len()).item()
print(json.dumps([mean, seats["rich"].to_list(), Path("run/codebook.md").read_text("utf-8")]))
"""
    (plain,) = answer(root, PLAY, [PLAIN])
    assert plain["recounted"]
    assert sum(column(plain, "rich")) > 0 < sum(column(plain, "grain_end"))
    assert [set(row) <= {"rich", "grain_end"} for row in more(plain, before[0])] == [True] * 3
    mean, counts, codebook = answer(root, measured)
    assert mean == sum(counts) / len(counts) > 0
    assert "| grain | grain at the end (B7.1) |" in codebook


def test_an_intervention(root, before):
    follow(
        root, "intervention.md",
        (INTERVENTIONS, ', "calm"', ")\nMAX_STEPS"),
        (INTERVENTIONS, '    "calm": ("seat", "round"),\n', "}\n\nProblem"),
        (INTERVENTIONS, '            "calm": self._calm,\n', '            "plan": self._plan,\n'),
        (INTERVENTIONS,
         '    def _calm(self) -> Step:\n        return Step("calm", self._rounds(EVERY_ROUND), self._seat())\n\n',
         "    def _county(self"),
        ("wallsim/rules/script.py", ", CALM", " = range(9)"),
        ("wallsim/rules/script.py", "1 + ", "9)\nSEAT_BY_TURN"),
        ("wallsim/rules/script.py", '    if step.do == "calm":\n        return CALM, 0\n', "    return (HAND, 0) if"),
        (ENGINE, "    CALM,\n", "    CANCEL,\n    FORCE"),
        (ENGINE, "        if step.do == CALM and _is_due(game, rules, step, moment):\n"
         "            _calm(game, _seat_of(game, rules, step), log)\n", "        if step.do == HAND and _is_due"),
        (ENGINE, "@kernel\ndef _calm(game, seat, log):\n"
         "    for county in range(game.marker.size):\n"
         "        if game.owner[county] == seat:\n"
         "            game.markers_left += game.marker[county]\n"
         "            game.marker[county] = 0\n"
         "    if log is not None:\n"
         "        recorder.log_intervention(log, CALM, seat)\n\n\n", "@kernel\ndef _county_for"),
        (DECODERS, "CALM, ", "CANCEL, "),
        (DECODERS, '    if do == CALM:\n        return {"do": "calm", "seat": seat}\n', "    if do == HAND"),
        ("wallsim/trace/story/gains.py", '    if do == "calm":\n        return f"{seat} calms its counties"\n',
         '    if do == "hand":\n        return'),
        (REPLAYED, '        elif do == "calm":\n' "            for county in self.counties.values():\n"
         '                county["markers"] *= county["owner"] != seat\n', '        elif do == "hand":'),
    )  # fmt: skip
    steps = [{"do": "calm", "seat": seat, "round": "fall 2"} for seat in range(3)]
    plain, calm = answer(root, PLAY, [PLAIN, {"interventions": steps}])
    assert plain == before[0]
    assert calm["hash"] != plain["hash"]
    assert calm["recounted"]
    past, _, rest = calm["story"].partition("Fall of year 2")
    assert past.partition("Spring of year 1")[2] in plain["story"]
    assert "calms its counties" in rest
    assert sum(column(calm, "revolts")) < sum(column(plain, "revolts"))


def test_a_question(root, before):
    follow(
        root, "question.md",
        ("wallsim/policies/questions.py",
         'ATTEND = _question("attend", "courtiers", returns=True, answer="1 to come to an audience (E5)")\n',
         'FAVOR = _question("favor"'),
        ("wallsim/policies/decide.py", "    ATTEND,\n", "    BENEFIT,\n"),
        ("wallsim/policies/decide.py", "@kernel\ndef choose_attend(game, rules, mind, seat, courtiers):\n"
         "    if mind.custom_answer[ATTEND] != 0:\n"
         "        arguments = (game, rules, mind, seat, ATTEND, 0, 1, courtiers, 0, 0)\n"
         "        return call_int(mind.guard[NUMBER_GUARD], arguments) != 0\n"
         "    return True\n\n\n", "@kernel\ndef choose_favor("),
        ("wallsim/engine/expansions.py",
         "        if not decide.choose_attend(game, rules, players.seat[seat], seat, game.hall[seat]):\n"
         "            continue\n", "        spaces = court.affordable_favors"),
        ("wallsim/policies/custom/hidden_information.py", "ATTEND, ", "BENEFIT, BID"),
        ("wallsim/policies/custom/hidden_information.py", "ATTEND, ", "FAVOR, CANCEL_EVENT, FAVOR_COUNTY):"),
        (COPIED, "def attend(game, rules, mind, seat, courtiers):\n    return 1\n\n\n", "COPIED = answering("),
        (COPIED, "    attend=attend,\n", "    plan=plan,"),
        ("docs/custom-policies.md", "| `attend` | `courtiers` | a number | 1 to come to an audience (E5) |\n",
         "| `favor` |"),
    )  # fmt: skip
    (root / "mine.py").write_text("def attend(game, rules, mind, seat, courtiers):\n    return 0\n", "utf-8")
    asked = """
import json
from tests.policies.copied_answers import COPIED
from wallsim.policies.catalogue import load_policy
from wallsim.policies.questions import QUESTIONS

print(json.dumps([list(load_policy("./mine.py").answers), {q.name for q in QUESTIONS} == set(COPIED.answers)]))
"""
    assert answer(root, PLAY, [PLAIN, COURT, BALANCED]) == before
    assert answer(root, asked) == [["attend"], True]
    assert failures(root, "tests/docs/test_custom_policies_page.py", "-k", "question") == ""


def test_a_favor(root, before):
    favors = root / "data/board/favors.csv"
    favors.write_text(favors.read_text("utf-8").replace(",thalers,", ",tribute,"), "utf-8")
    palaces = "value * count_bits(game.land[seat] & game.built[0])"
    follow(
        root, "expansion.md",
        (TERMS, '    "tribute",\n', ")\n(\n    CANCEL_EVENT"),
        (TERMS, "    TRIBUTE,\n", ") = range(9)\nPROTECTIONS"),
        (TERMS, "1 + ", "9)\nPROTECTIONS"),
        ("wallsim/rules/board_cards.py", '    "tribute": _AMOUNT,\n', "}\nFAVOR_COLUMNS"),
        (COURT_KERNELS, "    TRIBUTE,\n", "    WINTER,\n"),
        (COURT_KERNELS, "count_bits, ", "kernel, lowest_bit"),
        (COURT_KERNELS, "    elif kind == TRIBUTE:\n"
         f"        gained = receive(game, rules, seat, 0, {palaces})\n"
         "        game.tally[seat, tally.FAVOR_THALERS] += gained\n", "    elif kind == CALM:\n        _calm"),
        (FAVORS, "    TRIBUTE,\n", "    WINTER,\n"),
        (FAVORS, "count_bits, ", "kernel, lowest_bit"),
        (FAVORS, f"    if kind == TRIBUTE:\n        return benefit_worth(game, rules, mind, seat, 0, {palaces})\n",
         "    if kind == NO_ATTACK:"),
        ("wallsim/rules/provenance.py", '    "tribute": ("Thaler a palace", "Thalers a palace"),\n',
         '    "calm": ("revolt'),
        (STORY, '    if kind == "tribute":\n        return f"{value} Thalers for each palace"\n',
         "    return offer(kind, value)"),
        (STORY, '    kind = "thalers" if kind == "tribute" else kind\n', "    return gain(state"),
        ("tests/naive/court.py", '    if kind == "thalers":\n'
         '        worth *= sum("palace" in table.land[name].buildings for name in table.counties_of(seat))\n',
         '    if kind == "thalers":\n        amount'),
        (RECOUNT, '        elif kind == "tribute":\n'
         '            self.receive(seat, "favor", "thalers", line["amount"])\n', '        elif kind != "no_attack":'),
        (REPLAYED, '        elif kind == "tribute":\n            self._receive(seat, "thalers", line["amount"])\n',
         '        elif "amount" in line:'),
    )  # fmt: skip
    plan = {**COURT, "policies": "balanced"}
    plain, tribute, planned = answer(root, PLAY, [PLAIN, COURT, plan])
    assert plain["story"] == before[0]["story"]
    assert tribute["recounted"]
    assert planned["recounted"]
    assert "Thalers for each palace" in tribute["story"]
    assert failures(root, "tests/mechanics/test_favors.py", "-k", "naive") == ""


def test_a_feature_of_standings(root):
    follow(
        root, "features.md",
        ("wallsim/policies/value/features.py",
         'BARE = _feature("bare", "counties", "own counties without a building")\n',
         "FEATURES = _feature.all()\n\n# Of the table"),
        ("wallsim/policies/value/position.py", "    built = game.built[0] | game.built[1] | game.built[2]\n"
         "    row[of.BARE] = count_bits(game.land[seat] & ~built)\n", "    row[of.THALERS] ="),
        ("tests/naive/standing.py", '            "bare": sum(not table.land[name].buildings for name in own),\n',
         '            "majorities": now'),
    )  # fmt: skip
    assert failures(root, "tests/policies/value/test_position.py") == ""
