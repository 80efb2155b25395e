"""The draft help picks as the engine's drafters do: the script of the page against drafts that the engine played."""

import json
from dataclasses import asdict

import pytest

from tests.analyses.played_drafts import PLAYS, TABLE, played_drafts
from tests.refusals import assert_names


@pytest.mark.parametrize("name", PLAYS)
def test_the_page_takes_the_card_that_the_drafter_takes(open_page, tmp_path, name):
    page = open_page("counties.html")
    data = json.loads(page.locator("#draft-data").text_content())["ground"]
    steps = played_drafts(data, name, 100, tmp_path)
    taken = page.evaluate(
        """([name, steps]) => {
            const {ground} = JSON.parse(document.getElementById('draft-data').textContent);
            return JSON.parse(steps).map((step) =>
                cardToTake(ground, ground.rules[name], step.mine, step.theirs, step.open, step.armies));
        }""",
        [name, json.dumps([asdict(step) for step in steps])],
    )
    assert len(steps) > 3200  # one for every pick, and those of open cards that are put away
    assert {step.taken for step in steps} == {0, 1, 2}
    assert taken == [step.taken for step in steps]


def test_the_ranking_follows_what_a_reader_says_and_stays_in_view(open_page):
    page = open_page("counties.html", width=390)
    ranking = page.locator("#ranking")
    nothing_yet = ranking.inner_text()
    assert "No card" in nothing_yet
    page.select_option("#drafter", "master bots")
    for name, whose in (("Bremen", "open"), ("Oberösterreich", "open"), ("Holstein", "mine"), ("Osnabrück", "theirs")):
        page.select_option(f'select[data-county="{name}"]', whose)
    page.locator('select[data-county="Bremen"]').focus()
    box = ranking.bounding_box()
    assert 0 < box["y"] <= page.viewport_size["height"] - box["height"]
    lines = ranking.locator("li").all_inner_texts()
    names = [line.split(":")[0] for line in lines]
    assert names[0] == "Bremen"
    assert set(names) == {"Bremen", "Oberösterreich", "Top of the deck"}
    assert_names(lines[0], "1 of yours", "1 of others", "1 of its region")
    assert "41 counties" in lines[names.index("Top of the deck")]
    page.select_option("#drafter", "scholar bots")
    assert ranking.locator("li").all_inner_texts() != lines
    page.click("#clear")
    assert ranking.inner_text() == nothing_yet


def test_armies_are_asked_for_where_somebody_owns_a_county_and_count(open_page):
    page = open_page("counties.html")
    page.select_option("#drafter", "scholar bots")
    for name, whose in (("Bremen", "open"), ("Oberösterreich", "open"), ("Holstein", "theirs")):
        page.select_option(f'select[data-county="{name}"]', whose)
    armies = page.get_by_label("armies in Holstein")
    assert armies.is_visible()
    assert not page.get_by_label("armies in Bremen").is_visible()
    found = []
    for number in ("5", "2"):
        armies.fill(number)
        armies.blur()
        found.append(page.locator("#ranking li").all_inner_texts())
    assert found[0] != found[1]
    choices = ('select[data-county="Holstein"]', "deck", "theirs"), ("#drafter", TABLE, "scholar bots")
    for field, without, counted in choices:
        page.select_option(field, without)
        assert not armies.is_visible()
        page.select_option(field, counted)
        assert armies.is_visible()


def test_cards_that_may_be_equal_are_not_told_apart(open_page):
    page = open_page("counties.html")
    page.select_option("#drafter", TABLE)
    for name in ("Steiermark", "Bremen", "Oberösterreich"):
        page.select_option(f'select[data-county="{name}"]', "open")
    lines = {line.split(":")[0]: line for line in page.locator("#ranking li").all_inner_texts()}
    assert [name for name, line in lines.items() if "not known" in line] == ["Steiermark"]
