"""Edits of the set-up: starting Thalers by seat, counties out of play, edited line-ups, and counties dealt at random.

They are rules for studies, none of them the books': what a fairer line-up or a handicap would change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from wallsim.rules.amounts import start_thalers_name
from wallsim.rules.ruleset import LETTERS, Ruleset
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import ARMIES_PER_PLAYER, ARMY_GROUPS, COUNTIES

if TYPE_CHECKING:
    from wallsim.rules.board import Board

MAX_THALERS = 60  # of a seat at the start
PRINTED, ASSUMED, EDITED = "lineup", "lineup-assumed", "edited"
_OPEN_CARDS = 2  # of a draft (B1.4)

Problem = tuple[str, Any, str]  # the field, below it the entry; the value or None if the text has it; what is wrong


class Group(NamedTuple):
    """A county of a line-up with its armies, and where that comes from: printed, assumed, or edited."""

    county: int
    armies: int
    source: str


def counties_in_play(board: Board, ruleset: Ruleset) -> tuple[int, ...]:
    """The numbers of the counties in play: those of the number of players (B0.1) but for those taken out."""
    return tuple(
        county
        for county in range(COUNTIES)
        if board.min_players[county] <= ruleset.players and board.counties[county] not in ruleset.without
    )


def lineup_of(board: Board, ruleset: Ruleset, letter: str) -> tuple[Group, ...]:
    """The counties of a line-up as they are dealt: edited, or as printed without those out of play (B1.3)."""
    edited = dict(ruleset.lineup_edits).get(letter)
    if edited is not None:
        return tuple(Group(board.counties.index(name), armies, EDITED) for name, armies in edited)
    return tuple(
        Group(county, armies, ASSUMED if assumed else PRINTED)
        for county, armies, assumed in board.lineups[ruleset.players, letter]
        if board.counties[county] not in ruleset.without
    )


def size_difference(players: int, armies: Sequence[int]) -> str:
    """How a line-up with these armies differs in size from the printed ones (B1.3); "" if it is of their size."""
    printed = ARMY_GROUPS[players]
    if (len(armies), sum(armies)) == (len(printed), sum(printed)):
        return ""
    return (
        f"has {_size(armies)} in all; the printed line-ups of {players} players have {len(printed)} counties with "
        f"{sum(printed)} armies"
    )


def size_differences(board: Board, ruleset: Ruleset) -> dict[str, str]:
    """The line-ups in play that are not of the printed size, by letter, each with what differs."""
    differences = {
        letter: size_difference(ruleset.players, [group.armies for group in lineup_of(board, ruleset, letter)])
        for letter in filter(None, ruleset.letters())
    }
    return {letter: differences[letter] for letter in sorted(differences) if differences[letter]}


def _size(armies: Sequence[int]) -> str:
    counties, count = len(armies), sum(armies)
    return f"{counties} {'county' if counties == 1 else 'counties'} with {count} {'army' if count == 1 else 'armies'}"


def max_armies(ruleset: Ruleset) -> int:
    """The armies of a line-up, at most: so many must be left in the supply for the first fill (B1.6)."""
    return ARMIES_PER_PLAYER - ruleset.amount("first_fill_armies")


def setup_errors(board: Board, ruleset: Ruleset) -> list[Problem]:
    """Everything that is wrong with the edits of a ruleset that is sound otherwise."""
    errors = [*_thaler_errors(ruleset), *_without_errors(board, ruleset), *_lineup_errors(board, ruleset)]
    if not errors:
        errors = [*_empty_lineups(board, ruleset), *_shared_counties(board, ruleset), *_too_few_cards(board, ruleset)]
    return errors


def _thaler_errors(ruleset: Ruleset) -> Iterator[Problem]:
    seats, letters = list(map(str, range(ruleset.players))), sorted(filter(None, ruleset.letters()))
    allowed = f"the seats 0 to {ruleset.players - 1}" + (f" and the line-ups {', '.join(letters)}" if letters else "")
    for name, thalers in ruleset.thalers:
        if name not in (*seats, *letters):
            yield f"thalers.{name}", None, f"is none of {allowed}"
        elif not 0 <= thalers <= MAX_THALERS:
            yield f"thalers.{name}", thalers, f"is not a whole number from 0 to {MAX_THALERS}"
    if len({name in letters for name, _ in ruleset.thalers}) > 1:  # line-ups may change seats
        yield "thalers", [name for name, _ in ruleset.thalers], "names seats and line-ups; allowed are one of them"
    start = ruleset.starting_thalers()
    if ruleset.bank and sum(start) > ruleset.bank:
        key = "thalers" if ruleset.thalers else f"amounts.{start_thalers_name(ruleset.players)}"
        yield key, list(start), f"by seat are more in all than the {ruleset.bank} Thalers of the switch bank"


def _without_errors(board: Board, ruleset: Ruleset) -> Iterator[Problem]:
    counted = Counter(ruleset.without)
    for name, times in counted.items():
        if name not in board.counties:
            yield "without", name, f"is not a county of the board{did_you_mean(name, board.counties)}"
        elif board.min_players[board.counties.index(name)] > ruleset.players:
            yield "without", name, f"is out of play with {ruleset.players} players anyway; leave it out"
        elif times > 1:
            yield "without", name, "is named more than once"


def _lineup_errors(board: Board, ruleset: Ruleset) -> Iterator[Problem]:
    letters = LETTERS[: ruleset.players]
    there = {board.counties[county] for county in counties_in_play(board, ruleset)}
    if ruleset.lineup_edits and ruleset.setup != "lineup":
        yield "lineup", None, f"edits line-ups, which the set-up {ruleset.setup} does not deal; leave it out"
        return
    for letter, groups in ruleset.lineup_edits:
        if letter not in letters:
            yield f"lineup.{letter}", None, f"is not a line-up of {ruleset.players} players: {', '.join(letters)}"
            continue
        if not groups:
            yield f"lineup.{letter}", None, "names no county; allowed are one or more, each with its armies"
        for county, armies in groups:
            place = f"lineup.{letter}.{county}"
            if county not in board.counties:
                yield place, None, f"is not a county of the board{did_you_mean(county, board.counties)}"
            elif county not in there:
                yield place, None, "is out of play"
            elif isinstance(armies, bool) or not isinstance(armies, int) or armies < 1:
                yield place, armies, "is not a number of armies from 1 on"
        whole = [armies for _, armies in groups if isinstance(armies, int)]
        most = max_armies(ruleset)
        if sum(whole) > most:
            reserved = ruleset.amount("first_fill_armies")
            text = f"are its armies; allowed are at most {most}, for the supply keeps {reserved} for the first fill"
            yield f"lineup.{letter}", sum(whole), text


def _empty_lineups(board: Board, ruleset: Ruleset) -> Iterator[Problem]:
    for letter in filter(None, ruleset.letters()):
        if not lineup_of(board, ruleset, letter):
            yield f"lineup.{letter}", None, "has no county left, since all of its counties are out of play (without)"


def _shared_counties(board: Board, ruleset: Ruleset) -> Iterator[Problem]:
    owner: dict[int, str] = {}
    for letter in filter(None, ruleset.letters()):
        for group in lineup_of(board, ruleset, letter):
            other = owner.setdefault(group.county, letter)
            if other != letter:
                edited = letter if group.source == EDITED else other
                text = (
                    f"is a county of line-up {other if edited == letter else letter}, too; "
                    "a county that changes line-ups needs both of them edited"
                )
                yield f"lineup.{edited}.{board.counties[group.county]}", None, text


def _too_few_cards(board: Board, ruleset: Ruleset) -> Iterator[Problem]:
    if ruleset.setup == "lineup" or not ruleset.without:
        return
    needed = ruleset.players * len(ARMY_GROUPS[ruleset.players]) + (_OPEN_CARDS if ruleset.setup == "draft" else 0)
    left = len(counties_in_play(board, ruleset))
    if left < needed:
        yield "without", list(ruleset.without), f"leaves {left} counties; the set-up {ruleset.setup} needs {needed}"
