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
from wallsim.analyses.strategy_report.html import as_html, with_ids
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.publishing import as_published

pytestmark = [pytest.mark.slow, pytest.mark.nightly]
# Tables of the report that show what no study's page has, by their first head, and why.
ALONE = {
    "one more county": "sums of two figures of the table of neighbours",
    "one bot picks": "drafters that the page names in words of its own",
}
HEADINGS = ("h1", "h2", "h3")
OF_PAIRS = ["both of one seat", "one of each of two seats"]  # first heads of tables of a study
NUMBER = re.compile(r"(?<!\w)[+−-]?\d[\d,]*(?:\.(\d+))?")


class Table(NamedTuple):
    """A table: its page, the heading above it, its heads, its rows, and what of them has figures of the register.

    A cell is its text, and the ids and the text of every number in it; `cells` has them with label and head.
    """

    output: str
    heading: str
    heads: list
    rows: list
    cells: list


def tables_of(trees):
    """The tables of pages; of a heading its own words, without what is in it."""
    for output, tree in trees.items():
        heading = ""
        for each in tree.iter():
            if each.tag in HEADINGS:
                heading = " ".join((each.text or "").split())
            elif each.tag == "table":
                heads, *rows = ([(text_of(cell), numbers_of(cell)) for cell in row] for row in each.iter("tr"))
                if len(heads) == 1:  # over all columns
                    heads *= max(map(len, rows))
                heads = [text for text, _ in heads]
                cells = [
                    (label.replace(", ", " and "), head, cell)
                    for (label, _), *row in rows for head, cell in zip(heads[1:], row, strict=True)
                    if cell[1] and not cell[1][0][0].startswith(chapters.EXPLOITED)  # which has a file of its own
                ]  # fmt: skip
                yield Table(output, heading, heads, rows, cells)


def numbers_of(cell):
    return [(each.get("data-id"), text_of(each)) for each in cell.iter("data")]


def shows(cell, other):
    """Whether the figures of a cell are among those of another, with the same values and in the same brackets."""
    there = dict(other[1])
    return cell[0].startswith("(") == other[0].startswith("(") and all(
        ids in there and agree(text, there[ids]) for ids, text in cell[1]
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
    return {name: tree_of(report[name].decode()) for name in (pages.CHAPTERS, pages.TONIGHT, pages.COUNTIES)}


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
    for table in tables_of(published):
        for label, head, cell in table.cells:
            rows[label].append((table.heads, head, cell))
    for table in tables_of(shown):
        for label, head, cell in table.cells if table.heads[0] not in ALONE else ():
            there = [each for heads, column, each in rows[label] if head == column or head not in heads]
            there += [each for _, _, each in rows[table.heading]]  # a card has the name of its county above it
            assert any(shows(cell, each) for each in there), (table.output, table.heads[0], label, head, cell)
            compared += 1
    assert compared > 1_000


def test_a_pair_of_counties_has_one_verdict(published, shown):
    def verdicts(trees, heads):
        return {
            (label.replace(", ", " and "), *(ids for _, numbers in row for ids, _ in numbers)): row[-1][0]
            for table in tables_of(trees) if table.heads[0] in heads for (label, _), *row in table.rows
        }  # fmt: skip

    found = verdicts(shown, ["counties"])
    assert len(found) > 30
    assert found == verdicts(published, OF_PAIRS)


def test_tables_with_the_same_words_have_the_same_figures_cell_by_cell(published, shown):
    told = []
    for table in tables_of({**published, **shown}):
        captions = {text.lower() for text in (table.heads[0], table.heading) if text}
        studies = {ids.partition(".")[0] for _, _, (_, numbers) in table.cells for ids, _ in numbers}
        told.append((table.output, captions, studies, {(label, head): cell for label, head, cell in table.cells}))
    compared = defaultdict(int)
    for (output, *words, cells), (other, *same_words, same_cells) in combinations(told, 2):
        if output != other and all(one & two for one, two in zip(words, same_words, strict=True)):
            for place in cells.keys() & same_cells.keys():
                (text, numbers), (same_text, same_numbers) = cells[place], same_cells[place]
                assert [ids for ids, _ in numbers] == [ids for ids, _ in same_numbers], (output, other, place)
                assert text == same_text, (output, other, place)
                compared[output, other] += 1
    assert compared["tiles.md", pages.TONIGHT] == 5 * 6
    assert compared["play.md", pages.CHAPTERS] == 12 * 3
