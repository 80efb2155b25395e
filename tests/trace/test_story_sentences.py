"""Sentences of stories about tables that a test sets: the words are what a reader gets, and the reasons are true."""

import pytest

from tests.refusals import assert_names
from tests.trace.recorded import FULL, FULL_FIRST_EDITION, flat, record, state_before
from wallsim.trace.story.actions import action_story, skipped_story
from wallsim.trace.story.battle import attack_story, revolt_story
from wallsim.trace.story.court import audience_story, effect_story, petitions_story
from wallsim.trace.story.gains import intervention_story, landsknechte_story
from wallsim.trace.story.leaders import moves_story, placed_story

BASE = (4, "lineup", 1, ("random",), "2e", ())


def table(kind="action", game=FULL, **switches):
    """The table of a recorded game before its first line of a kind, for a test to change."""
    return state_before(record(*game, tuple(switches.items())), kind)


def put(words, **counties):
    """Words, or each of several, with names of counties in place of capital letters."""
    if isinstance(words, list):
        return [put(each, **counties) for each in words]
    for word, county in counties.items():
        words = words.replace(word, county) if isinstance(words, str) else words
    return words


# ------------------------------------------------------------------------------------------- interventions

HAND = {"do": "hand", "seat": 1, "thalers": 0, "grain": 0, "vp": 0, "armies": 0, "county": None}
GIVEN_AND_TAKEN = {**HAND, "thalers": -1, "grain": 2, "armies": 2, "county": "Lausitz"}
TILE = {"do": "tile", "seat": 1, "to": None, "with": None}


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ({**HAND, "vp": 1}, ["receives 1 victory point."]),
        (GIVEN_AND_TAKEN, ["receives 2 grain and 2 armies in Lausitz", "loses 1 Thaler."]),
        ({**TILE, "to": "attack"}, ["holds the tile", "an extra army when attacking."]),
        (TILE, ["holds no bonus tile."]),
        ({**TILE, "with": 2}, ["seat 2 exchange", "bonus tiles."]),
        ({"do": "place", "seat": 1, "with": 2}, ["seat 2 trade places"]),
        ({"do": "cancel_event"}, ["event has no effect."]),
        ({"do": "trade", "counties": ["Tirol", "Kärnten"]}, ["Tirol and Kärnten change owners"]),
    ],
)
def test_each_intervention_has_its_sentence(line, parts):
    text = intervention_story(record(4, "lineup", 0).match, line)
    assert text.startswith("The experiment intervenes: ")
    assert_names(text, *parts)
    assert ("eat 1" in text) == ("seat" in line)


# ------------------------------------------------------------------------------------------------- favors


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ({"number": 1, "cancelled": True}, ["it cancels the event"]),
        ({"number": 1, "cancelled": True, "effect": "none"}, ["cancels an event", "nothing"]),
        ({"number": 1, "cancelled": False}, ["lets the event stand"]),
        ({"number": 9, "amount": 4}, ["gets 4 Thalers"]),
        ({"number": 3, "amount": 2}, ["puts 2 armies", "into the tray"]),
        ({"number": 8, "amount": 1}, ["puts 1 army", "into the tray", "the 3 due"]),
        ({"number": 8, "amount": 0}, ["no army in its supply"]),
        ({"number": 6, "amount": 1}, ["gets 1 victory point"]),
        ({"number": 20, "amount": 4}, ["gets 4 grain", "loses 3", "at 18"]),
        ({"number": 4, "county": "HERE"}, ["removes a revolt marker", "HERE"]),
        ({"number": 17, "county": "HERE", "building": "church"}, ["builds a church", "HERE"]),
        ({"number": 7, "county": "HERE", "building": "trading_post", "calmed": True}, ["trading post", "marker"]),
        ({"number": 21, "county": None, "building": "palace"}, ["can have a palace", "gets nothing"]),
        ({"number": 10}, ["attack it by combat A"]),
        ({"number": 12, "county": "HERE", "amount": 3}, ["puts 3 armies into HERE"]),
        ({"number": 12, "county": "HERE", "amount": 2}, ["puts 2 armies", "the 3 armies due", "into HERE"]),
        ({"number": 12, "county": "NEUTRAL", "amount": 3}, ["puts 3 armies into NEUTRAL", "without a battle"]),
        ({"number": 12, "county": None, "amount": 0}, ["supply is empty", "gets nothing"]),
    ],
)
def test_the_effect_of_a_favor_is_reported(line, parts):  # E6
    state = table("favor")
    state.effect = line.get("effect", "tax_max_5")
    here = state.owned(0)[0]
    neutral = next(county for county in state.match.board.counties if county not in state.counties)
    state.at(here)["markers"], state.grain[0] = 1, 17
    line = {"t": "favor", "seat": 0, "cost": 2} | {key: put(line[key], HERE=here, NEUTRAL=neutral) for key in line}
    text = effect_story(state.match, state, line)
    assert_names(text, *put(parts, HERE=here, NEUTRAL=neutral))
    assert ("due" in text) == ("due" in str(parts))


