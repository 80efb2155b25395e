"""The register of the study `expansions`: every subset and effect in every cell, and the page made from it."""

import numpy as np
import pytest

from tests.analyses.studies import table_of
from tests.analyses.test_expansions_groups import planted
from wallsim.analyses.expansions import effects as expansion_effects
from wallsim.analyses.expansions import figures as expansion_figures
from wallsim.analyses.expansions import page as expansion_page
from wallsim.analyses.expansions import skill as expansion_skill
from wallsim.analyses.expansions.boards import MOVED, Moves, variants
from wallsim.analyses.expansions.cards import CARDS, Card, Favor, Taken
from wallsim.analyses.expansions.count import LEADER, OUTCOMES
from wallsim.analyses.expansions.effects import (
    CLAIMS,
    EFFECTS,
    SUBSETS,
    Factorial,
    claimed,
    effects_of,
    name_of,
    name_of_effect,
)
from wallsim.analyses.expansions.estimates import Expansions, card_cells
from wallsim.analysis.claims.cells import Cell
from wallsim.report.tables.estimates import number as signed
from wallsim.rules.terms import EXPANSIONS, FAVORS
from wallsim.stats.blocks import block_mean
from wallsim.studies.changes import change
from wallsim.studies.figure import Rows
from wallsim.studies.finding import finding_errors
from wallsim.studies.outcomes import POINTS, wins_of
from wallsim.studies.study import Choices

SHARES = [(result, part) for result in expansion_skill.RESULTS for part in expansion_skill.PARTS]


@pytest.fixture(scope="module")
def full():
    """The full study with random numbers in place of games, and its figures."""
    return drawn_study()


def drawn_study(moved_by=None):
    """The same, with the points of subsets moved by what each expansion in it brings; and its figures."""
    scope, rng = expansion_effects.scope_of(Choices()), np.random.default_rng(9)

    def drawn(blocks, mean=0.0):
        return block_mean(rng.normal(mean, 1, blocks))

    def added(subset):
        return sum((moved_by or {}).get(name, 0.0) for name in subset)

    subsets = {
        cell: {
            subset: {
                outcome: drawn(scope.blocks(cell), 25 + (added(subset) if outcome == POINTS else 0.0))
                for outcome in (*OUTCOMES, *map(wins_of, range(4)))
            }
            for subset in SUBSETS
        }
        for cell in scope.cells()
    }
    effects = {cell: effects_of(each) for cell, each in subsets.items()}
    factorial = Factorial(subsets, effects, {cell: claimed(each) for cell, each in effects.items()})
    shares, wins = (
        {
            name: {subset: {key: drawn(blocks, 25) for key in keys} for subset in SUBSETS}
            for name, keys, blocks in planned
        }
        for planned in (
            [(ladder, SHARES, 240) for ladder in (expansion_skill.LADDER, expansion_skill.TUNED)],
            [(field, names, expansion_skill.BLOCKS[field]) for field, names in expansion_skill.FIELDS.items()],
        )
    )

    def taken(blocks):
        return Taken(drawn(blocks), rng.uniform(), 0.0)

    def moved(cell):
        values = rng.normal(size=(len(variants()), len(MOVED), 2, scope.blocks(cell), 1))
        return Moves(
            {
                name: {outcome: change(*each) for outcome, each in zip(MOVED, of_variant, strict=True)}
                for name, of_variant in zip(variants(), values, strict=True)
            },
            {},
        )

    cells = card_cells(scope)
    estimate = Expansions(
        scope, factorial, expansion_skill.Tournaments(shares, wins),
        {cell: {number: Favor(taken(322), taken(322)) for number in range(FAVORS + 1)} for cell in cells},
        {cell: [taken(scope.blocks(cell)) for _ in range(6)] for cell in cells},
        {cell: {card: Card(taken(450), taken(225)) for card in CARDS} for cell in cells},
        {cell: moved(cell) for cell in cells},
        planted(0.0),
    )  # fmt: skip
    rows = Rows("expansions", 20269, "0" * 12)
    expansion_figures.add_figures(estimate, rows)
    return estimate, rows.done()


