"""Pictures are drawn without a screen, and closed after each test."""

import matplotlib.pyplot as plt
import pytest


@pytest.fixture(autouse=True)
def _no_screen():
    plt.switch_backend("Agg")
    yield
    plt.close("all")