def test_reasons_of_failed_petitions_are_the_true_ones():  # E4
    state = table("convert")
    one, two, *_ = state.owned(0)
    state.order, state.hall = [0, 1], [5, 0, 0, 0]
    state.at(one)["armies"], state.at(two)["armies"], state.tray["0"] = 1, 9, 1
    cards = [(3, f"county:{two}"), (2, "tower"), (1, f"county:{one}")]
    lines = [{"t": "convert", "seat": 0, "box": box, "card": card, "done": False} for box, card in cards]
    text = flat(petitions_story(state.match, state, lines))
    assert_names(
        text,
        f"3 armies of {two}: its",
        "only 2 courtiers",
        "the tray: only 1 ",
        f"1 army of {one}: there is only 1",
        "asks for nothing.",
    )


def test_those_who_take_no_favor_are_reported_why():  # E5
    state = table("favor")
    state.order, state.hall, state.favors = [2, 1, 0, 3], [3, 2, 4, 0], {9: 4, 5: 3}
    favor = {"t": "favor", "seat": 2, "number": 9, "cost": 4, "amount": 4}
    text = flat(audience_story(state.match, state, [favor]))
    seats = ("Seat 2 gives all its 4 ", "Seat 0 keeps its 3 ", "Seat 1 has too few courtiers, 2,", "Seat 3 has no ")
    assert_names(text, *seats)
    assert sorted(seats, key=text.index) == [*seats]


def test_no_landsknechte_come_where_nobody_holds_four_regions():  # L1
    state = table("plan")
    assert flat(landsknechte_story(state.match, state, [])).startswith("No seat holds counties")


# ------------------------------------------------------------------------------------------------ leaders


@pytest.fixture
def led():
    """A table on which seat 0 has two adjacent counties, its leader in the first, and a third that is not adjacent."""
    state = table(statues_a_county="one")
    names, around, own = state.match.board.counties, state.match.board.neighbours, state.owned(0)

    def is_near(one, other):
        return around[names.index(one)] >> names.index(other) & 1

    here, near = next((a, b) for a in own for b in own if is_near(a, b))
    far = next(county for county in own if county != here and not is_near(here, county))
    state.order, state.leaders, state.tile[0], state.effect = [0], [here, None, None, None], None, "none"
    return state, {"HERE": here, "NEAR": near, "FAR": far}


def way(origin, county, statue=False, trophies=()):
    first = trophies[0] if trophies else None
    return {
        "t": "leader", "seat": 0, "from": origin, "county": county, "statue": statue, "trophy": first,
        "trophies": list(trophies),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("statues", "in_hand", "move", "parts"),
    [
        ({}, 6, way("HERE", "NEAR", statue=True), ["goes from HERE to NEAR", "leaves a statue"]),
        ({0: ["HERE"]}, 6, way("HERE", "NEAR"), ["goes from HERE to NEAR", "leaves no statue", "one of its own"]),
        ({}, 0, way("HERE", "NEAR"), ["goes from HERE to NEAR", "leaves no statue", "all its 6"]),
        ({}, 6, way("HERE", "FAR"), ["goes from HERE to FAR", "not adjacent."]),
        ({2: ["FAR"]}, 6, way("HERE", "FAR", trophies=[2]), ["from HERE to FAR", "the statue of seat 2", "a trophy."]),
        ({}, 6, None, ["stays in HERE", "only county."]),
        ({}, 6, way("HERE", None), ["leaves the board", "HERE", "only county."]),
    ],
)
def test_the_way_of_a_leader_is_reported_with_its_reasons(led, statues, in_hand, move, parts):  # M3, A10, A11
    state, names = led
    state.in_hand[0] = in_hand
    for seat, places in statues.items():
        state.statues[seat] = [put(place, **names) for place in places]
    moves = [{key: put(value, **names) for key, value in move.items()}] if move else []
    text = flat(moves_story(state.match, state, moves))
    assert_names(text, "The leader of", "seat 0", *put(parts, **names))
    for word, said in (("trophy", "trophy"), ("statue", "statue"), ("not adjacent", "FAR")):
        assert (word in text) == (said in str(parts))


