"""An intervention leaves the past and all other luck as they were, and nobody knows of it before it happens."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from tests.engine.test_interventions import BOARD, ROUNDS, VARIANTS, column, events
from tests.naive.making import USUAL, packed
from tests.naive.rng import JIT
from tests.policies.searching import QUICK, searcher
from wallsim.engine.arena import Arena
from wallsim.policies.catalogue import load_policy, pack_players
from wallsim.rules.interventions import parse_interventions
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.script import pack_script, table_of
from wallsim.rules.terms import ACTIONS, EXPANSIONS, TILES
from wallsim.trace.json_lines import trace_lines
from wallsim.trace.match import Match

pytestmark = pytest.mark.skipif(not JIT, reason="many games need compiled kernels")
HOTHEAD = Path(__file__).parents[2] / "docs" / "examples" / "hothead.py"
THINKERS = {
    "random": load_policy("random"),
    "balanced": load_policy("balanced"),
    "strong": load_policy("strong-4p"),
    "searching": searcher(QUICK),
    "custom": load_policy(str(HOTHEAD)),
}
thinkers = pytest.mark.parametrize(
    "policy",
    # A search is compiled anew in every process.
    [pytest.param(each, id=name, marks=[pytest.mark.slow] * (name == "searching")) for name, each in THINKERS.items()],
)


def arena(rules, policy, *lines, seed=5):
    """Games of one policy in all seats, with interventions."""
    steps, errors = parse_interventions(lines, table_of(BOARD, rules))
    assert not errors, errors
    table = np.atleast_1d(np.asarray(packed(rules, USUAL)))
    script = pack_script(steps, BOARD, rules.letters())
    return Arena(table, pack_players([policy] * rules.players), seed, script=script)


def tables(rules, policy, *lines, count, seed=5):
    """The tables of some games."""
    return arena(rules, policy, *lines, seed=seed).play(0, count, seasons=True, battles=True, counties=True)


def trace(rules, policy, *lines, number=0):
    """The lines of a game."""
    match = Match(BOARD, rules, USUAL, 5, (policy.name,) * rules.players, number)
    return list(trace_lines(match, arena(rules, policy, *lines).trace(number)))


def null_list(rules):
    """Steps that change nothing, or take back what they do before anybody looks."""
    null = [
        {"do": "hand", "seat": 0, "round": "start"},
        {"do": "hand", "seat": "turn", "round": "turn", "thalers": 7, "grain": 0},
        {"do": "hand", "seat": "turn", "round": "turn", "thalers": -7},
        {"do": "hand", "seat": 2, "round": ["start", *ROUNDS], "vp": 3},
        {"do": "hand", "seat": 2, "round": ["start", *ROUNDS], "vp": -3},
        {"do": "event", "to": "cancelled", "round": []},
        {"do": "event", "to": "absent", "card": "tax_max_5", "round": []},
        {"do": "trade", "counties": ["Augsburg", "Augsburg"]},
    ]
    if rules.edition == "2e":
        null.append({"do": "tile", "to": "of seat 1", "seat": 1, "round": "every"})
    return null


@pytest.mark.one_in(4)
@thinkers
@pytest.mark.parametrize("rules", VARIANTS, ids=lambda r: f"{r.players}-{r.setup}-{r.edition}-{len(r.expansions)}")
def test_what_changes_nothing_leaves_all_tables_of_every_policy_as_they_are(policy, rules):
    count = 1 if policy.search is not None else 12
    base, after = (tables(rules, policy, *lines, count=count) for lines in ([], null_list(rules)))
    for one, other in zip(base, after, strict=True):
        assert one.tobytes() == other.tobytes()


@st.composite
def steps_at(draw, rules):
    """A step of any kind, and the place among the eight seasons before which nothing may change."""
    do = draw(st.sampled_from(["hand", "tile", "place", "plan", "cancelled", "absent", "forced"]))
    winters = do in ("hand", "forced")
    place = draw(st.sampled_from([place for place in range(8) if winters or place % 4 < 3]))
    seat = draw(st.one_of(st.integers(0, rules.players - 1), st.just("turn")))
    event = draw(st.sampled_from(BOARD.events))
    amount = st.integers(-12, 12)
    playing = table_of(BOARD, rules).in_play
    cards = ("pass", *(county for county in BOARD.counties if county in playing))
    step = {
        "hand": {"do": "hand", "seat": seat, **{name: draw(amount) for name in ("thalers", "grain", "vp", "armies")}},
        "tile": {"do": "tile", "seat": seat, "to": draw(st.sampled_from([*TILES, "none", "of seat 0", "of seat 2"]))},
        "place": {"do": "place", "seat": seat, "to": draw(st.one_of(st.integers(1, rules.players), st.just("last")))},
        "plan": {
            "do": "plan",
            "seat": seat,
            "box": draw(st.sampled_from(ACTIONS)),
            "card": draw(st.sampled_from(cards)),
        },
        "cancelled": {"do": "event", "to": "cancelled"},
        "absent": {"do": "event", "to": "absent", "card": event},
        "forced": {"do": "event", "to": event},
    }[do]
    later = [when for when in ROUNDS[place:] if winters or "winter" not in when]
    more = draw(st.lists(st.sampled_from(later), max_size=2)) if do != "forced" else []
    return {**step, "round": [ROUNDS[place], *more]}, place - place % 4 if do in ("absent", "forced") else place


@settings(max_examples=60)
@given(st.data())
def test_every_row_of_seasons_before_an_intervention_is_as_it_was(data):
    """A card that is forced or kept away lies open, or does not, from the beginning of its year (B1.8)."""
    rules = data.draw(st.sampled_from([Ruleset(players=3), Ruleset(players=4, setup="draft", expansions=EXPANSIONS)]))
    policy = THINKERS[data.draw(st.sampled_from(["random", "balanced"]))]
    step, place = data.draw(steps_at(rules))
    count = 6
    base, after = (tables(rules, policy, *lines, count=count) for lines in ([], [step]))
    # Where a forced card would have come in the first year, another one comes there in its stead.
    equal = (events(base)[:, :place] == events(after)[:, :place]).all(axis=1)
    assert equal.all() or (step["do"] == "event" and place == 4)
    one, other = (each.seasons.reshape(count, 8, -1)[equal, :place] for each in (base, after))
    assert np.array_equal(one, other)


OTHER = [
    {"do": "hand", "seat": 0, "round": "spring 1", "thalers": 9, "grain": -2, "vp": 5},
    {"do": "tile", "seat": 1, "to": "none", "round": "summer 1"},
    {"do": "place", "seat": 2, "to": 1, "round": "spring 1"},
    {"do": "plan", "seat": 2, "box": "palace", "card": "pass", "round": "every"},
    {"do": "event", "to": "cancelled", "round": "every"},
    {"do": "event", "to": "tax_max_5", "round": "fall 1"},
    {"do": "event", "to": "absent", "card": "tax_min_6", "round": "year 2"},
]


@pytest.mark.parametrize("step", OTHER, ids=lambda step: f"{step['do']}-{step.get('to', '')}")
def test_action_cards_tiles_first_fill_and_other_events_are_as_they_were(step):  # B1.6 B2.1 B2.4 B4.1
    rules, policy = Ruleset(players=4), THINKERS["random"]
    for number in range(4):
        base, after = (trace(rules, policy, *lines, number=number) for lines in ([], [step]))
        for kinds in (("deal", "fill"), ("round",)):
            one, other = ([line for line in lines if line["t"] in kinds] for lines in (base, after))
            assert one == other
        came = [[line["event"] for line in lines if line["t"] == "event"] for lines in (base, after)]
        changed = sum(one != other for one, other in zip(*came, strict=True))
        assert changed <= (2 if step.get("to") in ("tax_max_5", "absent") else 0)


@thinkers
@pytest.mark.parametrize("when", ["spring 1", "winter 1", "summer 2"])
def test_nobody_plans_or_does_anything_else_because_of_what_is_to_come(policy, when):  # B3.5
    """All lines before the intervention are the same without it; a search's plans are among it."""
    rules = Ruleset(players=4, expansions=EXPANSIONS)
    steps = [{"do": "hand", "seat": "turn", "round": when, "thalers": 12, "grain": 5, "armies": 4, "vp": 6}]
    if not when.startswith("winter"):
        steps.append({"do": "tile", "seat": 1, "to": "none", "round": when})
    for step in steps:
        base, after = (trace(rules, policy, *lines) for lines in ([], [step]))
        [moment] = [place for place, line in enumerate(after) if line["t"] == "intervention"][:1]
        assert base[:moment] == after[:moment]
        assert base[moment:] != after[moment:]
        plans = sum(line["t"] == "plan" for line in after[:moment])
        assert plans >= 4 * (when != "spring 1" or step["do"] == "tile")


