"""Event cards in words."""

import pytest

from wallsim.rules.board import load_board
from wallsim.rules.provenance import event_words


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ("tax_max_5", "taxes of at most 5"),
        ("grain_min_4", "grain of at least 4"),
        ("church_peace_3", "church peace 3"),
        ("small_levies", "small levies"),
    ],
)
def test_a_card_is_called_by_its_words(card, words):
    assert event_words(card) == words


def test_every_card_of_the_board_has_words_of_its_own():
    words = [event_words(card) for card in load_board().events]
    assert len(set(words)) == 12
    assert not any("_" in each for each in words)
