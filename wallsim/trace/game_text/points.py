"""The points of a winter by source, counted from the board, and what ties in majorities cost (B7.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

from wallsim.rules.amounts import PRINTED
from wallsim.rules.board import printed_board
from wallsim.rules.terms import BUILDINGS, MAX_PLAYERS
from wallsim.trace.game_text.model import END, FIRST_WINTER, TIMES, GameText, Holding, Row, Section

WINTERS = (FIRST_WINTER, END)
_TIE = PRINTED["majority_tie_deduction"]
_MAJORITY = {kind: PRINTED[f"{kind}_majority_points"] for kind in BUILDINGS}
_COUNTY = PRINTED["county_points"]
_BUILDING = {kind: PRINTED[f"{kind}_points"] for kind in BUILDINGS}


@dataclass(frozen=True)
class Majority:
    """A majority of a region: the kind of building, the seats that lead, and what each of them gets."""

    region: str
    kind: str
    leaders: tuple[int, ...]
    points: int

    @property
    def tie_cost(self) -> int:
        """The points that each leader gets less than one who leads alone."""
        return _MAJORITY[self.kind] - self.points


@dataclass(frozen=True)
class Points:
    """What a seat scores in a winter of the base game: counties, buildings and majorities."""

    counties: int
    buildings: int
    majorities: tuple[Majority, ...] = field(default=())

    @property
    def majority_points(self) -> int:
        """The points of all majorities."""
        return sum(each.points for each in self.majorities)

    @property
    def tie_cost(self) -> int:
        """The points less than if this seat led alone wherever it shares a majority."""
        return sum(each.tie_cost for each in self.majorities)

    @property
    def total(self) -> int:
        """All points of the winter."""
        return self.counties + self.buildings + self.majority_points

    def in_words(self, before: int) -> str:
        """The sum in words: `12 before + 9 of counties + 6 of buildings + 5 of majorities`."""
        parts = [f"{before} before"] if before else []
        sources = (("counties", self.counties), ("buildings", self.buildings), ("majorities", self.majority_points))
        return " + ".join([*parts, *(f"{points} of {name}" for name, points in sources)])


def points_of(game: GameText, section: Section) -> list[Points]:
    """What each seat scores if the board of a section is scored, by the printed amounts (B7.4).

    Statues and trophies (M5) are not in it: leaders move and return after the scoring, before the text is typed.
    """
    owned = {each.county: (row.seat, each) for row in section.rows.values() for each in row.holdings}
    majorities = list(_majorities(owned))
    result = []
    for seat in range(game.players):
        row = section.rows[seat]
        built = [kind for each in row.holdings for kind in each.buildings]
        led = tuple(each for each in majorities if seat in each.leaders)
        result.append(Points(_COUNTY * len(row.holdings), sum(_BUILDING[kind] for kind in built), led))
    return result


def _majorities(owned: Mapping[str, tuple[int, Holding]]) -> Iterator[Majority]:
    """The majorities of a board, by region and kind, from the owner and the holding of each county."""
    board, built = printed_board(), Counter[tuple[str, str, int]]()
    for county, (seat, holding) in owned.items():
        region = board.regions[board.region[board.counties.index(county)]]
        built.update((region, kind, seat) for kind in holding.buildings)
    for region, kind in product(board.regions, BUILDINGS):
        counts = {seat: built[region, kind, seat] for seat in range(MAX_PLAYERS)}
        most = max(counts.values())
        if most:
            leaders = tuple(seat for seat, count in counts.items() if count == most)
            yield Majority(region, kind, leaders, max(0, _MAJORITY[kind] - _TIE * (len(leaders) > 1)))


def year_of(time: str) -> int:
    """The year whose winter was the last to bring points: 0, 1 or 2."""
    return sum(TIMES.index(winter) <= TIMES.index(time) for winter in WINTERS)


class Winter(NamedTuple):
    """A winter: its season end, the points of the seats before it and after it, and what the board brings.

    Points are None where they are not stated and do not follow; `scored` is None unless all seats have counties there.
    """

    time: str
    before: dict[int, int | None]
    stated: dict[int, Row]  # where the points after it are stated first
    scored: list[Points] | None

    def after(self, seat: int) -> int | None:
        """The points of a seat by the points before and the board."""
        before = self.before[seat]
        return None if before is None or self.scored is None else before + self.scored[seat].total


def winters_of(game: GameText) -> list[Winter]:
    """The winters of a game that is played by the printed rules, as far as the text goes."""
    found: list[Winter] = []
    points: dict[int, int | None] = dict.fromkeys(range(game.players), 0)
    for year, time in enumerate(WINTERS, start=1):
        section = game.sections.get(time)
        scored = None if section is None or section.lacks(game.players) else points_of(game, section)
        winter = Winter(time, points, _stated(game, year), scored)
        points = {seat: None if game.expansions else winter.after(seat) for seat in range(game.players)}
        points |= {seat: row.vp for seat, row in winter.stated.items()}
        found.append(winter)
    return found


def _stated(game: GameText, year: int) -> dict[int, Row]:
    """The first row of each seat after a winter in which its points are stated."""
    found: dict[int, Row] = {}
    for time in (each for each in TIMES if each in game.sections and year_of(each) == year):
        for seat, row in game.sections[time].rows.items():
            if row.vp is not None:
                found.setdefault(seat, row)
    return found


def differs(game: GameText, winter: Winter, seat: int) -> bool:
    """Whether the stated points of a seat are not those of the board; with expansions they may be more."""
    row, expected = winter.stated.get(seat), winter.after(seat)
    if row is None or row.vp is None or expected is None:
        return False
    return row.vp < expected if game.expansions else row.vp != expected


def scored_boards(game: GameText) -> dict[str, list[Points]]:
    """The points by source of each winter whose board is noted: all seats have counties, and stated points fit.

    Empty for changed rules. Whether a seat has more counties than those noted, a text does not say.
    """
    whole = [] if game.changed else winters_of(game)
    return {
        each.time: each.scored for each in whole
        if each.scored is not None and not any(differs(game, each, seat) for seat in range(game.players))
    }  # fmt: skip


def points_after(game: GameText, year: int) -> dict[int, int | None]:
    """The points of each seat after a winter, stated or from the board; None where they do not follow (B7.4)."""
    winter = winters_of(game)[year - 1]
    fits = winter.time in scored_boards(game) and not game.expansions
    found = {seat: winter.after(seat) if fits else None for seat in range(game.players)}
    return found | {seat: row.vp for seat, row in winter.stated.items()}


def fill_points(game: GameText) -> None:
    """Write the points that nobody remembers where they are stated elsewhere or follow from the boards (B7.4).

    With changed rules they do not follow; then they stay unknown.
    """
    if game.changed:
        return
    start: dict[int, int | None] = dict.fromkeys(range(game.players), 0)
    known = (start, points_after(game, 1), points_after(game, 2))
    for time, section in game.sections.items():
        for seat, row in section.rows.items():
            if row.vp is None and not (game.expansions and year_of(time)):
                row.vp = known[year_of(time)][seat]
