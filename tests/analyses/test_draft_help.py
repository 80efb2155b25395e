"""The data of the draft help: rules that pick as the engine's drafters do; and cards of counties, layers of the map."""

import json
import re
from collections import Counter

import pytest

from tests.analyses.played_drafts import DECK, PLAYS, TABLE, pick_table, played_drafts
from wallsim.analyses.draft.deals import ground_of
from wallsim.analyses.draft.estimates import read_picks
from wallsim.analyses.draft.pairs import ADDS, COSTS, UNKNOWN
from wallsim.analyses.strategy_report import counties
from wallsim.analyses.strategy_report.counties import FOREIGN, layers, rules
from wallsim.analyses.strategy_report.draft_help import BY_TABLE, draft_data, gain_of
from wallsim.report.html.page import json_block
from wallsim.rules.board import load_board
from wallsim.stats.intervals import side_of
from wallsim.studies.catalogue import load_study
from wallsim.studies.publishing import as_published


@pytest.fixture(scope="module")
def draft():
    return as_published(load_study("draft"))


@pytest.fixture(scope="module")
def cards(draft):
    return counties.cards(draft)


@pytest.fixture(scope="module")
def data(draft, cards):
    return draft_data(draft, cards)


def best_of(promise, counties, step, on_deck=0.0):
    values = [promise(name) for name in step.open]
    hidden = [promise(name) for name in counties if name not in (*step.mine, *step.theirs, *step.open)]
    return DECK if max(values) < sum(hidden) / len(hidden) + on_deck else values.index(max(values))


def card_by_table(data, table, step):
    """The rule of the table anew: a worth less the neighbours that a deal brings, and those that there are."""
    counties, others, groups = data["counties"], data["players"] - 1, data["groups"]
    mine, theirs = step.mine, step.theirs
    (own, _), (border, _), (region, _) = (table[rule] for rule in ("own", "border", "region"))
    border *= (others - 1) / others
    free, apart = len(counties) - len(mine) - len(theirs), len(counties) - 2

    def promise(name):
        near, here = counties[name]["beside"], counties[name]["region"]
        held = {whose: sum(each in hand for each in near) for whose, hand in (("own", mine), ("other", theirs))}
        still = len(near) - sum(held.values())
        value = table["worths"][name][0]
        value += own * (held["own"] + still * (groups - len(mine) - 1) / free - len(near) * (groups - 1) / apart)
        come = still * (groups * others - len(theirs)) / free
        value += border * (held["other"] + come - len(near) * groups * others / apart)
        size = sum(each["region"] == here for each in counties.values()) - 1
        return value + region * (sum(counties[each]["region"] == here for each in mine) - size * (groups - 1) / apart)

    return best_of(promise, counties, step)


def card_by_drafter(data, rule, step):
    """The rule of a bot's own drafter anew: each county around counts by whose it is, and by its armies."""
    counties, weights, groups = data["counties"], rule["weights"], data["groups"]
    free = [name for name in counties if name not in (*step.mine, *step.theirs)]
    later = max(0, groups - len(step.mine) - 1), groups * (data["players"] - 1) - len(step.theirs)

    def promise(name):
        value = rule["worths"][name]
        still = [0, 0]  # beside it, and of its region
        for other in counties:
            beside = other in counties[name]["beside"]
            near = counties[other]["region"] == counties[name]["region"] and other != name
            if other in step.mine:
                value += beside * (weights["own"] + weights["ownArmies"] * step.armies[other])
                value += near * weights["region"]
            elif other in step.theirs:
                value += beside * (weights["rivals"] + weights["armies"] * step.armies[other])
                value += near * weights["rivalsInRegion"]
            else:
                value += beside * weights["free"]
                still = [still[0] + beside, still[1] + near]
        mine = weights["own"] * still[0] + weights["region"] * still[1]
        theirs = weights["rivals"] * still[0] + weights["rivalsInRegion"] * still[1]
        return value + weights["later"] * (later[0] * mine + later[1] * theirs) / max(1, len(free) - 1)

    return best_of(promise, counties, step, weights["deck"])


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=[] if BY_TABLE in each else [pytest.mark.one_in(4, "file")]) for each in PLAYS]
)
def test_a_rule_of_the_page_picks_what_the_engine_s_drafter_picks(data, name, tmp_path):
    rule = data["rules"][name]
    steps = played_drafts(data, name, 50, tmp_path)
    card = card_by_drafter if "weights" in rule else card_by_table
    taken = [card(data, rule, step) for step in steps]
    # Cards of equal worth are frequent to casual bots, and this sum has another order than the engine's.
    same = sum(one == step.taken for one, step in zip(taken, steps, strict=True))
    assert same >= (0.99 if name == "casual bots" else 1) * len(steps)
    assert all(times > 100 for times in Counter(taken).values())
    assert set(taken) == {0, 1, DECK}


