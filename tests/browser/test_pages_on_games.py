"""A review and openings in a browser: nothing sticks out or is too small, and axe-core finds nothing."""

import pytest

import wallsim
from tests.browser import looks
from tests.docs.pages import DOCS
from wallsim.analysis.openings.forced import explore
from wallsim.report.pages.openings import openings_page

PAGES = ("review.html", "report-of-game.html", "openings-of-run.html")


@pytest.fixture(scope="session", autouse=True)
def pages(page_folder):
    """The reviews of the examples, and the openings of a run, beside the report's pages."""
    run = wallsim.play(wallsim.Experiment(games=300, seed=4, plans=True), page_folder.parent / "plans")
    reviews = [wallsim.review(DOCS / "examples" / name).page() for name in ("evening.txt", "report.txt")]
    texts = (*reviews, openings_page([explore(run)]))
    for name, text in zip(PAGES, texts, strict=True):
        (page_folder / name).write_text(text, "utf-8")


@pytest.mark.parametrize("width", [390, 768, 1280])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_readable_on_every_screen(open_page, path, width):
    page = looks.open_all(open_page(path, width))
    assert looks.misfits(page) == []
    narrow = width == 390  # a wider screen changes places and sizes alone
    assert looks.axe_violations(page, *(() if narrow else ("target-size", "scrollable-region-focusable"))) == []


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_readable_on_a_dark_screen(open_page, path):
    page = looks.open_all(open_page(path, 390, dark=True))
    assert looks.axe_violations(page, "color-contrast") == []  # a dark screen changes colours alone
