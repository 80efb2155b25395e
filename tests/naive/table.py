"""A slow, plain picture of the table: names, dictionaries and sets, to be compared with the GAME record."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields

from tests.naive.expansions import expansion_errors, read_expansions, write_expansions
from wallsim.rules.board import Board
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import EFFECTS, NEUTRAL, NO_TILE, TILES
from wallsim.state import tally

PEASANTS = "peasants"
KINDS = ("palace", "church", "trading_post")
ARMIES_IN_THE_BOX = 62  # B0.2
PEASANTS_IN_THE_BOX = 20  # B0.2
ON_THE_MAP = ("owner", "army", "marker")  # of the GAME record, county by county
OUT_WITH_THREE = {
    "Bremen", "Holstein", "Bm. Lüttich", "Burgund", "Bm. Konstanz", "Fm. Bayern", "Steiermark", "Tirol",
}  # B0.1  # fmt: skip


@dataclass
class County:
    """What stands in a county; `owner` is a seat or None for a neutral county."""

    owner: int | None = None
    armies: int = 0
    markers: int = 0
    buildings: set[str] = field(default_factory=set)


@dataclass
class Player:
    """What lies before a player; `lost` are the counties that left its hands since planning."""

    thalers: int = 0
    grain: int = 0
    points: int = 0
    tile: str | None = None
    lost: set[str] = field(default_factory=set)
    counts: Counter = field(default_factory=Counter)
    hall: int = 0  # courtiers in the entrance hall (E1)
    parry: int = 0  # revolt markers that a kept favor will ward off (E6)
    banner: int = 1  # the Landsknechte card on top, 1 the empty banner (L1)
    leader: str | None = None  # the county the leader stands in (M1)
    statues: Counter = field(default_factory=Counter)  # own statues on the board, by county (M3)
    statues_lost: int = 0  # own statues that others took (M3)
    trophies: int = 0  # statues taken from others (M3)


@dataclass
class Table:
    """The whole table. Cubes off the map lie in `supply`, `tray` and `tower`, by seat and PEASANTS."""

    board: Board
    rules: Ruleset
    land: dict[str, County]
    players: dict[int, Player]
    supply: dict
    tray: dict
    tower: dict
    markers_left: int
    event: str = "none"
    year: int = 0
    favors: list[int | None] = field(default_factory=lambda: [None] * 3)  # shown, dearest first; None where taken (E2)
    truce: dict[str, set[int]] = field(default_factory=lambda: {"combat_a": set(), "combat_b": set()})  # E6

    @classmethod
    def empty(cls, board: Board, rules: Ruleset) -> Table:
        """Nobody owns anything yet and all cubes are in the supplies."""
        seats = range(rules.players)
        out = OUT_WITH_THREE if rules.players == 3 else set()
        nothing = {**dict.fromkeys(seats, 0), PEASANTS: 0}
        supply = {**dict.fromkeys(seats, ARMIES_IN_THE_BOX), PEASANTS: PEASANTS_IN_THE_BOX}
        land = {name: County() for name in board.counties if name not in out}
        players = {seat: Player() for seat in seats}
        markers = rules.amount("revolt_markers")
        return cls(board, rules, land, players, supply, dict(nothing), dict(nothing), markers)

    # ------------------------------------------------------------------------------------------- the board

    def amount(self, name: str) -> int:
        """A number of the game by its name (N)."""
        return self.rules.amount(name)

    def number(self, county: str) -> int:
        """The number by which kernels know a county."""
        return self.board.counties.index(county)

    def tax(self, county: str) -> int:
        """Thalers printed on the county."""
        return int(self.board.tax[self.number(county)])

    def food(self, county: str) -> int:
        """Grain printed on the county."""
        return int(self.board.grain[self.number(county)])

    def sites(self, county: str) -> int:
        """Building sites of the county."""
        return int(self.board.sites[self.number(county)])

    def region(self, county: str) -> str:
        """The region of the county."""
        return self.board.regions[self.board.region[self.number(county)]]

    def neighbours(self, county: str) -> set[str]:
        """The counties in play that share a border."""
        mask = int(self.board.neighbours[self.number(county)])
        return {name for name in self.land if mask >> self.number(name) & 1}

    # ------------------------------------------------------------------------------------------- questions

    def counties_of(self, owner: int | None) -> list[str]:
        """The counties of a seat, or the neutral ones for None."""
        return [name for name, county in self.land.items() if county.owner == owner]

    def stock(self, kind: str) -> int:
        """Building tiles of a kind that are left (B0.3)."""
        return self.amount(f"{kind}_tiles") - sum(kind in county.buildings for county in self.land.values())

    def cubes(self, colour) -> int:
        """All cubes of a colour, wherever they lie (B0.2)."""
        on_board = sum(county.armies for county in self.land.values() if county.owner == colour)
        return on_board + self.supply[colour] + self.tray[colour] + self.tower[colour]

    def errors(self) -> list[str]:
        """What cannot be on a table that was played by the rules; empty for a sound one."""
        result = []
        for colour in self.supply:
            whole = PEASANTS_IN_THE_BOX if colour == PEASANTS else ARMIES_IN_THE_BOX
            if self.cubes(colour) != whole:
                result.append(f"B0.2: {colour} has {self.cubes(colour)} cubes")
            for place in ("supply", "tray", "tower"):
                if getattr(self, place)[colour] < 0:
                    result.append(f"{place} of {colour} is negative")
        for kind in KINDS:
            if self.stock(kind) < 0:
                result.append(f"B0.3: more than {self.amount(f'{kind}_tiles')} of {kind}")
        on_board = sum(county.markers for county in self.land.values())
        if on_board + self.markers_left != self.amount("revolt_markers") or self.markers_left < 0:
            result.append(f"B0.4: {on_board} markers on the board, {self.markers_left} beside it")
        for name, county in self.land.items():
            if county.owner is None and (county.armies or county.markers or county.buildings):
                result.append(f"B6.9: neutral {name} is not empty: {county}")
            if county.owner is not None and county.armies < 1:
                result.append(f"B6.11: {name} is held without an army")
            if len(county.buildings) > self.sites(name) or county.markers < 0:
                result.append(f"B5.3: {name} cannot hold {county}")
        for seat, player in self.players.items():
            if player.thalers < 0 or player.grain < 0:
                result.append(f"seat {seat} owes something: {player}")
            if self.rules.food_track == "capped" and player.grain > 18:
                result.append(f"B0.6: seat {seat} has {player.grain} grain")
        return result + expansion_errors(self)

    # ----------------------------------------------------------------------------------------- changes

    def give(self, owner: int, county: str, armies: int, buildings=(), markers: int = 0) -> None:
        """Hand out a county with armies from the supply; the tests' way to lay out a table."""
        self.land[county] = County(owner, armies, markers, set(buildings))
        self.supply[owner] -= armies
        self.markers_left -= markers

    def lay_in_tray(self, cubes: dict) -> None:
        """Move cubes by colour from the supplies into the tray; the tests' way to lay out a table."""
        for colour, number in cubes.items():
            self.supply[colour] -= number
            self.tray[colour] += number

    def drop(self, thrown: dict, fallen: dict) -> None:
        """Throw cubes into the tower, of which `fallen` lie in the tray afterwards (B6.1)."""
        for colour in self.tower:
            inside = self.tower[colour] + thrown.get(colour, 0)
            assert 0 <= fallen[colour] <= inside, f"{fallen[colour]} cubes of {colour} fell, {inside} were there"
            self.tower[colour] = inside - fallen[colour]
            self.tray[colour] = fallen[colour]

    def hand_over(self, county: str, owner: int | None) -> None:
        """A county and its card change hands (B5.1); its old owner's leader leaves the board (M4)."""
        before = self.land[county].owner
        self.land[county].owner = owner
        if before is not None:
            loser = self.players[before]
            loser.lost.add(county)
            if loser.leader == county:
                loser.leader = None
                loser.counts["leader_lost"] += 1

    def raze(self, county: str) -> None:
        """A county becomes neutral and empty; its armies were cleared away before (B6.9)."""
        self.markers_left += self.land[county].markers
        self.hand_over(county, None)
        self.land[county] = County()


