"""Doubtful moves, counted in made-up traces and, by another way, in those of games (B1.4, B2.4, B5, B6.7, B7)."""

from collections import Counter

import pytest

from wallsim.analysis.behaviour.doubtful_moves import DOUBTFUL_MOVES, count_doubtful_moves, doubtful_moves
from wallsim.experiment.experiment import Experiment
from wallsim.policies.catalogue import load_policy
from wallsim.rules.terms import ACTIONS
from wallsim.trace.json_lines import trace_lines
from wallsim.trace.match import Match

NAMES = [move.name for move in DOUBTFUL_MOVES]
FOUR = Experiment(players=4, policies="balanced", games=40, seed=3)
PARTS = FOUR.components()
MATCH = Match(PARTS.board, PARTS.ruleset, PARTS.tower, 3, ("balanced",) * 4, 0)
EVENTS = [name for name, loss in zip(PARTS.board.events, PARTS.board.event_loss.tolist(), strict=True) if loss][:4]
LOSSES = dict(zip(PARTS.board.events, PARTS.board.event_loss.tolist(), strict=True))
BESIDE = next(
    name
    for place, name in enumerate(PARTS.board.counties)
    if int(PARTS.board.neighbours[PARTS.board.counties.index("Bremen")]) >> place & 1 and name != "Osnabrück"
)
ORDER = ["deploy5", *(action for action in ACTIONS if action != "deploy5")]


def deal(seat, county, armies, **more):
    return {"t": "deal", "seat": seat, "county": county, "armies": armies, "source": "lineup", **more}


def begin(order=ACTIONS, year=2, season="fall"):
    return {"t": "round", "year": year, "season": season, "order": list(order), "tiles": [], "favors": []}


def act(seat, action, county, **more):
    return {"t": "action", "seat": seat, "action": action, "county": county, "done": True, **more}


def counted(*lines, worth=None):
    """The doubtful moves and their cases, by name, of kinds with a case."""
    doubtful, cases = doubtful_moves(MATCH, lines, worth or {}).tolist()
    return {name: (bad, all_) for name, bad, all_ in zip(NAMES, doubtful, cases, strict=True) if all_}


@pytest.mark.parametrize(("own", "theirs", "doubtful"), [(1, 5, 1), (2, 5, 0), (1, 4, 0)])
def test_a_palace_behind_one_army(own, theirs, doubtful):  # B5.3
    lines = [deal(0, "Bremen", own), deal(1, BESIDE, theirs), deal(1, "Baden", 9), begin()]
    assert counted(*lines, act(0, "palace", "Bremen", paid=3)) == {"palace behind one army": (doubtful, 1)}


@pytest.mark.parametrize(("survivors", "theirs", "doubtful"), [(1, 3, 1), (2, 3, 0), (1, 2, 0), (0, 3, None)])
def test_one_army_in_a_county_won(survivors, theirs, doubtful):  # B6.7
    battle = {
        "t": "battle", "kind": "neutral", "attacker": 0, "defender": "neutral", "county": "Bremen", "engaged": {"0": 3},
        "survivors": survivors, "result": "attacker" if survivors else "tie", "tray_after_drop": {"0": 3},
        "tray_after": {"0": 3}, "tower_after": {},
    }  # fmt: skip
    lines = [deal(0, "Osnabrück", 4), deal(1, BESIDE, theirs), begin(), battle]
    found = counted(*lines, act(0, "combat_a", "Osnabrück", target="Bremen", moved=3))
    assert found == ({} if doubtful is None else {"one army in a county won": (doubtful, 1)})


@pytest.mark.parametrize(("second", "doubtful"), [("Bremen", 1), ("Holstein", 0)])
def test_two_attacks_on_one_county(second, doubtful):  # B5.8
    lines = [deal(0, "Osnabrück", 4), deal(0, "Lüneburg", 4), deal(1, "Bremen", 5), deal(1, "Holstein", 2), begin()]
    first = act(0, "combat_a", "Osnabrück", target="Bremen", moved=3)
    found = counted(*lines, first, act(0, "combat_b", "Lüneburg", target=second, moved=3))
    assert found == {"two attacks on one county": (doubtful, 1)}


