"""Interventions: what an experiment changes during a game, read from its lines and checked.

One line is a table with `do` and what that needs; `parse_interventions` returns the steps, or every error with what is
allowed. `wallsim.rules.script` packs the steps for the engine, which alone is given them.

Interventions that cannot all be done ask for the same event cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wallsim.errors import short
from wallsim.rules.intervention_step import (
    ABSENT,
    BY_TURN,
    CANCELLED,
    EVERY_ROUND,
    GIFTS,
    LAST,
    NONE,
    OF_SEAT,
    PASS,
    START,
    TURN,
    WINTERS,
    Step,
    overlap,
    parse_rounds,
    words_of,
    years_of,
)
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import ACTIONS, EVENT_CARDS, EVENTS_PER_YEAR, TILES, YEARS

_UNSEEN = EVENT_CARDS - YEARS * EVENTS_PER_YEAR  # cards that no year shows


def conflicts_of(steps: Sequence[Step]) -> Iterator[tuple[int, str]]:
    """The place of each step that cannot be done beside an earlier one, and why, with the remedy."""
    forced: list[Step] = []
    absent: list[Step] = []
    for place, step in enumerate(steps):
        if step.do != "event" or step.to == CANCELLED or step.rounds == 0:
            continue
        if step.to == ABSENT:
            yield from ((place, text) for text in _absent_errors(step, forced, absent))
            absent.append(step)
        else:
            yield from ((place, text) for text in _forced_errors(step, forced, absent))
            forced.append(step)


def _forced_errors(step: Step, forced: Sequence[Step], absent: Sequence[Step]) -> Iterator[str]:
    when = " or ".join(words_of(step.rounds))
    for other in forced:
        if other.to == step.to:
            yield f"forces {step.to} a second time; a card comes once; remove one of the two"
        elif overlap(step.rounds, other.rounds):
            yield f"forces {step.to} in {when}, where {other.to} may come; a round has one event: choose another round"
    for other in absent:
        if other.card == step.to and years_of(other.rounds) & years_of(step.rounds):
            yield f"forces {step.to} in a year in which it is absent; remove one of the two"


def _absent_errors(step: Step, forced: Sequence[Step], absent: Sequence[Step]) -> Iterator[str]:
    for other in forced:
        if other.to == step.card and years_of(other.rounds) & years_of(step.rounds):
            yield f"makes {step.card} absent in a year in which it is forced; remove one of the two"
    if len({other.card for other in (*absent, step)}) > _UNSEEN:
        yield f"is the card number {_UNSEEN + 1} to be absent; the deck has {_UNSEEN} cards that no year shows"


KINDS = ("event", "tile", "place", "hand", "trade", "plan")
MAX_STEPS = 64
_MOST = 1000  # of anything that a hand gains or loses
_WHOLE_POINTS = "; points are whole: round half points"
_KEYS = {
    "event": ("to", "card", "round"),
    "tile": ("to", "seat", "round"),
    "place": ("to", "seat", "round"),
    "hand": (*GIFTS, "county", "seat", "round"),
    "trade": ("counties", "round"),
    "plan": ("box", "card", "seat", "round"),
}

Problem = tuple[str, Any, str]  # key below the line, the value or None if the text contains it, and what is wrong


@dataclass(frozen=True)
class Table:
    """What an intervention may name: the table's seats and line-ups, and the counties and events of its board."""

    players: int
    letters: tuple[str, ...]  # the line-up of each seat, empty strings in a draft
    first_edition: bool
    counties: tuple[str, ...]  # all of the board, in the order of their numbers
    in_play: frozenset[str]
    dealt: frozenset[str] | None  # the counties of the line-ups, None in a draft
    events: tuple[str, ...]


def parse_interventions(lines: Sequence[Mapping[str, Any]], table: Table) -> tuple[list[Step], list[Problem]]:
    """The steps of an experiment's `interventions`, and all errors: unknown words, and steps that conflict.

    The keys of errors are `NUMBER.KEY`, the number of the line from 1.
    """
    if len(lines) > MAX_STEPS:
        return [], [("", None, f"{len(lines):,} interventions; allowed are up to {MAX_STEPS}")]
    steps: list[Step] = []
    errors: list[Problem] = []
    for number, line in enumerate(lines, 1):
        wrong: list[Problem] = []
        step = _Reader(line, table, wrong).step()
        errors += [(f"{number}.{key}" if key else str(number), value, text) for key, value, text in wrong]
        if step is not None and not wrong:
            steps.append(step)
    if not errors:
        errors = [(str(number + 1), None, text) for number, text in conflicts_of(steps)]
    return steps, errors


