"""Interventions in words: who receives and loses what, and where (docs/interventions.md)."""

import pytest

from tests.trace.recorded import record
from wallsim.trace.story.gains import intervention_story

HAND = {"do": "hand", "seat": 1, "thalers": 0, "grain": 0, "vp": 0, "armies": 0, "county": None}
TILE = {"do": "tile", "seat": 1, "to": None, "with": None}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ({**HAND, "vp": 1}, "receives 1 victory point."),
        (
            {**HAND, "thalers": -1, "grain": 2, "armies": 2, "county": "Lausitz"},
            "receives 2 grain and 2 armies in Lausitz and loses 1 Thaler.",
        ),
        (
            {"do": "tile", "seat": 1, "to": "attack", "with": None},
            "now holds the tile for an extra army when attacking.",
        ),
        (TILE, "now holds no bonus tile."),
        ({**TILE, "with": 2}, "and seat 2 exchange their bonus tiles."),
        ({"do": "place", "seat": 1, "with": 2}, "and seat 2 trade places in the player order."),
        ({"do": "cancel_event"}, "the event has no effect."),
        (
            {"do": "trade", "counties": ["Tirol", "Kärnten"]},
            "Tirol and Kärnten change owners, with as many armies as before.",
        ),
    ],
)
def test_each_intervention_has_its_sentence(line, words):
    text = intervention_story(record(4, "lineup", 0).match, line)
    assert text.startswith("The experiment intervenes: ")
    assert text.endswith(words)
