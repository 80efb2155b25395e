"""The page of one game: one small file, the same bytes again, data that are the steps, links that lead somewhere."""

import json
import re
from html import unescape
from html.parser import HTMLParser

import pytest

import wallsim
from tests.refusals import assert_names
from tests.trace.recorded_interventions import SCRIPTS
from wallsim.api.trace import replay_page
from wallsim.trace.table import patched

KINDS = {
    "base": {"players": 4, "policies": "casual"},
    "all": {"players": 5, "policies": "balanced", "setup": "draft", "expansions": "all"},
    "first": {"players": 3, "policies": "random", "edition": "1e", "expansions": "all"},
    "layered": {"players": 4, "policies": "random", "tower": "mid-layered", "setup": "deal"},
    "changed": {"players": 4, "policies": "random", "interventions": SCRIPTS["all"], "expansions": "all"},
}
LARGEST = 250_000


class Reader(HTMLParser):
    """What a page has: ids, links within it, attributes, and the texts of the story and of its data."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.attributes, self.data, self.story = [], [], set(), "", []
        self._in = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.attributes |= set(given)
        if "id" in given:
            self.ids.append(given["id"])
        if given.get("href", "").startswith("#"):
            self.links.append(given["href"][1:])
        if tag in ("script", "p", "ol"):
            self._in.append((tag, given.get("id")))

    def handle_endtag(self, tag):
        if self._in and self._in[-1][0] == tag:
            self._in.pop()

    def handle_data(self, data):
        if ("script", "data") in self._in:
            self.data += data
        if ("ol", "story") in self._in and self._in[-1][0] == "p":
            self.story.append(data)


@pytest.fixture(scope="module", params=KINDS)
def game(request):
    events = wallsim.trace(wallsim.Experiment(**KINDS[request.param], games=10, seed=3), 4)
    return events, replay_page(events)


def test_a_page_is_small_and_the_same_again(game):
    events, page = game
    assert len(page.encode()) < LARGEST
    assert replay_page(events) == page


def test_it_needs_no_network_and_no_styles_or_handlers_of_elements(game):
    page = game[1]
    assert_names(unescape(page), *(f"{source} 'none';" for source in ("default-src", "form-action", "base-uri")))
    assert not re.search(r'(?:src|href)="(?!#)', page)
    assert not {name for name in Reader(page).attributes if name == "style" or name.startswith("on")}


def test_its_links_lead_to_elements_whose_ids_are_unique(game):
    read = Reader(game[1])
    assert len(set(read.ids)) == len(read.ids)
    assert set(read.links) <= set(read.ids)
    assert {str(number) for number in range(len(game[0]))} <= set(read.ids)
    assert len(read.links) >= len(json.loads(read.data)["seasons"])


def test_its_data_are_the_steps(game):
    events, page = game
    data = json.loads(Reader(page).data)
    steps = events.steps()
    assert [step["patch"] for step in data["steps"]] == [step.patch for step in steps]
    for shown, step in zip(data["steps"], steps, strict=True):
        assert shown.get("odds", [None])[-1] == (step.odds and step.odds.exact)
        assert shown.get("odds", [])[:3] == pytest.approx(list(step.odds or ())[:3], abs=1e-4)
        assert shown.get("chances", []) == pytest.approx(list(step.chances or ()), abs=1e-4)
    last = [step["luck"] for step in data["steps"] if "luck" in step][-1]
    assert last == pytest.approx(events.tower_luck(), abs=1e-3)
    table = {}
    for step in data["steps"]:
        table = patched(table, step["patch"])
    assert table["vp"] == events[-1]["vp"]


def test_its_story_is_that_of_the_steps(game):
    events, page = game
    told = [text.removeprefix("# ").removeprefix("- ").strip() for step in events.steps() for text in step.sentences]
    shown = [text.strip() for text in Reader(page).story]
    assert [text for text in shown if text in set(told)] == told


def test_seasons_begin_at_their_first_steps_and_it_says_why_it_shows_no_chances(game):
    events, page = game
    assert ('id="chances"' in page) == any(step.chances is not None for step in events.steps())
    assert ('id="chances"' in page) != ("No win probabilities: " in page)
    data = json.loads(Reader(page).data)
    kinds = [events[number]["t"] for number in data["seasons"]]
    assert kinds == ["game", *["round"] * 3, "winter", *["round"] * 3, "winter", "end"]
    assert data["names"][4] == "Winter of year 1"


def test_a_name_cannot_end_the_data(tmp_path):
    (tmp_path / "x.toml").write_text('description = "a"\nbase = "balanced"\n', "utf-8")
    page = replay_page(wallsim.trace(wallsim.Experiment(players=3, policies=str(tmp_path / "x.toml"))))
    assert "<" not in Reader(page).data
