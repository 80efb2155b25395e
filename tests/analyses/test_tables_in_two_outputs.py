"""What stands in two outputs is the same there: the same figures with the same values, cell by cell.

The outputs are the two pages of every study and the pages of the report. A table of the report is that of a study's
page, or it shows cells of one in another layout: then each of its cells is looked up there by the label of its row.
"""

import re
from collections import defaultdict
from itertools import combinations
from typing import NamedTuple

import pytest

from tests.analyses.numbers_of_pages import text_of, tree_of
from wallsim.analyses.strategy_report import chapters, pages
from wallsim.analyses.strategy_report.html import as_html
from wallsim.report.html.ids import with_ids
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.publishing import as_published

pytestmark = pytest.mark.slow
# Tables of the report that show what no study's page has, by their first head, and why.
ALONE = {"one more county": "sums of two figures of the table of neighbours"}
HEADINGS = ("h1", "h2", "h3")
NUMBER = re.compile(r"(?<!\w)[+−-]?\d[\d,]*(?:\.(\d+))?")


class Table(NamedTuple):
    """A table: the page that it is on, the heading above it, its heads, and its rows of elements."""

    output: str
    heading: str
    heads: list[str]
    rows: list

    def cells(self):
        """The row's label, the column's head and the cell, for each cell with a figure of the register."""
        for label, *row in self.rows:
            for head, cell in zip(self.heads[1:], row, strict=True):
                if (found := numbers_of(cell)) and not found[0][0].startswith(chapters.EXPLOITED):  # a file of its own
                    yield text_of(label).replace(", ", " and "), head, cell

    @property
    def studies(self):
        """The studies whose figures it has."""
        return {ids.partition(".")[0] for _, _, cell in self.cells() for ids, _, _ in numbers_of(cell)}


def numbers_of(element):
    """The ids, the value and the text of every number in an element that is a figure."""
    return [(each.get("data-id"), each.get("value"), text_of(each)) for each in element.iter("data")]


def tables_of(output, tree):
    """The tables of a page; of a heading its own words, without what is in it."""
    heading, found = "", []
    for each in tree.iter():
        if each.tag in HEADINGS:
            heading = " ".join((each.text or "").split())
        elif each.tag == "table":
            heads, *rows = (list(row) for row in each.iter("tr"))
            found.append(Table(output, heading, [text_of(cell) for cell in heads], rows))
    return found


def shows(cell, other):
    """Whether the figures of a cell are among those of another, with the same values and in the same brackets."""
    there = {ids: text for ids, _, text in numbers_of(other)}
    return text_of(cell).startswith("(") == text_of(other).startswith("(") and all(
        ids in there and agree(text, there[ids]) for ids, _, text in numbers_of(cell)
    )


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
    """The pages of all studies by their names, as trees."""
    trees = {}
    for name in own_studies():
        page = chapters.traced_result(as_published(load_study(name))).page
        for end, text in (("", page.table), ("-tables", page.tables)):
            trees[f"{name}{end}.md"] = tree_of(with_ids(str(as_html(text))))
    return trees


@pytest.fixture(scope="module")
def shown(report):
    """The pages of the report by their names, as trees."""
    return {name: tree_of(report[name].decode()) for name in (pages.INDEX, pages.TONIGHT, pages.COUNTIES)}


def every_table(trees):
    return [table for name, tree in trees.items() for table in tables_of(name, tree)]


def test_a_figure_has_one_value_wherever_it_is_shown(published, shown):
    found = defaultdict(set)
    for name, tree in {**published, **shown}.items():
        for each in tree.iter():
            if "data-id" in each.attrib and "value" in each.attrib:
                found[each.get("data-id"), each.get("value")].add((text_of(each), name))
    assert len(found) > 5_000
    assert len([places for places in found.values() if len({output for _, output in places}) > 1]) > 500
    assert [
        (key, one, other)
        for key, texts in found.items()
        for one, other in combinations(sorted(texts), 2)
        if not agree(one[0], other[0])
    ] == []


def test_every_cell_of_the_report_stands_in_a_table_of_its_study_with_the_same_labels(published, shown):
    rows, compared = defaultdict(list), 0
    for table in every_table(published):
        for label, head, cell in table.cells():
            rows[label].append((table.heads, head, cell))
    for table in every_table(shown):
        for label, head, cell in table.cells() if table.heads[0] not in ALONE else ():
            there = [each for heads, column, each in rows[label] if head == column or head not in heads]
            there += [each for _, _, each in rows[table.heading]]  # a card has the name of its county above it
            assert any(shows(cell, each) for each in there), (table.output, table.heads[0], label, head, text_of(cell))
            compared += 1
    assert compared > 1_000


def test_a_pair_of_counties_has_one_verdict(published, shown):
    def verdicts(trees, heads):
        rows = [row for table in every_table(trees) if table.heads[0] in heads for row in table.rows]
        ids = [tuple(ids for cell in row for ids, _, _ in numbers_of(cell)) for row in rows]
        return {
            (text_of(row[0]).replace(", ", " and "), each): text_of(row[-1])
            for row, each in zip(rows, ids, strict=True)
        }

    found = verdicts(shown, ["counties"])
    assert len(found) > 30
    assert found == verdicts(published, ["both of one seat", "one of each of two seats"])


def test_tables_with_the_same_words_have_the_same_figures_cell_by_cell(published, shown):
    captions = [
        (table, {text.lower() for text in (table.heads[0], table.heading) if text}, table.studies)
        for table in every_table({**published, **shown})
    ]
    compared = defaultdict(int)
    for (one, words, studies), (other, same_words, same_studies) in combinations(captions, 2):
        if one.output != other.output and words & same_words and studies & same_studies:
            first, second = ({each[:2]: each[2] for each in table.cells()} for table in (one, other))
            for place in first.keys() & second.keys():
                for told in (text_of, lambda cell: [ids for ids, _, _ in numbers_of(cell)]):
                    assert told(first[place]) == told(second[place]), (one.output, other.output, place)
                compared[one.output, other.output] += 1
    assert compared["tiles.md", pages.TONIGHT] == 5 * 6
    assert compared["play.md", pages.INDEX] == 12 * 3