def test_no_rule_is_offered_that_is_known_to_lose(draft, data):
    assert list(data["rules"]) == list(PLAYS)
    for play, gain in (("casual", 1), ("strong", 1), ("second strong", 0)):
        assert side_of(gain_of(draft.figures, "the table", play).ends) == gain
        assert (f"{counties.PLAYS[play]}, {BY_TABLE}" in data["rules"]) == (gain == 1)
    weights = {name: data["rules"][name]["weights"] for name in PLAYS if BY_TABLE not in name}
    assert len({json.dumps(each) for each in weights.values()}) == 3


def test_the_table_is_the_published_pick_table_with_the_half_widths_of_the_register(data, draft):
    table, of = data["rules"][TABLE], draft.figures.of
    assert pick_table(table) == read_picks(draft.figures)
    shown = {("worth", name): each for name, each in table["worths"].items()}
    for rule, name in (("own", "pair of own neighbours"), ("border", "border with another seat")):
        shown["neighbour", name] = table[rule]
    for (quantity, name), (_, half) in shown.items():
        figure = of(quantity, name, players=4)
        assert half == pytest.approx((figure.high - figure.low) / 2, abs=1e-4)


def test_partners_of_a_county_are_told_apart_by_border_and_region(draft, cards):
    board = load_board()
    for card in cards:
        kinds = {kind: names for kind, names, _ in card["partners"]}
        beside = kinds.get("beside it, of its region", []) + kinds.get("beside it, of another region", [])
        assert sorted(beside) == card["neighbours"]
        region = board.region[board.counties.index(card["name"])]
        same = kinds.get("beside it, of its region", []) + kinds.get("elsewhere in its region", [])
        there = {name for name in ground_of(draft.design).names if board.region[board.counties.index(name)] == region}
        assert set(same) == there - {card["name"]}
        assert re.search("of 11 settings of bots and tower|is worth (more|less) than the mean county", card["known"])


def test_a_rule_adds_or_costs_where_all_kinds_of_play_agree(draft):
    found = {}
    for kind, brings, verdict in rules(draft.figures):
        assert len(brings) == 3
        assert verdict in {ADDS, COSTS, UNKNOWN}
        assert verdict == UNKNOWN or {words[0] for words in brings} == {"+" if verdict == ADDS else "−"}
        found[kind] = verdict
    assert found[FOREIGN] == COSTS
    assert {ADDS, COSTS} <= {*found.values()}


def test_every_layer_of_the_map_has_all_counties_and_both_sides(cards, draft):
    names = set(ground_of(draft.design).names)
    made = list(layers(draft.figures, as_published(load_study("play")).figures, cards))
    assert len({layer["name"] for layer in made}) == len(made) == 15
    for layer in made:
        assert set(layer["classes"]) == set(layer["words"]) == names
        assert {"above", "below"} <= {each.partition("-")[0] for each in layer["classes"].values()}


def test_no_text_of_the_data_ends_its_block():
    assert "<" not in json_block({"name": "</script><b>Börde"})