# ------------------------------------------------------------------------------- to and from the GAME record


def bits(mask: int, names) -> set[str]:
    """The names whose bits are set."""
    mask = int(mask)
    return {name for position, name in enumerate(names) if mask >> position & 1}


def mask_of(table: Table, counties) -> int:
    """The bit mask of some counties."""
    return sum(1 << table.number(county) for county in counties)


def write_table(table: Table, game) -> None:
    """Lay out a naive table on a GAME record; what the table does not know keeps its value."""
    land = [table.land.get(name, County()) for name in table.board.counties]
    game.owner[:] = [NEUTRAL if county.owner is None else county.owner for county in land]
    game.army[:] = [county.armies for county in land]
    game.marker[:] = [county.markers for county in land]
    game.built[:] = [sum((kind in county.buildings) << place for place, county in enumerate(land)) for kind in KINDS]
    for name in ("supply", "tray", "tower"):
        pile = getattr(table, name)
        getattr(game, name)[:] = [*(pile.get(seat, 0) for seat in range(NEUTRAL)), pile[PEASANTS]]
    for name in ("land", "thalers", "grain", "vp", "lost", "tally"):
        getattr(game, name)[:] = 0
    game.tile[:] = NO_TILE
    game.land[NEUTRAL] = mask_of(table, table.counties_of(None))
    for seat, player in table.players.items():
        game.land[seat], game.lost[seat] = mask_of(table, table.counties_of(seat)), mask_of(table, player.lost)
        game.thalers[seat], game.grain[seat], game.vp[seat] = player.thalers, player.grain, player.points
        game.tile[seat] = NO_TILE if player.tile is None else TILES.index(player.tile)
        game.tally[seat] = [player.counts[name] for name in tally.NAMES]
    game.markers_left = table.markers_left
    game.effect = EFFECTS.index(table.event)
    game.year = table.year
    write_expansions(table, game)


