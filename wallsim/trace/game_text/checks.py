"""What cannot be in a game: too many armies, full counties, counties owned twice, points that do not add up."""

from __future__ import annotations

from collections import Counter

from wallsim.rules.amounts import PRINTED
from wallsim.rules.board import printed_board
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.terms import (
    ARMIES_PER_PLAYER,
    ARMY_GROUPS,
    COURTIERS,
    EVENTS_PER_YEAR,
    MAX_PLAYERS,
    PEASANT_ARMIES,
    SEASONS,
    STATUES,
    WINTER,
)
from wallsim.trace.game_text.model import (
    BUILDING_OF,
    END,
    FIRST_WINTER,
    LETTER_OF,
    PEASANTS_WORD,
    START,
    TIMES,
    GameText,
    Holding,
    Row,
    Section,
    time_word,
)
from wallsim.trace.game_text.plans import open_boxes
from wallsim.trace.game_text.points import differs, winters_of, year_of
from wallsim.trace.game_text.words import UNKNOWN

_FOOD_TRACK = PRINTED["food_track_end"]
_FILL = PRINTED["first_fill_armies"]
_MARKERS = PRINTED["revolt_markers"]
_TILES = {kind: PRINTED[f"{kind}_tiles"] for kind in LETTER_OF}
_MOST_POINTS = _MOST_THALERS = 1000  # more never come together


def check_game(game: GameText) -> None:
    """Note everything in a game that cannot be."""
    if not game.players:
        return
    for section in game.sections.values():
        check_section(game, section)
    _check_stated_points(game)
    _doubt_points(game)
    _check_said(game)
    _check_battles(game)
    _check_plans(game)


def check_section(game: GameText, section: Section) -> None:
    """Note everything at one season end that cannot be, whatever it leaves out."""
    _check_owners(game, section)
    for row in section.rows.values():
        for check in (_check_numbers, _check_counties, _check_armies, _check_expansions):
            check(game, section, row)
    _check_table(game, section)
    if section.time == START:
        for row in section.rows.values():
            _check_start(game, row)


def owners_of(section: Section) -> dict[str, int]:
    """The seat that owns each county of a section; the first one where several do."""
    owner: dict[str, int] = {}
    for row in section.rows.values():
        for each in row.holdings:
            owner.setdefault(each.county, row.seat)
    return owner


def _check_owners(game: GameText, section: Section) -> None:
    found: dict[str, tuple[Row, Holding]] = {}
    for row in section.rows.values():
        for each in row.holdings:
            other, first = found.setdefault(each.county, (row, each))
            if first is not each:
                message = f"{each.county} is owned by {LETTERS[other.seat]} on line {other.spot.line} already"
                game.refuse(each.spot, f"{message}; a county has one owner")


def _check_numbers(game: GameText, section: Section, row: Row) -> None:
    letter = LETTERS[row.seat]
    if row.grain is not None and row.grain > _FOOD_TRACK and not game.changed:
        game.refuse(row.where("g"), f"{letter} has {row.grain} grain; the food track ends at {_FOOD_TRACK} (B0.6)")
    if row.grain and section.time in (START, FIRST_WINTER) and not game.changed:
        when = "at the start (B1.7)" if section.time == START else "after the first winter (B7.5)"
        game.refuse(row.where("g"), f"{letter} has {row.grain} grain; {when} everybody has 0")
    if row.thalers is not None and row.thalers > _MOST_THALERS:
        game.refuse(row.where("t"), f"{letter} has {row.thalers} Thalers; at most {_MOST_THALERS} are allowed")
    if row.vp is not None and row.vp > _MOST_POINTS:
        game.refuse(row.where("v"), f"{letter} has {row.vp} victory points; at most {_MOST_POINTS} are allowed")


def _check_counties(game: GameText, section: Section, row: Row) -> None:
    board = printed_board()
    for each in row.holdings:
        sites = int(board.sites[board.counties.index(each.county)])
        if len(each.buildings) > sites:
            message = f"{each.county} has {len(each.buildings)} buildings; it has {_counted(sites, 'site')} (B5.3)"
            game.refuse(each.spot, message)
        if each.markers and section.time in (START, FIRST_WINTER) and not game.changed:
            when = "at the start" if section.time == START else "after the first winter (B7.5)"
            game.refuse(each.spot, f"{each.county} has revolt markers; {when} there are none")
        if each.armies == 0:
            game.refuse(each.spot, f"{each.county} has no army; a county without armies is neutral (B6.11)")