@pytest.mark.parametrize("beyond", [0, 1])
def test_hunger_foreseen(beyond):  # B2.4 B7.1
    """Two events are left in fall; the one that is drawn loses the most, and the shortage may be all its doing."""
    first, second, *left = EVENTS
    left.sort(key=LOSSES.get)
    rounds = [line for event in (first, second) for line in (begin(season="spring"), {"t": "event", "event": event})]
    rounds += [begin(), {"t": "event", "event": left[-1]}]
    shortage = LOSSES[left[-1]] - LOSSES[left[0]] + beyond
    winter = {"t": "winter", "seat": 0, "loss": LOSSES[left[-1]], "grain": 0, "shortage": shortage}
    found = counted({"t": "year", "year": 2, "events": EVENTS}, *rounds, winter)
    assert found == {"hunger foreseen": (beyond, 1)}


@pytest.mark.parametrize(
    ("order", "year", "found"),
    [(ACTIONS, 2, None), (ORDER, 2, 0), ([*ACTIONS[8:], *ACTIONS[:8]], 2, 1), (ORDER, 1, None)],
)
def test_five_armies_after_the_attacks(order, year, found):  # B2.6 B5.6
    lines = [deal(0, "Bremen", 2), begin(order, year), act(0, "deploy5", "Bremen", paid=3, armies=5)]
    if order is ACTIONS:
        found = 0  # the printed order has the attacks last
    assert counted(*lines) == ({} if found is None else {"five armies after the attacks": (found, 1)})


def test_thalers_left():  # B7.6
    assert counted({"t": "end", "vp": [9, 8, 7, 6], "thalers": [6, 5, 0, 12], "winners": [0]}) == {
        "Thalers left": (2, 4)
    }


@pytest.mark.parametrize(("other", "doubtful"), [(2.4, 0), (2.5, 1)])
def test_a_better_county_left(other, doubtful):  # B1.4
    worth = {"Bremen": 1.5, "Baden": other}
    shown = {"source": "shown", "shown": ["Baden", "Bremen"]}
    found = counted(
        deal(0, "Bremen", 2, **shown), deal(1, "Altmark", 2, shown=["Baden", "Böhmen"], source="deck"), worth=worth
    )
    assert found == {"better county left": (doubtful, 1)}


@pytest.mark.parametrize("setup", ["lineup", "draft"])
def test_cases_are_what_happens_in_games(setup):
    experiment = FOUR.model_copy(update={"setup": setup})
    arena, parts = experiment.components().arena(3), experiment.components()
    cases, doubtful, happened = Counter(), Counter(), Counter()
    for game in range(experiment.games):
        match = Match(parts.board, parts.ruleset, parts.tower, 3, ("balanced",) * 4, game)
        lines = list(trace_lines(match, arena.trace(game)))
        bad, all_ = doubtful_moves(match, lines, {}).tolist()
        cases.update(dict(zip(NAMES, all_, strict=True)))
        doubtful.update(dict(zip(NAMES, bad, strict=True)))
        happened["seats in winter"] += sum(line["t"] == "winter" for line in lines)
        happened["palaces"] += sum(
            line["t"] == "action" and line["done"] and line["action"] == "palace" for line in lines
        )
        happened["won"] += sum(
            line["t"] == "battle"
            and line["result"] == "attacker"
            and line["survivors"] > 0
            and line["kind"] in ("player", "neutral")
            for line in lines
        )
        happened["claims"] += sum(line["t"] == "deal" and line["source"] == "shown" for line in lines)
    assert cases["hunger foreseen"] == happened["seats in winter"] == 8 * experiment.games
    assert cases["palace behind one army"] == happened["palaces"] > 0
    assert cases["one army in a county won"] == happened["won"] > 0
    assert cases["better county left"] == happened["claims"]
    assert cases["Thalers left"] == 4 * experiment.games
    estimates = count_doubtful_moves(load_policy("balanced"), experiment, experiment.games)
    for name in ("palace behind one army", "hunger foreseen", "Thalers left"):
        assert estimates[NAMES.index(name)].value == pytest.approx(100 * doubtful[name] / cases[name])
