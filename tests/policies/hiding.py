"""What a seat may not know: changes of the table that it must not notice, and ways to look at them (B3.5, E2)."""

from __future__ import annotations

from tests.policies.asking import answer
from tests.policies.seating import mind_of, plan
from wallsim.policies import decide
from wallsim.rules.terms import BOXES, COLOURS, FAVORS, NO_CARD, SHOWN_ACTIONS, SHOWN_FAVORS, TOWER_CARD
from wallsim.state.random import SEAT, STREAMS, TOWER

NOTES = ("weight", "plan", "worth", "box_worth", "favor_worth", "hand", "value")  # of a mind


def change_cards(game, rng, seat):
    """The others' cards of this round, those on the boxes of the court among them (B2.3, E3)."""
    for other in range(game.card.shape[0]):
        if other != seat:
            game.card[other] = [rng.choice((NO_CARD, rng.randrange(TOWER_CARD + 1))) for _ in range(BOXES)]


def change_hidden_actions(game, rng, seat):
    """The order of the last five action cards (B2.1)."""
    hidden = list(game.action_order[SHOWN_ACTIONS:])
    rng.shuffle(hidden)
    game.action_order[SHOWN_ACTIONS:] = hidden


def change_event_deck(game, rng, seat):
    """The order of the event cards that do not lie open, what was laid beyond those shown, and which one comes."""
    game.event_deck[:] = rng.sample(range(len(game.event_deck)), len(game.event_deck))
    shown = game.shown_events
    game.shown_event[shown:] = [rng.randrange(12) for _ in range(4 - shown)]
    order = list(game.shown_event[:shown])
    rng.shuffle(order)  # the one that is drawn is chance: no place among them tells
    game.shown_event[:shown] = order


def change_favor_deck(game, rng, seat):
    """The order of the favors, but for those that lie open (E2)."""
    game.favor_deck[:] = rng.sample(range(1, len(game.favor_deck) + 1), len(game.favor_deck))


def change_streams(game, rng, seat):
    """All random streams but the seat's own: tower, ties, cards, the others' choices."""
    for stream in range(STREAMS):
        if stream != SEAT + seat:
            game.random[stream] = rng.getrandbits(64)


def change_results(game, rng, seat):
    """Counts for the result tables and remains of the last battle, which are no part of the table."""
    game.tally[:, :] = rng.randrange(100)
    game.engaged[:], game.fallen[:], game.survivors = rng.randrange(9), rng.randrange(9), rng.randrange(9)
    game.agenda[:, :], game.leaders[:, :] = rng.randrange(9), rng.randrange(16)
    game.revolting[:], game.shortage, game.lot[:] = rng.randrange(45), rng.randrange(9), rng.randrange(5)


SECRETS = [change_cards, change_hidden_actions, change_event_deck, change_favor_deck, change_streams, change_results]


def change_favors_to_come(seen, rng, seat):
    """The order of the favors that were not shown yet; those of earlier rounds lay open (E2)."""
    if seen.rules.court:
        first = SHOWN_FAVORS * (3 * int(seen.game.year) + int(seen.game.season) + 1)
        seen.game.favor_deck[first:] = rng.sample(list(seen.game.favor_deck[first:]), FAVORS - first)


def change_floors(seen, rng, seat):
    """Where the cubes inside a layered tower stick: how many of each colour are inside is known."""
    floors = int(seen.rules.floors)
    cubes = [colour for colour in range(COLOURS) for _ in range(int(seen.game.tower[colour]))]
    cells = [floor for floor in range(floors) for _ in range(int(seen.rules.cells[floor]))]
    seen.game.floor[:] = 0
    for colour, floor in zip(cubes, rng.sample(cells, len(cubes)) if floors else [], strict=False):
        seen.game.floor[floor, colour] += 1


def change_minds(seen, rng, seat):
    """Kinds, weights, plans and notes of the others."""
    for other in range(int(seen.rules.players)):
        if other != seat:
            mind = mind_of(seen, other)
            mind.kind = rng.randrange(2)
            for name in NOTES:
                getattr(mind, name)[...] = rng.randrange(9)


def change_name(seen, rng, seat):
    """Seed and number of the game, from which all its luck follows."""
    seen.game.key, seen.game.number = rng.getrandbits(64), rng.randrange(1000)


# One bit of each kind of hidden thing: what a policy that looks at it could act on.
LEAKS = {
    "a card of another": lambda seen, seat: seen.game.card[(seat + 1) % int(seen.rules.players)].sum(),
    "the sixth action card": lambda seen, seat: seen.game.action_order[SHOWN_ACTIONS],
    "the next event card": lambda seen, seat: seen.game.event_deck[int(seen.game.shown_events)],
    "which event comes": lambda seen, seat: seen.game.shown_event[0],
    "a favor of the deck": lambda seen, seat: seen.game.favor_deck[-1],
    "the luck of the tower": lambda seen, seat: int(seen.game.random[TOWER]) >> 7,
    "the luck of another": lambda seen, seat: int(seen.game.random[SEAT + (seat + 1) % int(seen.rules.players)]) >> 7,
    "where cubes stick": lambda seen, seat: seen.game.floor[0].sum(),
    "counts for the results": lambda seen, seat: seen.game.tally[0, 0],
    "the plan of another": lambda seen, seat: mind_of(seen, (seat + 1) % int(seen.rules.players)).plan[0],
    "the weights of another": lambda seen, seat: mind_of(seen, (seat + 1) % int(seen.rules.players)).weight[0],
    "the number of the game": lambda seen, seat: seen.game.number,
    "the seed": lambda seen, seat: int(seen.game.key) >> 7,
}


# ------------------------------------------------------------------------------------------------- a round


def restore(record, clean):
    """Make a record what its copy was."""
    for name in record.dtype.names:
        record[name] = clean[name]


def let_event_hold(game, rules, card):
    """Draw this card out of those shown (B2.4)."""
    shown = [event for event in game.shown_event[: game.shown_events] if event != card]
    game.shown_event[: len(shown)] = shown
    game.shown_events = len(shown)
    game.event, game.effect = card, rules.event_effect[card]


def as_it_is(scene, seat, value):
    """What a policy answers, unchanged."""
    return value


def nothing(question):
    """Conceal nothing before a question."""


def decisions(scene, seat, card, asked, conceal=nothing, through=as_it_is):
    """The plan of a seat and its answers after the event; before each question `conceal` changes what is hidden."""
    stream = scene.game.random[SEAT + seat]
    conceal(decide.choose_plan)
    result = [through(scene, seat, tuple(plan(scene, seat).values()))]
    let_event_hold(scene.game, scene.rules, card)
    for question, *details in asked:
        scene.game.random[SEAT + seat] = stream
        conceal(question)
        result.append(through(scene, seat, answer(scene, seat, question, *details)))
    return result
