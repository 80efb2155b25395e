"""Traces of games with expansions or of the first edition: which lines come when, and what they must say."""

import re
from collections import defaultdict
from itertools import pairwise

import pytest

from tests.trace.recorded import EXPANDED, chapters, name_of, of_kind, order_of, record, rounds
from wallsim.rules.terms import ACTIONS
from wallsim.trace.replayed_table import ReplayedTable

INITIALS = {"leader": "l", "landsknechte": "n", "convert": "c", "favor": "f", "action": "a", "battle": "b"}
INITIALS |= {"winter": "w", "score": "s"}


@pytest.fixture(params=EXPANDED, ids=name_of)
def game(request):
    return record(*request.param)


def petition_cards(match, plan):
    """Box and card of a plan's petitions: money cards and empty boxes ask for nothing."""
    cards = plan["court"].items() if match.plays("court") else ()
    return [(int(box), card) for box, card in cards if card is not None and not card.startswith(("money", "blank"))]


def test_lines_of_the_expansions_come_at_their_steps(game):  # B2, M1, L1, E4, E5, M3, M4
    match, seats = game.match, game.match.players
    for chapter in rounds(game):
        after_order = chapter[[line["t"] for line in chapter].index("order") + 1 :]
        letters = "".join(INITIALS[line["t"]] for line in after_order)
        assert re.fullmatch(r"l*n*c*f*(b?al?)*l*", letters), letters
        placed = [line for line in of_kind(chapter, "leader") if line["from"] is None]
        first = (chapter[0]["year"], chapter[0]["season"]) == (1, "spring")
        expected = order_of(chapter) if first and match.plays("leaders") and match.ruleset.setup == "lineup" else []
        assert [line["seat"] for line in placed] == expected
    for chapter in chapters(game):
        if chapter[0]["t"] == "winter":
            letters = "".join(INITIALS[line["t"]] for line in chapter)
            assert re.fullmatch(rf"(w(bl?)*){{{seats}}}s{{{seats}}}l*", letters), letters
    for name in ("landsknechte", "leaders", "court"):
        kinds = {"landsknechte": ("landsknechte",), "leaders": ("leader",), "court": ("convert", "favor")}[name]
        assert bool(of_kind(game.lines, *kinds)) == match.plays(name)


def test_in_a_draft_every_leader_enters_right_after_a_county_is_claimed(game):  # M1
    setup = chapters(game)[0]
    placed = [(before, line) for before, line in pairwise(setup) if line["t"] == "leader"]
    drafted = game.match.plays("leaders") and game.match.ruleset.setup == "draft"
    assert sorted(line["seat"] for _, line in placed) == (list(range(game.match.players)) if drafted else [])
    for deal, line in placed:
        assert (deal["t"], deal["seat"], deal["county"]) == ("deal", line["seat"], line["county"])


def test_three_favors_are_shown_and_none_twice(game):  # E2
    shown = [number for chapter in rounds(game) for number in chapter[0]["favors"]]
    assert len(shown) == len(set(shown)) == (18 if game.match.plays("court") else 0)


def test_petitions_are_reported_in_player_order_and_from_box_3_to_box_1(game):  # E4
    for chapter in rounds(game):
        plans = {plan["seat"]: plan for plan in of_kind(chapter, "plan")}
        wanted = [
            (seat, box, card) for seat in order_of(chapter) for box, card in petition_cards(game.match, plans[seat])
        ]
        assert [(line["seat"], line["box"], line["card"]) for line in of_kind(chapter, "convert")] == wanted


def test_a_petition_is_done_exactly_where_it_can_be_done_in_full(game):  # E4
    for state, line in game.replayed():
        if line["t"] == "convert":
            seat, wanted, (kind, _, county) = line["seat"], line["box"], line["card"].partition(":")
            there = state.tray[str(seat)] if kind == "tower" else state.at(county)["armies"] - 1
            assert line["done"] == (there >= wanted and state.courtiers(seat) >= wanted)


def test_favors_go_to_those_with_most_courtiers_first_at_the_price_of_their_space(game):  # E2, E5
    state = ReplayedTable(game.match)
    for chapter in chapters(game):
        favors = of_kind(chapter, "favor")
        shown = [number for line in of_kind(chapter, "round") for number in line["favors"]]
        prices = dict(zip(shown, (4, 3, 2), strict=False))
        audience = None
        for line in chapter:
            if line["t"] == "favor":
                audience = audience or sorted(
                    state.order, key=lambda seat: (-state.hall[seat], state.order.index(seat))
                )
                assert line["cost"] == prices.pop(line["number"]) <= state.hall[line["seat"]]
            state.read(line)
        seats = [line["seat"] for line in favors]
        assert not favors or seats == [seat for seat in audience if seat in seats]