def _check_armies(game: GameText, section: Section, row: Row) -> None:
    board_armies = sum(1 if each.armies is None else each.armies for each in row.holdings)
    piles = [(section.tray or {}).get(LETTERS[row.seat], 0), (section.inside or {}).get(LETTERS[row.seat], 0)]
    used = board_armies + sum(piles)
    if section.time == START and used > ARMIES_PER_PLAYER - _FILL and not game.changed:
        most = f"at most {ARMIES_PER_PLAYER - _FILL}, for {_FILL} of {ARMIES_PER_PLAYER} go into the tower (B1.6)"
        game.refuse(row.spot, f"{LETTERS[row.seat]} has {used} armies at the start; allowed are {most}")
    elif used > ARMIES_PER_PLAYER:
        where = " with tray and tower" if any(piles) else ""
        message = f"{LETTERS[row.seat]} has {used} armies{where}; the box has {ARMIES_PER_PLAYER} of a colour (B0.2)"
        game.refuse(row.spot, message)


def _check_expansions(game: GameText, section: Section, row: Row) -> None:
    letter = LETTERS[row.seat]
    if row.hall > COURTIERS:
        game.refuse(row.where("h"), f"{letter} has {row.hall} courtiers in the hall; at most {COURTIERS} (E1)")
    if row.taken > STATUES * (MAX_PLAYERS - 1):
        most = STATUES * (MAX_PLAYERS - 1)
        game.refuse(row.where("s"), f"{letter} has taken {row.taken} statues; at most {most} (M1)")
    if len(row.statues) > STATUES:
        game.refuse(row.spot, f"{letter} has {len(row.statues)} statues on the board; at most {STATUES} (M1)")
    owner = None if row.leader is None else owners_of(section).get(row.leader)
    if owner is not None and owner != row.seat:
        game.refuse(row.spot, f"the leader of {letter} is in {row.leader}, which {LETTERS[owner]} owns (M3)")


def _check_table(game: GameText, section: Section) -> None:
    for kind, tiles in _TILES.items():
        built = sum(kind in each.buildings for row in section.rows.values() for each in row.holdings)
        if built > tiles and not game.changed:
            name = kind.replace("_", " ")
            message = f"{time_word(section.time)} has {_counted(built, name)}; the box has {tiles} (B0.3)"
            game.refuse(section.spot, message)
    markers = sum(each.markers for row in section.rows.values() for each in row.holdings)
    if markers > _MARKERS and not game.changed:
        message = f"{time_word(section.time)} has {markers} revolt markers; the box has {_MARKERS} (B0.4)"
        game.refuse(section.spot, message)
    peasants = sum((pile or {}).get(PEASANTS_WORD, 0) for pile in (section.tray, section.inside))
    if peasants > PEASANT_ARMIES:
        where = section.spots.get("inside", section.spots.get("tray", section.spot))
        game.refuse(where, f"{peasants} peasants in tray and tower; the box has {PEASANT_ARMIES} (B0.2)")
    left = events_left(section.time)
    if section.events is not None and len(section.events) > left and not game.changed:
        where, open_now = section.spots["events"], len(section.events)
        game.refuse(where, f"{_counted(open_now, 'event')} open; after {section.time} it is {left} (B2.4)")


def events_left(time: str) -> int:
    """How many events lie open at a season end: each round one leaves the game."""
    if time in (START, END):
        return EVENTS_PER_YEAR if time == START else 1
    season = SEASONS.index(time.split()[0])
    return 0 if season == WINTER else EVENTS_PER_YEAR - 1 - season


def _check_start(game: GameText, row: Row) -> None:
    letter = LETTERS[row.seat]
    for each in row.holdings:
        if each.buildings:
            game.refuse(each.spot, f"{each.county} has buildings; at the start there are none (B1)")
    if game.changed:
        return
    printed = game.ruleset().starting_thalers()[row.seat]
    if row.thalers is not None and row.thalers != printed:
        message = f"{letter} has {row.thalers} Thalers; with {game.players} players each starts with {printed} (B1.1)"
        game.refuse(row.where("t"), message)
    if row.vp:
        game.refuse(row.where("v"), f"{letter} has {row.vp} victory points; everybody starts with 0 (B1.7)")
    groups = Counter(each.armies for each in row.holdings if each.armies is not None)
    allowed = ARMY_GROUPS[game.players]
    if not row.lineup and (len(row.holdings) > len(allowed) or groups - Counter(allowed)):
        known = ", ".join(map(str, sorted(groups.elements(), reverse=True))) or "unknown"
        have = f"{_counted(len(row.holdings), 'county')} with {known} armies"
        message = f"{letter} has {have}; allowed are {', '.join(map(str, allowed))} (B1.2), one for each county"
        game.refuse(row.spot, message)


