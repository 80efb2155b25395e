"""What stands in two outputs is the same there: the same figures with the same values, cell by cell.

The outputs are the two pages of every study and the pages of the report. A table of the report is that of a study's
page, or it shows cells of one in another layout: then each of its cells is looked up there by the label of its row.
"""

import re
from collections import defaultdict
from html.parser import HTMLParser
from itertools import combinations
from typing import NamedTuple

import pytest

from wallsim.analyses.strategy_report import chapters, pages
from wallsim.analyses.strategy_report.counties import county_cards
from wallsim.analyses.strategy_report.html import as_html
from wallsim.analyses.strategy_report.lineups import lineups
from wallsim.analyses.strategy_report.players import EXPLOITED
from wallsim.report.html.ids import with_ids
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.publishing import as_published

pytestmark = pytest.mark.slow
# Tables of the report that show what no study's page has, by their first head, and why.
ALONE = {"one more county": "sums of two figures of the table of neighbours"}
HEADINGS = ("h1", "h2", "h3")
NUMBER = re.compile(r"(?<!\w)[+−-]?\d[\d,]*(?:\.(\d+))?")


class Cell(NamedTuple):
    """A cell of a table: its text, and the ids, the value and the text of every number in it that is a figure."""

    text: str
    numbers: tuple[tuple[str, str, str], ...]

    @property
    def ids(self):
        """The ids of each number."""
        return [ids for ids, _, _ in self.numbers]

    def shows(self, other):
        """Whether its figures are among those of another cell, with the same values and in the same brackets."""
        there = {ids: text for ids, _, text in other.numbers}
        return self.text.startswith("(") == other.text.startswith("(") and all(
            ids in there and agree(text, there[ids]) for ids, _, text in self.numbers
        )


class Table(NamedTuple):
    """A table: the page that it is on, the heading above it, its heads, and its rows."""

    output: str
    heading: str
    heads: list[str]
    rows: list[list[Cell]]

    @property
    def studies(self):
        """The studies whose figures it has."""
        return {ids.partition(".")[0] for _, _, cell in self.cells() for ids in cell.ids}

    @property
    def captions(self):
        """What says what the table shows: its first head, and the heading above it."""
        return {text.lower() for text in (self.heads[0], self.heading) if text}

    def cells(self):
        """The row's label, the column's head and the cell, for each cell with a figure of the register."""
        for label, *row in self.rows:
            for head, cell in zip(self.heads[1:], row, strict=True):
                if cell.ids and not cell.ids[0].startswith(EXPLOITED):  # which has a file of its own
                    yield label.text.replace(", ", " and "), head, cell


class Page(HTMLParser):
    """The tables of a page and all its numbers that are figures; words of a heading's own, without what is in it."""

    def __init__(self, output, text):
        """Reads a page."""
        super().__init__()
        self.output, self.numbers, self._tables = output, [], []
        self._heading, self._in_heading, self._cell, self._number = "", False, None, None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """Open a heading, a table, a row, a cell or a number."""
        named = dict(attrs)
        self._in_heading = tag in HEADINGS
        if tag in HEADINGS:
            self._heading = ""
        elif tag == "table":
            self._tables.append((self._heading, []))
        elif tag == "tr":
            self._tables[-1][1].append([])
        elif tag in ("td", "th"):
            self._cell = ["", []]
        if named.get("data-id") and named.get("value"):
            self._number = [named["data-id"], named["value"], ""]

    def handle_endtag(self, tag):
        """Close it."""
        self._in_heading = False
        if tag in ("data", "tspan") and self._number is not None:
            self.numbers.append(tuple(self._number))
            if self._cell is not None:
                self._cell[1].append(self.numbers[-1])
            self._number = None
        elif tag in ("td", "th"):
            self._tables[-1][1][-1].append(Cell(" ".join(self._cell[0].split()), tuple(self._cell[1])))
            self._cell = None

    def handle_data(self, data):
        """Add a text to what is open."""
        if self._in_heading:
            self._heading += data
        if self._cell is not None:
            self._cell[0] += data
        if self._number is not None:
            self._number[2] += data

    @property
    def tables(self):
        """The tables."""
        return [
            Table(self.output, " ".join(heading.split()), [cell.text for cell in heads], rows)
            for heading, (heads, *rows) in self._tables
        ]


