"""Reads the lines of plans: `fall 1 B palace=Tirol, grain=Anh, bid=2`, and what lay open: `fall 1 actions: taxes, ...`.

A card is a county, `pass`, in the auction also 0 to 4 Thalers or `county`, or `?` where nobody remembers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from wallsim.rules.ruleset import LETTERS
from wallsim.rules.terms import ACTIONS, MAX_PLAYERS, MONEY_CARDS, ROUND_NAMES, SHOWN_ACTIONS, TILES
from wallsim.trace.game_text.battles import season_of, with_split_season
from wallsim.trace.game_text.model import GameText, NotedPlan, OpenCards, Spot
from wallsim.trace.game_text.words import UNKNOWN, Word, county_of, not_one_of, pieces, quoted, words_of

BID, PASS, COUNTY = "bid", "pass", "county"
_OPEN = {"actions": (ACTIONS, SHOWN_ACTIONS), "tiles": (TILES, MAX_PLAYERS)}  # what may lie open, and how many do
_FORM = "allowed is such as fall 1 B palace=Tirol, grain=Anh, bid=2, or fall 1 actions: and five cards"


def boxes_of(game: GameText) -> tuple[str, ...]:
    """The boxes that a plan of a game may name; the first edition has no bids (V1)."""
    return ACTIONS if game.edition == "1e" else (*ACTIONS, BID)


def read_plan_line(number: int, line: str, game: GameText) -> None:
    """Add the plan of a line to the game, or the cards that lay open; note what cannot be read."""
    if not game.players:  # a problem already
        return
    words = with_split_season(words_of(number, line))
    season = season_of(words, ROUND_NAMES, game)
    if season is None:
        return
    if len(words) < 3:
        game.refuse(words[0].spot, f"this is not a plan; {_FORM}")
        return
    whose = words[2]
    kind, colon, _ = whose.text.lower().partition(":")
    first = whose.spot.column - 1
    if colon and kind in _OPEN:
        _read_open(kind, season, line, Spot(number, first + len(kind) + 2), game)
        return
    letter = whose.text.upper()
    if letter not in tuple(game.letters()):
        allowed = ", ".join((*game.letters(), *(f"{name}:" for name in _OPEN)))
        game.refuse(whose.spot, f"{quoted(whose.text)} is not a seat: {allowed}; {_FORM}")
        return
    seat = LETTERS.index(letter)
    for other in game.plans:
        if (other.season, other.seat) == (season, seat):
            message = f"the plan of {letter} in {season} is on line {other.spot.line} already; write it once"
            game.refuse(words[0].spot, message)
            return
    cards, spots = _cards(Word(line[first + 1 :], Spot(number, first + 2)), game)
    game.plans.append(NotedPlan(season, seat, cards, words[0].spot, spots))


def _cards(rest: Word, game: GameText) -> tuple[dict[str, str], dict[str, Spot]]:
    """What lies on the boxes that the rest of a line names, and where it says so."""
    cards: dict[str, str] = {}
    spots: dict[str, Spot] = {}
    boxes = boxes_of(game)
    for part in pieces(rest, ","):
        name, equals, card = part.text.partition("=")
        box = name.strip().lower()
        if not equals:
            game.refuse(part.spot, f"{quoted(part.text)} is not BOX=CARD; boxes are {', '.join(boxes)}")
            continue
        if box not in boxes:
            game.refuse(part.spot, not_one_of(box, boxes))
            continue
        if box in spots:
            game.refuse(part.spot, f"{box} is in this plan already; a box has one card (B3.1)")
            continue
        text = card.strip()
        word = Word(text, part.at(len(name) + 1 + len(card) - len(card.lstrip())))
        spots[box] = part.spot
        laid = _card(box, word, game)
        if laid in cards.values() and laid in game.playing():
            game.refuse(word.spot, f"{laid} is on another box already; a card lies on one (B3.1)")
        elif laid is not None:
            cards[box] = laid
    return cards, {box: spots[box] for box in cards}


def _card(box: str, word: Word, game: GameText) -> str | None:
    """What a word lays on a box; None for a pass, and for a word that cannot be read."""
    text = word.text.lower()
    if text == PASS:
        return None
    if not text:
        return UNKNOWN
    bids = (*map(str, range(MONEY_CARDS)), COUNTY)
    if text == UNKNOWN or (box == BID and text in bids):
        return text
    if re.fullmatch(r"[0-9]+", text):
        allowed = f"a bid is 0 to {MONEY_CARDS - 1}" if box == BID else f"allowed are a county, {PASS} and {UNKNOWN}"
        game.refuse(word.spot, f"{quoted(word.text)} cannot lie on {box}; {allowed}")
        return None
    return county_of(word.text, word.spot, game)


def _read_open(kind: str, season: str, line: str, spot: Spot, game: GameText) -> None:
    """Note the open actions or bonus tiles of a season, in their order."""
    known, count = _OPEN[kind]
    opened = game.opened.setdefault(season, OpenCards())
    if getattr(opened, kind):
        game.refuse(spot, f"{kind} of {season}: are there already; write them once")
        return
    names: list[str] = []
    unknown = 0
    for part in pieces(Word(line[spot.column - 1 :], spot), ","):
        name = part.text.strip().lower()
        if name == UNKNOWN:
            unknown += 1
        elif name not in known:
            game.refuse(part.spot, not_one_of(name, known))
        elif name in names:
            game.refuse(part.spot, f"{name} is there already; the {kind} are all different")
        else:
            names.append(name)
    if len(names) + unknown > count:
        game.refuse(spot, f"{kind} of {season}: {len(names) + unknown} are named; {count} lie open")
    if len(names) == count:  # in their order, which is not known of fewer
        setattr(opened, kind, tuple(names))


def open_boxes(game: GameText, plan: NotedPlan, own: Sequence[str]) -> int:
    """How many boxes of a plan must have a card that is not noted: none stays empty while there are cards (B3.2)."""
    boxes = boxes_of(game)
    laid = plan.cards.values()
    money = MONEY_CARDS - sum(card.isdigit() for card in laid)
    empty = len(boxes) - len(plan.cards)
    return max(0, min(empty - money, len(own) - sum(not card.isdigit() and card != UNKNOWN for card in laid)))
