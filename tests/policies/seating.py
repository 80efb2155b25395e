"""A scene in which policies plan and answer: who sits there, what a round lays out, and cards by their names."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st

from tests.naive.making import BOARD, USUAL, big_box_tables, packed, tables
from tests.naive.scene import Scene
from tests.naive.table import Table, write_table
from wallsim.engine.arena import Arena
from wallsim.mechanics.combat import legal_targets
from wallsim.mechanics.court import show_favors
from wallsim.policies import decide
from wallsim.policies.catalogue import Policy, load_policy, pack_players
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import (
    ACTION_CARDS,
    ACTIONS,
    COMBAT_A,
    EFFECTS,
    EVENT_CARDS,
    FAVORS,
    MONEY,
    NO_CARD,
    NO_TILE,
    TILES,
    TOWER_CARD,
)
from wallsim.rules.tower import TowerModel

BOX_NAMES = (*ACTIONS, "auction")
COURT_BOX_NAMES = ("court_3", "court_2", "court_1")
dice_of = st.integers(0, 2**32).map(random.Random)
every_table = st.one_of(tables(), big_box_tables())
VARIANTS = [(players, setup) for players in (3, 4, 5) for setup in ("lineup", "draft")]
# One of every size, set-up and expansion, of both editions, and all at once.
BIG_BOX = [
    Ruleset(players=3, setup="draft", edition="1e", expansions=("court", "landsknechte", "leaders")),
    Ruleset(players=3, setup="lineup", expansions=("landsknechte",)),
    Ruleset(players=4, setup="lineup", expansions=("court", "landsknechte", "leaders")),
    Ruleset(players=4, setup="draft", expansions=("court",)),
    Ruleset(players=5, setup="lineup", edition="1e"),
    Ruleset(players=5, setup="draft", expansions=("leaders",)),
]


def weighted(name: str = "balanced", **weights: float) -> Policy:
    """A policy of the catalogue with some weights of its own."""
    policy = load_policy(name)
    policy.weights.update(weights)
    return policy


def sit(scene: Scene, *policies: Policy) -> Scene:
    """Seat policies; a single one plays every seat."""
    everyone = policies if len(policies) > 1 else [*policies] * scene.table.rules.players
    scene.players = pack_players(list(everyone)).copy()[0]
    return scene


def realm(*counties: str, armies: int = 2, weights: dict[str, float] | None = None, **rules) -> Scene:
    """Seat 0 with some counties and nobody else on the board; `balanced` with these weights plays every seat."""
    scene = sit(Scene.start(tower=USUAL, **rules), weighted(**(weights or {})))
    for name in counties:
        scene.table.give(0, name, armies)
    return scene


def odd_policy(rng: random.Random) -> Policy:
    """A `balanced` whose weights lie anywhere within their bounds, often on a bound."""
    drawn = {w.name: rng.choice((w.low, w.high, rng.uniform(w.low, w.high))) for w in WEIGHTS}
    return weighted(**drawn)


def begin_round(
    scene: Scene, season: int = 0, actions=ACTIONS, tiles=TILES, events=("none",) * 4, rng: random.Random | None = None
) -> Scene:
    """Lay the table out for planning: action cards and tiles by name, events by effect; with `rng` all at random.

    `events` are card numbers or effects, of which the first card serves; "none" stands for an event that never
    touches what is tested (the guards of palaces). With the court the round's favors lie open; without `rng` the
    deck is in order. The first edition has no tiles.
    """
    write_table(scene.table, scene.game)
    game = scene.game
    game.season, game.event, game.effect = season, -1, 0
    orders = [list(map(ACTIONS.index, actions)), list(map(TILES.index, tiles)), list(map(_event_card, events))]
    if rng is not None:
        orders = [rng.sample(range(size), size) for size in (ACTION_CARDS, len(TILES), EVENT_CARDS)]
    game.action_order[:], game.tile_on_box[:] = orders[0], orders[1]
    deck = orders[2] if rng is not None else range(EVENT_CARDS)
    game.event_deck[:] = list(deck)
    game.shown_event[:] = orders[2][:4]
    game.shown_events = 4 - season
    if scene.rules.first_edition:
        game.tile_on_box[:] = NO_TILE
    if scene.rules.court:
        deck = range(1, FAVORS + 1)
        game.favor_deck[:] = list(deck) if rng is None else rng.sample(deck, FAVORS)
        show_favors(game, scene.rules)
        game.truce[:] = 0
        scene.table.favors = [int(favor) or None for favor in game.shown_favor]
        scene.table.truce = {action: set() for action in scene.table.truce}
    return scene


def random_round(table: Table, rng: random.Random, *policies: Policy, tower: TowerModel = USUAL) -> Scene:
    """Any table at the beginning of any round."""
    scene = sit(Scene(table, tower, rng.randrange(1000)), *policies)
    return begin_round(scene, rng.randrange(3), rng=rng)


def draw(scene: Scene, effect: str) -> None:
    """Let an event hold; the cards still shown stay as they are."""
    scene.game.event, scene.game.effect = _event_card(effect), EFFECTS.index(effect)
    scene.table.event = effect


def mind_of(scene: Scene, seat: int):
    """The MIND of a seat."""
    return scene.players.seat[seat]


def label(rules: Ruleset) -> str:
    """A ruleset in a few words, for the names of tests."""
    words = [f"{rules.players} players", rules.setup]
    return ", ".join([*words, *[rules.edition] * (rules.edition == "1e"), *rules.expansions])


def box_names(rules: Ruleset) -> tuple[str, ...]:
    """The boxes of a mat: eleven, with the court three more (E3); the first edition leaves the auction's empty (V1)."""
    return BOX_NAMES + COURT_BOX_NAMES if "court" in rules.expansions else BOX_NAMES


