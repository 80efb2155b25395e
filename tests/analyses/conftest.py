"""Pictures are drawn without a screen, and closed."""

import pytest
from matplotlib import pyplot as plt


@pytest.fixture(autouse=True, scope="session")
def _no_screen():
    plt.switch_backend("Agg")


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")
