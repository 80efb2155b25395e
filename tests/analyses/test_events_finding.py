"""The first screen of `events`: what cards cost follows from the figures, at both tables."""

from tests.analyses.studies import estimate, table_of
from wallsim.analyses.events import finding as first
from wallsim.analyses.events import page
from wallsim.analyses.events.estimates import ALL_EIGHT, BOTH_WINTERS, CARDS, CLAIMS, GUESSES, LOSSES, MEAN, WINTERS
from wallsim.analyses.events.figures import (
    HEADLINE,
    IN_FORCE,
    PLAYERS,
    POINTS,
    SHARE,
    WINTER_LOSS,
    item,
    of_headline,
    sure_of_cards,
    sure_of_winters,
)
from wallsim.rules.event_words import event_words
from wallsim.stats.intervals import Confidence
from wallsim.studies.figure import Rows
from wallsim.studies.finding import finding_errors
from wallsim.studies.scope import TWO_TABLES, full_scope

BLOCKS = 400
SCOPE = full_scope(BLOCKS, BLOCKS, TWO_TABLES)


def planted(worst=-1.0, winter=-2.0, winter_share=2.0):
    """Figures in which one card moves points in its round, and that of the greatest loss in winter; 0.5 elsewhere."""
    rows = Rows("events", 1, "0" * 12)
    for table in TWO_TABLES:
        for card in CARDS:
            in_round = worst if card == "grain_max_3" else 0.5
            lost = winter if LOSSES[card] == max(LOSSES.values()) else 0.5
            for quantity, value, moment, sure in (
                (IN_FORCE, in_round, MEAN, sure_of_cards()),
                *((WINTER_LOSS, lost, name, sure_of_winters()) for name in WINTERS),
            ):
                rows.estimate(
                    quantity, item(card, POINTS), estimate(value, BLOCKS), sure, words="", unit="VP", players=PLAYERS,
                    cell=table, moment=moment,
                )  # fmt: skip
        for name, value in ((ALL_EIGHT, 3.0), (BOTH_WINTERS, winter_share)):
            rows.estimate(
                SHARE, name, estimate(value, BLOCKS), Confidence(), words="", unit="%", players=PLAYERS, cell=table
            )
        rows.estimate(
            HEADLINE, ALL_EIGHT, estimate(3.0, BLOCKS), of_headline(), words="", unit="%", players=PLAYERS, cell=table
        )
    return rows.done()


def test_a_change_of_sign_changes_the_words():
    words, moved = first.finding_of(planted()), first.finding_of(planted(worst=0.5, winter=2.0))
    for before, after in ((words.casual, moved.casual), (words.experienced, moved.experienced)):
        assert before.startswith("The worst card costs ")
        assert before.count(" costs ") == 2
        assert "No card is known to cost" in after
        assert after.endswith("may cost none.")
    assert " costs " in first.finding_of(planted(worst=0.5)).casual


def test_the_title_says_when_the_cards_bring_what_they_bring():
    assert "most in winter" in first.title_of(planted())
    assert "most in their rounds" in first.title_of(planted(winter_share=0.5))


def test_the_table_has_each_card_by_its_words():
    table = first.card_table(planted(), SCOPE)
    rows = table_of(table, "event card")
    assert [row[0] for row in rows] == [event_words(card) for card in CARDS]
    assert "_" not in table


def test_the_longest_finding_can_be_read(monkeypatch):
    longest = max((claim.words.rstrip(".") for claim in CLAIMS), key=lambda words: len(words.split()))
    text = f"By play, tower or set-up: {longest}, and 9 more claims."
    monkeypatch.setattr(first, "differing", lambda *_: text)
    monkeypatch.setattr(first, "not_known", lambda *_: "")
    for figures in (planted(), planted(worst=0.5, winter=2.0), planted(worst=0.5), planted(winter=2.0)):
        assert finding_errors(first.finding_of(figures), first.card_table(figures, SCOPE)) == []


def test_outcomes_of_claims_are_told_by_the_words_of_cards():
    told = {claim.outcome: page.measured_by(claim.outcome) for claim in CLAIMS}
    assert not any("_" in words for words in told.values())
    assert len(set(told.values())) == len(CLAIMS)
    for outcome, words in told.items():
        if outcome in GUESSES:
            rises = next(iter(GUESSES[outcome].values())) > 0
            assert words.startswith("rise in " if rises else "drop in ")