def test_a_seat_without_a_leader_and_trophies_of_several_owners_are_reported(led):  # M3, A10
    state, names = led
    state.leaders[0], here = None, names["HERE"]
    assert "Seat 0 has no leader" in flat(moves_story(state.match, state, []))
    state.statues[1], state.statues[3] = [here, here], [here]
    text = placed_story(state.match, state, way(None, here, trophies=[1, 3]))
    assert_names(text, here, "2 statues of seat 1", "statue of seat 3", "as trophies")


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ({"action": "palace", "paid": 2}, ["a palace in HERE", "for 2 Thalers", "thanks to its leader"]),
        (
            {"action": "trading_post", "paid": 0, "calmed": True},
            ["a trading post in HERE", "free of charge", "thanks to its leader", "removes a revolt marker"],
        ),
        (
            {"action": "deploy1", "paid": 1, "armies": 2, "to": "NEAR", "moved": 1},
            ["2 armies into HERE for 1 Thaler", "one of them thanks to its leader", "moves 1 from there to NEAR."],
        ),
        ({"action": "deploy3", "paid": 2, "armies": 3}, ["the last of its supply", "4 were due."]),
        ({"action": "deploy5", "paid": 3, "armies": 7, "tile": "six_armies"}, ["six thanks to its tile", "one to its"]),
        (
            {"action": "taxes", "gain": 4, "marker": False, "parried": True},
            ["collects 4 Thalers in HERE (3 and 1 from its leader).", "wards off the revolt marker."],
        ),
        (
            {"action": "palace", "done": False, "why": "not enough Thalers"},
            ["cannot build a palace in HERE", "2 Thalers, even with its leader", "it has 1."],
        ),
    ],
)
def test_what_a_leader_adds_to_an_action_is_reported(led, line, parts):  # M2
    state, names = led
    state.tile[0], state.thalers[0] = line.get("tile"), 1
    line = {"t": "action", "seat": 0, "county": "HERE", "done": True, **line}
    line = {key: put(value, **names) for key, value in line.items()}
    write = (lambda *args: action_story(*args, None)) if line["done"] else skipped_story
    assert_names(write(state.match, state, line), "Seat 0 ", *put(parts, **names))


# ---------------------------------------------------------------------------------------- the first edition


def test_recruiting_in_the_first_edition_may_be_a_move_alone_or_nothing():  # V3
    state = table(game=FULL_FIRST_EDITION)
    here, near, *_ = state.owned(0)
    line = {"t": "action", "seat": 0, "county": here, "action": "deploy1", "done": True, "paid": 1, "armies": 0}
    marched = action_story(state.match, state, {**line, "to": near, "moved": 1}, None)
    assert_names(marched, "pays 1 Thaler", "moves 1 army", f"{here} to {near}.")
    state.supply["0"] = 0
    skipped = {**line, "done": False, "why": "not enough armies in the supply"}
    text = skipped_story(state.match, state, skipped)
    assert_names(text, "cannot recruit", here, "holds no armies", "can go")


def battle_of(state, county, attacker, thrown, fallen, result, survivors):
    """A battle for a county of seat 1: thrown and fallen are cubes of attacker, defender and peasants."""
    cubes = {**dict.fromkeys("0123", 0), "peasants": 0}
    engaged, out = ({**cubes, "0": a, "1": d, "peasants": p} for a, d, p in (thrown, fallen))
    a, d, p = fallen
    return {
        "t": "battle", "kind": "revolt" if attacker == "peasants" else "player", "attacker": attacker,
        "defender": 1, "county": county, "tray_before": cubes, "engaged": engaged, "tray_after_drop": out,
        "tower_after": cubes, "a": a, "d": d, "p": p, "result": result, "survivors": survivors, "tray_after": cubes,
        "from": None if attacker == "peasants" else "there",
    }  # fmt: skip


def county_of_seat_1(state, armies, markers, effect="none", buildings=()):
    county, state.effect = state.owned(1)[0], effect
    state.at(county).update(armies=armies, markers=markers, buildings=[*buildings])
    return county


