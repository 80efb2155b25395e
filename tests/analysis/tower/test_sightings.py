"""What people saw of towers: chances against formulas of the tests' own, and sums that count what they should."""

import re
from itertools import takewhile
from math import log

import numpy as np
import pytest
from scipy.stats import binom

from tests.docs.pages import DOCS
from wallsim.analysis.tower.sightings import (
    OWN,
    WIDER,
    chances,
    contents_of_amerigo,
    exact_chance_of_amerigo,
    log_likelihood,
    main,
    sightings,
)
from wallsim.engine.casting import CastingBench
from wallsim.rules.tower import load_tower, tower_presets


@pytest.fixture(scope="module")
def seen():
    return chances(load_tower("spielbyweb"), games=64)


def test_chances_of_fills_are_those_of_binomial_distributions(seen):
    assert seen["officials"] == pytest.approx([binom.sf(9, 21, 2 / 3)] * 3)
    assert seen["most"][0] == pytest.approx(binom.sf(22, 45, 2 / 3))
    assert seen["fill"][0] == pytest.approx(np.mean([binom.pmf(7, cubes, 2 / 3) for cubes in (31, 38, 45)]))


def test_the_first_fight_counts_own_cubes_that_fell_through_or_came_loose(seen):
    # Nine thrown fall with 2/3, and of seven in the fill those that stayed, 1/3, fall with 1/3.
    thrown, loose = binom.pmf(np.arange(3), 9, 2 / 3), binom.pmf(np.arange(3), 7, 1 / 9)
    chance = sum(thrown[one] * loose[other] for one in range(3) for other in range(3 - one))
    value, low, high = seen["nine"]
    assert low < value < high
    assert low < chance < high


def test_contents_of_amerigo_are_those_of_its_protocol():
    bench = CastingBench(load_tower("spielbyweb"))
    # Each colour comes round every sixth throw: let h be its mean inside at its turn, before the throw. Then
    # 2/3 h + (8 - h)/3 are inside after it, and of these (2/3)^5 at its next turn.
    after = (8 / 3) / (1 - (2 / 3) ** 5 / 3)
    mean = after * sum((2 / 3) ** age for age in range(6))
    assert contents_of_amerigo(bench, ()).mean() == pytest.approx(mean, abs=0.5)


def test_the_exact_chance_of_amerigo_is_that_of_cubes_thrown_one_by_one():
    """Seven colours of seven; a cube inside falls with 1/3 in every throw, a thrown one stays with 1/3."""
    random, games = np.random.default_rng(3), 20_000
    inside = random.random((games, 7, 7)) < 1 / 3  # after the fill, by colour and cube
    for throw in range(35):
        stays = random.random(inside.shape)
        entering = ~inside & (np.arange(7) == throw % 7)[:, None] & (stays < 1 / 3)
        inside = (inside & (stays >= 1 / 3)) | entering
    share = (np.abs(inside.sum(axis=(1, 2)) - 5) <= 1).mean()
    exact = exact_chance_of_amerigo(load_tower("spielbyweb").parameters)
    assert share == pytest.approx(exact, abs=4 * (exact * (1 - exact) / games) ** 0.5)
    assert exact_chance_of_amerigo(load_tower("mid-urn").parameters) is None


def test_every_sighting_has_a_chance_and_a_kind(seen):
    table = sightings()
    assert seen.keys() == set(table["name"])
    assert set(table["kind"]) == {*OWN, *WIDER}


def test_a_sighting_that_was_selected_may_have_occurred_in_any_of_its_games():
    seen = dict.fromkeys(sightings()["name"], (0.5, 0.25, 1.0))
    seen["nine"] = (0.01, 0.0, 0.01)
    all_but_nine = log(0.5) + log(1 - 0.5**100)
    expected = log(0.5) + all_but_nine + log(1 - 0.99**100)
    assert log_likelihood(seen, OWN) == pytest.approx([expected, -np.inf, log(1 - 0.99**100)])
    assert log_likelihood(seen, OWN, selected=False)[0] == pytest.approx(3 * log(0.5) + log(0.01))
    assert log_likelihood(seen, ("inferred",))[0] == pytest.approx(log(0.5))


@pytest.mark.slow
def test_the_page_has_the_sums_that_the_command_prints(capsys):
    """By preset in four columns; a value whose ends are equal stands alone there."""
    main()
    printed, page = (rows_of(text) for text in (capsys.readouterr().out, (DOCS / "towers.md").read_text("utf-8")))
    assert len(page) == len(tower_presets())
    for name, cells in page.items():
        sums = [re.sub(r"^(\S+) \(\1 to \1\)$", r"\1", cell.replace("-0.0", "0.0")) for cell in printed[name][:4]]
        assert cells == sums, name


def rows_of(text):
    """The cells of the table of sums by preset: the lines after the head that begins with `preset` and `decides`."""
    lines = text[re.search(r"^\| preset \| decides", text, re.M).start() :].splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in takewhile(len, lines)]
    return {name: cells for name, *cells in rows}