def read_table(game, board: Board, rules: Ruleset) -> Table:
    """The naive table of a GAME record; AssertionError where the record contradicts itself."""
    table = Table.empty(board, rules)
    seats = range(rules.players)
    for name in ("supply", "tray", "tower"):
        pile = getattr(game, name).tolist()
        getattr(table, name).update({**{seat: pile[seat] for seat in seats}, PEASANTS: pile[NEUTRAL]})
        assert not any(pile[rules.players : NEUTRAL]), f"{name}: cubes of seats that do not play"
    built = [bits(mask, board.counties) for mask in game.built]
    for name, owner, armies, markers in zip(board.counties, *(game[name] for name in ON_THE_MAP), strict=True):
        if name not in table.land:
            assert (owner, armies) == (NEUTRAL, 0), f"{name} is out of the game"
            continue
        assert owner == NEUTRAL or owner in seats, f"{name} belongs to {owner}"
        kinds = {kind for kind, counties in zip(KINDS, built, strict=True) if name in counties}
        table.land[name] = County(None if owner == NEUTRAL else int(owner), int(armies), int(markers), kinds)
    assert set().union(*built) <= set(table.land), "built outside of the game"
    for colour, mask in enumerate(game.land):
        owned = set(table.counties_of(None if colour == NEUTRAL else colour))
        assert bits(mask, board.counties) == owned, f"the land mask of {colour} contradicts the owners"
    for seat in seats:
        tile = int(game.tile[seat])
        table.players[seat] = Player(
            int(game.thalers[seat]),
            int(game.grain[seat]),
            int(game.vp[seat]),
            None if tile == NO_TILE else TILES[tile],
            bits(game.lost[seat], board.counties),
            Counter(dict(zip(tally.NAMES, game.tally[seat].tolist(), strict=True))),
        )
    assert not game.thalers[rules.players :].any(), "Thalers of seats that do not play"
    table.markers_left = int(game.markers_left)
    table.event = EFFECTS[game.effect]
    table.year = int(game.year)
    read_expansions(table, game)
    return table


def differences(kernel: Table, naive: Table) -> list[str]:
    """Where two tables differ, one line a difference."""
    result = []
    for name, county in kernel.land.items():
        if county != naive.land[name]:
            result.append(f"{name}: kernel {county}, naive {naive.land[name]}")
    for seat, player in kernel.players.items():
        other = naive.players[seat]
        for name in (part.name for part in fields(player) if part.name != "counts"):
            if getattr(player, name) != getattr(other, name):
                result.append(f"seat {seat} {name}: kernel {getattr(player, name)}, naive {getattr(other, name)}")
        for name in sorted(set(player.counts) | set(other.counts)):
            if player.counts[name] != other.counts[name]:
                result.append(f"seat {seat} {name}: kernel {player.counts[name]}, naive {other.counts[name]}")
    for name in ("supply", "tray", "tower", "markers_left", "event", "year", "favors", "truce"):
        if getattr(kernel, name) != getattr(naive, name):
            result.append(f"{name}: kernel {getattr(kernel, name)}, naive {getattr(naive, name)}")
    return result
