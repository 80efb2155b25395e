"""The data of the draft help: the pick table of the study, counted as its drafter does, and cards that say so."""

import re
from collections import Counter

import pytest

from tests.analyses.played_drafts import DECK, pick_table, played_drafts
from wallsim.analyses.draft.deals import ground_of
from wallsim.analyses.draft.estimates import read_picks
from wallsim.analyses.draft.pairs import ADDS, COSTS, UNKNOWN
from wallsim.analyses.strategy_report import counties
from wallsim.analyses.strategy_report.counties import ALL_PLAYS, FOREIGN, PLAYS, draft_data, layers, rules
from wallsim.report.html.page import json_block
from wallsim.rules.board import load_board
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


def card_to_take(data, table, mine, theirs, shown):
    """The rule of the page anew: a worth less the neighbours that a deal brings, and those that there are."""
    counties, others, groups = data["counties"], data["players"] - 1, data["groups"]
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

    values = [promise(name) for name in shown]
    hidden = [promise(name) for name in counties if name not in (*mine, *theirs, *shown)]
    return DECK if max(values) < sum(hidden) / len(hidden) else values.index(max(values))


def test_a_table_of_the_page_picks_what_the_engine_s_drafter_picks(data, tmp_path):
    steps = [step for draft in played_drafts(data, ALL_PLAYS, 50, tmp_path) for step in draft]
    taken = [card_to_take(data, data["tables"][ALL_PLAYS], *step[:3]) for step in steps]
    assert taken == [step[3] for step in steps]
    assert all(times > 100 for times in Counter(taken).values())
    assert set(taken) == {0, 1, DECK}


def test_the_first_table_is_the_published_pick_table(data, draft):
    assert list(data["tables"]) == [*PLAYS.values(), ALL_PLAYS]  # a table that exists comes first
    assert pick_table(data, ALL_PLAYS) == read_picks(draft.figures)


def test_half_widths_are_those_of_the_register(data, draft):
    for name, (_, half) in data["tables"]["casual"]["worths"].items():
        figure = draft.figures.of("worth-by-play", name, players=4, play="casual")
        assert half == pytest.approx((figure.high - figure.low) / 2, abs=1e-4)
    for rule, name in (("own", "pair of own neighbours"), ("border", "border with another seat")):
        figure = draft.figures.of("neighbour", name, players=4, play="casual")
        value, half = data["tables"]["casual"][rule]
        assert value == pytest.approx(figure.value, abs=1e-4)
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
        assert re.search("of 15 kinds of play and tower|is worth (more|less) than the mean county", card["known"])


def test_a_rule_adds_or_costs_where_all_kinds_of_play_agree(draft):
    for _, brings, verdict in rules(draft.figures):
        assert len(brings) == 3
        assert verdict in {ADDS, COSTS, UNKNOWN}
        assert verdict == UNKNOWN or {words[0] for words in brings} == {"+" if verdict == ADDS else "−"}
    found = {kind: verdict for kind, _, verdict in rules(draft.figures)}
    assert (found[FOREIGN], found["elsewhere in its region"]) == (COSTS, ADDS)


def test_every_layer_of_the_map_has_all_counties_and_both_sides(cards, draft):
    names = set(ground_of(draft.design).names)
    made = list(layers(draft.figures, as_published(load_study("play")).figures, cards))
    assert len({layer["name"] for layer in made}) == len(made) == 15
    for layer in made:
        assert set(layer["classes"]) == set(layer["words"]) == names
        assert {"above", "below"} <= {each.partition("-")[0] for each in layer["classes"].values()}


def test_no_text_of_the_data_ends_its_block():
    assert "<" not in json_block({"name": "</script><b>Börde"})
