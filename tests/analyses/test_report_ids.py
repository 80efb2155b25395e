"""Every number of the report that is a figure has its id, and below each chapter stands what it rests on."""

import re
from dataclasses import replace

import pytest
from markupsafe import escape

from tests.analyses.numbers_of_pages import undeclared
from wallsim.analyses.lineups.games import adjustments_of
from wallsim.analyses.strategy_report import chapters, frames, pages
from wallsim.analyses.strategy_report.counties import county_cards
from wallsim.analyses.strategy_report.html import as_html
from wallsim.analyses.strategy_report.lineups import SIZES, lineups
from wallsim.analyses.strategy_report.players import EXPLOITED, players, response_id
from wallsim.analyses.strategy_report.primary import question_of
from wallsim.analyses.strategy_report.study_page import study_page
from wallsim.analyses.strategy_report.translation import messages, translated
from wallsim.analyses.tiles.bids import BIDS
from wallsim.policies.exploitability import load_ways
from wallsim.report.html.ids import with_ids
from wallsim.report.tables.traced import unmarked
from wallsim.rules.board import load_board
from wallsim.studies.publishing import as_published

NAMES = ("draft", "lineups", "tiles", "play", "price", "events")
DATA = re.compile(r'<data(?: id="[^"]*")? value="([^"]+)" data-id="([^"]+)"(?: data-unit="([^"]*)")?>([^<]*)</data>')
ELEMENT = re.compile(r"</?(?:data|tspan)\b[^>]*>")


@pytest.fixture(scope="module")
def found():
    return chapters.results()


@pytest.fixture(scope="module")
def index(found):
    return pages.index(found, county_cards(found["draft"]), lineups(found["lineups"]))


def figures_of(found):
    return {key: figure for result in found.values() for key, figure in result.figures.items()}


def test_the_elements_are_those_of_the_register(found, index):
    known = figures_of(found)
    numbers = DATA.findall(index)
    assert len(numbers) > 700
    for value, ids, unit, _ in numbers:
        keys = ids.split()
        if keys[0].startswith(EXPLOITED):  # which has a file of its own
            continue
        assert set(keys) <= set(known)
        if len(keys) == 1:
            figure = known[keys[0]]
            assert unit == escape(figure.unit)
            ends = [float(each) for each in (figure.value, figure.low, figure.high)]
            shown = [abs(each) for each in (*ends, (ends[2] - ends[1]) / 2)]
            assert any(abs(float(value)) in (pytest.approx(each), pytest.approx(100 * each)) for each in shown), ids


def test_marks_change_no_word_of_the_pages_to_print_and_of_counties(found):
    plain = {name: as_published(found[name].study) for name in NAMES}
    for make in (pages.tonight, pages.counties):
        traced, untraced = (make(each, county_cards(each["draft"])) for each in (found, plain))
        assert "data-id" in traced
        assert ELEMENT.sub("", traced) == untraced


def test_the_numbers_of_the_takeaways_have_ids(index):
    takeaways = index.split('<section id="takeaways">')[1].split("</section>")[0]
    assert takeaways.count("data-id") > 20
    bare = re.sub(r"<data\b[^>]*>[^<]*</data>|<[^>]*>", " ", takeaways)
    assert re.findall(r"\d+(?! more (?:sayings|claims?))", bare) == []  # counts of sentences are no figures


def test_the_numbers_of_lineups_and_of_the_pages_to_print_and_of_counties_have_ids(found, index):
    cells = re.search(r'<div class="size" data-players="4">(.*?)<div class="size" data-players="5">', index, re.S)[1]
    numbers = re.findall(r'<text class="number"[^>]*>(.*?)</text>', cells)
    assert len(numbers) == 15 * 4
    assert all(re.fullmatch(r'<tspan [^>]*data-id="lineups\.[^"]+">[^<]+</tspan>', each) for each in numbers)
    spreads = re.findall(r"<li>[^<]*: (.*?)</li>", cells)
    assert len(spreads) == 15 * 4
    assert all(DATA.fullmatch(each) for each in spreads)
    tonight = pages.tonight(found, county_cards(found["draft"]))
    bids = re.search(r'<table class="bids">(.*?)</table>', tonight, re.S)[1]
    assert len(DATA.findall(bids)) == 5 * 6 * 2
    assert len(re.findall(r'data-id="draft\.worth-by-play\.', tonight)) == 45 * 3
    assert len(re.findall(r'data-id="play\.habit\.', tonight)) == 12 * 3


