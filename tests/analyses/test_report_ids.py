"""Every number of the report that is a figure has its id, and below each chapter stands what it rests on."""

import re
from dataclasses import replace

import pytest

from tests.analyses.numbers_of_pages import text_of, tree_of, undeclared
from wallsim.analyses.lineups.estimates import adjustments_of
from wallsim.analyses.strategy_report import chapters, counties, lineups, pages
from wallsim.analyses.strategy_report.html import as_html
from wallsim.analyses.strategy_report.translation import messages, translated
from wallsim.analyses.tiles.bids import BIDS
from wallsim.policies.exploitability import load_ways
from wallsim.report.html.ids import with_ids
from wallsim.report.tables.traced import unmarked
from wallsim.rules.board import load_board
from wallsim.studies.publishing import as_published

MADE_ALONE = ("draft", "lineups", "tiles", "play", "price", "events")


@pytest.fixture(scope="module")
def index(report):
    return tree_of(report[pages.INDEX].decode())


@pytest.fixture(scope="module")
def tonight(report):
    return report[pages.TONIGHT].decode()


def ids_in(tree):
    """The ids of each number of a tree."""
    return [each.get("data-id") for each in tree.iter() if "data-id" in each.attrib]


def test_the_numbers_are_those_of_the_register(found, index):
    known = {key: figure for result in found.values() for key, figure in result.figures.items()}
    numbers = [each for each in index.iter("data") if not each.get("data-id").startswith(chapters.EXPLOITED)]
    assert len(numbers) > 700
    for each in numbers:
        value, keys = abs(float(each.get("value"))), each.get("data-id").split()
        assert set(keys) <= set(known)
        if len(keys) == 1:
            figure = known[keys[0]]
            assert each.get("data-unit") == figure.unit
            shown = [abs(end) for end in (figure.value, figure.low, figure.high, (figure.high - figure.low) / 2)]
            assert any(value in (pytest.approx(float(end)), pytest.approx(float(100 * end))) for end in shown), keys


def test_best_responses_are_those_of_their_file(report):
    responses = {
        chapters.response_id(policy, way): 100 * each.share
        for (policy, size), ways in load_ways().items() if size == 4 for way, each in ways.items()
    }  # fmt: skip
    text = report[pages.INDEX].decode()
    shown = re.findall(rf'<data value="([^"]+)" data-id="({chapters.EXPLOITED}\.[^"]+)" data-unit="%">', text)
    assert shown
    for value, key in shown:
        assert float(value) == pytest.approx(responses[key])
    assert f"{chapters.EXPLOITED}.csv" in text


def test_marks_change_no_word_of_the_pages_to_print_and_of_counties(found, report):
    plain = {name: as_published(found[name].study) for name in MADE_ALONE}
    for name, make in ((pages.TONIGHT, pages.tonight), (pages.COUNTIES, counties.page)):
        assert "data-id" in report[name].decode()
        assert re.sub(r"</?(?:data|tspan)\b[^>]*>", "", report[name].decode()) == make(plain)


def test_the_numbers_of_takeaways_line_ups_and_the_page_to_print_have_ids(report, index, tonight):
    takeaways = report[pages.INDEX].decode().split('<section id="takeaways">')[1].split("</section>")[0]
    assert takeaways.count("data-id") > 20
    bare = re.sub(r"<data\b[^>]*>[^<]*</data>|<[^>]*>", " ", takeaways)
    assert re.findall(r"\d+(?! more (?:sayings|claims?))", bare) == []  # counts of sentences are no figures
    cells = index.find(".//div[@data-players='4']")
    spreads = [each for each in cells.findall("details/ul/li") if text_of(each) != "Spread of wins with"]
    numbers = [*cells.findall(".//text[@class='number']"), *spreads]
    assert len(numbers) == 2 * 15 * 4
    for each in numbers:
        [key] = ids_in(each)
        assert key.startswith("lineups.")
        assert text_of(each).endswith(text_of(each[0]))
    printed = tree_of(tonight)
    assert len(printed.findall(".//table[@class='bids']//data")) == 5 * 6 * 2
    assert sum(key.startswith("draft.worth-by-play.") for key in ids_in(printed)) == 45 * 3
    assert sum(key.startswith("play.habit.") for key in ids_in(printed)) == 12 * 3


def test_the_bids_of_the_page_to_print_are_those_of_the_study_cell_by_cell(found, tonight):
    page = tree_of(with_ids(str(as_html(found["tiles"].page.table))))
    rows = [
        [(text_of(cell), ids_in(cell)) for cell in tree.findall("tbody/tr/td")]
        for tree in (tree_of(tonight).find(".//table[@class='bids']"), page.find(".//table"))
    ]
    assert rows[0] == rows[1]
    assert len(rows[0]) == 5 * 7
    assert f"<h2>{BIDS.capitalize()}</h2>" in tonight


def told():
    """Texts with numbers that are no figures: changes of line-ups, and what policies are."""
    board = load_board()
    changes = [each.in_words(board) for size in lineups.SIZES for each in adjustments_of(size).values()]
    return [*changes, *(description for _, _, description, _ in chapters.players())]


def test_every_number_of_the_pages_has_its_id_or_is_declared_to_be_no_figure(report, tonight):
    for name in (pages.INDEX, pages.TONIGHT, pages.COUNTIES):
        assert undeclared(report[name].decode(), *told()) == []
    german = undeclared(translated(tonight, "de", pages.printed_names(), whole=True))
    changes = [message for message in messages("de").values() if "Armee" in message or "SP mehr" in message]
    fitting = [re.escape(message).replace(r"\{\}", ".*?") for message in changes]
    assert [text for text in german if not any(re.search(message, text) for message in fitting)] == []
    page = '<p>A wins <data data-id="x">41</data> % of 24 games.</p><p id="b">It wins 41.5 % with 4 players.</p>'
    assert undeclared(page) == ["b: It wins 41.5 % with 4 players."]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for names in chapters.GROUPS.values() for name in names])
def test_every_number_of_the_first_screen_of_a_study_has_its_id(found, name):
    page, _, _ = chapters.study_page(found[name]).partition('<section id="tables">')
    assert undeclared(f"<html>{page.partition('<main>')[2]}</html>", *told()) == []


def test_every_chapter_has_its_frame(found, index):
    for name, result in found.items():
        article = index.find(f".//article[@id='{name}']")
        links = [each.get("href") for each in article.iter("a")]
        assert {f"#{name}", f"data/{name}.csv"} <= set(links)
        assert re.search(rf"wallsim [\d.]+, study {name}, engine version \d+, seed \d+", text_of(article))
        keys = {key for ids in ids_in(article) for key in ids.split()} & set(result.figures)
        assert {chapters.question_of(key) for key in keys} <= {text_of(each) for each in article.iter("code")}


def test_a_sample_is_in_words_and_a_title_is_cited_without_marks(found):
    figures = [figure for figure in found["price"].figures.values() if figure.n][:2]
    few, many = (replace(figures[0], n=n, n_unit="blocks") for n in (200, 1_000))
    assert chapters.sample_of([few, few]) == "200 blocks"
    assert chapters.sample_of([many, few, replace(few, n_unit="casts")]) == "200 to 1,000 blocks and 200 casts"
    assert chapters.sample_of([replace(few, n=0)]) == ""
    chapter = chapters.chapter_of(found["price"])
    assert chapter["citation"] == unmarked(chapter["citation"])
    assert chapter["sample"]
    assert chapter["sample"] in chapter["citation"]
