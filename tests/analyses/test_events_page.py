"""The page of `events` says something else where its figures say it."""

import pytest

from tests.analyses.studies import published
from tests.analyses.test_finding_words import between, finding_with
from wallsim.analyses.events import page
from wallsim.analyses.events.cards import WINTERS
from wallsim.analyses.events.open_cards import PAIRS, key_of
from wallsim.analyses.events.study import STUDY
from wallsim.analyses.play.changes import POINTS
from wallsim.studies.figure import quantity_of
from wallsim.studies.register import read_register
from wallsim.studies.scope import CASUAL_TABLE, THREE_TABLES
from wallsim.studies.study import Choices

SCOPE = STUDY.design(Choices())


def only(quantity, fields):
    """New fields for the figures of one quantity: those that `fields` gives for the id, or {}."""
    return lambda row: fields(row.id) if quantity_of(row.id) == quantity else {}


def test_a_change_of_sign_changes_the_words():
    finding = finding_with("events")
    for text in (finding.casual, finding.experienced):
        assert text.startswith("The worst card costs ")
        assert text.count(" costs ") == 2
    in_round = finding_with("events", only("in-force", lambda _: between(0.5, 1.5))).casual
    assert in_round.startswith("No card is known to cost VP in its round")
    assert " costs " in in_round
    assert finding_with("events", only("winter-loss", lambda _: between(-0.5, 1.5))).casual.endswith("may cost none.")


@pytest.mark.parametrize(("share", "words"), [(0.9, "most in winter"), (0.1, "most in their rounds")])
def test_the_title_says_when_the_cards_bring_what_they_bring(share, words):
    def fields(row):
        if quantity_of(row.id) not in ("share-of-variance", "headline"):
            return {}
        return {"value": 3.0 * (share if "both-winters" in row.id else 1.0)}

    assert finding_with("events", fields).title.endswith(words)


def test_the_best_reserve_has_every_grain_that_matters():
    matter = tuple(f".grain-{number}/" for number in (1, 2, 3))
    figures = published("events", only("grain-reserve", lambda key: between(0.9, 1.1) if any(
        each in key for each in matter) else between(-0.1, 0.3)))  # fmt: skip
    assert page.best_reserve(figures, 4, CASUAL_TABLE, next(iter(WINTERS))) == "3 (3 to 7)"


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_card_that_helps_its_holders_is_listed_first(players):
    known = f"events.card-by-holding.{players}p.tax_max_5-most-trading-posts/"
    figures = published("events", only("card-by-holding", lambda key: between(1.5, 2.5) if key.startswith(known)
                                       else between(-1, 1)))  # fmt: skip
    first = next(iter(page.holder_tables(figures, SCOPE, players)))
    assert [row.head for row in first.rows] == ["taxes of at most 5: most trading posts"]
    none = published("events", only("card-by-holding", lambda _: between(-1, 1)))
    assert "no card is known to help" in next(iter(page.holder_tables(none, SCOPE, players)))


def test_a_habit_that_pays_while_its_card_lies_open_is_named():
    sides = {("church_peace", "Build a church"): (1, 1), ("tax_max", "Tax a county of at most 5"): (-1, 1),
             ("small_levies", "Deploy no five armies"): (-1, -1)}  # fmt: skip
    figures, known = read_register("events"), {}
    for table in THREE_TABLES:
        for pair in PAIRS:
            for when, side in zip(("open", "difference"), sides.get(pair, (-1, 0)), strict=True):
                quantity, item, players, cell, _ = key_of(table, *pair, POINTS, when)
                known[figures.of(quantity, item, players=players, cell=cell).id] = between(side - 0.5, side + 0.5)
    text = page.open_words(published("events", lambda row: known.get(row.id, {})), SCOPE)
    assert text.count("fewer otherwise: “Build a church” under church peace. ") == 3
    assert text.count("than otherwise: “Tax a county of at most 5” under taxes of at most 5.") == 3
    assert text.count("Worse then: “Deploy no five armies” under small levies") == 3
