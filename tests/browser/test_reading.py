"""What a reader does with the report: by keyboard alone, on paper, and without scripts."""

import io
import re

import polars as pl
import pytest

from tests.browser.looks import axe_violations, small_targets, too_wide
from tests.refusals import assert_names
from wallsim.analyses.strategy_report.group_sheet import written_sheet
from wallsim.report.html.sheets import write_page
from wallsim.rules.board import load_board
from wallsim.rules.terms import EXPANSIONS
from wallsim.studies.published import figures

MOST_TABS = 400  # to what is looked for
CUT = "[...document.querySelectorAll('.scroll')].filter(each => each.scrollWidth > each.clientWidth).length"
WIDEST = "Math.max(...[...document.querySelectorAll('table')].map(each => each.getBoundingClientRect().right))"


def tab_to(page, found):
    """Press Tab until the focused element passes `found`, an expression of JavaScript about `it`."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if page.evaluate(f"(it => Boolean({found}))(document.activeElement)"):
            return
    raise AssertionError(f"{MOST_TABS} times Tab do not reach {found}")


def test_from_the_map_to_a_county_s_card_by_keyboard(open_page):
    page = open_page("index.html", 390)
    tab_to(page, "it.dataset.county === 'Bremen'")
    page.keyboard.press("Enter")
    page.wait_for_url("**/counties.html#Brem")
    card = page.locator("#Brem")
    assert card.get_by_role("heading").inner_text().startswith("Bremen")
    assert -1 < card.bounding_box()["y"] < 844  # it begins at the top, to a pixel
    tab_to(page, "it.closest('#Brem')")  # reading goes on from the card
    page.keyboard.press("Enter")
    assert page.url.rpartition("#")[2] in {"Hol", "Lün", "Mec", "Osn", "L%C3%BCn"}


def test_counties_are_sorted_by_tax_by_keyboard(open_page):
    page = open_page("counties.html")
    tab_to(page, "it.tagName === 'BUTTON' && it.textContent === 'tax'")
    board = load_board()
    for order, place in (("descending", board.tax.max()), ("ascending", board.tax.min())):
        page.keyboard.press("Enter")
        first, head = page.locator("#counties tbody tr").first, page.locator("#counties th[aria-sort]")
        assert board.tax[board.counties.index(first.get_attribute("data-name"))] == place
        assert head.get_attribute("aria-sort") == order


def test_a_table_of_line_ups_is_chosen_by_keyboard(open_page):
    page = open_page("chapters.html")
    assert page.locator("details.cell:visible").count() == 1
    tab_to(page, "it.closest('#lineup-choices')")
    page.keyboard.press("5")
    page.keyboard.press("Tab")
    page.keyboard.type("casual")
    page.keyboard.press("Tab")
    page.keyboard.type("mid")
    shown = page.locator("details.cell:visible")
    assert_names(shown.locator("summary").inner_text(), "5 casual bots", "tower mid")
    letters = shown.locator("svg text:not(.axis):not(.number)")
    assert letters.all_text_contents() == list("ABCDE")
    tab_to(page, "it.getAttribute('href') === 'data/figures.csv' && it.closest('#data')")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    table = figures()
    assert pl.read_csv(io.BytesIO(download.value.path().read_bytes()), schema=table.schema).equals(table)


def test_without_scripts_every_table_of_line_ups_can_be_opened(open_page):
    cells = open_page("chapters.html", scripts=False).locator("details.cell")
    assert [cells.count(), all(each.is_visible() for each in cells.all())] == [33, True]


@pytest.mark.parametrize("layer", ["value, casual bots", "printed tax"])
def test_another_layer_colours_the_map_and_names_its_values(open_page, layer):
    page = open_page("counties.html")
    links = page.locator("svg.map a")
    before = links.evaluate_all("all => all.map(each => each.getAttribute('class'))")
    page.select_option("#layer", layer)
    after = links.evaluate_all("all => all.map(each => each.getAttribute('class'))")
    assert before != after
    assert len({each.split("-")[0] for each in after}) >= 2
    title = page.locator('svg.map a[data-county="Bremen"] title').text_content()
    assert title.startswith("Bremen: ")
    assert title != "Bremen: "
    assert layer in page.locator("svg.map").get_attribute("aria-label")


@pytest.fixture(scope="session")
def sheets(page_folder):
    """The page for tonight and sheets of groups, among them the longest."""
    made = [(3, (), "en"), (4, EXPANSIONS[:2], "de"), (5, EXPANSIONS, "en"), (5, EXPANSIONS, "de")]
    for number, each in enumerate(made):
        write_page(written_sheet(*each), page_folder / f"sheet-{number}.html", "--out")
    return ["tonight.html", "tonight-4.html", *(f"sheet-{number}.html" for number in range(len(made)))]


def test_a_sheet_of_a_group_fits_on_a_telephone_and_is_accessible(sheets, open_page):
    for path in sheets[1:]:
        page = open_page(path, width=390, dark=True)
        assert too_wide(page) == []
        assert small_targets(page) == []
        assert axe_violations(page) == []


@pytest.mark.parametrize("place", range(6))
def test_a_page_to_print_is_one_side_of_paper(sheets, open_page, place):
    page = open_page(sheets[place])
    paper = page.pdf(format="A4", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 703, "height": 1032})  # A4 less its margins, in pixels
    assert page.evaluate("document.documentElement.scrollWidth") <= 703
    assert page.evaluate(
        "[...document.querySelectorAll('.scroll')].every(each => each.scrollWidth <= each.clientWidth)"
    )
    assert page.evaluate("document.body.scrollHeight") <= 1032


@pytest.mark.parametrize(
    "path", ["chapters.html", "counties.html", "index.html", "openings.html", "run.html", "tonight.html"]
)
def test_no_control_is_printed_and_no_column_is_cut(open_page, path):
    page = open_page(path, width=703)
    page.emulate_media(media="print")
    controls = page.locator("select:visible, button:visible:not(th button)")
    assert controls.count() == 0
    assert page.evaluate(WIDEST) <= 703
