"""The draft help counts as the study's drafter does: the script of the page against drafts that the engine played."""

import json

import pytest

from tests.analyses.played_drafts import played_drafts

GAMES = 1_000
TABLES = ("mean of all kinds of play", "casual", "experienced, first line")


@pytest.mark.parametrize("table", TABLES)
def test_the_page_takes_the_card_that_the_drafter_takes(open_page, tmp_path, table):
    page = open_page("counties.html")
    data = json.loads(page.locator("#draft-data").text_content())["ground"]
    steps = [step for draft in played_drafts(data, table, GAMES // len(TABLES), tmp_path) for step in draft]
    taken = page.evaluate(
        """([name, steps]) => {
            const {ground} = JSON.parse(document.getElementById('draft-data').textContent);
            return steps.map(([mine, theirs, open]) => cardToTake(ground, ground.tables[name], mine, theirs, open));
        }""",
        [table, [step[:3] for step in steps]],
    )
    assert len(steps) > 32 * (GAMES // len(TABLES))  # one for every pick, and those of open cards that are put away
    assert {step[3] for step in steps} == {0, 1, 2}
    assert taken == [step[3] for step in steps]


def test_the_ranking_follows_what_a_reader_says(open_page):
    page = open_page("counties.html")
    ranking = page.locator("#ranking")
    assert ranking.inner_text().strip() == "No card is open yet."
    for name, whose in (("Bremen", "open"), ("Oberösterreich", "open"), ("Holstein", "mine"), ("Osnabrück", "theirs")):
        page.select_option(f'select[data-county="{name}"]', whose)
    lines = ranking.locator("li").all_inner_texts()
    assert [line.split(":")[0] for line in lines] == ["Bremen", "Top of the deck", "Oberösterreich"]
    assert "beside it 1 of yours, beside it 1 of others, 1 of its region yours" in lines[0]
    assert "41 counties left" in lines[1]
    first = page.locator("#ranking li").first.inner_text()
    page.select_option("#play", "mean of all kinds of play")
    assert page.locator("#ranking li").first.inner_text() != first
    page.click("#clear")
    assert ranking.inner_text().strip() == "No card is open yet."


def test_cards_that_may_be_equal_are_not_told_apart(open_page):
    page = open_page("counties.html")
    for name in ("Steiermark", "Bremen", "Oberösterreich"):
        page.select_option(f'select[data-county="{name}"]', "open")
    lines = {line.split(":")[0]: line for line in page.locator("#ranking li").all_inner_texts()}
    assert "not known to differ" in lines["Steiermark"]
    assert "not known to differ" not in lines["Bremen"] + lines["Oberösterreich"] + lines["Top of the deck"]
