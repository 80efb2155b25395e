"""Picture cards of findings: their size, that all text lies inside, and the same bytes each time."""

import io

import pytest
from PIL import Image

from wallsim.analyses.strategy_report import cards, chapters
from wallsim.report.tables.traced import Traced

NAMES = [name for names in chapters.GROUPS.values() for name in names]


def lines_of(finding):
    return [f"Casual table: {finding.casual}", f"Experienced table: {finding.experienced}"]


@pytest.mark.parametrize("name", ["lineups", "price", "tiles"])  # of which the longest
def test_the_text_of_a_card_lies_inside(name):
    finding = chapters.as_published(chapters.load_study(name)).page.finding
    picture = cards.drawn_card(finding.title, lines_of(finding))
    picture.canvas.draw()
    *texts, footer = [text.get_window_extent() for text in picture.texts]
    assert all(box.x0 > 0 and box.x1 < cards.SIZE[0] and box.y0 > footer.y1 for box in texts)
    assert footer.y0 > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_text_of_every_card_lies_inside(name):
    test_the_text_of_a_card_lies_inside(name)


def test_a_card_has_its_size_and_the_same_bytes_again_without_marks():
    data = cards.card(f"A wins {Traced(41.0, ('a.b',)):.0f} %", ["Casual table: often."])
    assert Image.open(io.BytesIO(data)).size == (1200, 630)
    assert cards.card("A wins 41 %", ["Casual table: often."]) == data
    assert cards.card("A wins 42 %", ["Casual table: often."]) != data


def test_every_chapter_and_the_first_page_have_a_card():
    chapter = chapters.chapter_of(chapters.as_published(chapters.load_study("price")))
    files = cards.card_files([chapter], ("Title", "Text"))
    assert sorted(files) == ["cards/index.png", "cards/price.png"]
