"""The study `events` forces each card, with and without its effect, keeps it away, and keeps it for the winter."""

import pytest

from tests.analyses.studies import look, played_by
from wallsim.analyses.events import cards as event_effects
from wallsim.analyses.events.cards import CARDS, LOSSES

BLOCKS = 10


@pytest.fixture(scope="module")
def result():
    """All scenarios with `balanced` in all seats, by name."""
    scenarios = event_effects.scenarios()
    return played_by("balanced", event_effects.EXPERIMENT, scenarios, BLOCKS, event_effects.count)


def mean(result, scenario, outcome):
    return result[scenario][outcome].mean()


def test_every_card_has_an_effect_with_a_guess_and_there_are_twelve():
    assert len(CARDS) == 12
    assert {event_effects.effect_of(card) for card in CARDS} == set(event_effects.GUESSES)
    outcomes = {outcome for guesses in event_effects.GUESSES.values() for outcome in guesses}
    assert outcomes <= set(event_effects.OUTCOMES)


@pytest.mark.parametrize(
    ("card", "outcome", "sign"),
    [
        ("tax_max_5", "taxes", -1),
        ("tax_min_6", "taxes", 1),
        ("grain_min_4", "grain", 1),
        ("grain_max_3", "grain", -1),
        ("neutral_guard_3", "attacks on neutrals", -1),
        ("church_peace_3", "attacks on players", -1),
        ("church_peace_4", "attacks on players", -1),
        ("small_levies", "armies deployed", -1),
    ],
)
def test_a_card_does_to_its_round_what_its_text_says(result, card, outcome, sign):
    change = mean(result, f"{card} forced", outcome) - mean(result, f"{card} cancelled", outcome)
    assert change * sign > 0
    assert event_effects.guess(card, outcome) == sign


@pytest.mark.parametrize("winter", event_effects.WINTERS)
def test_a_greater_winter_loss_brings_shortages_in_order(result, winter):
    by_loss = {}
    for card in CARDS:
        by_loss.setdefault(LOSSES[card], []).append(mean(result, f"{card} {winter}", f"shortages, {winter}"))
    means = [sum(by_loss[loss]) / len(by_loss[loss]) for loss in sorted(by_loss)]
    assert means == sorted(means)
    assert means[0] < means[-1]


def test_cards_of_the_same_effect_do_about_the_same(result):
    changes = [
        mean(result, f"{card} forced", "attacks on players") - mean(result, f"{card} cancelled", "attacks on players")
        for card in ("church_peace_3", "church_peace_4")
    ]
    assert changes[0] == pytest.approx(changes[1], rel=0.5)


def test_a_quick_look_measures_every_cell_and_makes_no_finding(tmp_path):
    result = look("events", tmp_path, 24)
    assert result.page.finding is None
    assert not [card for card in CARDS if "_" in card and card in result.text]
    assert result.figures["events.grain-lost.tax_max_5"].value == LOSSES["tax_max_5"]
    assert len(result.figures.all_of("share-of-variance", "all eight cards", players=4)) == len(result.design.cells())
