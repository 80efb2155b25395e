"""An intervention leaves the past and all other luck as they were, and nobody knows of it before it happens."""

from pathlib import Path

import pytest
from scipy.stats import chi2

from tests.engine.intervened import ROUNDS, VARIANTS, assert_same, column, events, label, play, trace
from tests.naive.making import BOARD
from tests.naive.rng import JIT
from tests.policies.searching import QUICK, searcher
from wallsim.policies.catalogue import load_policy
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import EXPANSIONS

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


@thinkers
@pytest.mark.parametrize("rules", VARIANTS, ids=label)
def test_what_changes_nothing_leaves_all_tables_of_every_policy_as_they_are(policy, rules):
    count = 1 if policy.search is not None else 12
    assert_same(*(play(rules, *lines, policy=policy, count=count) for lines in ([], null_list(rules))))


KINDS = [
    {"do": "hand", "seat": 0, "round": "spring 1", "thalers": 9, "grain": -2, "vp": 5},
    {"do": "tile", "seat": 1, "to": "none", "round": "summer 1"},
    {"do": "place", "seat": 2, "to": 1, "round": "spring 1"},
    {"do": "plan", "seat": 2, "box": "palace", "card": "pass", "round": "every"},
    {"do": "event", "to": "cancelled", "round": "every"},
    {"do": "event", "to": "tax_max_5", "round": "fall 1"},
    {"do": "event", "to": "absent", "card": "tax_min_6", "round": "year 2"},
]


@pytest.mark.parametrize("step", KINDS, ids=lambda step: f"{step['do']}-{step.get('to', '')}")
def test_action_cards_tiles_first_fill_and_other_events_are_as_they_were(step):  # B1.6 B2.1 B2.4 B4.1
    for number in range(4):
        base, after = (trace(Ruleset(players=4), *lines, number=number) for lines in ([], [step]))
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
        base, after = (trace(rules, *lines, policy=policy) for lines in ([], [step]))
        [moment] = [place for place, line in enumerate(after) if line["t"] == "intervention"][:1]
        assert base[:moment] == after[:moment]
        assert base[moment:] != after[moment:]
        plans = sum(line["t"] == "plan" for line in after[:moment])
        assert plans >= 4 * (when != "spring 1" or step["do"] == "tile")


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("moment", [0, 3])
def test_a_forced_card_does_to_the_table_what_the_same_card_does_by_chance(moment):  # B1.8 B2.4 B7.1
    """Two ways: games sorted by the card that came of itself, and games of another seed into which it is forced."""
    rules, each = Ruleset(players=3), 1000
    by_chance = play(rules, count=6000)
    came = events(by_chance)[:, moment]
    forced = [
        play(rules, {"do": "event", "to": event, "round": ROUNDS[moment]}, count=each, seed=100 + card)
        for card, event in enumerate(BOARD.events)
    ]
    for name in ("shortage_units", "taxes", "vp"):
        natural = column(by_chance, "seats", name, rules).sum(axis=1)
        sum_of_squares = 0.0
        for card, result in enumerate(forced):
            one = natural[came == card]
            other = column(result, "seats", name, rules).sum(axis=1)
            error = one.var(ddof=1) / len(one) + other.var(ddof=1) / each
            sum_of_squares += (one.mean() - other.mean()) ** 2 / error
        assert chi2.sf(sum_of_squares, len(BOARD.events)) > 0.01, name