def plan(scene: Scene, seat: int) -> dict:
    """Let a seat plan: by box a card as `card_name` writes it."""
    mind, names = mind_of(scene, seat), box_names(scene.table.rules)
    decide.choose_plan(scene.game, scene.rules, mind, seat)
    return dict(zip(names, map(card_name, mind.plan[: len(names)]), strict=True))


def ready(scene: Scene) -> Scene:
    """Let seat 0 plan, and an event hold that touches nothing of what is tested."""
    plan(scene, 0)
    draw(scene, "palace_guard")
    return scene


def ask(scene: Scene, question, seat: int, *details):
    """What a kernel of `decide` returns, or what it leaves in the mind: (target's name or None, armies).

    An attack is asked for as the engine does it: with its legal targets, by combat A where none are given, and not at
    all where there are none or a second army is missing.
    """
    mind = mind_of(scene, seat)
    if question is decide.choose_attack and len(details) == 1:
        targets = legal_targets(scene.game, scene.rules, seat, *details, COMBAT_A)
        if scene.game.army[details[0]] < 2 or targets == 0:
            return None, 0
        details = (*details, targets)
    if question in (decide.choose_move, decide.choose_attack, decide.choose_recruits_move):
        mind.target, mind.armies = -1, 0  # as the engine asks
        question(scene.game, scene.rules, mind, seat, *details)
        return (BOARD.counties[mind.target] if mind.armies else None), int(mind.armies)
    return question(scene.game, scene.rules, mind, seat, *details)


def card_name(card: int):
    """A county's name, Thalers as an int, "tower" for a dice-tower card, or None for no card."""
    if card == NO_CARD:
        return None
    if card == TOWER_CARD:
        return "tower"
    return BOARD.counties[card] if card < MONEY else int(card - MONEY)


def boxes_to_cover(rules: Ruleset, counties: int) -> int:
    """How many boxes a seat with so many counties must cover (B3.2, E3, V1)."""
    boxes = 10 if rules.edition == "1e" else 11
    cards = counties + 5
    return min(boxes + 3, cards + 3) if "court" in rules.expansions else min(boxes, cards)


def plan_errors(table: Table, seat: int, cards: dict) -> list[str]:
    """Why a plan is not legal (B3.1, B3.2, B3.4, E3, V1); empty for a legal one."""
    own, used = set(table.counties_of(seat)), [card for card in cards.values() if card is not None]
    errors = [] if tuple(cards) == box_names(table.rules) else ["these are not the boxes of the mat"]
    towers = used.count("tower")
    if len(used) != boxes_to_cover(table.rules, len(own)):
        errors.append(f"B3.2: {len(used)} boxes covered with {len(own)} counties")
    if towers > (3 if "court" in table.rules.expansions else 0):
        errors.append(f"E1: {towers} dice-tower cards")
    if len(set(used)) < len(used) - max(0, towers - 1):
        errors.append(f"B3.1: a card lies twice: {used}")
    if not {card for card in used if isinstance(card, str) and card != "tower"} <= own:
        errors.append(f"B3.1: cards of others: {used}")
    if not {card for card in used if isinstance(card, int)} <= set(range(5)):
        errors.append(f"B0.5: no such money card: {used}")
    bid, held = cards["auction"], table.players[seat].thalers
    if table.rules.money_bid == "held" and isinstance(bid, int) and bid > held:
        errors.append(f"B3.4: {bid} bid with {held} Thalers")
    if table.rules.edition == "1e" and bid is not None:
        errors.append(f"V1: {bid} bid where there is no auction")
    if table.rules.few_cards == "actions_first" and len(own) <= 5 and bid is not None:
        errors.append(f"B3.2 [A14]: {bid} bid with {len(own)} counties")
    return errors


def arena_of(players: int, setup: str, *policies: Policy, seed: int = 17, **switches) -> Arena:
    """An arena with the default tower; a single policy plays every seat."""
    return arena_under(Ruleset(players=players, setup=setup, **switches), *policies, seed=seed)


def arena_under(rules: Ruleset, *policies: Policy, seed: int = 17, tower: TowerModel = USUAL, **more) -> Arena:
    """As `arena_of`, for a ruleset; `more` are arguments of `Arena`."""
    seated = list(policies) if len(policies) > 1 else [*policies] * rules.players
    return Arena(np.atleast_1d(np.asarray(packed(rules, tower))), pack_players(seated), seed, **more)


def is_sorted(values) -> bool:
    """Whether no value is less than the one before."""
    return all(a <= b for a, b in pairwise(values))


def _event_card(event) -> int:
    if isinstance(event, int):
        return event
    name = "palace_guard" if event == "none" else event
    return [EFFECTS[effect] for effect in BOARD.event_effect].index(name)
