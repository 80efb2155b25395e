"""Stories of games with expansions or of the first edition: nothing that is new is left out."""

import re

import pytest

from tests.trace.recorded import EXPANDED, flat, name_of, of_kind, record
from wallsim.rules.terms import EXPANSIONS
from wallsim.trace.story.court import favor_text
from wallsim.trace.story.game import story
from wallsim.trace.story.leaders import leader_text


def story_of(recorded):
    return flat(story(recorded.match, recorded.lines))


@pytest.fixture(params=EXPANDED, ids=name_of)
def game(request):
    return record(*request.param)


def test_the_opening_names_edition_and_expansions_and_what_is_assumed(game):
    text, ruleset = story_of(game), game.match.ruleset
    assert ("The first edition is played." in text) == (ruleset.edition == "1e")
    named = {"court": "Emperor's Court", "landsknechte": "Landsknechte", "leaders": "military leaders"}
    opening = text.partition("Year 1")[0]
    for expansion in EXPANSIONS:
        assert (named[expansion] in opening) == (expansion in ruleset.expansions)
    assumed = "What the favors 2, 3, 5 to 9, 13 to 17 and 19 to 21 bring is assumed: no rulebook gives their figures."
    assert (assumed in opening) == ("court" in ruleset.expansions)


def test_the_base_game_says_nothing_of_editions_and_expansions():
    assert not re.search("edition|in play|courtier|leader of|Landsknecht", story_of(record(4, "lineup", 0)))


def test_courtiers_of_the_first_fill_are_reported(game):  # E1
    text = story_of(game)
    out = of_kind(game.lines, "fill")[0]["out"]
    for seat in range(game.match.players):
        hall = f"seat {seat} has {out[str(seat)] or 'none'}"
        assert (hall in text.partition("Year 1")[0]) == game.match.plays("court")


def test_every_favor_shown_is_reported_with_its_price(game):  # E2
    text = story_of(game)
    for line in of_kind(game.lines, "round"):
        prices = zip(line["favors"], (4, 3, 2), strict=False)
        assert all(f"{favor_text(game.match, number)} for {price}" in text for number, price in prices)


def test_every_petition_is_reported_as_done_or_as_refused_with_a_reason(game):  # E4
    text, lines = story_of(game), of_kind(game.lines, "convert")
    gifts = re.findall(r"gives up ([^.:]|\w\.)*? for \d+ courtiers? and has \d in the hall", text)
    season, givers = None, set()
    for line in game.lines:
        if line["t"] == "round":
            season = (line["year"], line["season"])
        elif line["t"] == "convert" and line["done"]:
            givers.add((*season, line["seat"]))
    assert len(gifts) == len(givers)
    refused = re.findall(r"(?:cannot give up|; nor) \d arm(?:y|ies) (?:of|in) .*?: (.*?)(?=[;]|\. )", text)
    assert len(refused) == sum(not line["done"] for line in lines)
    assert all(re.match(r"(there (is|are) only|only|none of its own|its supply has)", reason) for reason in refused)


def test_every_favor_taken_is_reported_in_order_with_what_it_cost(game):  # E5
    result = re.findall(
        r"[Ss]eat (\d) gives (?:all its )?(\d)(?: of its \d)? courtiers for favor (\d+):", story_of(game)
    )
    favors = of_kind(game.lines, "favor")
    assert [tuple(map(int, each)) for each in result] == [(f["seat"], f["cost"], f["number"]) for f in favors]


def test_every_landsknecht_card_is_reported_with_what_it_brought(game):  # L1
    result = re.findall(r"[Ss]eat (\d) turns its card (\d): it (?:gets|puts) (\d)", story_of(game))
    lines = of_kind(game.lines, "landsknechte")
    assert [tuple(map(int, each)) for each in result] == [(x["seat"], x["card"], x["amount"]) for x in lines]


def test_every_way_of_a_leader_is_reported_with_statues_and_trophies(game):  # M1, M3, M4
    text, lines = story_of(game), of_kind(game.lines, "leader")
    moves = [line for line in lines if line["from"] and line["county"]]
    for line in moves:
        assert f"he leader of seat {line['seat']} goes from {line['from']} to {line['county']}" in text
    assert len(re.findall("leaves a statue behind", text)) == sum(line["statue"] for line in lines)
    assert len(re.findall("as (?:a trophy|trophies)", text)) == sum(bool(line["trophies"]) for line in lines)
    lost = [line for line in lines if line["county"] is None]
    assert len(re.findall("he leader of seat . leaves the board|who stood there, leaves the board", text)) == len(lost)
    placed = [line for line in lines if line["from"] is None]
    assert len(re.findall("puts its leader into|and (?:its|his) leader there|and its leader there", text)) == len(
        placed
    )


def test_scores_name_statues_and_trophies(game):  # M5
    text = story_of(game)
    for line in of_kind(game.lines, "score"):
        for source in ("statues", "trophies"):
            if line[source]:
                assert re.search(rf"eat {line['seat']} scores {line['total']}: .*?{line[source]} for {source}", text)


def test_the_table_tells_courtiers_leaders_and_statues(game):
    text = story_of(game)
    for state in of_kind(game.lines, "state")[1:4]:
        for seat in range(game.match.players):
            held = f"{state['hall'][seat] or 'no'} courtier{'s' if state['hall'][seat] != 1 else ''} in the hall"
            assert (held in text) == game.match.plays("court")
            if game.match.plays("leaders"):
                assert leader_text(state, seat) in text


def test_the_first_edition_draws_the_order_by_lot_and_has_no_bids(game):  # V1
    text, first = story_of(game), game.match.ruleset.edition == "1e"
    assert bool(re.search(r"takes? place \d", text)) != first
    for line in of_kind(game.lines, "order"):
        seats = [str(seat) for _, seat in sorted((place, seat) for seat, place, _ in line["picks"])]
        assert (f"Lots give the order of seats {', '.join(seats[:-1])} and {seats[-1]}." in text) == first
    assert ("Recruit an army, move, or both." in text) == first
    assert ("Deploy one army and move." in text) != first
