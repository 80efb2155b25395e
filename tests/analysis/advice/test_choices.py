"""Advice on claims, places and attacks: what may be chosen, and which choice comes first."""

from dataclasses import replace

import numpy as np
import pytest

from tests.analysis.advice.test_advice import BALANCED, DRAFT, GAME, decision_in, example_of, lines_of, tables_of
from tests.naive.rng import JIT
from tests.refusals import refused
from wallsim.analysis.advice.choice_text import read_choice, words_of
from wallsim.analysis.advice.decision import ATTACK, CLAIM, PLACE
from wallsim.analysis.advice.from_game import MOST_ATTACKS, attacks, decision_of_step
from wallsim.analysis.advice.steps import step_of
from wallsim.analysis.advice.trials import Trials
from wallsim.api.trace import trace
from wallsim.experiment.experiment import Experiment
from wallsim.rules.terms import NEUTRAL, NOWHERE, TAXES, TILE_THALER

pytestmark = [pytest.mark.own_code, pytest.mark.skipif(not JIT, reason="thousands of playouts")]


@pytest.fixture(params=(CLAIM, PLACE, ATTACK))
def decision(request):
    return example_of(request.param)


# ------------------------------------------------------------------------------------------- what may be chosen


def test_claims_are_the_open_cards_and_the_deck():  # B1.4
    for number, line in lines_of(DRAFT, 1, CLAIM)[::5]:
        decision = decision_of_step(DRAFT, 1, number)
        words = [words_of(decision, option)["claim"] for option in decision.choices]
        away = line["t"] == "recycle"
        assert words == [*(line["counties"] if away else line["shown"]), "deck", *words[3:]]
        assert words[3:] in ([], ["recycle"])
        taken = line["county"] if line.get("source") == "shown" else "deck"
        assert words_of(decision, decision.made)["claim"] == ("recycle" if away else taken)
        assert decision.seat == line["seat"]


def test_open_cards_may_be_put_away_where_they_stayed_for_a_whole_turn():  # B1.4
    drafts = Experiment(players=3, policies="random", seed=1, games=100, setup="draft")
    runs = []
    for game in range(3):
        unchanged = 0
        for number, line in lines_of(drafts, game, CLAIM):
            decision = decision_of_step(drafts, game, number) if unchanged >= 2 else None
            if decision is not None:
                assert (len(decision.choices) == 4) == (unchanged >= 3)
                runs.append(unchanged)
            unchanged = unchanged + 1 if line.get("source") == "deck" else 0
    assert {2, 3} <= set(runs)


def test_places_are_those_that_nobody_took_before():  # B4.3
    number, line = lines_of(GAME, 1, PLACE)[4]
    taken = set()
    for seat, place, tile in line["picks"]:
        decision = decision_of_step(GAME, 1, number, seat)
        free = [int(words_of(decision, option)["place"]) for option in decision.choices]
        assert free == sorted({1, 2, 3, 4, 5} - taken)
        assert words_of(decision, decision.made) == {"place": str(place), "tile": tile}
        taken.add(place)
    assert decision_of_step(GAME, 1, number).seat == line["picks"][0][0]


def test_attacks_are_moves_to_counties_around_that_leave_one_army():  # B5.8
    for number, line in lines_of(GAME, 1, ATTACK)[::4]:
        decision = decision_of_step(GAME, 1, number)
        game, board = decision.game[0], decision.board
        county = board.counties.index(line["county"])
        assert decision.seat == line["seat"] == game.owner[county]
        assert decision.choices[:, 1].max() == game.army[county] - 1
        assert decision.choices[:, 1].min() == 1
        assert line.get("target", line.get("to")) in {
            words_of(decision, option)["target"] for option in decision.choices
        }
        assert words_of(decision, decision.made)["armies"] == str(line["moved"])
        assert len(decision.choices) <= MOST_ATTACKS


def test_no_more_attacks_are_tried_than_there_is_room_for():
    assert attacks([4, 7], 3, none=True).tolist() == [[NOWHERE, 0], [4, 3], [4, 2], [4, 1], [7, 3], [7, 2], [7, 1]]
    many = attacks(list(range(7)), 20, none=False)
    assert len(many) <= MOST_ATTACKS
    assert {1, 20} <= set(many[:, 1].tolist())
    assert attacks([3], 1, none=False).tolist() == [[3, 1]]


def test_a_battle_is_the_attack_that_led_to_it():
    number, line = next(each for each in lines_of(GAME, 1, ATTACK) if "target" in each[1])
    assert trace(GAME, 1)[number - 1]["t"] == "battle"
    assert step_of(GAME, 1, number - 1) == step_of(GAME, 1, number)
    assert step_of(GAME, 1, number).line == line


