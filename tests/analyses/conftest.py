"""Pictures are drawn without a screen, and closed; and what is asked of the cache can be seen."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from wallsim.analyses.strategy_report import chapters, pages
from wallsim.studies.cache import Cache


@pytest.fixture(autouse=True, scope="session")
def _no_screen():
    plt.switch_backend("Agg")


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.fixture(scope="session")
def found():
    """The published results of all studies of the strategy report, traced."""
    return chapters.results()


@pytest.fixture(scope="session")
def report():
    """The files of the strategy report by name."""
    return pages.report_files()


@pytest.fixture
def keys(monkeypatch):
    """The keys under which parts are looked up; nothing is played."""
    asked = []

    def get(cache, counted, design, play):
        asked.append(cache.key(counted, design))
        return {name: np.zeros(24 * design["blocks"]) for name in ("vp", "taken")}

    monkeypatch.setattr(Cache, "get", get)
    return asked
