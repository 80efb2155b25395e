"""The study `editions` plays every other setting of every switch on the same games as the default."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from tests.analyses.studies import UNSTORED, figures_in, look, table_of
from tests.studies.first_screens import finding_errors
from wallsim.analyses.editions import study as editions
from wallsim.analyses.editions.study import BASES, CHANGED, EXPANDED, FIRST, SECOND, WORDS, play_group, variants
from wallsim.analysis.claims.cells import CASUAL, MIDDLING, STRONG, Cell
from wallsim.rules.ruleset import SWITCHES
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.studies.catalogue import load_study
from wallsim.studies.finding import MOST_ROWS
from wallsim.studies.outcomes import MARGIN, OUTCOMES, POINTS, wins_of
from wallsim.studies.study import Choices

HOME = Cell(MIDDLING, "spielbyweb", "lineup")
DRAFT = HOME._replace(setup="draft")
BY_MARK = {variant.mark: variant for variant in variants()}


def test_every_switch_has_its_other_settings_and_the_edition_is_one():
    assert set(BY_MARK) == {"", *(switch.mark for switch in SWITCHES)}
    by_base = {base: {variant.mark for variant in variants() if variant.base == base} for base in BASES}
    assert by_base[EXPANDED] == {"A1", "A10", "A11", "A12"}
    assert by_base[FIRST] == {"A13", "A16"}
    assert [variant.mark for variant in variants() if not variant.applies(HOME)] == ["A3"]
    assert {switch.mark: switch.other for switch in SWITCHES} == {mark: WORDS[mark] for mark in WORDS if mark}
    assert len(set(WORDS.values())) == len(WORDS)
    assert [word for word in WORDS.values() if not word or "_" in word] == []


@pytest.mark.parametrize("variant", variants(), ids=lambda variant: variant.name)
def test_a_variant_changes_its_switch_and_nothing_else_of_its_base(variant):
    group = editions.experiments_of(DRAFT, variant.base)
    base, other = group[variant.base], group[variant.name]
    field = next((switch.field for switch in SWITCHES if switch.mark == variant.mark), "edition")
    rules = vars(base.ruleset()), vars(other.ruleset())
    assert [name for name in rules[0] if rules[0][name] != rules[1][name]] == [field]
    assert (base.seed, base.policies, base.tower) == (other.seed, other.policies, other.tower)


def test_with_expansions_only_weights_tuned_with_them_are_strong_play():
    strong = [play.policy for play in editions.plays_of(EXPANDED) if play.strength == STRONG]
    assert strong == ["master-4p-bigbox"]
    assert len(editions.plays_of(SECOND)) == len(editions.plays_of(FIRST)) == 5


def test_what_changes_is_counted_game_by_game():
    """By [A9 shared] no game is played otherwise, only ranks differ; [A7 may] changes nearly all."""
    played = play_group(HOME, SECOND, 5, UNSTORED)
    changed = {mark: played[f"{BY_MARK[mark].name}: {CHANGED}"].mean() for mark in ("A2", "A7", "A8", "A9")}
    assert 0 < changed["A9"] < 50 < changed["A7"]
    assert max(changed["A2"], changed["A8"]) < 5
    assert (played[f"{BY_MARK['A9'].name}: {POINTS}"] == played[f"{SECOND}: {POINTS}"]).all()
    assert {len(values) for values in played.values()} == {5}
    assert np.allclose(sum(played[f"{SECOND}: {wins_of(seat)}"] for seat in range(4)), 100)


@pytest.mark.parametrize(
    ("values", "side"),
    [
        (np.zeros(100), "small"),
        (np.tile([0.4, -0.2], 50), "small"),  # though it is not 0
        (np.tile([3.0, -2.6], 50), "open"),
        (np.tile([1.0, 1.2], 50), "moves"),
        (np.tile([-1.0, -1.2], 50), "moves"),
        (np.tile([0.3, 0.1], 10), "open"),  # too few blocks
    ],
)
def test_a_change_is_small_or_moves_by_its_interval(values, side):
    estimated = block_mean(values)
    shown = SimpleNamespace(value=estimated.value, error=estimated.error, ends=estimated.interval(Confidence()))
    assert editions.side(shown, editions.LIMITS[POINTS]) == side


@pytest.mark.one_in(4, "file")
def test_the_study_publishes_every_variant_in_all_of_its_cells(tmp_path):
    result = look("editions", tmp_path, 24)
    figures, home = result.figures, result.design.baseline_cell()
    for variant in variants():
        cells = figures.cells("verdict", f"{variant.name} {POINTS}", players=4)
        assert list(cells) == variant.cells(result.design)
    played = {base: play_group(home, base, 1, UNSTORED) for base in (SECOND, EXPANDED)}
    for mark, outcome, quantity in (("A7", POINTS, "change"), ("A5", POINTS, "verdict"), ("A10", MARGIN, "by-cell")):
        name, group = BY_MARK[mark].name, played[BY_MARK[mark].base]
        expected = (group[f"{name}: {outcome}"] - group[f"{BY_MARK[mark].base}: {outcome}"]).mean()
        assert figures.of(quantity, f"{name} {outcome}", players=4, cell=home).value == pytest.approx(expected)


def page_of(monkeypatch, value_of):
    """The page of the full study with random outcomes, the points of each variant and cell around a value."""
    rng, study = np.random.default_rng(2), load_study("editions")

    def play_group(cell, base, blocks, _):
        group = {each.name: value_of(each, cell) for each in variants() if each.base == base and each.applies(cell)}
        outcomes = (CHANGED, *OUTCOMES, *map(wins_of, range(4)))
        return {f"{name}: {outcome}": rng.normal(value if outcome == POINTS else 0.0, 0.1, blocks)
                for name, value in ({base: 0.0} | group).items() for outcome in outcomes}  # fmt: skip

    monkeypatch.setattr(editions, "play_group", play_group)
    scope = study.design(Choices())
    return study.page(figures_in("editions", study.play(scope, UNSTORED)), scope)


def test_the_finding_counts_the_rules_that_matter_at_each_table(monkeypatch):
    """One rule matters everywhere, one in casual play, one in a strong line alone; then all with the other sign."""
    where = {"A5": lambda cell: 3.0, "A7": lambda cell: cell.play == CASUAL, "A9": lambda cell: cell.play == STRONG}
    page, turned = (
        page_of(monkeypatch, lambda variant, cell: sign * where.get(variant.mark, lambda _: 0.0)(cell))  # noqa: B023
        for sign in (1.0, -1.0)
    )
    assert finding_errors(page.finding, page.table) == []
    assert page.finding.title.startswith("13 of 16 rules")
    assert re.match(r"2 of them .*\+(3\.0|2\.9)\d ± ", page.finding.casual)
    assert re.match(r"1 of them .* and \+(3\.0|2\.9)\d ± ", page.finding.experienced)
    assert "+" not in turned.finding.casual + turned.finding.experienced
    first, *rows = ((row[0], row[4]) for row in table_of(page.table, "setting"))
    assert first == (f"A5 {WORDS['A5']}", "16 of 16")
    assert set(rows) == {(f"{mark} {WORDS[mark]}", "4 of 16") for mark in ("A7", "A9")}
    many = page_of(monkeypatch, lambda variant, cell: 1.0)
    assert many.finding.title.startswith("0 of 16 rules")
    assert len(table_of(many.table, "setting")) == MOST_ROWS


@pytest.mark.parametrize("place", [0, 3])
def test_what_is_played_is_in_the_key_of_what_is_kept(keys, monkeypatch, place):
    """Games of a base or of any of its variants under other rules or policies are not those in the cache."""
    for cell, blocks in ((DRAFT, 2), (DRAFT, 3), (DRAFT._replace(tower="mid"), 2), (DRAFT._replace(play=STRONG), 2)):
        play_group(cell, SECOND, blocks, UNSTORED)
    group = editions.experiments_of(DRAFT, SECOND)
    name = list(group)[place]
    other = group | {name: group[name].changed(amounts={"county_points": 2})}
    monkeypatch.setattr(editions, "experiments_of", lambda *_: other)
    play_group(DRAFT, SECOND, 2, UNSTORED)
    assert len(set(keys)) == len(keys) == 5
