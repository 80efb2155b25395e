"""Noted plans beside those that a search prefers: in which positions, how much, and what the page says of it."""

import re
from dataclasses import replace
from functools import partial

import pytest

import wallsim
from tests.api.test_review import FORBIDDEN
from tests.cli.commands import refusal
from tests.cli.commands import wallsim as command
from tests.refusals import assert_names, refused
from wallsim.analysis.advice.advice import advise_on
from wallsim.analysis.advice.options import AdviceOptions
from wallsim.analysis.advice.plan_text import read_plan
from wallsim.api.game_review import plans
from wallsim.api.game_review.plans import compared_plans, why_not
from wallsim.api.review import read_game, text_of_game
from wallsim.experiment.experiment import Experiment
from wallsim.trace.game_text.checks import check_game
from wallsim.trace.game_text.from_trace import game_of_trace

pytestmark = pytest.mark.own_code

PLAYED = Experiment(players=4, policies="casual", seed=3, games=20)
LAST = "fall 2"  # the season of which games are played out fastest
FEW = AdviceOptions(tables=40, plays=("casual",))


@pytest.fixture(scope="module")
def game():
    """A game of which everything is known."""
    traced = wallsim.trace(PLAYED, 5)
    return game_of_trace(traced.match, traced)


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    """A game as text, in which one plan is noted."""
    lines = text_of_game(PLAYED, 5).splitlines()
    kept = [line for line in lines if not re.match(r"(spring|summer|fall) [12] [A-D] [a-z_0-9]+=", line)]
    kept += [line for line in lines if re.match(f"{LAST} B [a-z_0-9]+=", line)]
    path = tmp_path_factory.mktemp("review") / "g.txt"
    path.write_text("\n".join(kept), "utf-8")
    return path


@pytest.fixture
def few_tables(monkeypatch):
    """Plans are judged on few tables."""
    few = partial(AdviceOptions, tables=FEW.tables)
    monkeypatch.setattr(plans, "AdviceOptions", lambda **asked: few(**{**asked, "minutes": None}))


def plan_in(game, season, seat=1):
    [found] = [plan for plan in game.plans if (plan.season, plan.seat) == (season, seat)]
    return found


def decision_of(game, plan):
    return plans._decision(game, plan, plans._options(game, plan, 1))


def test_the_best_plan_is_exactly_0_behind(game, few_tables):
    made = plan_in(game, LAST)
    best = advise_on(decision_of(game, made), FEW).best
    cards = {box: card for box, card in best.cards.items() if card != "pass"}
    [compared] = compared_plans(replace(game, plans=[replace(made, cards=cards)]), 1.0, workers=1)
    found = compared.answers["casual"]
    assert (found.judged.behind, found.judged.behind_interval, found.judged.changes) == (0.0, (0.0, 0.0), ())
    assert found.judged.wins == found.best.wins
    assert set(compared.answers) == {"casual", "strong"}


def test_a_plan_is_behind_by_what_the_advice_says(game, few_tables):
    made = plan_in(game, LAST)
    [compared] = compared_plans(replace(game, plans=[made]), 1.0, workers=1)
    [answer] = advise_on(decision_of(game, made), replace(FEW, plan=made.cards)).answers
    assert compared.answers["casual"] == answer
    assert answer.tables == FEW.tables


def test_what_cannot_be_compared_is_said(game):
    plan = plan_in(game, "fall 1")
    before = game.sections["summer 1"]
    row = before.rows[2]
    forgotten = replace(before, rows={**before.rows, 2: replace(row, grain=None, vp=None)})
    assert why_not(game, plan) == ""
    assert "before the first season" in why_not(game, plan_in(game, "spring 1"))
    assert "what lay on grain is unknown" in why_not(game, replace(plan, cards={**plan.cards, "grain": "?"}))
    for changes, words in (
        ({"changed": ("retreat",)}, "rules are changed: retreat"),
        ({"expansions": ("court",)}, "does not say enough of court"),
        ({"sections": {"winter 1": before}}, "does not have the table after summer 1"),
        ({"sections": {**game.sections, "summer 1": forgotten}}, "2 numbers of the table after summer 1"),
    ):
        assert words in why_not(replace(game, **changes), plan)


def test_unknown_cubes_events_and_open_cards_are_drawn_and_named(game, few_tables):
    season = "summer 1"
    sections = {**game.sections, season: replace(game.sections[season], tray=None, events=None)}
    seen = replace(game, sections=sections, opened={}, plans=[plan_in(game, "fall 1")])
    [compared] = compared_plans(seen, 1.0, workers=1)
    assert compared.drawn == ("open events", "the tray", "the open actions", "the open tiles")
    [known] = compared_plans(replace(game, plans=[plan_in(game, "fall 1")]), 1.0, workers=1)
    assert known.drawn == ()


@pytest.mark.parametrize("keys", [{"players": 5, "edition": "1e"}, {"expansions": ("leaders",)}])
def test_every_plan_of_a_simulated_game_can_be_compared(keys):
    traced = wallsim.trace(Experiment(policies="casual", seed=8, **keys), 0)
    game = game_of_trace(traced.match, traced)
    check_game(game)
    assert (game.problems, game.doubts) == ([], [])
    assert sum(not why_not(game, plan) for plan in game.plans) == 5 * game.players
    for plan in (each for each in game.plans if not why_not(game, each)):
        read_plan(decision_of(game, plan), plan.cards)


def test_a_plan_that_leaves_boxes_empty_is_doubted_and_not_compared(text, tmp_path):  # B3.2
    path = tmp_path / "g.txt"
    path.write_text(text.read_text("utf-8") + f"\n{LAST} A bid=2\n", "utf-8")
    line = path.read_text("utf-8").splitlines().index(f"{LAST} A bid=2") + 1
    game = read_game(path)
    [doubt] = game.doubts
    assert re.match(rf".*g\.txt:{line}:1: [0-9]+ more boxes", str(doubt))
    assert "more boxes" in why_not(game, plan_in(game, LAST, 0))
    assert str(doubt) in command("review", str(path), "--check").output


def test_the_page_says_how_far_a_plan_is_behind_and_judges_nobody(text, few_tables):
    page = wallsim.review(text, minutes=1).page()
    section = page.split('<section id="plans">')[1].split("</section>")[0]
    rows = re.findall(r"<tr><td>(fall 2)</td><td>(B)</td><td>(casual|experienced)</td>", section)
    assert [row[2] for row in rows] == ["casual", "experienced"]
    assert not [each for each in FORBIDDEN if each in re.sub(r"<[^>]+>", " ", page).lower()]


def test_without_a_time_plans_are_not_compared(text):
    found = wallsim.review(text)
    assert found.plans == []
    assert_names(found.page(), "has 1 plan.", "--advise MINUTES")
    with refused("minutes: 0 "):
        wallsim.review(text, minutes=0)
    for words in (["--advise", "x"], ["--advise", "1", "--check"]):
        assert "--advise: " in refusal("review", str(text), *words)
