"""The study `editions` plays every other setting of every switch on the same games as the default."""

import re

import numpy as np
import pytest

from tests.analyses.studies import look, table_of
from wallsim.analyses.editions import estimates as edition_effects
from wallsim.analyses.editions import figures as edition_figures
from wallsim.analyses.editions.estimates import (
    CHANGED,
    EXPANDED,
    FIRST,
    LIMITS,
    SECOND,
    Editions,
    cells_for,
    experiment_of,
    play_group,
    variants,
)  # fmt: skip
from wallsim.analyses.editions.finding import WORDS
from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import CASUAL, MIDDLING, STRONG
from wallsim.rules.ruleset import SWITCHES
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.studies.cache import Cache
from wallsim.studies.catalogue import load_study
from wallsim.studies.changes import change
from wallsim.studies.figure import Rows
from wallsim.studies.finding import MOST_ROWS, finding_errors
from wallsim.studies.outcomes import MARGIN, OUTCOMES, POINTS, wins_of
from wallsim.studies.running import digest_of
from wallsim.studies.study import Choices

HOME = Cell(MIDDLING, "spielbyweb", "lineup")


def test_every_switch_has_its_other_settings_and_the_edition_is_one():
    assert {variant.mark for variant in variants()} == {"", *(switch.mark for switch in SWITCHES)}
    by_base = {base: {variant.mark for variant in variants() if variant.base == base} for base in edition_effects.BASES}
    assert by_base[EXPANDED] == {"A1", "A10", "A11", "A12"}
    assert by_base[FIRST] == {"A13", "A16"}
    drafted = [variant for variant in variants() if not edition_effects.applies(variant, HOME)]
    assert [variant.mark for variant in drafted] == ["A3"]


def test_a_variant_changes_its_switch_and_nothing_else_of_its_base():
    for variant in variants():
        cell = HOME._replace(setup="draft")
        base = edition_effects.experiment_of(cell, variant.base, edition_effects.BASES[variant.base])
        other = edition_effects.experiment_of(cell, variant.base, variant.changes)
        one, two = base.ruleset(), other.ruleset()
        differ = [name for name in vars(one) if getattr(one, name) != getattr(two, name)]
        field = next((switch.field for switch in SWITCHES if switch.mark == variant.mark), "edition")
        assert differ == [field]
        assert (base.seed, base.policies, base.tower) == (other.seed, other.policies, other.tower)


def test_with_expansions_only_weights_tuned_with_them_are_strong_play():
    strong = [play for play in edition_effects.plays_of(EXPANDED) if play.strength == STRONG]
    assert [play.policy for play in strong] == ["strong-4p-bigbox"]
    assert len(edition_effects.plays_of(SECOND)) == len(edition_effects.plays_of(FIRST)) == 5


def test_what_changes_is_counted_game_by_game():
    """By [A9 shared] no game is played otherwise, only ranks differ; [A7 may] changes nearly all."""
    played = edition_effects.play_group(HOME, SECOND, 5, Cache(None), workers=1)
    by_mark = {variant.mark: variant.name for variant in variants()}
    assert 0 < played[by_mark["A9"]][CHANGED].mean() < 50
    assert (played[by_mark["A9"]][POINTS] == played[SECOND][POINTS]).all()
    assert played[by_mark["A7"]][CHANGED].mean() > 50
    for mark in ("A2", "A8"):
        assert played[by_mark[mark]][CHANGED].mean() < 5
    assert {len(values) for each in played.values() for values in each.values()} == {5}
    assert np.allclose(sum(played[SECOND][f"wins of seat {seat}"] for seat in range(4)), 100)


@pytest.mark.parametrize(
    ("values", "side"),
    [
        (np.zeros(100), "small"),
        (np.tile([0.1, -0.1], 50), "small"),
        (np.tile([0.4, -0.2], 50), "small"),  # though it is not 0
        (np.tile([3.0, -2.6], 50), "open"),
        (np.tile([1.0, 1.2], 50), "moves"),
        (np.tile([-1.0, -1.2], 50), "moves"),
        (np.tile([0.3, 0.1], 10), "open"),  # too few blocks
    ],
)
def test_a_change_is_small_or_moves_by_its_interval(values, side):
    estimated = block_mean(values)
    assert LIMITS[POINTS] == 0.25
    assert edition_effects.side(estimated, estimated.error, POINTS, Confidence()) == side