@pytest.mark.slow
@pytest.mark.parametrize("moment", [0, 3])
def test_a_forced_card_does_to_the_table_what_the_same_card_does_by_chance(moment):  # B1.8 B2.4 B7.1
    """Two ways: games sorted by the card that came of itself, and games of another seed into which it is forced."""
    rules, policy, count = Ruleset(players=3), THINKERS["random"], 6000
    by_chance, each = tables(rules, policy, count=count), 1000
    came = events(by_chance)[:, moment]
    forced = [
        tables(rules, policy, {"do": "event", "to": event, "round": ROUNDS[moment]}, count=each, seed=100 + card)
        for card, event in enumerate(BOARD.events)
    ]
    for name in ("shortage_units", "taxes", "vp"):
        natural = column(by_chance.seats, "seats", name, rules).reshape(count, -1).sum(axis=1)
        sum_of_squares = 0.0
        for card, result in enumerate(forced):
            one = natural[came == card]
            other = column(result.seats, "seats", name, rules).reshape(each, -1).sum(axis=1)
            error = one.var(ddof=1) / len(one) + other.var(ddof=1) / each
            sum_of_squares += (one.mean() - other.mean()) ** 2 / error
        assert chi2.sf(sum_of_squares, len(BOARD.events)) > 0.01, name


def test_minds_and_rules_do_not_hold_the_script():
    """The minds and rules that policies are handed are byte for byte those of games without interventions."""
    rules, policy = Ruleset(players=4), THINKERS["searching"]
    step = {"do": "tile", "seat": 0, "to": "none", "round": "every"}
    with_step, without = arena(rules, policy, step), arena(rules, policy)
    assert [each.tobytes() for each in with_step._players] == [each.tobytes() for each in without._players]
    assert with_step._rules.tobytes() == without._rules.tobytes()
