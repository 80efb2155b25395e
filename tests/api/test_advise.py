"""`wallsim.advise`: what it takes, and what it refuses."""

import inspect
from dataclasses import replace

import pytest

import wallsim
from tests.naive.rng import JIT
from tests.refusals import assert_names, refused
from wallsim.analysis.advice.options import AdviceOptions

GAME = wallsim.Experiment(players=4, policies="balanced", games=5)


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="thousands of playouts")
def test_a_state_or_a_game_is_advised():
    how = {"tables": 30, "plays": ["middling"], "policy": "balanced", "workers": 1}
    of_game = wallsim.advise(GAME, game=2, season="fall 2", seat=3, **how)
    assert of_game.judged == "made"
    assert of_game.agreed
    assert len(of_game.alternatives) == 3
    assert of_game.best.cards.keys() >= {"palace", "bid"}
    state = wallsim.trace(GAME, 2).states()[5]
    of_state = wallsim.advise(state, seat=3, plan=of_game.best.cards, **how)
    assert of_state.moment.season == "fall 2"
    assert of_state.judged == "yours"


@pytest.mark.own_code
@pytest.mark.skipif(not JIT, reason="thousands of playouts")
def test_a_claim_is_advised_on():
    draft = wallsim.Experiment(players=3, policies="balanced", games=5, setup="draft")
    how = {"tables": 30, "plays": ["middling"], "policy": "balanced", "workers": 1}
    advice = wallsim.advise(draft, game=2, step=1, choice="deck", **how)  # the draft's first turn
    assert (advice.kind, advice.judged, advice.moment.season) == ("claim", "yours", "draft")
    assert advice.answers[0].judged.cards == {"claim": "deck"}
    assert len(advice.alternatives) == 2
    others = replace(advice.answers[0], play="other", policy="another")
    page = replace(advice, answers=(*advice.answers, others))._repr_html_()
    assert page.startswith("<pre ")
    assert_names(page, "Against middling play")
    assert advice.moment.seat == wallsim.trace(draft, 2)[1]["seat"]


@pytest.mark.parametrize(
    ("position", "options", "names"),
    [
        (7, {}, ["position: 7 "]),
        (GAME, {"tables": 2.5}, ["tables: 2.5 ", "whole number"]),
        (GAME, {"seat": True}, ["seat: true "]),
        (GAME, {"step": 0}, ["step: 0 ", "'game'", "allowed are plans"]),
        (GAME, {"step": 2.0}, ["step: 2.0 ", "from 0"]),
        ("state", {"season": "fall 1"}, ["season: ", "a position"]),
        ("state", {"step": 40}, ["step: ", "a position"]),
    ],
)
def test_what_cannot_be_is_refused(position, options, names):
    if position == "state":  # which has its season
        position = wallsim.trace(GAME, 2).states()[0]
    with refused(*names):
        wallsim.advise(position, **options)


def test_help_has_every_option():
    names = inspect.signature(wallsim.advise).parameters
    assert set(names) == {"position", *vars(AdviceOptions())}
    assert [name for name in names if f"\n{name}\n    " not in wallsim.advise.__doc__] == []
    assert "options" not in names
    with pytest.raises(TypeError, match="nothing"):
        wallsim.advise(GAME, nothing=1)