def test_the_study_publishes_every_variant_in_all_of_its_cells(tmp_path):
    result = look("editions", tmp_path, 24)
    assert [row[0] for row in table_of(result.text, "changed")] == [f"`{variant.name}`" for variant in variants()]
    for variant in variants():
        cells = result.figures.cells("verdict", f"{variant.name} {POINTS}", players=4)
        assert list(cells) == cells_for(result.design, variant)
    assert "editions.change.4p.A7-combat-may-VP-of-a-seat/strong/spielbyweb" in result.figures
    played = {
        base: play_group(result.design.baseline_cell(), base, 1, Cache(None), workers=1) for base in (SECOND, EXPANDED)
    }
    for mark, outcome, quantity in (("A7", POINTS, "change"), ("A5", POINTS, "verdict"), ("A10", MARGIN, "by-cell")):
        variant = next(each for each in variants() if each.mark == mark)
        group = played[variant.base]
        estimated = result.figures.of(
            quantity, f"{variant.name} {outcome}", players=4, cell=result.design.baseline_cell()
        )
        expected = (group[variant.name][outcome] - group[variant.base][outcome]).mean()
        assert estimated.value == pytest.approx(expected)


def planted(scope, value_of, scale=1.0):
    """The full study with random changes, that of each variant, cell and outcome around a value."""
    rng = np.random.default_rng(2)

    def drawn(cell, value=0.0):
        before, after = scale * rng.normal(size=(2, scope.blocks(cell), 1))
        return change(before, after - (after - before).mean() * (scale < 1) + value)

    outcomes = (CHANGED, *OUTCOMES)
    changes = {cell: {} for cell in scope.cells()}
    for variant in variants():
        for cell in cells_for(scope, variant):
            changes[cell][variant.name] = {
                outcome: drawn(cell, value_of(variant, cell) if outcome == POINTS else 0.0) for outcome in outcomes
            }
    seats = {variant.name: [drawn(scope.baseline_cell()) for _ in range(4)] for variant in variants()}
    rows = Rows("editions", 1, "0" * 12)
    edition_figures.add_figures(Editions(scope, changes, seats), rows)
    return changes, rows.done()


def test_the_finding_counts_the_rules_that_matter_at_each_table():
    """One rule matters everywhere, one in casual play, one in a strong line alone; then all with the other sign."""
    scope = edition_effects.design(Choices())
    where = {"A5": lambda cell: True, "A7": lambda cell: cell.play == CASUAL, "A9": lambda cell: cell.play == STRONG}

    def found(sign):
        def value_of(variant, cell):
            return sign * (3.0 if variant.mark == "A5" else 1.0) * where.get(variant.mark, lambda cell: False)(cell)

        _, figures = planted(scope, value_of, 0.1)
        page = load_study("editions").page(figures, scope)
        assert finding_errors(page.finding, page.table) == []
        return page

    page, turned = found(1.0), found(-1.0)
    assert page.finding.title.startswith("13 of 16 rules")
    assert re.match(r"2 of them .*\+3\.00 ± ", page.finding.casual)
    assert re.match(r"1 of them .*\+3\.00 ± .* and \+3\.00 ± ", page.finding.experienced)
    assert "−3.00" in turned.finding.casual
    assert "+" not in turned.finding.casual + turned.finding.experienced
    assert [row[0] for row in table_of(page.table, "setting")] == [
        f"{mark} {WORDS[mark]}" for mark in ("A5", "A7", "A9")
    ]
    assert [row[4] for row in table_of(page.table, "setting")] == ["30 of 30", "6 of 30", "6 of 30"]
    assert set(WORDS) == {variant.mark for variant in variants()}


