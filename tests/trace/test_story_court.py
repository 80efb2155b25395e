"""Court and Landsknechte in a story: what favors promise and bring, and the reasons of what did not happen."""

from dataclasses import replace

import pytest

from tests.trace.recorded import FULL, flat, record, state_before
from wallsim.trace.replayed_table import ReplayedTable
from wallsim.trace.story.court import audience_story, effect_story, favor_text, petitions_story
from wallsim.trace.story.gains import landsknechte_story


def test_there_are_words_for_every_favor():  # E6
    match = record(*FULL).match
    words = {number: favor_text(match, number) for number in range(1, 22)}
    assert len(set(words.values())) == 21
    assert words[9] == "favor 9 (4 Thalers)"
    assert words[12] == "favor 12 (3 armies into an own or a neutral county)"
    assert words[18] == "favor 18 (no attacks on its owner by combat A or B)"


def test_a_favor_brings_what_the_boards_own_figures_say():  # E6
    match = record(*FULL).match
    figures = {4: 2, 9: 7, 12: 1}
    rows = tuple({**row, "value": figures.get(row["number"], row["value"])} for row in match.board.favors)
    own = replace(match, board=replace(match.board, favors=rows))
    assert favor_text(own, 9) == "favor 9 (7 Thalers)"
    assert favor_text(own, 12) == "favor 12 (1 army into an own or a neutral county)"
    line = {"t": "favor", "seat": 0, "number": 4, "cost": 2, "county": None}
    assert effect_story(own, ReplayedTable(own), line).endswith("keeps the card against the next 2 revolt markers")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ({"number": 1, "cancelled": True}, "it cancels the event"),
        ({"number": 1, "cancelled": False}, "it lets the event stand"),
        ({"number": 9, "amount": 4}, "it gets 4 Thalers"),
        ({"number": 3, "amount": 2}, "it puts 2 armies from its supply into the tray"),
        ({"number": 8, "amount": 1}, "it puts 1 army from its supply into the tray, all that are left of the 3 due"),
        ({"number": 8, "amount": 0}, "it has no army in its supply to put into the tray"),
        ({"number": 6, "amount": 1}, "it gets 1 victory point"),
        ({"number": 20, "amount": 4}, "it gets 4 grain but loses 3 beyond the food track's end at 18"),
        ({"number": 4, "county": "HERE"}, "it removes a revolt marker from HERE"),
        ({"number": 17, "county": "HERE", "building": "church"}, "it builds a church in HERE"),
        (
            {"number": 7, "county": "HERE", "building": "trading_post", "calmed": True},
            "it builds a trading post in HERE, which removes a revolt marker there",
        ),
        (
            {"number": 21, "county": None, "building": "palace"},
            "none of its counties can have a palace, so it gets nothing",
        ),
        ({"number": 10}, "nobody may attack it by combat A this season"),
        ({"number": 12, "county": "HERE", "amount": 3}, "it puts 3 armies into HERE"),
        (
            {"number": 12, "county": "HERE", "amount": 2},
            "it puts 2 armies, all that are left of the 3 armies due, into HERE",
        ),
        (
            {"number": 12, "county": "NEUTRAL", "amount": 3},
            "it puts 3 armies into NEUTRAL and takes that neutral county without a battle",
        ),
        ({"number": 12, "county": None, "amount": 0}, "its supply is empty, so it gets nothing"),
    ],
)
def test_the_effect_of_a_favor_is_reported(line, words):  # E6
    recorded = record(*FULL)
    state = state_before(recorded, "favor")
    state.effect = "tax_max_5"
    here = state.owned(0)[0]
    neutral = next(county for county in recorded.match.board.counties if county not in state.counties)
    state.at(here)["markers"], state.grain[0] = 1, 17
    named = {"HERE": here, "NEUTRAL": neutral}
    line = {"t": "favor", "seat": 0, "cost": 2, **line, **({"county": named[c]} if (c := line.get("county")) else {})}
    assert effect_story(recorded.match, state, line) == words.replace("HERE", here).replace("NEUTRAL", neutral)


def test_an_event_that_does_nothing_is_not_said_to_be_cancelled():  # E6
    recorded = record(*FULL)
    state = state_before(recorded, "favor")
    state.effect = "none"
    line = {"t": "favor", "seat": 0, "cost": 2, "number": 1, "cancelled": True}
    assert effect_story(recorded.match, state, line) == "it cancels an event that does nothing"


def test_reasons_of_failed_petitions_are_the_true_ones():  # E4
    recorded = record(*FULL)
    state = state_before(recorded, "convert")
    one, two, *_ = state.owned(0)
    state.order, state.hall = [0, 1], [5, 0, 0, 0]
    state.at(one)["armies"], state.at(two)["armies"], state.tray["0"] = 1, 9, 1
    cards = [(3, f"county:{two}"), (2, "tower"), (1, f"county:{one}")]
    lines = [{"t": "convert", "seat": 0, "box": box, "card": card, "done": False} for box, card in cards]
    assert flat(petitions_story(recorded.match, state, lines)) == (
        f"Petitions at court: - Seat 0 cannot give up 3 armies of {two}: its supply has only 2 courtiers left; "
        f"nor 2 armies in the tray: only 1 of its own lies there; nor 1 army of {one}: there is only 1, which has to "
        "stay. - Seat 1 asks for nothing."
    )


def test_those_who_take_no_favor_are_reported_why():  # E5
    recorded = record(*FULL)
    state = state_before(recorded, "favor")
    state.order, state.hall, state.favors = [2, 1, 0, 3], [3, 2, 4, 0], {9: 4, 5: 3}
    favor = {"t": "favor", "seat": 2, "number": 9, "cost": 4, "amount": 4}
    assert flat(audience_story(recorded.match, state, [favor])) == (
        "The audience, most courtiers first: - Seat 2 gives all its 4 courtiers for favor 9: it gets 4 Thalers. "
        "- Seat 0 keeps its 3 courtiers and takes no favor. - Seat 1 has too few courtiers, 2, for what is left. "
        "- Seat 3 has no courtier in the hall."
    )


def test_no_landsknechte_come_where_nobody_holds_four_regions():  # L1
    recorded = record(*FULL)
    assert flat(landsknechte_story(recorded.match, state_before(recorded, "plan"), [])).startswith(
        "No seat holds counties"
    )
