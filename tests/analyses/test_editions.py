"""The study `editions` plays every other setting of every switch on the same games as the default."""

import numpy as np
import pytest

from tests.analyses.studies import look, table_of
from wallsim.analyses.editions import estimates as edition_effects
from wallsim.analyses.editions.estimates import CHANGED, EXPANDED, FIRST, LIMITS, SECOND, cells_for, variants
from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import MIDDLING, STRONG
from wallsim.rules.ruleset import SWITCHES
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.studies.cache import Cache
from wallsim.studies.outcomes import POINTS

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
    """By [A9 shared] no game is played otherwise, only ranks are told otherwise; [A7 may] changes nearly all."""
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
    found = block_mean(values)
    assert LIMITS[POINTS] == 0.25
    assert edition_effects.side(found, found.error, POINTS, Confidence()) == side


def test_the_study_publishes_every_variant_in_all_of_its_cells(tmp_path):
    result = look("editions", tmp_path, 24)
    assert [row[0] for row in table_of(result.page.text, "changed")] == [f"`{variant.name}`" for variant in variants()]
    for variant in variants():
        cells = result.figures.cells("verdict", f"{variant.name} {POINTS}", players=4)
        assert list(cells) == cells_for(result.design, variant)
    assert "editions.change.4p.A7-combat-may-VP-of-a-seat/strong/spielbyweb" in result.figures
