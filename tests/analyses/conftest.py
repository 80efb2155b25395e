"""Pictures are drawn without a screen, and closed."""

import pytest
from matplotlib import pyplot as plt


def pytest_itemcollected(item):
    """Of the files of studies a run takes one in four: what a study plays takes long, and its tests share it."""
    if item.get_closest_marker("one_in") is None:
        item.add_marker(pytest.mark.one_in(4, "file"))


@pytest.fixture(autouse=True, scope="session")
def _no_screen():
    plt.switch_backend("Agg")


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")