def test_every_cell_has_every_subset_and_effect_with_its_interval(full):
    estimate, figures = full
    assert len(estimate.scope.cells()) == 36
    for outcome in (*OUTCOMES, *map(wins_of, range(4))):
        for subset in SUBSETS:
            rows = figures.cells("subset-by-cell", f"{name_of(subset)} {outcome}", players=4)
            assert list(rows) == estimate.scope.cells()
            assert {row.family for row in rows.values()} == {8 * 36}
            for cell, row in rows.items():
                assert row.value == pytest.approx(estimate.factorial.subsets[cell][subset][outcome].value)
        for effect in EFFECTS if outcome in OUTCOMES else EFFECTS[:3]:
            rows = figures.cells("effect-by-cell", f"{name_of_effect(effect)} {outcome}", players=4)
            assert list(rows) == estimate.scope.cells()
            for cell, row in rows.items():
                assert row.value == pytest.approx(estimate.factorial.effects[cell][outcome][effect].value)
                assert (row.n, row.n_unit, row.null) == (estimate.scope.blocks(cell), "blocks", 0)
    for number in ("any", *map(str, range(1, FAVORS + 1))):
        for quantity in ("favor", "favor-given-by-play"):
            assert list(figures.cells(quantity, number, players=4)) == card_cells(estimate.scope)
    for name in variants():
        for outcome in MOVED:
            assert list(figures.cells("favors-varied-by-play", f"{name} {outcome}", players=4)) == card_cells(
                estimate.scope
            )
    assert len(figures.cells("claim", CLAIMS[0].outcome, players=4)) == 36


def test_every_figure_is_in_words_and_every_estimate_has_its_interval(full):
    _, figures = full
    counted = ("favor-chosen-games", "favor-given-games", "statues-left", "cards-turned", "court-worth-varied")
    for key, row in figures.items():
        without = key.split(".")[1].split("/")[0] in counted
        assert (row.ends is None) == without
        assert without or row.ends[0] < row.value < row.ends[1]
        assert row.quantity.isprintable()
        assert "%" not in row.quantity
    units = {key.split(".")[1].split("/")[0]: row.n_unit for key, row in figures.items()}
    assert units["subset"] == units["claim"] == units["favors-varied"] == units["card-mean-of-table"] == "blocks"
    assert units["share-of-points"] == units["effect-on-wins"] == "tournament blocks"
    assert units["card-own-seat"] == "blocks of 12 games"
    given = figures["expansions.subset-by-cell.4p.none-wins-of-year-one-s-leader/tuned-without/mid"]
    assert given.quantity == "wins of year one's leader, without expansions"
    assert (given.unit, given.cell) == ("%", Cell("tuned without", "mid", "lineup"))
    both = figures["expansions.picture.4p.court-×-leaders-spread-of-VP/weak/spielbyweb"]
    assert both.quantity == "interaction of court × leaders on spread of VP"
    assert "expansions.statue.4p/strong/spielbyweb@fall-2" in figures
    assert "expansions.effect-on-share-of-wins.4p.ladder-without-expert-4p-chance-court/all/spielbyweb" in figures


def test_the_page_of_the_full_study_is_made_from_its_figures(full):
    estimate, figures = full
    text = expansion_page.page(figures, estimate.scope).tables
    assert len(table_of(text, "main effect of")) == 3 * len(OUTCOMES)
    assert "simultaneous intervals need" not in text
    mains = [effects[LEADER][("court",)].value for effects in estimate.factorial.effects.values()]
    assert f"({signed(min(mains), 1, '+')} to {signed(max(mains), 1, '+')}) % points in the wins" in text
    wins = estimate.tournaments.wins["zoo"]
    gains = {name: wins[EXPANSIONS][name].value - wins[()][name].value for name in expansion_skill.STYLES}
    assert f"Of the zoo `{max(gains, key=gains.get)}` gains most" in text


def test_the_finding_names_the_expansion_that_moves_most_points_and_follows_its_sign():
    worth = {EXPANSIONS[0]: 1.0, EXPANSIONS[1]: -3.0, EXPANSIONS[2]: 0.0}
    pages = []
    for sign in (1.0, -1.0):
        estimate, figures = drawn_study({name: sign * value for name, value in worth.items()})
        page = expansion_page.page(figures, estimate.scope)
        assert finding_errors(page.finding, page.table) == []
        pages.append(page)
    page, turned = pages
    assert "the Landsknechte: −" in page.finding.title
    assert "the Landsknechte: +" in turned.finding.title
    for each, shown in ((page, "+"), (turned, "−")):
        for text in (each.finding.casual, each.finding.experienced):
            assert f"{shown}1." in text or f"{shown}0.9" in text
            assert "Landsknechte" not in text
    rows = table_of(page.table, "expansion: outcome")
    assert len(rows) == 12
    assert len({tuple(row[1:]) for row in rows}) == 12
