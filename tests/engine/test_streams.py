"""Random streams: switching on an expansion or the first edition leaves the rest of the chance as it was."""

import pytest

from tests.engine.chronicle import chronicle
from tests.naive.making import SUBSETS
from tests.naive.rng import JIT
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import EXPANSIONS

GAMES = 8 if JIT else 1


def laid_out(game):
    """Year by year the events shown, round by round the action cards and the event drawn, and the first fill."""
    reported = [line for line in game.lines if line["t"] in ("year", "event", "fill")]
    return [*reported, *[line["order"] for line in game.lines if line["t"] == "round"]]


def dealt(game):
    """The counties dealt in a set-up."""
    return [line for line in game.opening if line["t"] == "deal"]


@pytest.mark.parametrize("setup", ["lineup", "draft"])
@pytest.mark.parametrize("edition", ["2e", "1e"])
@pytest.mark.parametrize("expansions", SUBSETS, ids="+".join)
def test_neither_expansions_nor_the_edition_change_events_action_cards_and_the_first_fill(
    expansions, edition, setup
):  # B1.4 B1.8 B2.1 B2.4 E2 V8
    """Nor the deals of a draft, but with leaders, whom their owners place by chance as they draft."""
    for number in range(GAMES):
        base = chronicle(Ruleset(players=4, setup=setup), number)
        more = chronicle(Ruleset(players=4, setup=setup, edition=edition, expansions=expansions), number)
        assert laid_out(more) == laid_out(base)
        if "leaders" not in expansions:
            assert dealt(more) == dealt(base)


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
