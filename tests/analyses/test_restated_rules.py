"""What a rule itself states is no finding: here it is checked that games follow it, with the studies' own counts."""

import numpy as np
import pytest

from wallsim.analyses.events import cards
from wallsim.analyses.events.cards import HUNGRIEST, LAST_WINTER, LEAST
from wallsim.analyses.robustness.estimates import sources
from wallsim.experiment.experiment import Experiment
from wallsim.rules.terms import EXPANSIONS
from wallsim.studies.contrasts import MEAN, Contrast
from wallsim.studies.games import Games, in_batches
from wallsim.studies.scenarios import played_by_game

ALL = {"expansions": EXPANSIONS}
FAR = 4.0  # standard errors, further than luck goes in a test that plays the same games each time
RESTATED = {
    **{effect: cards.guessed(effect) for effect in ("tax_max", "tax_min", "grain_min", "grain_max", "small_levies")},
    f"shortages of {HUNGRIEST} less those of {LEAST}":
        Contrast({f"{HUNGRIEST} {LAST_WINTER}": 1, f"{LEAST} {LAST_WINTER}": -1}, f"shortages, {LAST_WINTER}"),
}  # fmt: skip


def points(**changes):
    """The mean points of a seat by game, of the same games under any rules."""
    arena = Experiment(seed=7, policies="balanced", **changes).components().arena(7)

    def of_seats(games: Games) -> np.ndarray:
        return np.asarray(games.seats("vp").mean(axis=1))

    return np.concatenate(in_batches(arena, range(16), of_seats, workers=1))


@pytest.mark.parametrize("name", RESTATED)
def test_a_card_does_what_it_says(name):
    """A card that limits taxes, grain or armies changes what is collected or deployed in its round [B1.8]."""
    experiment = Experiment(seed=7, policies="balanced", seasons=True)
    scenarios = {each: (cards.IN_FORCE | cards.KEPT)[each] for each in RESTATED[name].at(MEAN, 4)}
    played = played_by_game(experiment, scenarios, 2, cards.count, seasons=True, workers=1)
    found = RESTATED[name].value(played, 4).estimate
    assert found.value > FAR * found.error


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
    assert not claimed & set(RESTATED)
    assert {claim.outcome for claim in cards.CLAIMS} <= claimed
    assert not {own.name for own in sources()} & {"editions"}
