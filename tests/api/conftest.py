"""The review of the documentation's example, made once."""

import pytest

import wallsim
from tests.docs.pages import DOCS

EXAMPLE = DOCS / "examples" / "evening.txt"


@pytest.fixture(scope="session")
def found():
    """The review of the example, in which much is unknown; do not change it."""
    return wallsim.review(EXAMPLE)


@pytest.fixture(scope="session")
def page(found):
    """Its page."""
    return found.page()
