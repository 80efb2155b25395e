"""The picture of every study: it is the published one, nothing is cut off or covered, and a changed figure shows."""

import io
from dataclasses import replace
from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from tests.test_architecture import ROOT
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.figure import Figures
from wallsim.studies.publishing import PAGES, as_published
from wallsim.studies.running import picture_bytes

# Figures whose change must show: the first of each study that its picture has, with another value.
SHIFT = 40.0  # per cent of the value, and one unit: more than a mark is wide
APART = 0.02  # of the pixels may differ with another version of a typeface


def pixels(data):
    """The colours of a PNG, float [height, width, 4]."""
    return plt.imread(io.BytesIO(data))


def drawn_from(result):
    """The figures that the picture of a study looks at, in their order."""
    asked = []

    class Asked(Figures):
        def __getitem__(self, key):
            asked.append(key)
            return super().__getitem__(key)

        def headed(self, head):
            return [self[each.id] for each in super().headed(head)]

    replace(result, figures=Asked(result.study.name, result.figures.values())).picture()
    plt.close("all")
    return list(dict.fromkeys(asked))


@pytest.mark.slow
@pytest.mark.parametrize("name", own_studies())
def test_the_picture_is_the_published_one_and_shows_a_changed_figure(name):
    result = as_published(load_study(name))
    now, published = pixels(picture_bytes(result)), plt.imread(ROOT / PAGES / f"{name}.png")
    assert now.shape == published.shape
    assert np.mean(np.abs(now - published).max(axis=2) > 0.1) < APART
    seen = drawn_from(result)
    for key in (seen[0], seen[len(seen) // 2]):
        row = result.figures[key]
        more = 1 + abs(row.value) * SHIFT / 100
        other = replace(row, value=row.value + more, low=row.low + more, high=row.high + more)
        rows = [other if each.id == key else each for each in result.figures.values()]
        changed = replace(result, figures=Figures(name, rows))
        assert picture_bytes(changed) != picture_bytes(result), key


@pytest.mark.slow
@pytest.mark.parametrize("name", own_studies())
def test_no_label_is_cut_off_or_covers_another(name):
    figure = as_published(load_study(name)).picture()
    figure.canvas.draw()
    texts = [text for text in figure.findobj(plt.Text) if text.get_text().strip() and text.get_visible()]
    boxes = [text.get_window_extent() for text in texts]
    whole = figure.bbox.padded(2)
    assert [text.get_text() for text, box in zip(texts, boxes, strict=True) if not whole.contains(*box.min)] == []
    labels = [box.padded(-2) for text, box in zip(texts, boxes, strict=True) if text.get_rotation() == 0]
    covered = [(one, other) for one, other in combinations(labels, 2) if one.overlaps(other)]
    plt.close("all")
    assert covered == []