def test_landsknechte_come_to_whoever_holds_four_regions_and_pay_what_the_card_says(game):  # L1, L2
    state, board = ReplayedTable(game.match), game.match.board
    for chapter in chapters(game):
        entitled = []
        for line in chapter:
            state.read(line)
            if line["t"] == "order":
                regions = [{board.region[board.counties.index(c)] for c in state.owned(s)} for s in state.order]
                entitled = [seat for seat, held in zip(state.order, regions, strict=True) if len(held) >= 4]
        lines = of_kind(chapter, "landsknechte")
        assert [line["seat"] for line in lines] == (entitled if game.match.plays("landsknechte") else [])
        for line in lines:
            (card,) = [card for card in board.landsknechte if card["card"] == line["card"]]
            assert 0 < line["amount"] <= card[line["benefit"]]
    cards, year = defaultdict(list), 0
    for line in of_kind(game.lines, "year", "landsknechte"):
        year = line.get("year", year)
        if line["t"] == "landsknechte":
            cards[year, line["seat"]].append(line["card"])
    assert all(turned == [2, 3, 4][: len(turned)] for turned in cards.values())


def test_leaders_move_to_other_counties_of_their_owner_and_leave_statues_only_next_door(game):  # M3, A10
    board = game.match.board
    for state, line in game.replayed():
        if line["t"] == "leader" and line["county"] is not None:
            seat, county, origin = line["seat"], line["county"], line["from"]
            assert state.at(county)["owner"] == seat
            assert (origin, county) == (state.leaders[seat], county) != (county, county)
            if line["statue"]:
                one, other = board.counties.index(origin), board.counties.index(county)
                assert board.neighbours[one] >> other & 1
                assert origin not in state.statues[seat] or game.match.ruleset.statues_a_county == "any"
                assert state.in_hand[seat] > 0
            losers = sorted(set(state.statues_in(county)) - {seat})
            assert (line["trophies"], line["trophy"]) == (losers, losers[0] if losers else None)


def test_after_every_round_leaders_stand_in_counties_of_their_owners(game):  # M3, M4
    for state in of_kind(game.lines, "state"):
        for seat, county in enumerate(state.get("leaders", ())):
            assert county is None or state["counties"][county]["owner"] == seat


def test_statues_and_trophies_score_a_point_each(game):  # M5, A12
    each_winter = game.match.ruleset.statue_points == "each_winter"
    for state, line in game.replayed():
        if line["t"] == "score":
            counted = each_winter or state.year == 2
            expected = (len(state.statues[line["seat"]]), state.trophies[line["seat"]]) if counted else (0, 0)
            assert (line["statues"], line["trophies"]) == expected


def test_the_first_edition_has_no_bids_no_tiles_and_moves_where_it_can(game):  # V1, V3, V4
    if game.match.ruleset.edition != "1e":
        assert not any("blank" in plan["boxes"].values() for plan in of_kind(game.lines, "plan"))
        return
    for plan in of_kind(game.lines, "plan"):
        cards = [*plan["boxes"].values(), *plan.get("court", {}).values()]
        assert plan["bid"] is None
        assert cards.count("blank") <= 5
        assert not any((card or "").startswith("money") for card in cards)
    for line in of_kind(game.lines, "action"):
        if line["action"].startswith("combat"):
            assert line.get("why") != "the player did not move"
        elif line["action"] == "deploy1" and line["done"]:
            assert line["paid"] == 1
            assert line["armies"] > 0 or "to" in line
    assert {line["action"] for line in of_kind(game.lines, "action")} == set(ACTIONS)


def test_defenders_of_the_first_edition_may_stand_aside_but_one_army_fights(game):  # V5
    aside = 0
    for state, line in game.replayed():
        if line["t"] == "battle" and line["defender"] != "neutral":
            fighting, _ = state.defenders(line)
            assert 1 <= fighting <= state.at(line["county"])["armies"]
            aside += state.aside(line)
    assert (aside > 0) == (game.match.ruleset.edition == "1e")
