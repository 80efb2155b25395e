"""The report's pages and the page on a run, at all widths, light and dark: readable, usable, and quiet."""

import pytest

from tests.browser.looks import axe_violations, dead_anchors, faint_letters, misfits, open_all, texts_outside, too_wide

PAGES = ("chapters.html", "counties.html", "index.html", "openings.html", "run.html", "tonight.html")
WIDTHS = (390, 768, 1280)


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("width", WIDTHS)
def test_a_page_fits_on_the_screen(open_page, path, width):
    page = open_all(open_page(path, width))
    assert dead_anchors(page) == []
    assert misfits(page) == []


@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_with_text_of_twice_the_size(open_page, path):
    page = open_page(path, 1280, text=200)
    assert too_wide(page) == []
    assert texts_outside(page) == []


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing(open_page, path, dark):
    page = open_all(open_page(path, 390, dark))
    assert axe_violations(page, *(["color-contrast"] if dark else [])) == []  # a dark screen changes colours alone
    assert faint_letters(page) == []  # axe does not look into pictures


@pytest.mark.parametrize("path", PAGES)
def test_a_page_can_be_read_without_scripts(open_page, path):
    page = open_page(path, 390, scripts=False)
    assert page.locator(".script-only:visible").count() == 0
    assert page.locator("h1").is_visible()
