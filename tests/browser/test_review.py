"""The page of a review in a browser: nothing sticks out, nothing is too small, and axe-core finds nothing."""

import pytest

import wallsim
from tests.docs.pages import DOCS

pytest.importorskip("playwright")
looks = pytest.importorskip("tests.browser.looks")


@pytest.fixture(scope="session")
def review_page(page_folder):
    """The page on the example, beside the report's pages."""
    (page_folder / "review.html").write_text(wallsim.review(DOCS / "examples" / "evening.txt").page(), "utf-8")
    return "review.html"


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [390, 768, 1280])
def test_the_review_is_readable_on_every_screen(open_page, review_page, width, dark):
    page = open_page(review_page, width=width, dark=dark)
    for details in page.locator("summary").all():
        details.click()
    assert looks.too_wide(page) == []
    assert looks.texts_outside(page) == []
    assert looks.small_letters(page) == []
    assert looks.small_targets(page) == []
    assert looks.axe_violations(page) == []