def _check_stated_points(game: GameText) -> None:
    """Points that the text itself states: they change in winter alone and never fall (B7.4), whatever it leaves out."""
    if game.changed:
        return
    for seat in range(game.players):
        stated, year, least = 0, 0, 0  # points, the year in which they were stated, and what winters since must bring
        for time in TIMES:
            row = game.sections[time].rows.get(seat) if time in game.sections else None
            if row is None:
                continue
            if time in (FIRST_WINTER, END):
                least += sum(1 + len(each.buildings) for each in row.holdings)
            if row.vp is not None:
                same = year == year_of(time) and not game.expansions
                if (row.vp != stated) if same else (row.vp < stated + least):
                    _refuse_points(game, row, stated, least, same)
                stated, year, least = row.vp, year_of(time), 0


def _refuse_points(game: GameText, row: Row, stated: int, least: int, same: bool) -> None:
    if same:
        why = f"{stated} is stated before, and points change in winter alone"
    else:
        before = f"{stated} stated before and " if stated else ""
        why = f"{before}{least} of the counties and buildings noted are more"
    message = f"{LETTERS[row.seat]} has {row.vp} victory points; {why} (B7.4)"
    game.refuse(row.where("v"), f"{message}; check counties, buildings and points")


def _doubt_points(game: GameText) -> None:
    """Points that do not follow from boards on which all seats have counties (B7.4): some may be left out."""
    for winter in [] if game.changed else winters_of(game):
        for seat, row in winter.stated.items():
            if winter.scored is not None and differs(game, winter, seat):
                least = "at least " if game.expansions else ""
                message = f"{LETTERS[seat]} has {row.vp} victory points; by the board noted they are {least}"
                sources = winter.scored[seat].in_words(winter.before[seat] or 0)
                game.doubt(row.where("v"), f"{message}{winter.after(seat)}: {sources} (B7.4)")


def _check_said(game: GameText) -> None:
    """Who is said to have led or won had no fewer points than another seat."""
    for key, time, seats in (("led", FIRST_WINTER, game.led), ("won", END, game.won)):
        rows = game.sections[time].rows if time in game.sections else {}
        points = {seat: row.vp for seat, row in rows.items() if row.vp is not None}
        for seat in (each for each in seats if each in points and points[each] < max(points.values())):
            most = max(points, key=lambda each: points[each])
            message = f"{game.name_of(seat)} has {points[seat]} points, {game.name_of(most)} {points[most]}"
            game.refuse(game.spots[key], f"{key}: {message}; name who had most")


def _check_plans(game: GameText) -> None:
    """A seat lays the cards of its own counties (B3.1): those of the season end before."""
    for plan in game.plans:
        before = TIMES[TIMES.index(plan.season) - 1]
        section = game.sections.get(before)
        if section is None or plan.seat not in section.rows:
            continue
        own, owners = [each.county for each in section.rows[plan.seat].holdings], owners_of(section)
        at = f"at the {before}" if before == START else f"after {before}"
        for box, card in plan.cards.items():
            if card not in printed_board().counties or card in own:
                continue
            message = f"{box}: {card} is not a county of {LETTERS[plan.seat]} {at}"
            if card in owners:
                game.refuse(plan.spots[box], f"{message}; {LETTERS[owners[card]]} owns it (B3.1)")
            elif own:
                game.doubt(plan.spots[box], f"{message}; its counties are {', '.join(own)} (B3.1)")
        boxes = open_boxes(game, plan, own)
        if own and boxes and UNKNOWN not in plan.cards.values() and not game.changed and not game.expansions:
            message = f"{boxes} more boxes of this plan have a card, for none stays empty (B3.2)"
            game.doubt(plan.spot, f"{message}; name them, or write such as palace={UNKNOWN}")


def _check_battles(game: GameText) -> None:
    winters = {f"{SEASONS[WINTER]} 1", END}
    for battle in game.battles:
        if battle.attacker is not None and battle.season in winters:
            game.refuse(battle.spot, f"nobody attacks in winter; allowed there is {PEASANTS_WORD} x ... (B7.2)")


def _counted(count: int, noun: str) -> str:
    if count == 1:
        return f"1 {noun}"
    if noun == "county":
        return f"{count} counties"
    return f"{count} churches" if noun == BUILDING_OF["c"] else f"{count} {noun}s"
