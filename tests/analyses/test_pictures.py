"""The picture of every study is the published one, and other figures give another."""

import io
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pytest

from tests.test_architecture import ROOT
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.figure import Figures
from wallsim.studies.publishing import PAGES, as_published
from wallsim.studies.running import picture_bytes

APART = 0.02  # of the pixels may differ with another version of a typeface


def pixels(data):
    """The colours of a PNG, float [height, width, 4]."""
    return plt.imread(io.BytesIO(data))


def asked_by(result):
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
def test_the_picture_is_the_published_one_and_shows_its_figures(name):
    result = as_published(load_study(name))
    drawn = picture_bytes(result)
    now, published = pixels(drawn), plt.imread(ROOT / PAGES / f"{name}.png")
    assert now.shape == published.shape
    assert np.mean(np.abs(now - published).max(axis=2) > 0.1) < APART
    seen = {*asked_by(result)}
    shifted = [
        replace(row, value=row.value + 0.3 * row.error, low=row.low + 0.3 * row.error, high=row.high + 0.3 * row.error)
        if row.id in seen and row.error > 0 else row
        for row in result.figures.values()
    ]  # fmt: skip
    if name != "robustness" and shifted != list(result.figures.values()):  # its picture has the answers of the project
        assert picture_bytes(replace(result, figures=Figures(name, shifted))) != drawn
