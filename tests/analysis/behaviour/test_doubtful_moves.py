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
ONE_ARMY, TWO_ATTACKS = "one army in a county won", "two attacks on one county"
LATE_ARMIES = "five armies after the attacks"
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


def palace(own, theirs):
    """A palace is built beside other armies (B5.3)."""
    armies = [deal(0, "Bremen", own), deal(1, BESIDE, theirs), deal(1, "Baden", 9)]
    return [*armies, begin(), act(0, "palace", "Bremen", paid=3)]


def conquest(survivors, theirs):
    """A neutral county is won, or not, beside other armies (B6.7)."""
    battle = {
        "t": "battle", "kind": "neutral", "attacker": 0, "defender": "neutral", "county": "Bremen", "engaged": {"0": 3},
        "survivors": survivors, "result": "attacker" if survivors else "tie", "tray_after_drop": {"0": 3},
        "tray_after": {"0": 3}, "tower_after": {},
    }  # fmt: skip
    attack = act(0, "combat_a", "Osnabrück", target="Bremen", moved=3)
    return [deal(0, "Osnabrück", 4), deal(1, BESIDE, theirs), begin(), battle, attack]


def two_attacks(second):
    """The second attack of a round is on the first one's county, or not (B5.8)."""
    armies = [deal(0, "Osnabrück", 4), deal(0, "Lüneburg", 4), deal(1, "Bremen", 5), deal(1, "Holstein", 2)]
    first = act(0, "combat_a", "Osnabrück", target="Bremen", moved=3)
    return [*armies, begin(), first, act(0, "combat_b", "Lüneburg", target=second, moved=3)]


def hunger(beyond):
    """Two events are left in fall; the one that is drawn loses the most, and the shortage may be all its doing."""
    first, second, *left = EVENTS
    left.sort(key=LOSSES.get)
    rounds = [line for event in (first, second) for line in (begin(season="spring"), {"t": "event", "event": event})]
    rounds += [begin(), {"t": "event", "event": left[-1]}]
    shortage = LOSSES[left[-1]] - LOSSES[left[0]] + beyond
    winter = {"t": "winter", "seat": 0, "loss": LOSSES[left[-1]], "grain": 0, "shortage": shortage}
    return [{"t": "year", "year": 2, "events": EVENTS}, *rounds, winter]


def deployment(order, year):
    """Five armies are bought in a round with this order of actions (B2.6, B5.6)."""
    return [deal(0, "Bremen", 2), begin(order, year), act(0, "deploy5", "Bremen", paid=3, armies=5)]


CLAIMS = [
    deal(0, "Bremen", 2, source="shown", shown=["Baden", "Bremen", "Tirol"]),
    deal(1, "Altmark", 2, source="deck", shown=["Baden", "Böhmen"]),
]
END = {"t": "end", "vp": [9, 8, 7, 6], "thalers": [6, 5, 0, 12], "winners": [0]}


@pytest.mark.parametrize(
    ("lines", "worth", "move", "found"),
    [
        (palace(1, 5), {}, "palace behind one army", (1, 1)),
        (palace(2, 5), {}, "palace behind one army", (0, 1)),
        (palace(1, 4), {}, "palace behind one army", (0, 1)),
        (conquest(1, 3), {}, ONE_ARMY, (1, 1)),
        (conquest(2, 3), {}, ONE_ARMY, (0, 1)),
        (conquest(1, 2), {}, ONE_ARMY, (0, 1)),
        (conquest(0, 3), {}, ONE_ARMY, None),
        (two_attacks("Bremen"), {}, TWO_ATTACKS, (1, 1)),
        (two_attacks("Holstein"), {}, TWO_ATTACKS, (0, 1)),
        (hunger(0), {}, "hunger foreseen", (0, 1)),  # B2.4 B7.1
        (hunger(1), {}, "hunger foreseen", (1, 1)),
        (deployment(ACTIONS, 2), {}, LATE_ARMIES, (0, 1)),  # the printed order has the attacks last
        (deployment(ORDER, 2), {}, LATE_ARMIES, (0, 1)),
        (deployment([*ACTIONS[8:], *ACTIONS[:8]], 2), {}, LATE_ARMIES, (1, 1)),
        (deployment(ORDER, 1), {}, LATE_ARMIES, None),
        ([END], {}, "Thalers left", (2, 4)),  # B7.6
        (CLAIMS, {"Bremen": 1.5, "Baden": 2.4}, "better county left", (0, 1)),  # B1.4
        (CLAIMS, {"Bremen": 1.5, "Baden": 2.5}, "better county left", (1, 1)),
    ],
)
def test_moves_are_doubtful_only_where_they_may_be_mistakes(lines, worth, move, found):
    doubtful, cases = doubtful_moves(MATCH, lines, worth).tolist()
    counted = {name: (bad, all_) for name, bad, all_ in zip(NAMES, doubtful, cases, strict=True) if all_}
    assert counted == ({} if found is None else {move: found})


@pytest.mark.parametrize("setup", ["lineup", "draft"])
def test_cases_are_what_happens_in_games(setup):
    experiment = FOUR.model_copy(update={"setup": setup})
    arena, parts = experiment.components().arena(3), experiment.components()
    cases, doubtful, lines = Counter(), Counter(), []
    for game in range(experiment.games):
        match = Match(parts.board, parts.ruleset, parts.tower, 3, ("balanced",) * 4, game)
        recorded = list(trace_lines(match, arena.trace(game)))
        bad, all_ = doubtful_moves(match, recorded, {}).tolist()
        cases.update(dict(zip(NAMES, all_, strict=True)))
        doubtful.update(dict(zip(NAMES, bad, strict=True)))
        lines += recorded
    kinds = {kind: [line for line in lines if line["t"] == kind] for kind in ("winter", "action", "battle", "deal")}
    fought = [line for line in kinds["battle"] if line["kind"] in ("player", "neutral")]
    happened = {
        "hunger foreseen": len(kinds["winter"]),
        "palace behind one army": sum(line["done"] and line["action"] == "palace" for line in kinds["action"]),
        ONE_ARMY: sum(line["result"] == "attacker" and line["survivors"] > 0 for line in fought),
        "better county left": sum(line["source"] == "shown" for line in kinds["deal"]),
        "Thalers left": 4 * experiment.games,
    }
    assert {name: cases[name] for name in happened} == happened
    assert happened["hunger foreseen"] == 8 * experiment.games
    assert min(happened["palace behind one army"], happened[ONE_ARMY]) > 0
    estimates = count_doubtful_moves(load_policy("balanced"), experiment, experiment.games)
    for name in ("palace behind one army", "hunger foreseen", "Thalers left"):
        assert estimates[NAMES.index(name)].value == pytest.approx(100 * doubtful[name] / cases[name])
