"""What a text says of a game: its head, the table at season ends, and battles; unknown numbers are None."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from wallsim.rules.board import printed_board
from wallsim.rules.ruleset import LETTERS, Ruleset
from wallsim.rules.setup_edits import counties_in_play
from wallsim.rules.terms import SEASON_NAMES

START, END = "start", SEASON_NAMES[-1]
END_WORD = "end"  # what a text calls winter 2
TIMES = (START, *SEASON_NAMES)  # the sections of a text, in their order
FIRST_WINTER = "winter 1"
PEASANTS_WORD = "peasants"
LETTER_OF = {"palace": "p", "church": "c", "trading_post": "t"}
BUILDING_OF = {letter: kind for kind, letter in LETTER_OF.items()}


def time_word(time: str) -> str:
    """What a text calls a season end: `end` for winter 2."""
    return END_WORD if time == END else time


class Spot(NamedTuple):
    """A place in a text: line and column, both from 1."""

    line: int
    column: int


class Problem(NamedTuple):
    """What is wrong at a place of a text, and what is allowed."""

    source: str
    spot: Spot
    message: str

    def __str__(self) -> str:
        """`file:line:column: message`."""
        return f"{self.source}:{self.spot.line}:{self.spot.column}: {self.message}"


@dataclass(frozen=True)
class Holding:
    """A county of a seat: its armies, None if unknown, its buildings and revolt markers."""

    county: str
    armies: int | None
    buildings: tuple[str, ...]
    markers: int
    spot: Spot


@dataclass
class Row:
    """What a seat has at a season end. `spots` has the place of each number by its letter.

    `unsaid` are the letters of numbers that are 0 here because nobody remembers them.
    """

    seat: int
    spot: Spot
    vp: int | None = None
    grain: int | None = None
    thalers: int | None = None
    hall: int = 0
    taken: int = 0  # statues taken from others
    holdings: list[Holding] = field(default_factory=list)
    leader: str | None = None
    statues: list[str] = field(default_factory=list)
    lineup: str = ""  # in the section `start`: the printed line-up that the counties are from
    unsaid: set[str] = field(default_factory=set)
    spots: dict[str, Spot] = field(default_factory=dict)

    def where(self, letter: str) -> Spot:
        """The place of a number, or that of the line."""
        return self.spots.get(letter, self.spot)


@dataclass
class Section:
    """The table at a season end, as far as it is noted: seats may be missing, and so may counties of a seat.

    Events, tray and tower contents are None if the text does not give them.
    """

    time: str
    spot: Spot
    rows: dict[int, Row] = field(default_factory=dict)
    events: tuple[str, ...] | None = None
    tray: dict[str, int] | None = None
    inside: dict[str, int] | None = None
    spots: dict[str, Spot] = field(default_factory=dict)

    def unknown(self) -> int:
        """How many numbers of the seats are unknown."""
        numbers = [number for row in self.rows.values() for number in (row.vp, row.grain, row.thalers)]
        numbers += [each.armies for row in self.rows.values() for each in row.holdings]
        return numbers.count(None) + sum(len(row.unsaid) for row in self.rows.values())

    def lacks(self, players: int) -> tuple[int, ...]:
        """The seats of whose counties none is noted."""
        return tuple(seat for seat in range(players) if seat not in self.rows or not self.rows[seat].holdings)


@dataclass(frozen=True)
class NotedBattle:
    """A battle of a kind: player, neutral or revolt.

    The attacker is None for peasants who revolt, and where it is not noted; the owner `defender` where it is not noted
    or the county is neutral. `place` is the county, or a region. `attackers` and `defenders` are what each side had;
    those of a neutral county are peasants. `marked`: peasants did not defend the county, because of its revolt markers
    (B6.6). `result` is the attacker's: won, tie or lost. Season, place and result are "" and armies None where they are
    not noted.
    """

    season: str
    kind: str
    attacker: int | None
    defender: int | None
    place: str
    attackers: int | None
    defenders: int | None
    marked: bool
    result: str
    spot: Spot


@dataclass(frozen=True)
class NotedPlan:
    """The plan of a seat: what lies on each box that is named, a county, Thalers of a bid, or UNKNOWN_CARD.

    A box that is not named has no county, and its bid is nothing. `spots` has the place of each box.
    """

    season: str
    seat: int
    cards: Mapping[str, str]
    spot: Spot
    spots: Mapping[str, Spot]


class OwnedCounty(NamedTuple):
    """A county of which people say that somebody owned it at some time; the seat is None if they do not say who."""

    seat: int | None
    county: str


@dataclass
class OpenCards:
    """What lay open while a season was planned: five action cards and the bonus tiles, empty if not all are noted."""

    actions: tuple[str, ...] = ()
    tiles: tuple[str, ...] = ()


@dataclass
class GameText:
    """A whole text, and what is wrong with it; `source` is the name of the file in messages."""

    source: str
    players: int = 0
    title: str = ""
    edition: str = "2e"
    expansions: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    tower: str = ""
    names: dict[int, str] = field(default_factory=dict)
    sections: dict[str, Section] = field(default_factory=dict)
    battles: list[NotedBattle] = field(default_factory=list)
    plans: list[NotedPlan] = field(default_factory=list)
    opened: dict[str, OpenCards] = field(default_factory=dict)  # by season
    led: tuple[int, ...] = ()  # the seats that are said to have had the most points after year one
    won: tuple[int, ...] = ()  # the seats that are said to have won
    owned: list[OwnedCounty] = field(default_factory=list)
    unequal: bool = False  # the players are known to differ in strength
    spots: dict[str, Spot] = field(default_factory=dict)  # of the head's values
    _refused: dict[Problem, None] = field(default_factory=dict, repr=False)
    _doubted: dict[Problem, None] = field(default_factory=dict, repr=False)

    def refuse(self, spot: Spot, message: str) -> None:
        """Note a problem of the text, once."""
        self._refused[Problem(self.source, spot, message)] = None

    def doubt(self, spot: Spot, message: str) -> None:
        """Note, once, what is wrong unless the text leaves something out, which only its author can tell."""
        self._doubted[Problem(self.source, spot, message)] = None

    @property
    def problems(self) -> list[Problem]:
        """What cannot be read or cannot be, in the order of the text."""
        return sorted(self._refused, key=lambda each: each.spot)

    @property
    def doubts(self) -> list[Problem]:
        """What does not fit together, in the order of the text."""
        return sorted(self._doubted, key=lambda each: each.spot)

    def letters(self) -> str:
        """The letters of the seats."""
        return LETTERS[: self.players]

    def ruleset(self) -> Ruleset:
        """The rules that are played, apart from what `changed` names."""
        return Ruleset(players=self.players, edition=self.edition, expansions=self.expansions)  # type: ignore[arg-type]

    def playing(self) -> tuple[str, ...]:
        """The names of the counties in play; none if the number of players is not known."""
        return _playing(self.ruleset()) if self.players else ()

    def name_of(self, seat: int) -> str:
        """The letter of a seat, with the player's name if there is one."""
        name = self.names.get(seat, "")
        return f"{LETTERS[seat]} ({name})" if name else f"{LETTERS[seat]}"


@lru_cache(maxsize=8)
def _playing(ruleset: Ruleset) -> tuple[str, ...]:
    board = printed_board()
    return tuple(board.counties[county] for county in counties_in_play(board, ruleset))
