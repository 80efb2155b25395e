"""The page of openings: every number is a figure of the register, and all of them are named by tables and rows."""

import re
from html import unescape

import pytest

from wallsim.analyses.openings.study import SIZES, TABLES
from wallsim.analyses.strategy_report import pages
from wallsim.report.tables.estimates import in_words
from wallsim.studies.register import read_register

TABLE = re.compile(r'<table data-of="([^"]+)" data-in="([^"]+)">(.*?)</table>', re.DOTALL)
ROW = re.compile(r'<tr data-item="([^"]+)">(.*?)</tr>', re.DOTALL)


@pytest.fixture(scope="module")
def page():
    return pages.openings()


def test_there_is_a_table_for_each_number_of_players_table_and_line_up(page):
    found = TABLE.findall(page)
    assert len(found) == sum(SIZES) * len(TABLES)
    assert found[0][0] == "4p.A"
    assert page.count('<details class="opened">') == len(found)


def test_every_row_shows_the_figures_that_it_names(page):
    figures, shown = read_register("openings"), 0
    for of, place, text in TABLE.findall(page):
        heads = [unescape(head) for head in re.findall(r"<th>([^<]+)</th>", text.partition("</thead>")[0])]
        for item, row in ROW.findall(text):
            texts = map(unescape, re.findall(r"<td>([^<]*)</td>", row))
            cells = dict(zip(heads[1:], texts, strict=True))
            for head, quantity, decimals, sign in (
                ("share, %", "share", 1, ""), ("VP", "vp", 2, "+"), ("wins", "wins", 1, "+"),
                ("laid: VP", "forced-vp", 2, "+"), ("laid: wins", "forced-wins", 1, "+"),
            ):  # fmt: skip
                figure = figures.get(f"openings.{quantity}.{of}-{item}/{place}@spring-1")
                top = 100.0 if quantity == "share" else None
                words = "–" if figure is None else in_words(figure.value, figure.ends, decimals, sign, top=top)
                assert cells.get(head, "–") == words
                shown += figure is not None
    first = ("share", "vp", "wins", "forced-vp", "forced-wins")
    assert shown == sum(key.split(".")[1] in first for key in figures)


def test_the_page_says_that_frequency_is_not_worth_and_is_small(page):
    assert "A frequent card is not a good card" in page
    assert "programs, not of people" in page
    assert len(page.encode()) <= 400_000