@pytest.mark.parametrize(
    ("markers", "fell", "result", "survivors", "end"),
    [
        (0, (4, 2, 0), "attacker", 2, ["2 armies stay", "the 3 armies that stood aside return"]),
        (0, (1, 2, 0), "defender", 1, ["holds HERE", "1 army stays there with the 3 "]),
        (0, (2, 2, 0), "tie", 0, ["becomes neutral", "the 3 armies that stood aside return", "supply of seat 1."]),
        (1, (1, 0, 2), "tie", 0, ["2 peasants, who fight for", "only 1 revolt", "HERE becomes neutral; the 3 "]),
        (1, (1, 0, 2), "defender", 0, ["seat 1 holds HERE", "only the 3 "]),
        (2, (1, 0, 2), "attacker", 1, ["2 peasants, who stand aside", "2 revolt markers. 1 against 0:"]),
    ],
)
def test_armies_that_stood_aside_share_the_fate_of_their_county(markers, fell, result, survivors, end):  # V5, V6, A13
    state = table(game=FULL_FIRST_EDITION)
    county, supply = county_of_seat_1(state, 5, markers), state.supply["1"]
    battle = battle_of(state, county, 0, (2, 2, 0), fell, result, survivors)
    action = {"seat": 0, "action": "combat_a", "county": "there", "done": True, "target": county, "moved": 2}
    text = attack_story(state.match, state, action, battle)
    assert_names(text, "2 of the", *put(end, HERE=county))
    state.read(battle)
    out_of_the_tray = fell[1] - (survivors if result == "defender" else 0)
    assert state.supply["1"] - supply == out_of_the_tray + (0 if result == "defender" else 3)
    assert state.at(county)["armies"] == {"attacker": survivors, "defender": survivors + 3, "tie": 0}[result]


@pytest.mark.parametrize(
    ("setting", "markers", "hunger", "fighting", "peasants", "parts"),
    [
        ("before", 1, 0, 4, 1, ["so 1 peasant rises against"]),
        ("with_own", 1, 0, 4, 2, ["1 revolt marker", "one more", "so 2 peasants rise against"]),
        ("with_own", 2, 0, 4, 1, ["is about to be placed, so 1 peasant", "instead of 3", "common supply"]),
        ("before", 1, 0, 1, 1, ["so 1 peasant rises against", "1 of the 4 armies of seat 1."]),
        ("before", 1, 2, 4, 3, ["3 peasants rise, 2 for the hunger and 1 for the revolt marker"]),
        ("before", 1, 2, 4, 1, ["1 peasant rises", "2 for the hunger", "instead of 3", "common supply"]),
    ],
)
def test_a_revolt_is_reported_with_its_markers_peasants_and_defenders(
    setting, markers, hunger, fighting, peasants, parts
):  # B5.5, B6.4, B7.3, V5, A8, A16
    state = table(game=FULL_FIRST_EDITION, revolting_markers=setting)
    county = county_of_seat_1(state, 4, markers)
    battle = battle_of(state, county, "peasants", (0, fighting, peasants), (0, 0, 2), "attacker", 0)
    text = revolt_story(state, battle, hunger)
    assert_names(text, *parts)
    assert ("instead" in text) == ("instead of 3" in parts)
    aside = "; the 3 armies that stood aside return to the supply of seat 1" if fighting == 1 else ""
    assert text.endswith(f"{county} becomes neutral{aside}.")


@pytest.mark.parametrize(
    ("markers", "marker", "result", "parts"),
    [
        (0, True, None, ["in HERE, which gets its first"]),
        (0, False, None, ["in HERE.", "No revolt marker is left"]),
        (1, True, "defender", ["in HERE.", "put down", "HERE gets its second"]),
        (1, False, "defender", ["in HERE.", "put down", "No revolt marker is left"]),
        (1, False, "attacker", ["in HERE.", "HERE becomes neutral"]),
    ],
)
def test_an_income_is_reported_with_its_revolt_and_marker(markers, marker, result, parts):  # B5.5
    state = table(game=BASE)
    county, state.tile[1] = county_of_seat_1(state, 4, markers), None
    line = {"t": "action", "seat": 1, "county": county, "action": "taxes", "done": True, "gain": 3, "marker": marker}
    battle = battle_of(state, county, "peasants", (0, 4, 1), (0, 3, 1), result, 2) if result else None
    text = action_story(state.match, state, line, battle)
    assert_names(text, "Seat 1 collects 3 Thalers", *put(parts, HERE=county))
    assert ("No revolt marker" in text) == ("No revolt marker is left" in parts)


@pytest.mark.parametrize(("switch", "words", "armies"), [("yes", " and 1 more for the palace", 2), ("no", "", 3)])
def test_the_palaces_army_in_a_revolt_is_reported_and_comes_from_the_supply(switch, words, armies):  # B6.4 A15
    state = table(game=BASE, palace_guard_in_revolts=switch)
    county, supply = county_of_seat_1(state, armies, 1, "palace_guard", ["palace"]), state.supply["1"]
    battle = battle_of(state, county, "peasants", (0, 3, 1), (0, 3, 1), "defender", 2)
    assert f"against {armies} armies{words} of seat 1." in revolt_story(state, battle)
    state.read(battle)
    guard = 3 - armies
    assert (state.at(county)["armies"], state.supply["1"]) == (2, supply - guard + 1)  # of three that fell one dies