class _Reader:
    """Reads one line, and collects what is wrong with it."""

    def __init__(self, line: Mapping[str, Any], table: Table, errors: list[Problem]) -> None:
        self._line, self._table, self._errors = line, table, errors

    def step(self) -> Step | None:
        do = self._line.get("do")
        if do not in KINDS:
            self._refuse("do", do, f"is not one of {', '.join(KINDS)}{did_you_mean(do, KINDS)}")
            return None
        known = ("do", *_KEYS[do])
        for key in self._line:
            if key not in known:
                near = did_you_mean(key, known)
                self._refuse(
                    "", None, f"{short(key)}: unknown key; allowed with do = {do} are {', '.join(known)}{near}"
                )
        return {
            "event": self._event,
            "tile": self._tile,
            "place": self._place,
            "hand": self._hand,
            "trade": self._trade,
            "plan": self._plan,
        }[do]()

    def _refuse(self, key: str, value: Any, text: str) -> None:
        self._errors.append((key, value, text))

    def _choice(self, key: str, value: Any, known: Iterable[str]) -> str | None:
        known = tuple(known)
        if value in known and isinstance(value, str):
            return value
        self._refuse(key, value, f"is not one of {', '.join(known)}{did_you_mean(value, known)}")
        return None

    def _rounds(self, allowed: int, default: str | None = None, *, years: bool = False) -> int:
        value = self._line.get("round", default)
        rounds, text = parse_rounds(value, allowed, years=years)
        if text:
            self._refuse("round", value, text)
        return rounds

    def _seat(self) -> int | str | None:
        seat, table = self._line.get("seat"), self._table
        letters = tuple(letter for letter in table.letters if letter)
        if seat == BY_TURN or (isinstance(seat, str) and seat in letters):
            return seat
        if isinstance(seat, int) and not isinstance(seat, bool) and 0 <= seat < table.players:
            return seat
        by_letter = f", a letter of {', '.join(LETTERS[: table.players])}" if letters else ""
        self._refuse("seat", seat, f"is not a seat from 0 to {table.players - 1}{by_letter}, or {BY_TURN}")
        return None

    def _event(self) -> Step:
        events, to = self._table.events, self._line.get("to")
        if to == ABSENT:
            card = self._choice("card", self._line.get("card"), events)
            return Step("event", self._rounds(EVERY_ROUND | TURN, years=True), to=ABSENT, card=card)
        if "card" in self._line:
            self._refuse("card", self._line["card"], f"goes with to = {ABSENT} only")
        if to == CANCELLED:
            return Step("event", self._rounds(EVERY_ROUND | TURN), to=CANCELLED)
        self._choice("to", to, (*events, CANCELLED, ABSENT))
        rounds = self._rounds(EVERY_ROUND | WINTERS | TURN)
        if bin(rounds).count("1") > 1:
            self._refuse("round", self._line["round"], "are several; a card comes once: allowed is one round")
        return Step("event", rounds, to=to)

    def _tile(self) -> Step:
        to, players = self._line.get("to"), self._table.players
        if self._table.first_edition:
            self._refuse("do", "tile", 'is not in the first edition, which has no bonus tiles; choose edition = "2e"')
        other = _seat_in(to)
        if other is None:
            self._choice("to", to, (*TILES, NONE, f"{OF_SEAT}0 to {players - 1}"))
        elif other >= players:
            self._refuse("to", to, f"is no seat of this table; allowed are seats 0 to {players - 1}")
        return Step("tile", self._rounds(EVERY_ROUND | TURN), seat=self._seat(), to=to if other is None else other)

    def _place(self) -> Step:
        to, players = self._line.get("to"), self._table.players
        if to != LAST and (not isinstance(to, int) or isinstance(to, bool) or not 1 <= to <= players):
            self._refuse("to", to, f"is not a place from 1 to {players}, or {LAST}: {players} players have no others")
        return Step("place", self._rounds(EVERY_ROUND | TURN), seat=self._seat(), to=players if to == LAST else to)

    def _hand(self) -> Step:
        gifts = []
        for name in GIFTS:
            gift = self._line.get(name, 0)
            if not isinstance(gift, int) or isinstance(gift, bool) or abs(gift) > _MOST:
                halves = "" if name != "vp" or isinstance(gift, int) else _WHOLE_POINTS
                self._refuse(name, gift, f"is not a whole number from {-_MOST} to {_MOST}{halves}")
                gift = 0
            gifts.append(gift)
        counties: tuple[str, ...] = ()
        if "county" in self._line:
            county = self._county("county", self._line["county"])
            counties = (county,) if county else ()
        thalers, grain, vp, armies = gifts
        rounds = self._rounds(START | EVERY_ROUND | WINTERS | TURN)
        return Step("hand", rounds, seat=self._seat(), gifts=(thalers, grain, vp, armies), counties=counties)

    def _trade(self) -> Step:
        pair = self._line.get("counties")
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            self._refuse("counties", pair, "is not a list of two counties")
            return Step("trade", 0)
        named = [self._county("counties", county) for county in pair]
        dealt = self._table.dealt
        for county in named:
            if county is not None and dealt is not None and county not in dealt:
                self._refuse("counties", county, "is in none of the line-ups; both counties must be owned")
        return Step("trade", self._rounds(START, "start"), counties=tuple(name for name in named if name))

    def _plan(self) -> Step:
        box = self._choice("box", self._line.get("box"), ACTIONS)
        card = self._line.get("card")
        county = None if card == PASS else self._county("card", card, f", or {PASS}")
        rounds = self._rounds(EVERY_ROUND | TURN)
        return Step("plan", rounds, seat=self._seat(), to=box, counties=(county,) if county else ())

    def _county(self, key: str, name: Any, more: str = "") -> str | None:
        if name in self._table.counties and name not in self._table.in_play:
            self._refuse(key, name, f"is out of play with {self._table.players} players")
            return None
        if not isinstance(name, str) or name not in self._table.counties:
            near = did_you_mean(name, self._table.counties)
            self._refuse(key, name, f"is not a county of the board{more}{near}; data/board/counties.csv lists them")
            return None
        return name


def _seat_in(to: Any) -> int | None:
    number = to.removeprefix(OF_SEAT) if isinstance(to, str) and to.startswith(OF_SEAT) else ""
    return int(number) if number.isascii() and number.isdigit() and len(number) < 4 else None