def test_an_own_choice_is_read_as_it_is_printed(decision):
    for option in decision.choices:
        assert read_choice(decision, words_of(decision, option)).tolist() == option.tolist()
        assert read_choice(decision, " ".join(words_of(decision, option).values()).upper()).tolist() == option.tolist()


def test_texts_that_are_no_choice_are_refused(decision):
    for text in ("", "Paris", "0", "Paris 3", "deck deck", "none", 7):
        with refused("choice", repr(text) if isinstance(text, str) else "int"):
            read_choice(decision, text)


def test_steps_at_which_nobody_decides_are_refused():
    events = trace(GAME, 1)
    silent = ("game", "deal", "fill", "event", "winter", "score", "state", "end")
    for number, line in enumerate(events):
        if line["t"] in silent:
            with refused(f"step: {number}", line["t"], "plans", "places"):
                step_of(GAME, 1, number)
    skipped = next(number for number, line in enumerate(events) if line["t"] == "action" and line.get("why"))
    with refused(f"step: {skipped}", "plans"):
        step_of(GAME, 1, skipped)
    with refused(f"{len(events)}", f"0 to {len(events) - 1}"):
        step_of(GAME, 1, len(events))
    number = lines_of(GAME, 1, ATTACK)[0][0]
    other = (step_of(GAME, 1, number).seat + 1) % 4
    with refused(f"seat: {other}", f"step {number}"):
        decision_of_step(GAME, 1, number, other)
    first = Experiment(players=3, policies="balanced", edition="1e", games=2)
    order = next(number for number, line in enumerate(trace(first, 1)) if line["t"] == "order")
    with refused(f"step: {order}", "'order'"):  # V1
        step_of(first, 1, order)


# ----------------------------------------------------------------------------------------------- what comes of it


def planted_claim(number):
    """A draft in which one open county pays 40 Thalers of taxes each round."""
    decision = decision_in(DRAFT, number, CLAIM, number)
    best = number % 2
    county = decision.game[0].open_card[best]
    return decision, [best, 0], lambda rules: rules.tax.__setitem__(county, 40)


def planted_place(number):
    """An early round in which the tile for taxes brings 60 Thalers, and the seat has planned to collect taxes."""
    for game in range(number, 1000, 100):
        decision = decision_in(GAME, game, PLACE, number % 2)
        table = decision.game[0]
        box = table.tile_on_box.tolist().index(TILE_THALER)
        if table.land[decision.seat] >> max(table.card[decision.seat, TAXES], 0) & 1:
            return decision, [box, 0], lambda rules: rules.__setattr__("tile_taxes_thalers", 60)
    raise AssertionError


def planted_attack(number):
    """A late attack of nine armies on one army in a county with three buildings, which count nine points each."""
    for game in range(number, 1000, 100):
        for place in range(-1, -9, -1):
            decision = decision_in(GAME, game, ATTACK, place)
            now = decision.game.copy()
            table, seat = now[0], decision.seat
            owners = {int(target): int(table.owner[target]) for target, _ in decision.choices}
            targets = [target for target, owner in owners.items() if owner not in (seat, NEUTRAL)]
            origin = table.agenda[decision.turn, 2]
            if not targets or table.supply[seat] < 20 - table.army[origin]:
                continue
            target = targets[0]
            for owner, county, armies in ((seat, origin, 20), (owners[target], target, 1)):
                table.supply[owner] -= armies - table.army[county]
                table.army[county] = armies
            table.built |= 1 << target
            rows = np.array([[each, 9 if each == target else 1] for each in owners])
            planted = replace(decision, choices=rows, game=now)
            return planted, [target, 9], value_buildings
    raise AssertionError


def value_buildings(rules):
    """Let each building count nine points."""
    rules.building_points[:] = 9


PLANTED = {CLAIM: planted_claim, PLACE: planted_place, ATTACK: planted_attack}


def comes_first(kind, number):
    """Whether search ranks the planted choice first."""
    decision, planted, change = PLANTED[kind](number)
    tables = tables_of(decision, number)
    tables.rules = tables.rules.copy()
    change(tables.rules[0])
    trials = Trials(tables, BALANCED)
    trials.choose(300)
    return trials.ranked[0].tolist() == planted


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_better_choice_comes_first(kind):
    assert comes_first(kind, 1)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_better_choice_comes_first_in_95_of_100_decisions(kind):
    assert sum(comes_first(kind, number) for number in range(100)) >= 95
