"""Random streams: switching on an expansion or the first edition leaves the rest of the chance as it was."""

import numpy as np
import pytest

from tests.engine.chronicle import chronicle
from tests.naive.making import SUBSETS
from tests.naive.rng import JIT
from tests.policies.seating import arena_under
from wallsim.engine.columns import GAME_COLUMNS
from wallsim.policies.catalogue import load_policy
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import EXPANSIONS

GAMES = 8 if JIT else 1
EVENTS = [place for place, column in enumerate(GAME_COLUMNS) if "event" in column.name]
editions = pytest.mark.parametrize("edition", ["2e", "1e"])
others = pytest.mark.parametrize("expansions", SUBSETS[1:], ids="+".join)


def laid_out(game):
    """Year by year the events shown, round by round the action cards and the event drawn, and the first fill."""
    reported = [line for line in game.lines if line["t"] in ("year", "event", "fill")]
    return [*reported, *[line["order"] for line in game.lines if line["t"] == "round"]]


@editions
@others
def test_expansions_leave_events_action_cards_and_the_first_fill_as_they_were(expansions, edition):  # B1.8 B2.1 E2
    for number in range(GAMES):
        base = chronicle(Ruleset(players=4, edition=edition), number)
        more = chronicle(Ruleset(players=4, edition=edition, expansions=expansions), number)
        assert laid_out(more) == laid_out(base)


def test_both_editions_lay_out_the_same_events_and_action_cards():  # V8
    for number in range(GAMES):
        old, new = (chronicle(Ruleset(players=3, edition=edition), number) for edition in ("1e", "2e"))
        assert laid_out(old) == laid_out(new)


@editions
@others
def test_the_same_events_come_in_every_game_of_a_batch(expansions, edition):  # B2.4 V8
    """Also in drafts, where the first fill is the same too, but not the deals of those who place a leader."""
    base = arena_under(Ruleset(players=3, setup="draft"), load_policy("random")).play(0, 40).games
    rules = Ruleset(players=3, setup="draft", edition=edition, expansions=expansions)
    more = arena_under(rules, load_policy("random")).play(0, 40).games
    assert np.array_equal(base[:, EVENTS], more[:, EVENTS])


@pytest.mark.parametrize("expansions", [("court",), ("landsknechte",), ("court", "landsknechte")], ids="+".join)
def test_a_draft_is_the_same_without_leaders_whatever_else_is_in_play(expansions):  # B1.4
    for number in range(GAMES):
        base = chronicle(Ruleset(players=4, setup="draft"), number)
        more = chronicle(Ruleset(players=4, setup="draft", expansions=expansions), number)
        deals = [[line for line in game.opening if line["t"] == "deal"] for game in (base, more)]
        assert deals[0] == deals[1]


@pytest.mark.parametrize(
    ("expansion", "kinds"),
    [("court", {"convert", "favor"}), ("landsknechte", {"landsknechte"}), ("leaders", {"leader"})],
)
def test_a_game_without_an_expansion_has_nothing_of_it(expansion, kinds):
    rules = Ruleset(expansions=tuple(other for other in EXPANSIONS if other != expansion))
    game = chronicle(rules, 0)
    assert kinds.isdisjoint(line["t"] for line in game.lines)
    favors = [len(line["favors"]) for line in game.lines if line["t"] == "round"]
    assert set(favors) == {0 if expansion == "court" else 3}
    points = sum(line["statues"] + line["trophies"] for line in game.lines if line["t"] == "score")
    assert (points == 0) == (expansion == "leaders")


@pytest.mark.parametrize("policy", ["random", "balanced"])
@editions
def test_a_game_alone_is_the_game_of_a_batch(edition, policy):
    rules = Ruleset(players=5, edition=edition, expansions=SUBSETS[-1])
    arena = arena_under(rules, load_policy(policy))
    whole = arena.play(0, 30, seasons=True, battles=True)
    for number in (0, 7, 29):
        alone = arena.play(number, 1, seasons=True, battles=True)
        assert np.array_equal(alone.games[:, 1:], whole.games[number : number + 1, 1:])
        assert np.array_equal(alone.seats[:, 1:], whole.seats[number * 5 : number * 5 + 5, 1:])
        assert np.array_equal(alone.seasons[:, 1:], whole.seasons[number * 40 : number * 40 + 40, 1:])
        assert np.array_equal(alone.battles[:, 1:], whole.battles[whole.battles[:, 0] == number, 1:])