def test_the_bids_of_the_page_to_print_are_those_of_the_study_cell_by_cell(found):
    tonight = pages.tonight(found, county_cards(found["draft"]))
    printed = re.search(r'<table class="bids">(.*?)</table>', tonight, re.S)[1]
    page = with_ids(str(as_html(found["tiles"].page.table)))
    rows = [
        [(re.sub(r"<[^>]*>", "", cell), DATA.findall(cell)) for cell in re.findall(r"<td>(.*?)</td>", text, re.S)]
        for text in (printed, page)
    ]
    assert rows[0] == rows[1]
    assert len(rows[0]) == 5 * 7
    assert f"<h2>{BIDS.capitalize()}</h2>" in tonight


def told():
    """Texts with numbers that are no figures: changes of line-ups, and what policies are."""
    board = load_board()
    changes = [each.in_words(board) for players in SIZES for each in adjustments_of(players).values()]
    return [*changes, *(player.description for player in players())]


def test_every_number_of_the_pages_has_its_id_or_is_declared_to_be_no_figure(found, index):
    cards = county_cards(found["draft"])
    tonight = pages.tonight(found, cards)
    german = translated(tonight, "de", pages.printed_names(), whole=True)
    changes = [message for message in messages("de").values() if "Armee" in message or "SP mehr" in message]
    for page in (index, tonight, pages.counties(found, cards)):
        assert undeclared(page, *told()) == []
    assert [each for each in undeclared(german) if not any(fits(each, message) for message in changes)] == []


def fits(text, message):
    """Whether a text is a message of the catalogue with its numbers in it."""
    return re.search(re.escape(message).replace(r"\{\}", ".*?"), text) is not None


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for names in chapters.GROUPS.values() for name in names])
def test_every_number_of_the_first_screen_of_a_study_has_its_id(found, name):
    page = study_page(found[name]).split('<section id="tables">')[0]
    assert undeclared(page, *told()) == []


def test_a_number_without_an_id_is_found():
    page = '<p>A wins <data data-id="x">41</data> % of 24 games.</p><p id="b">It wins 41.5 % with 4 players.</p>'
    assert undeclared(page) == ["b: It wins 41.5 % with 4 players."]


def test_best_responses_are_those_of_their_file(index):
    rows = load_ways()
    shown = re.findall(r'<data value="([^"]+)" data-id="exploitability\.([^"]+)" data-unit="%">', index)
    assert shown
    for value, key in shown:
        [found] = [
            each.share for (policy, size), ways in rows.items() for way, each in ways.items()
            if size == 4 and response_id(policy, way) == f"exploitability.{key}"
        ]  # fmt: skip
        assert float(value) == pytest.approx(100 * found)
    assert f"{EXPLOITED}.csv" in index


def test_every_chapter_has_its_frame(found, index):
    for name, result in found.items():
        article = re.search(rf'<article id="{name}">(.*?)</article>', index, re.S)[1]
        assert f'<a class="self" href="#{name}"' in article
        assert f'href="data/{name}.csv"' in article
        assert re.search(rf"wallsim [\d.]+, study {name}, engine version \d+, seed \d+", article)
        ids = {key for _, keys, _, _ in DATA.findall(article) for key in keys.split() if key in result.figures}
        for key in ids:
            assert f"<code>{question_of(key)}</code>" in article


def test_a_sample_is_in_words(found):
    figures = [figure for figure in found["price"].figures.values() if figure.n][:2]
    few, many = (replace(figures[0], n=n, n_unit="blocks") for n in (200, 1_000))
    assert frames.sample_of([few, few]) == "200 blocks"
    assert frames.sample_of([many, few, replace(few, n_unit="casts")]) == "200 to 1,000 blocks and 200 casts"
    assert frames.sample_of([replace(few, n=0)]) == ""


def test_a_title_is_cited_without_marks(found):
    [frame] = [
        frames.frame_of(chapter.finding.title, "", found["price"].figures, 1, [chapter.table])
        for chapter in [chapters.chapter_of(found["price"])]
    ]
    assert frame.citation == unmarked(frame.citation)
    assert frame.sample in frame.citation
