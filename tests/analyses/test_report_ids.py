"""Every number of the report that is a figure has its id, and below each chapter stands what it rests on."""

import re
from dataclasses import replace

import pytest
from markupsafe import escape

from wallsim.analyses.strategy_report import chapters, frames, pages
from wallsim.analyses.strategy_report.counties import county_cards
from wallsim.analyses.strategy_report.lineups import lineups
from wallsim.analyses.strategy_report.primary import question_of
from wallsim.report.tables.traced import unmarked
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
    spreads = [each for each in re.findall(r"<td>(.*?)</td>", cells) if re.search(r"\d ±", ELEMENT.sub("", each))]
    assert len(spreads) >= 15 * 4
    assert all(DATA.fullmatch(each) for each in spreads)
    tonight = pages.tonight(found, county_cards(found["draft"]))
    bids = re.search(r'<table class="bids">(.*?)</table>', tonight, re.S)[1]
    assert len(DATA.findall(bids)) == 5 * 6 * 2
    assert len(re.findall(r'data-id="draft\.worth-by-play\.', tonight)) == 45 * 3
    assert len(re.findall(r'data-id="play\.habit\.', tonight)) == 12 * 3


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