def agree(one, other):
    """Whether two texts show the same number, to the decimals that both have; bounds as `< 0.01` are no numbers."""
    found = [NUMBER.match(text.strip("(")) for text in (one, other)]
    if None in found:
        return True
    decimals = min(len(each[1] or "") for each in found)
    first, second = (float(each[0].replace(",", "").replace("−", "-")) for each in found)
    return abs(first - second) <= 0.5001 * (10.0**-decimals if found[0][1] != found[1][1] else 0.0)


@pytest.fixture(scope="module")
def published():
    results = {name: chapters.traced_result(as_published(load_study(name))) for name in own_studies()}
    texts = {name: (result.page.table, result.page.tables) for name, result in results.items()}
    return [
        Page(f"{name}{end}.md", with_ids(str(as_html(text))))
        for name, both in texts.items()
        for end, text in zip(("", "-tables"), both, strict=True)
    ]


@pytest.fixture(scope="module")
def report():
    found = chapters.results()
    cards, sizes = county_cards(found["draft"]), lineups(found["lineups"])
    made = {
        pages.INDEX: pages.index(found, cards, sizes),
        pages.TONIGHT: pages.tonight(found, cards),
        pages.COUNTIES: pages.counties(found, cards),
    }
    return [Page(name, text) for name, text in made.items()]


def test_a_figure_has_one_value_wherever_it_is_shown(published, report):
    shown = defaultdict(set)
    for page in (*published, *report):
        for ids, value, text in page.numbers:
            shown[ids, value].add((text, page.output))
    assert len(shown) > 5_000
    assert len([places for places in shown.values() if len({output for _, output in places}) > 1]) > 500
    assert [
        (key, one, other)
        for key, texts in shown.items()
        for one, other in combinations(sorted(texts), 2)
        if not agree(one[0], other[0])
    ] == []


def test_every_cell_of_the_report_stands_in_a_table_of_its_study_with_the_same_labels(published, report):
    rows = defaultdict(list)
    for table in (table for page in published for table in page.tables):
        for label, head, cell in table.cells():
            rows[label].append((table.heads, head, cell))
    compared = 0
    for table in (table for page in report for table in page.tables if table.heads[0] not in ALONE):
        for label, head, cell in table.cells():
            there = [each for heads, column, each in rows[label] if head == column or head not in heads]
            there += [each for _, _, each in rows[table.heading]]  # a card has the name of its county above it
            assert any(map(cell.shows, there)), (table.output, table.heads[0], label, head, cell)
            compared += 1
    assert compared > 1_000


def test_a_pair_of_counties_has_one_verdict(published, report):
    def verdicts(pages_, heads):
        return {
            (label.text.replace(", ", " and "), *(ids for cell in row for ids in cell.ids)): row[-1].text
            for page in pages_ for table in page.tables if table.heads[0] in heads for label, *row in table.rows
        }  # fmt: skip

    shown = verdicts(report, ["counties"])
    found = verdicts(published, ["both of one seat", "one of each of two seats"])
    assert len(shown) > 30
    assert shown == found


def test_tables_with_the_same_words_have_the_same_figures_cell_by_cell(published, report):
    tables = [table for page in (*published, *report) for table in page.tables]
    pairs = [
        (one, other)
        for one, other in combinations(tables, 2)
        if one.output != other.output and one.captions & other.captions and one.studies & other.studies
    ]
    compared = defaultdict(int)
    for one, other in pairs:
        first, second = ({each[:2]: each[2] for each in table.cells()} for table in (one, other))
        for place in first.keys() & second.keys():
            assert first[place].ids == second[place].ids, (one.output, other.output, place)
            assert first[place].text == second[place].text, (one.output, other.output, place)
            compared[one.output, other.output] += 1
    assert compared["tiles.md", pages.TONIGHT] == 5 * 6
    assert compared["play.md", pages.INDEX] == 12 * 3
