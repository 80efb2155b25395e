"""What a reader does with a table of the report: sorts it, filters it, draws it, and saves pictures as SVG and PNG."""

import io
import re

import pytest
from PIL import Image

from tests.browser import looks
from wallsim.studies.published import figures


@pytest.fixture
def play(open_page):
    """The chapter of the study `play` on a phone."""
    return open_page("chapters.html", 390).locator("article#play")


def values(play, column):
    return [float(each) for each in play.locator(f"tbody tr:visible td:nth-child({column}) data").evaluate_all(
        "all => all.map(each => each.value)"
    )]  # fmt: skip


def test_a_table_is_sorted_by_the_numbers_of_its_figures(play):
    head = play.locator("thead th").nth(1)
    for order in ("descending", "ascending"):
        head.get_by_role("button").click()
        assert head.get_attribute("aria-sort") == order
        assert values(play, 2) == sorted(values(play, 2), reverse=order == "descending")
    assert len(values(play, 3)) == 12  # of untuned seats, which every row has


def test_a_filter_leaves_the_rows_that_have_its_words(play):
    play.get_by_label("Rows with").fill("battle")
    assert all("battle" in each for each in play.locator("tbody tr:visible").all_inner_texts())
    assert play.locator("tbody tr:visible").count() == 1
    play.get_by_label("Rows with").fill("")
    assert play.locator("tbody tr:visible").count() == 12


def saved(page, place, kind):
    with page.expect_download() as download:
        place.get_by_role("button", name=kind).click()
    return download.value.suggested_filename, download.value.path().read_bytes()


def test_a_column_is_drawn_with_the_ids_of_its_figures_and_saved(play):
    chart = play.locator("details.script-only")
    chart.locator("summary").click()
    chart.get_by_label("Column").select_option(label="master bots, untuned")
    ids = chart.locator("svg text.number").evaluate_all("all => all.map(each => each.dataset.id)")
    assert len(ids) == 12
    assert set(ids) <= set(figures()["id"])
    assert all("/strong/" in each for each in ids)
    places = [float(each) for each in chart.locator("circle").evaluate_all("all => all.map(e => e.getAttribute('cx'))")]
    order = sorted(range(12), key=lambda place: places[place])
    shown = values(play, 5)
    assert [shown[place] for place in order] == sorted(shown)
    assert looks.misfits(play.page) == []
    name, picture = saved(play.page, chart, "SVG")
    assert name == "play-master-bots-untuned.svg"
    assert picture.count(b'xmlns="http://www.w3.org/2000/svg"') == 1
    assert picture.count(b"<circle") == 12
    name, picture = saved(play.page, chart, "PNG")
    assert name == "play-master-bots-untuned.png"
    drawn = Image.open(io.BytesIO(picture)).convert("RGB")
    assert drawn.size == tuple(3 * int(each) for each in chart.locator("svg").get_attribute("viewBox").split()[2:])
    assert drawn.getpixel((0, drawn.height - 1)) == (255, 255, 255)
    assert len(drawn.getcolors(100_000)) > 20


@pytest.mark.parametrize("dark", [False, True])
def test_the_map_is_saved_in_its_colours_on_white(open_page, dark):
    page = open_page("counties.html", dark=dark)
    page.select_option("#layer", "contested, casual bots")
    _, picture = saved(page, page.locator("svg.map + div"), "PNG")
    colours = {colour for _, colour in Image.open(io.BytesIO(picture)).convert("RGB").getcolors(1_000_000)}
    assert {(255, 255, 255), (0x52, 0x98, 0xC8)} <= colours  # paper, and what is contested most on a light screen


def test_every_chapter_with_intervals_has_its_chart(open_page):
    page = open_page("chapters.html")
    for chapter in page.locator("article:not(.takeaway)").all():
        rows = chapter.locator("table.sortable tbody tr").all_inner_texts()
        single = sum(bool(re.search(r"\t[^/\t]*±[^/\t]*(\t|$)", row)) for row in rows)
        if single > len(rows) / 2:
            assert chapter.locator("details.script-only").count() == 1, chapter.get_attribute("id")


def test_pictures_of_line_ups_can_be_saved(open_page):
    page = open_page("chapters.html")
    name, _ = saved(page, page.locator("details.cell:visible"), "PNG")
    assert name.startswith("wins-of-the-printed-line-ups-4-casual-bots")
