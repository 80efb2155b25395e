"""The points of a winter by source, counted from the board, and what ties in majorities cost (B7.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from wallsim.rules.amounts import PRINTED
from wallsim.rules.printed_board import printed_board
from wallsim.rules.terms import BUILDINGS
from wallsim.trace.game_text.model import END, REQUIRED, TIMES, GameText, Section

WINTERS = (REQUIRED[1], END)
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
        """The sum in words: `12 before + 9 counties + 6 buildings + 5 majorities`."""
        parts = [f"{before} before"] if before else []
        return " + ".join(
            [*parts, f"{self.counties} counties", f"{self.buildings} buildings", f"{self.majority_points} majorities"]
        )


def majorities_of(holdings: Mapping[str, tuple[int, tuple[str, ...]]]) -> list[Majority]:
    """The majorities of a board, by region and kind, from the owner and the buildings of each county."""
    board = printed_board()
    counts: dict[tuple[str, str], dict[int, int]] = {}
    for county, (owner, buildings) in holdings.items():
        region = board.regions[board.region[board.counties.index(county)]]
        for kind in buildings:
            of_seat = counts.setdefault((region, kind), {})
            of_seat[owner] = of_seat.get(owner, 0) + 1
    found = []
    for region in board.regions:
        for kind in BUILDINGS:
            of_seat = counts.get((region, kind), {})
            if of_seat:
                most = max(of_seat.values())
                leaders = tuple(sorted(seat for seat, count in of_seat.items() if count == most))
                points = max(0, _MAJORITY[kind] - (_TIE if len(leaders) > 1 else 0))
                found.append(Majority(region, kind, leaders, points))
    return found


def points_of(game: GameText, section: Section) -> list[Points]:
    """What each seat scores if the board of a section is scored, by the printed amounts (B7.4).

    Statues and trophies (M5) are not in it: leaders move and return after the scoring, before the text is typed.
    """
    owned = {each.county: (row.seat, each.buildings) for row in section.rows.values() for each in row.holdings}
    majorities = majorities_of(owned)
    result = []
    for seat in range(game.players):
        row = section.rows[seat]
        built = [kind for each in row.holdings for kind in each.buildings]
        led = tuple(each for each in majorities if seat in each.leaders)
        result.append(Points(_COUNTY * len(row.holdings), sum(_BUILDING[kind] for kind in built), led))
    return result


def fill_points(game: GameText) -> None:
    """Write the points that nobody remembers, where they follow from the boards of the winters (B7.4).

    With expansions or changed rules they do not follow; then they stay unknown.
    """
    if game.expansions or game.changed:
        return
    for row in (row for section in game.sections.values() for row in section.rows.values() if row.vp is None):
        time = next(time for time, section in game.sections.items() if section.rows.get(row.seat) is row)
        scored = [winter for winter in WINTERS if TIMES.index(winter) <= TIMES.index(time)]
        row.vp = sum(points_of(game, game.sections[winter])[row.seat].total for winter in scored)
