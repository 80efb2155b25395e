"""The Emperor's Court and the Landsknechte in recorded games, step by step (E, L)."""

from collections import Counter
from copy import deepcopy

import pytest

from tests.engine.chronicle import chronicles, rounds
from tests.naive import court, landsknechte
from tests.naive.rng import JIT
from tests.policies.seating import label
from wallsim.rules.ruleset import Ruleset

GAMES = 12 if JIT else 1
COURTS = [
    Ruleset(players=3, setup="draft", expansions=("court",)),
    Ruleset(players=4, expansions=("court", "landsknechte", "leaders")),
    Ruleset(players=5, edition="1e", expansions=("court",)),
    Ruleset(players=5, setup="draft", expansions=("court", "leaders")),
]
courts = pytest.mark.parametrize("rules", COURTS, ids=label)


def card_of(word):
    """The naive name of a card on a court box: a county, or "tower"."""
    return word.removeprefix("county:")


@courts
def test_the_first_fill_sends_a_courtier_to_the_hall_for_each_own_cube_that_falls_out(rules):  # E1 B1.6
    for game in chronicles(rules, GAMES):
        fill, state = game.opening[-2:]
        assert (fill["t"], state["t"]) == ("fill", "state")
        assert state["hall"] == [fill["out"][str(seat)] for seat in range(rules.players)]
        assert set(state["tray"].values()) == {0}
        assert game.seasons[0].before.errors() == []  # the cubes are back in the supplies


@courts
def test_eighteen_of_the_favors_are_shown_three_a_round_the_highest_first(rules):  # E2
    for game in chronicles(rules, GAMES):
        shown = [season.of("round")[0]["favors"] for season in game.rounds]
        assert all(favors == sorted(favors, reverse=True) for favors in shown)
        numbers = [favor for favors in shown for favor in favors]
        assert len(numbers) == len(set(numbers)) == 18  # who was not taken never comes back
        assert set(numbers) <= set(range(1, 22))


@courts
def test_county_and_dice_tower_cards_ask_for_courtiers_in_player_order_and_money_passes(rules):  # V1 V2 E3 E4
    passed = Counter()
    for season in rounds(rules, GAMES):
        plans = season.of("plan")
        cards = {(plan["seat"], int(box)): card for plan in plans for box, card in plan["court"].items()}
        asked = {place: card for place, card in cards.items() if card and card.startswith(("county", "tower"))}
        in_order = sorted(asked, key=lambda place: (season.turn.index(place[0]), -place[1]))  # boxes three, two, one
        converted = [(line["seat"], line["box"], line["card"]) for line in season.of("convert")]
        assert converted == [(*place, asked[place]) for place in in_order]
        passed.update(str(card).split(":")[0] for place, card in cards.items() if place not in asked)
        boxes = [place for plan in plans for place in plan["boxes"].items()]
        counties = [(action, card[7:]) for action, card in boxes if card and card.startswith("county")]
        acted = [(line["action"], line["county"]) for line in season.of("action")]
        assert sorted(acted) == sorted(counties)  # a dice-tower card on an action box passes
    assert set(passed) <= {"money", "blank", "None"}
    assert passed["blank" if rules.edition == "1e" else "money"] > 0 or not JIT


def replay_court(season):
    """Landsknechte, petitions and audience on the naive table: what was done, who took what; returns the table."""
    table, order = deepcopy(season.before), season.turn
    (shown,) = [line["favors"] for line in season.of("round")]
    table.event, table.favors = season.effect, list(shown)
    for line in season.of("landsknechte"):
        assert landsknechte.slide(table, line["seat"])
        assert line["card"] == table.players[line["seat"]].banner
        assert landsknechte.take(table, line["seat"], line["benefit"]) == line["amount"]
    for line in season.of("convert"):
        assert court.petition(table, line["seat"], line["box"], card_of(line["card"])) == line["done"]
    taken = {line["seat"]: line for line in season.of("favor")}
    audience = court.audience(table, order)
    assert [seat for seat in audience if seat in taken] == [line["seat"] for line in season.of("favor")]
    for seat in audience:
        spaces = court.affordable(table, seat)
        assert (seat in taken) == bool(spaces)  # the reference policy takes whatever it can
        if spaces:
            take_favor(table, seat, taken[seat], spaces)
    return table


def take_favor(table, seat, line, spaces):
    """Take a favor on the naive table; it does what the line says."""
    number = line["number"]
    space = table.favors.index(number)
    assert space in spaces
    assert line["cost"] == (4, 3, 2)[space]
    assert court.take(table, seat, space) == number
    counties, county = court.counties_for(table, seat, number), line.get("county")
    assert (county in counties) if counties else county is None  # mandatory where possible
    amount = court.grant(table, seat, number, county, line.get("cancelled", False))
    assert amount == line.get("amount", 0)


@courts
def test_the_court_can_be_replayed_on_a_naive_table(rules):  # E2 E4 E5 E6 L1
    """Done or not, the order of the audience fixed before the first favor, what each favor brings, and the hall."""
    failed = taken = 0
    for season in rounds(rules, GAMES):
        table = replay_court(season)
        failed += sum(not line["done"] for line in season.of("convert"))
        taken += len(season.of("favor"))
        for seat, player in table.players.items():
            after = season.after.players[seat]
            assert (player.hall, player.points, player.banner) == (after.hall, after.points, after.banner)
    if JIT:
        assert min(failed, taken) > 0


@pytest.mark.parametrize("rules", [*COURTS, Ruleset(players=3), Ruleset(players=4, setup="draft")], ids=label)
def test_a_round_plans_draws_its_event_orders_players_holds_court_and_acts(rules):  # B2.1 to B2.6 L1 E4 E5
    kinds_in_order = ("round", "plan", "event", "order", "leader", "landsknechte", "convert", "favor")
    for season in rounds(rules, GAMES):
        kinds = [line["t"] for line in season.lines if line["t"] != "year"]
        first = next(place for place, kind in enumerate(kinds) if kind in ("action", "battle"))
        steps = [kinds_in_order.index(kind) for kind in kinds[:first]]
        assert steps == sorted(steps)
        assert kinds[: rules.players + 3] == ["round", *["plan"] * rules.players, "event", "order"]
        assert set(kinds[first:]) <= {"action", "battle", "leader", "state"}


# ------------------------------------------------------------------------------------------ the Landsknechte

HIRED = [
    Ruleset(players=3, setup="draft", expansions=("landsknechte",)),
    Ruleset(players=5, edition="1e", expansions=("landsknechte",)),
    Ruleset(players=4, expansions=("court", "landsknechte", "leaders")),
]
hired = pytest.mark.parametrize("rules", HIRED, ids=label)


@hired
def test_who_holds_four_regions_after_player_order_draws_and_nobody_else(rules):  # L1
    seen = Counter()
    for season in rounds(rules, 2 * GAMES):
        table = season.before
        entitled = [seat for seat in season.turn if len(landsknechte.regions_of(table, seat)) >= 4]
        assert [line["seat"] for line in season.of("landsknechte")] == entitled  # in player order
        seen.update({True: len(entitled), False: rules.players - len(entitled)})
    if JIT:
        assert min(seen.values()) > 0


@hired
def test_after_winter_the_empty_banner_lies_on_top_again(rules):  # L2
    turned = 0
    for game in chronicles(rules, 2 * GAMES):
        for season in (game.seasons[3], game.seasons[7]):
            turned += sum(player.banner > 1 for player in season.before.players.values())
            assert {player.banner for player in season.after.players.values()} == {1}
    assert turned > 0 or not JIT