def test_many_settings_that_matter_are_cut_to_a_short_table():
    scope = edition_effects.design(Choices())
    _, figures = planted(scope, lambda variant, cell: 1.0, 0.1)
    page = load_study("editions").page(figures, scope)
    assert finding_errors(page.finding, page.table) == []
    assert page.finding.title.startswith("0 of 16 rules")
    assert len(table_of(page.table, "setting")) == MOST_ROWS
    assert "page of all tables" in page.table


def test_every_outcome_of_every_cell_has_its_interval():
    """The full study with random changes: every variant, cell and outcome, and ids that name them."""
    scope = edition_effects.design(Choices())
    changes, figures = planted(scope, lambda variant, cell: 0.0)
    outcomes = (CHANGED, *OUTCOMES)
    where = {CHANGED: "games", MARGIN: "by-cell", **dict.fromkeys(LIMITS, "verdict")}
    assert set(where) == set(outcomes)
    for variant in variants():
        for outcome, quantity in where.items():
            cells = figures.cells(quantity, f"{variant.name} {outcome}", players=4)
            assert list(cells) == cells_for(scope, variant)
            for cell, figure in cells.items():
                assert figure.value == pytest.approx(changes[cell][variant.name][outcome].estimate.value)
                assert figure.n == scope.blocks(cell)
    assert all(row.ends is not None and row.ends[0] < row.value < row.ends[1] for row in figures.values())
    assert all(row.quantity.isprintable() and "%" not in row.quantity for row in figures.values())
    estimated = figures["editions.verdict.4p.A5-income-if_held-VP-of-a-seat/weak/mid/draft"]
    assert estimated.quantity == "change of the VP of a seat: A5 income = if_held against second edition"
    assert estimated.cell == Cell("weak", "mid", "draft")
    assert "editions.seat.4p.first-edition-seat-3/strong/spielbyweb" in figures


@pytest.fixture
def keys(monkeypatch):
    """The keys under which parts are looked up; nothing is played."""
    asked = []

    def get(cache, counted, design, play):
        asked.append(cache.key(counted, design))
        names = [SECOND, *(variant.name for variant in variants() if variant.base == SECOND)]
        return {f"{name}: {outcome}": np.zeros(2) for name in names for outcome in (POINTS, wins_of(0))}

    monkeypatch.setattr(Cache, "get", get)
    return asked


@pytest.mark.parametrize("place", [0, 3])
def test_what_is_played_is_in_the_key_of_what_is_kept(keys, monkeypatch, place):
    """Games of a base or of any of its variants under other rules or policies are not those in the cache."""
    nothing, cell = Cache(None), HOME._replace(setup="draft")
    play_group(cell, SECOND, 2, nothing)
    play_group(cell, SECOND, 3, nothing)
    play_group(cell._replace(tower="mid"), SECOND, 2, nothing)
    play_group(cell._replace(play=STRONG), SECOND, 2, nothing)
    calls = iter(range(100))

    def other(cell, base, changes):
        estimated = experiment_of(cell, base, changes)
        return estimated.changed(amounts={"county_points": 2}) if next(calls) == place else estimated

    monkeypatch.setattr(edition_effects, "experiment_of", other)
    play_group(cell, SECOND, 2, nothing)
    assert len(set(keys)) == len(keys) == 5


def test_another_setting_changes_the_digest(monkeypatch):
    study = load_study("editions")
    scope = study.design(Choices(quick=True))
    before, few = digest_of(study, scope), variants()[:-1]
    assert digest_of(study, scope._replace(others=scope.others + 1)) != before
    monkeypatch.setattr(edition_effects, "variants", lambda: few)
    assert digest_of(study, scope) != before


def test_every_switch_says_itself_what_its_other_setting_brings():
    assert {switch.mark: switch.other for switch in SWITCHES} == {mark: WORDS[mark] for mark in WORDS if mark}
    assert len(set(WORDS.values())) == len(WORDS)
    assert [word for word in WORDS.values() if not word or "_" in word] == []
