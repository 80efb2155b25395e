"""Every study: its rows follow from what it declares, page and picture from its rows; no figure changes unseen."""

import io
import random
import re
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pytest

from tests.test_architecture import ROOT
from wallsim.report.tables.traced import sources_in, unmarked
from wallsim.studies import contrasts
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.claims import CLAIM
from wallsim.studies.contrasts import Contrasts
from wallsim.studies.figure import Figures, quantity_of
from wallsim.studies.other_tables import all_tables, traced_figures
from wallsim.studies.publishing import PAGES, as_published
from wallsim.studies.quantities import Key, families, figures_of
from wallsim.studies.register import read_register
from wallsim.studies.running import picture_bytes
from wallsim.studies.study import Choices
from wallsim.studies.table_page import anchor_of, tables_with_headings

APART = 0.02  # of the pixels of a picture may differ with another version of a typeface
CHANGED = 3  # figures of a study that are changed, one at a time
# Quantities whose families have intervals that are not published: they rest on too few games, or are there once more.
UNSEEN = {"openings": {"forced-vp", "forced-wins"}, "lineups": {"wins"}}
STUDIES = own_studies()
DECLARED = [name for name in STUDIES if load_study(name).quantities]
OF_CONTRASTS = [name for name in DECLARED if isinstance(getattr(load_study(name).play, "__self__", None), Contrasts)]


def key_of(figure):
    """The key of a figure, with the item as the id has it."""
    _, quantity, *rest = figure.id.partition("/")[0].partition("@")[0].split(".")
    item = ".".join(rest[1:] if figure.players else rest)
    return Key(quantity, item, figure.players, figure.cell, figure.moment)


@pytest.mark.parametrize("name", DECLARED)
def test_families_are_as_many_as_the_declaration_counts(name):
    study, figures = load_study(name), read_register(name)
    declared = {each.name: each for each in study.quantities}
    rows = {key_of(row): row for row in figures.values() if quantity_of(row.id) in declared}
    sure = families(study.quantities, rows)
    held = {key: row for key, row in rows.items() if row.ends is not None and row.error == row.error}
    counted = {key: sure(key).n_comparisons for key in held}
    hiding = {each.like or each.family or each.name for each in study.quantities if each.hides or not each.shown}
    partly = UNSEEN.get(name, set())
    partly |= {each.name for each in study.quantities if {each.name, each.family, each.like} & hiding}
    whole = {key for key in held if key.quantity not in partly}
    assert {key: held[key].family for key in whole} == {key: counted[key] for key in whole}
    assert all(row.family >= counted[key] for key, row in held.items())
    units = {each.name: each.unit for each in study.quantities if isinstance(each.unit, str) and "{" not in each.unit}
    assert {row.unit for row in rows.values() if row.unit != units.get(quantity_of(row.id), row.unit)} == set()


@pytest.mark.parametrize("name", OF_CONTRASTS)
def test_rows_are_the_contrasts_of_planted_counts(name, monkeypatch, tmp_path):
    """Every count of every scenario is a number of its own: the rows are the weighted sums of these numbers.

    What a study measures beside its contrasts has tests of its own.
    """
    whole, planted, draw = load_study(name).play.__self__, {}, random.Random(name)
    declared = replace(whole, measure=None, beside=None, follows=None)
    study = declared.study()
    counts = {each.counted for series in declared.series for each in series.items.values()}
    counts |= {each.counted for each in declared.claims.values()}

    def played(experiment, scenarios, blocks, *_, **options):
        for scenario in scenarios:
            numbers = {counted: planted.setdefault((scenario, counted), draw.random()) for counted in counts}
            yield scenario, {counted: np.full((blocks, 6), number) for counted, number in numbers.items()}

    monkeypatch.setattr(contrasts, "scenarios_played", played)
    scope = study.design(Choices(quick=True))
    values = study.play(scope, study.storage(tmp_path))
    expected = {
        key: contrast.plus
        + contrast.scale
        * sum(weight * planted[each, contrast.counted] for each, weight in contrast.at(moment, players).items())
        for plan in declared.plans for players in plan.sizes for cell in scope.cells()
        for key, contrast, moment in declared.keys(scope, plan, players, cell)
    }  # fmt: skip
    assert {key: getattr(each, "estimate", each).value for key, each in values.items() if key.quantity != CLAIM} == (
        pytest.approx(expected)
    )
    figures = figures_of(name, study.quantities, values)
    found, published = ({quantity_of(row.id) for row in each.values()} for each in (figures, read_register(name)))
    found -= {each.name for each in declared.quantities if not each.shown}
    assert found <= published
    assert found == published or declared != whole


def assert_headings(tables):
    """Every table is kept, under a heading with an anchor of its own that the list of contents names."""
    text = tables_with_headings(tables)
    anchors = [anchor_of(heading) for heading in re.findall(r"^## (.+)$", text, re.MULTILINE)]
    assert len(set(anchors)) == len(anchors) == len(re.findall(r"^\|(?: -+ \|)+$", tables, re.MULTILINE))
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= set(anchors)
    kept = [block for block in text.split("\n\n") if block and not block.startswith(("## ", "- ["))]
    assert sorted(kept) == sorted(filter(None, tables.split("\n\n")))


def pixels(data):
    """The colours of a PNG, float [height, width, 4]."""
    return plt.imread(io.BytesIO(data))


@pytest.mark.slow
@pytest.mark.parametrize("name", STUDIES)
def test_the_picture_is_the_published_one_and_shows_its_figures(name):
    result, asked = as_published(load_study(name)), set()

    class Asked(Figures):
        def __getitem__(self, key):
            asked.add(key)
            return super().__getitem__(key)

        def headed(self, head):
            return [self[each.id] for each in super().headed(head)]

    drawn = picture_bytes(replace(result, figures=Asked(name, result.figures.values())))
    now, published = pixels(drawn), plt.imread(ROOT / PAGES / f"{name}.png")
    assert now.shape == published.shape
    assert np.mean(np.abs(now - published).max(axis=2) > 0.1) < APART
    shifted = [
        replace(row, value=row.value + 0.3 * row.error, low=row.low + 0.3 * row.error, high=row.high + 0.3 * row.error)
        if row.id in asked and row.error > 0 else row
        for row in result.figures.values()
    ]  # fmt: skip
    if name != "robustness" and shifted != list(result.figures.values()):  # its picture has the answers of the project
        assert picture_bytes(replace(result, figures=Figures(name, shifted))) != drawn


@pytest.mark.slow
@pytest.mark.parametrize("name", STUDIES)
def test_every_published_figure_is_on_a_page_and_a_changed_one_is_seen(name):
    """The first screen and all tables show each figure; with another value of one, drawn by the name, they differ."""
    result = as_published(load_study(name))
    traced = replace(result, figures=traced_figures(result.figures))
    tables = all_tables(traced)
    text = traced.page.first_screen + tables
    assert_headings(unmarked(tables))
    assert set(result.figures) - {key for source in sources_in(text) for key in source.ids} == set()
    draw = random.Random(name)
    for chosen in draw.sample(list(result.figures.values()), CHANGED):
        more = 3.75 + abs(chosen.value)  # seen in numbers of two digits, too
        other = replace(chosen, value=chosen.value + more, low=chosen.low + more, high=chosen.high + more)
        rows = [other if row.id == chosen.id else row for row in result.figures.values()]
        changed = replace(result, figures=Figures(name, rows))
        try:
            seen = changed.page.first_screen + all_tables(changed)
        except (KeyError, ValueError):  # no such verdict or order can be
            continue
        assert seen != unmarked(text), chosen.id
