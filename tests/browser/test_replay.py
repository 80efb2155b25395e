"""The page of a game in a browser: a step is the same however it is reached, secrets stay hidden, and it is quick."""

from itertools import pairwise, product

import pytest

import wallsim
from wallsim.api.trace import replay_page

KINDS = {
    "base": {"players": 4, "policies": "casual"},
    "all": {"players": 5, "policies": "balanced", "setup": "draft", "expansions": "all"},
    "first": {"players": 3, "policies": "random", "edition": "1e"},
}
STEPS = (0, 60, 111)
MOST_MILLISECONDS = 16
DOM = "document.querySelector('main').outerHTML"
CELLS = "[...document.querySelectorAll('#plans tbody tr')].map(r => [...r.cells].slice(1).map(c => c.textContent))"
PRESS = """n => {
    for (; n > 0; n--) document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
}"""  # each key of its own takes a frame
SLIDE = "n => { const s = document.getElementById('slider'); s.value = n; s.dispatchEvent(new Event('input')); }"


@pytest.fixture(scope="module", params=KINDS)
def game(request, page_folder):
    """The trace of a game, and its page beside those of the report."""
    events = wallsim.trace(wallsim.Experiment(**KINDS[request.param], games=10, seed=3), 4)
    (page_folder / f"{request.param}.html").write_text(replay_page(events), "utf-8")
    return events, f"{request.param}.html"


@pytest.fixture
def page(open_page, game):
    return open_page(game[1], 390)


def step_of(page):
    return int(page.inner_text("#where").split()[1])


def test_a_step_is_the_same_however_it_is_reached(page, game):
    last = len(game[0]) - 1
    seen = {0: page.evaluate(DOM)}
    for before, step in pairwise(sorted({*STEPS, last})):
        page.evaluate(PRESS, step - before - 1)
        page.keyboard.press("ArrowRight")
        seen[step] = page.evaluate(DOM)
    assert step_of(page) == last
    assert len(set(seen.values())) == len(seen)
    for step, dom in seen.items():
        page.evaluate(SLIDE, step)
        assert page.evaluate(DOM) == dom
        page.keyboard.press("End")
        page.wait_for_timeout(400)  # the address follows a little later
        page.evaluate("n => { location.hash = `#${n}`; }", step)
        page.wait_for_timeout(100)
        assert page.evaluate(DOM) == dom
    address = page.url.partition("#")[0]
    page.goto("about:blank")
    page.goto(f"{address}#111")
    assert page.evaluate(DOM) == seen[111]


def test_seasons_and_ends_have_keys(page, game):
    first = [number for number, event in enumerate(game[0]) if event["t"] == "round"]
    page.keyboard.press("ArrowDown")
    assert step_of(page) == first[0]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    assert step_of(page) == first[1]
    page.keyboard.press("ArrowUp")
    assert step_of(page) == first[0]
    page.keyboard.press("End")
    assert step_of(page) == len(game[0]) - 1
    page.keyboard.press("Home")
    assert step_of(page) == 0
    page.keyboard.press(" ")
    assert page.inner_text("#play") == "Pause"
    page.wait_for_timeout(1500)
    page.keyboard.press(" ")
    assert step_of(page) > 0
    assert page.inner_text("#play") == "Play"


def test_what_a_seat_knew_has_only_its_own_plan_until_boxes_open(page, game):
    events, _ = game
    page.select_option("#knew", "1")
    planned = next(number for number, event in enumerate(events) if event["t"] == "event") - 1
    page.evaluate(SLIDE, planned)
    rows = page.evaluate(CELLS)
    assert rows
    assert all(cell == "?" for row in rows for seat, cell in enumerate(row) if seat != 1)
    assert not any(row[1] == "?" for row in rows)
    assert not page.is_visible(f"#story li:nth-child({planned + 2})")
    actions = [number for number, event in enumerate(events) if event["t"] == "action"]
    page.evaluate(SLIDE, actions[0])
    opened = page.evaluate(CELLS)
    assert any("?" not in row for row in opened)
    assert any("?" in row for row in opened)
    page.select_option("#knew", "")
    assert "?" not in page.inner_text("#plans tbody")


def test_the_page_does_not_scroll_sideways(page):
    for width, step in product((390, 1280), STEPS):
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(SLIDE, step)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_step_takes_less_than_a_frame_of_processor_time(page):
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy():
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(each["value"] for each in metrics if each["name"] == "TaskDuration")

    before = busy()
    page.evaluate("() => { for (let n = 50; n < 150; n++) { draw(n, true); document.body.offsetHeight; } }")
    assert 1000 * (busy() - before) / 100 < MOST_MILLISECONDS
