"""What a rule itself states is no finding: games are checked to follow it, and no study claims it."""

import numpy as np
import pytest

from tests.analyses.studies import played_by
from wallsim.analyses.events import cards
from wallsim.analyses.events.cards import CARDS, EXPERIMENT, HUNGRIEST, LEAST, LOSSES, WINTERS
from wallsim.analyses.robustness.estimates import sources
from wallsim.experiment.experiment import Experiment
from wallsim.rules.terms import EXPANSIONS
from wallsim.studies.games import Games, in_batches

ALL = {"expansions": EXPANSIONS}
FAR = 4.0  # standard errors, further than luck goes in a test that plays the same games each time


@pytest.fixture(scope="module")
def result():
    """Cards in force, cancelled and kept for winters, with `balanced` in all seats, by name."""
    return played_by("balanced", EXPERIMENT, cards.IN_FORCE | cards.KEPT, 10, cards.count)


def change(result, card, outcome):
    return (result[f"{card} forced"][outcome] - result[f"{card} cancelled"][outcome]).mean()


def test_a_card_does_to_its_round_what_its_text_says_and_so_does_its_like(result):
    """A card that limits taxes, grain or armies changes what is collected or deployed in its round [B1.8]."""
    said = {
        "tax_max_5": ("taxes", -1), "tax_min_6": ("taxes", 1), "grain_min_4": ("grain", 1),
        "grain_max_3": ("grain", -1), "neutral_guard_3": ("attacks on neutrals", -1),
        "church_peace_3": ("attacks on players", -1), "church_peace_4": ("attacks on players", -1),
        "small_levies": ("armies deployed", -1),
    }  # fmt: skip
    done = {card: change(result, card, outcome) for card, (outcome, _) in said.items()}
    assert {card: (outcome, np.sign(done[card])) for card, (outcome, _) in said.items()} == said
    assert all(cards.guess(card, outcome) == sign for card, (outcome, sign) in said.items())
    assert done["church_peace_3"] == pytest.approx(done["church_peace_4"], rel=0.5)
    assert sorted(card for effect in cards.GUESSES for card in cards.cards_of(effect)) == sorted(CARDS)
    assert {outcome for guesses in cards.GUESSES.values() for outcome in guesses} <= set(cards.OUTCOMES)


@pytest.mark.parametrize("winter", WINTERS)
def test_a_greater_winter_loss_brings_shortages_in_order(result, winter):
    by_loss = {}
    for card in CARDS:
        by_loss.setdefault(LOSSES[card], []).append(result[f"{card} {winter}"][f"shortages, {winter}"].mean())
    means = [np.mean(by_loss[loss]) for loss in sorted(by_loss)]
    assert means == sorted(means)
    assert means[0] < means[-1]
    assert result[f"{HUNGRIEST} {winter}"][f"shortages, {winter}"].mean() > (
        result[f"{LEAST} {winter}"][f"shortages, {winter}"].mean()
    )


def points(**changes):
    """The mean points of a seat by game, of the same games under any rules."""
    arena = Experiment(seed=7, policies="balanced", **changes).components().arena(7)

    def of_seats(games: Games) -> np.ndarray:
        return np.asarray(games.seats("vp").mean(axis=1))

    return np.concatenate(in_batches(arena, range(16), of_seats, workers=1))


@pytest.mark.parametrize(
    ("more", "less"),
    [
        pytest.param({"expansions": ("leaders",)}, {}, id="M5: each statue scores"),
        pytest.param(ALL, {**ALL, "rules": {"statues_a_county": "one"}}, id="A10: one statue a county at most"),
        pytest.param(ALL, {**ALL, "rules": {"statue_points": "at_the_end"}}, id="A12: at the end alone"),
    ],
)
def test_statues_bring_points_and_fewer_where_they_score_less_often(more, less):
    gain = points(**more) - points(**less)
    assert gain.mean() > FAR * gain.std() / len(gain) ** 0.5


def test_what_a_rule_states_is_no_claim():
    claimed = {claim.outcome for own in sources() for claim in own.judged.claims}
    hunger = f"shortages of {HUNGRIEST} less those of {LEAST}"
    assert not claimed & {"tax_max", "tax_min", "grain_min", "grain_max", "small_levies", hunger}
    assert {claim.outcome for claim in cards.CLAIMS} <= claimed
    assert not {own.name for own in sources()} & {"editions"}
