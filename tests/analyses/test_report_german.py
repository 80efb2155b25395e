"""The report in German: every message of the page to print has a German text, and what is printed stays."""

import re

import pytest

from tests.analyses.test_strategy_report import Reader
from tests.cli.test_games import refusal
from wallsim.analyses.strategy_report import chapters, pages
from wallsim.analyses.strategy_report.counties import county_cards
from wallsim.analyses.strategy_report.translation import messages, translated
from wallsim.errors import InputError
from wallsim.rules.board import load_board


@pytest.fixture(scope="module")
def tonight():
    found = {name: chapters.traced_result(chapters.as_published(chapters.load_study(name))) for name in (
        "draft", "lineups", "tiles", "play", "price", "events"
    )}  # fmt: skip
    return pages.tonight(found, county_cards(found["draft"]))


def values(page):
    return re.findall(r'<data value="([^"]+)" data-id="([^"]+)"', page)


def test_the_page_to_print_is_whole_in_german(tonight):
    german = translated(tonight, "de", pages.printed_names(), whole=True)
    assert german.startswith('<!doctype html>\n<html lang="de">')
    assert 'lang="en"' not in german  # which marks a text without German
    assert "<title>Wallenstein heute Abend</title>" in german  # whose text cannot be marked
    assert Reader(german).open == []
    assert sorted(values(german)) == sorted(values(tonight))
    for name in load_board().counties:
        assert german.count(f"<td>{name}</td>") == 1
    assert not re.search(r">[^<]*\d\.\d[^<]*</data>", german)
    assert re.search(r">\+\d,\d</data>", german)
    assert re.findall(r"<(?:style|script)>.*?<", german, re.S) == re.findall(r"<(?:style|script)>.*?<", tonight, re.S)


def test_a_text_without_german_stays_and_is_marked(tonight):
    page = '<html lang="en"><p>A new &amp; long sentence of 1.5 VP.</p><p>attack</p><code>attack</code><td>1.5</td>'
    assert translated(page, "de", (), whole=True) == (
        '<html lang="de"><p><span lang="en">A new &amp; long sentence of 1.5 VP.</span></p><p>Angriff</p>'
        "<code>attack</code><td>1,5</td>"
    )
    assert translated(page, "de", (), whole=False) == page.replace("<p>attack", '<p><span lang="de">Angriff</span>')


def test_figures_keep_their_places_in_a_message():
    page = '<p>A Thaler brings <data value="1">1.25 ± 0.5</data> VP at the start and 1,000.5 in the last fall.</p>'
    assert translated(page, "de", (), whole=True) == (
        '<p>Ein Taler bringt <data value="1">1,25 ± 0,5</data> SP zu Beginn und 1.000,5 im letzten Herbst.</p>'
    )


def test_every_message_has_as_many_holes_in_german():
    for english, german in messages("de").items():
        assert english.count("{}") == german.count("{}"), english
        assert german.strip()


def test_another_language_is_refused(tmp_path):
    with pytest.raises(InputError, match="--lang: 'fr' is not one of de, en"):
        messages("fr")
    assert "--lang: 'fr'" in refusal("report", "--lang", "fr", "--out", str(tmp_path / "x"))
    assert "--lang: is for the strategy report" in refusal("report", str(tmp_path), "--lang", "de")
    assert "--cards: is for the strategy report" in refusal("report", str(tmp_path), "--cards")
    assert "--url: is for the strategy report" in refusal("report", str(tmp_path), "--url", "https://x.org")
    assert "--url: 'x.org' is not the address" in refusal("report", "--out", str(tmp_path / "x"), "--url", "x.org")
    assert not (tmp_path / "x").exists()
