"""Writes the text of a game or of a position: what `reading` reads is the same again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wallsim.rules.board import printed_board
from wallsim.rules.county_codes import codes
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.terms import ROUND_NAMES
from wallsim.trace.game_text.model import (
    END,
    LETTER_OF,
    PEASANTS_WORD,
    TIMES,
    GameText,
    NotedBattle,
    NotedPlan,
    Row,
    Section,
    time_word,
)
from wallsim.trace.game_text.words import UNKNOWN


def text_of(game: GameText) -> str:
    """The text of a game, its season ends in order, its battles and its plans."""
    lines = list(head_lines(game))
    for time in (each for each in TIMES if each in game.sections):
        lines += ["", *section_lines(game, game.sections[time])]
    if game.battles:
        lines += ["", "battles", *(battle_line(battle) for battle in game.battles)]
    if game.plans or game.opened:
        lines += ["", "plans", *plan_lines(game)]
    return "\n".join([*lines, ""])


def head_lines(game: GameText) -> Iterator[str]:
    """The lines that say which game is played, and by whom."""
    if game.title:
        yield f"game: {game.title}"
    yield f"players: {game.players}"
    if game.edition != "2e":
        yield f"edition: {game.edition}"
    for name, values in (("expansions", game.expansions), ("changed", game.changed)):
        if values:
            yield f"{name}: {', '.join(values)}"
    if game.tower:
        yield f"tower: {game.tower}"
    if game.unequal:
        yield "strength: unequal"
    for seat, name in sorted(game.names.items()):
        yield f"{LETTERS[seat]}: {name}"
    for key, seats in (("led", game.led), ("won", game.won)):
        if seats:
            yield f"{key}: {', '.join(LETTERS[seat] for seat in seats)}"
    short = codes(printed_board().counties)
    for each in game.owned:
        yield f"owned: {'' if each.seat is None else f'{LETTERS[each.seat]} '}{short[each.county]}"


def section_lines(game: GameText, section: Section) -> Iterator[str]:
    """The heading of a season end, the seats, and what lies open, in the tray and in the tower."""
    yield time_word(section.time)
    for seat in sorted(section.rows):
        yield seat_line(game, section.rows[seat])
    if section.events:
        yield f"events: {', '.join(section.events)}"
    for name, pile in (("tray", section.tray), ("inside", section.inside)):
        if pile is not None:
            yield " ".join([f"{name}:", *_cubes(pile)])


def _cubes(pile: Mapping[str, int]) -> list[str]:
    order = [*LETTERS, PEASANTS_WORD]
    return [
        f"{colour}{count}" for colour, count in sorted(pile.items(), key=lambda each: order.index(each[0])) if count
    ]


def seat_line(game: GameText, row: Row) -> str:
    """The line of a seat."""
    words = [LETTERS[row.seat]]
    if row.lineup:
        words.append(f"line-up {row.lineup}")
    words += [f"{_number(row.vp)}v", f"{_number(row.grain)}g", f"{_number(row.thalers)}t"]
    words += [f"{row.hall}h"] if "court" in game.expansions else []
    words += [f"{row.taken}s"] if row.taken else []
    short = codes(printed_board().counties)
    if not row.lineup:
        for each in row.holdings:
            letters = "".join(LETTER_OF[kind] for kind in each.buildings)
            words.append(f"{short[each.county]}{_number(each.armies)}{letters}{'!' * each.markers}")
    words += [f"@{short[row.leader]}"] if row.leader is not None else []
    return " ".join([*words, *(f"^{short[county]}" for county in row.statues)])


def _number(value: int | None) -> str:
    return UNKNOWN if value is None else str(value)


def battle_line(battle: NotedBattle) -> str:
    """The line of a battle."""
    season = time_word(battle.season) if battle.season == END else battle.season
    attacker = UNKNOWN if battle.attacker is None else LETTERS[battle.attacker]
    attacker = PEASANTS_WORD if battle.kind == "revolt" else attacker
    owner = LETTERS[battle.defender] if battle.defender is not None else ""
    defenders = f"{_number(battle.defenders)}{'n' if battle.kind == 'neutral' else ''}{'!' if battle.marked else ''}"
    place = codes(printed_board().counties).get(battle.place, battle.place)
    words = (season, attacker, "x", owner, place, f"{_number(battle.attackers)}:{defenders}", battle.result)
    return " ".join(word for word in words if word)


def plan_lines(game: GameText) -> Iterator[str]:
    """The lines of plans by season: what lay open, and the plans of the seats."""
    for season in ROUND_NAMES:
        opened = game.opened.get(season)
        for name, cards in (("actions", opened.actions), ("tiles", opened.tiles)) if opened else ():
            if cards:
                yield f"{season} {name}: {', '.join(cards)}"
        for plan in sorted((each for each in game.plans if each.season == season), key=lambda each: each.seat):
            yield plan_line(plan)


def plan_line(plan: NotedPlan) -> str:
    """The line of a plan."""
    short = codes(printed_board().counties)
    cards = ", ".join(f"{box}={short.get(card, card)}" for box, card in plan.cards.items())
    return f"{plan.season} {LETTERS[plan.seat]} {cards}".rstrip()
